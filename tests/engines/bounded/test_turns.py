"""The bounded search in many short turns: it ends like one that was never stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from predabs.engines.bounded import engine as bounded
from predabs.engines.bounded.engine import BoundedEngine
from predabs.engines.engine import decide
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.options import Budget, TimeOver
from predabs.smt.solver import Answer, Reason
from predabs.smt.solver import Unknown as Undecided
from predabs.smt.term import Term
from predabs.spec.checks import add_checks
from predabs.statistics import EngineStatistics, Phase
from predabs.verdict import Unknown, Unsafe, Verdict
from support.annotated import Annotated, programs
from support.counted_time import Patient, counted_time
from support.engine_checks import searching, task_of

DECIDED = [p for p in programs("verdicts") if p.need("bounded").text != "UNKNOWN"]
SOME = [program for program in DECIDED if "loop" in program.name or "heap" in program.name]
TURNS = 10_000


@pytest.fixture(autouse=True)
def without_runs() -> Iterator[None]:
    """What a concrete run would find is left to the search."""
    with searching():
        yield


def loaded(program: Annotated) -> Program:
    return add_checks(load(program.files), frozenset(program.text("check").split()))


def in_turns(program: Program, seconds: float, counted: EngineStatistics) -> tuple[Verdict, int]:
    """The verdict, and how often the search was stopped."""
    search = BoundedEngine(task_of(program, statistics=counted))
    with counted_time():
        for stopped in range(TURNS):
            try:
                return search.run(Budget.of(seconds)), stopped
            except TimeOver:
                assert "round" in search.so_far
    pytest.fail("no end")


@pytest.mark.parametrize("program", SOME, ids=[program.name for program in SOME])
def test_the_verdict_is_the_same(program: Annotated, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns are short, but each question to the solver is answered, however long that takes."""
    create = bounded.create
    monkeypatch.setattr(bounded, "create", lambda *args: Patient(create(*args)))
    counted = EngineStatistics()
    verdict, _ = in_turns(loaded(program), 0.005, counted)
    truth = program.need("verdict").text
    assert isinstance(verdict, Unsafe) == (truth == "FALSE") and not isinstance(verdict, Unknown)
    assert counted.seconds[Phase.SEARCH] > 0


def test_a_question_that_had_no_time_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second answer of the solver is that the time was too short."""
    (program,) = [program for program in DECIDED if program.name == "loop_symbolic_wrong"]
    asked = 0

    class Hasty:
        def __init__(self, inner: bounded.Solver) -> None:
            self._inner = inner

        def check(self, terms: Sequence[Term], timeout: float) -> Answer:
            nonlocal asked
            asked += 1
            assert timeout <= 5
            if asked % 2:
                return Undecided(Reason.TIMEOUT)
            return self._inner.check(terms, timeout)

    create = bounded.create
    monkeypatch.setattr(bounded, "create", lambda *args: Hasty(create(*args)))
    verdict, stopped = in_turns(loaded(program), 5, EngineStatistics())
    # not if the question is only whether the search has to go on: then it goes on
    assert isinstance(verdict, Unsafe) and 0 < stopped <= asked // 2


def test_a_solver_that_fails_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    (program,) = [program for program in DECIDED if program.name == "loop_symbolic_wrong"]

    class Broken:
        def check(self, terms: Sequence[Term], timeout: float) -> Answer:
            return Undecided(Reason.FAILURE, "a bug")

    monkeypatch.setattr(bounded, "create", lambda *args: Broken())
    with counted_time():
        verdict = decide("bounded", task_of(loaded(program)), Budget.of(0.1))
    assert isinstance(verdict, Unknown)
