"""Every program of the tests that the lazy engine proves: its invariants pass the other check."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.evidence import certificate
from predabs.evidence.certificate import Certified, certify
from predabs.frontend.load import load
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.pipeline.preparation import sliced
from predabs.spec.checks import add_checks
from predabs.spec.properties import ASSERT, restrict
from predabs.verdict import Safe
from support.annotated import Annotated, programs
from support.counted_time import LONG, PLENTY, counted_time
from support.engine_checks import LAZY_UNDECIDED, checked
from support.places import PROGRAMS
from support.selection import mostly_long

# What the engine proves, but not here, and why.
NOT_HERE = {
    "division_by_zero_ends": "it takes a replay that refutes an error",
    "division_signs": "products of inputs: the solver of certificates takes very long",
    "overflow_absent": "products of inputs: the solver of certificates takes very long",
}
PROVED = [
    program
    for program in programs("verdicts")
    if program.text("verdict") == "TRUE"
    and program.name not in LAZY_UNDECIDED.keys() | NOT_HERE.keys()
]


def hold(program: Annotated, options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine proves it, with invariants that pass."""
    monkeypatch.setattr(certificate, "_SECONDS_PER_CALL", PLENTY)
    model = DataModel[program.models[0]]
    whole = restrict(load(list(program.files), model), ASSERT)
    facts = ProgramFacts(add_checks(whole, frozenset(program.text("check").split())))
    task = sliced(facts).program
    with counted_time():
        verdict = checked("lazy", task, options, Budget.of(LONG))
    assert isinstance(verdict, Safe)
    assert certify(task, verdict.invariants, seconds=PLENTY) == Certified()


@pytest.mark.parametrize("program", mostly_long(PROVED, 10, lambda program: program.name))
def test_invariants_of_proved_programs(program: Annotated, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(program, Options(), monkeypatch)


PRINTED = [
    pytest.param(
        name, block, marks=pytest.mark.long if name == "driver.c" and block != "loop" else ()
    )
    for name in ("locking.c", "refinement_loop.c", "driver.c")
    for block in ("loop", "basic", "edge")
]


def test_there_are_such_programs() -> None:
    assert len(PROVED) > 25


@pytest.mark.parametrize(("name", "block"), PRINTED)
def test_invariants_of_the_printed_programs(
    name: str, block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Annotated(name, (str(PROGRAMS / "papers" / name),), ())
    hold(program, Options(block=block), monkeypatch)
