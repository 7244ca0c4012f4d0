"""What the domains of the numpred engine did is counted: over all rounds, and however it ends."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from predabs.frontend.compiler_flags import NO_SOURCE_FLAGS
from predabs.ir.types import DataModel
from predabs.numpred.domain.counters import Operation
from predabs.numpred.program import solution
from predabs.options import Budget, Options, TimeOver
from predabs.pipeline import check_pipeline, judgement
from predabs.spec.properties import property_of
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe
from support.c_programs import program_of_c, write_c
from support.counted_time import PLENTY
from support.engine_checks import checked

# intervals do not prove it, so there is more than one round
PROGRAM = """int main(void) { int a = 0;
  for (int i = 0; i < 10; i++) a += 2;
  if (a != 20) reach_error(); return 0; }"""


@pytest.mark.needs_polyhedra  # with relations of two numbers it is not proved
def test_operations_of_all_rounds_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = EngineStatistics()
    before: list[int] = []  # calls, whenever a round makes its domain

    def make(*args: Any, **options: Any) -> Any:
        before.append(sum(counted.operations.calls.values()))
        return original(*args, **options)

    original = solution.make
    monkeypatch.setattr(solution, "make", make)
    began = time.perf_counter()
    verdict = checked("numpred", program_of_c(PROGRAM), Options(), Budget.of(PLENTY), counted)
    passed = time.perf_counter() - began
    assert isinstance(verdict, Safe)
    calls = [*before, sum(counted.operations.calls.values())]
    assert len(calls) > 2 and calls[0] == 0 and calls == sorted(set(calls))
    assert {Operation.APPLY, Operation.JOIN, Operation.LEQ} <= counted.operations.calls.keys()
    assert counted.operations.seconds.keys() == counted.operations.calls.keys()
    assert 0 < sum(counted.operations.seconds.values()) < passed


def test_operations_are_counted_up_to_an_exception() -> None:
    counted = EngineStatistics()
    calls = counted.operations.calls

    def progress(text: str) -> None:
        if calls.get(Operation.APPLY, 0) >= 5:
            raise TimeOver("enough")

    with pytest.raises(TimeOver, match="enough"):
        checked("numpred", program_of_c(PROGRAM), Options(), Budget(), counted, progress)
    assert calls[Operation.APPLY] == 5
    assert counted.operations.seconds[Operation.APPLY] > 0


def test_a_check_that_is_stopped_from_outside_has_told_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The parent of the analysis makes the result from the last progress."""
    monkeypatch.setattr(judgement, "_PROGRESS_SECONDS", 0.0)
    sent: list[judgement.Progress] = []
    task = judgement.Task(
        (write_c(tmp_path, PROGRAM),),
        property_of("assert"),
        "main",
        DataModel.LP64,
        NO_SOURCE_FLAGS,
        Options(engine="numpred"),
        time.monotonic(),
        None,
        None,
    )
    result = check_pipeline.analyse(task, sent.append)
    told = [sum(use.calls for use in item.so_far.work.operations) for item in sent]
    assert told == sorted(told) and 0 < told[-1] <= sum(use.calls for use in result.work.operations)
