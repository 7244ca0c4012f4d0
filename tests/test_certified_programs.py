"""Every program of the tests that the lazy engine proves: its invariants pass the other check."""

from __future__ import annotations

import pytest

from annotated import PROGRAMS, Annotated, programs
from engine_checks import checked
from predabs.analyse import sliced
from predabs.analysis.facts import ProgramFacts
from predabs.errors import ResourceExhausted
from predabs.evidence.certificate import Certified, certify
from predabs.frontend.build import load
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.spec.checks import add_checks
from predabs.spec.instrument import restrict
from predabs.spec.properties import ASSERT
from predabs.verdict import Safe

SECONDS = 60.0
SHORT = 2.0  # a proof that takes longer is not what this is about
TRUE = [program for program in programs("verdicts") if program.text("verdict") == "TRUE"]


def proved(program: Annotated, options: Options, seconds: float) -> bool:
    """Whether the engine proves it, with invariants that pass."""
    model = DataModel[program.models[0]]
    whole = restrict(load(list(program.files), model), ASSERT)
    task = sliced(ProgramFacts(add_checks(whole, frozenset(program.text("check").split()))))
    try:
        verdict = checked("lazy", task, options, Budget.of(seconds))
    except ResourceExhausted:
        return False
    if not isinstance(verdict, Safe):
        return False
    assert certify(task, verdict.invariants) == Certified()
    return True


@pytest.mark.parametrize("program", TRUE, ids=[program.name for program in TRUE])
def test_invariants_of_proved_programs(program: Annotated) -> None:
    proved(program, Options(), SHORT)


@pytest.mark.parametrize("block", ["loop", "basic", "edge"])
@pytest.mark.parametrize("name", ["locking.c", "refinement_loop.c", "driver.c"])
def test_invariants_of_the_papers_programs(name: str, block: str) -> None:
    program = Annotated(name, (str(PROGRAMS / "papers" / name),), ())
    assert proved(program, Options(block=block), SECONDS)
