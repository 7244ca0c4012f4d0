"""Every program of the tests that the lazy engine proves: its invariants pass the other check."""

from __future__ import annotations

import pytest

from annotated import Annotated, programs
from counted_time import LONG, PLENTY, counted_time
from places import PROGRAMS
from predabs.analyse import sliced
from predabs.engines import lazy
from predabs.errors import ResourceExhausted
from predabs.evidence.certificate import Certified, certify
from predabs.frontend.build import load
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.spec.checks import add_checks
from predabs.spec.instrument import restrict
from predabs.spec.properties import ASSERT
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe

SHORT = 1.0  # a proof that takes more work is not what this is about
TRUE = [program for program in programs("verdicts") if program.text("verdict") == "TRUE"]
NOT_SOON: set[str] = set()  # what is not proved with so little work


def proved(program: Annotated, options: Options, seconds: float) -> bool:
    """Whether the engine proves it, with invariants that pass."""
    model = DataModel[program.models[0]]
    whole = restrict(load(list(program.files), model), ASSERT)
    task = sliced(add_checks(whole, frozenset(program.text("check").split())))
    try:
        with counted_time():
            verdict = lazy.check(task, options, Budget.of(seconds), EngineStatistics())
    except ResourceExhausted:
        return False
    if not isinstance(verdict, Safe):
        return False
    assert certify(task, verdict.invariants, seconds=PLENTY) == Certified()
    return True


@pytest.mark.parametrize("program", TRUE, ids=[program.name for program in TRUE])
def test_invariants_of_proved_programs(program: Annotated) -> None:
    assert proved(program, Options(), SHORT) == (program.name not in NOT_SOON)


def test_most_programs_are_proved() -> None:
    """So that the certificates say something."""
    assert {program.name for program in TRUE} >= NOT_SOON
    assert len(TRUE) - len(NOT_SOON) > 40


@pytest.mark.parametrize("block", ["loop", "basic", "edge"])
@pytest.mark.parametrize("name", ["locking.c", "refinement_loop.c", "driver.c"])
def test_invariants_of_the_papers_programs(name: str, block: str) -> None:
    program = Annotated(name, (str(PROGRAMS / "papers" / name),), ())
    assert proved(program, Options(block=block), LONG)
