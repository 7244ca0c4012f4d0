"""Program facts: each analysis runs at most once for a program, however many engines look at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from predabs.analysis import facts as module
from predabs.analysis.facts import ProgramFacts
from predabs.engines.auto import plan
from predabs.engines.auto.engine import AutoEngine
from predabs.engines.engine import Engine, create
from predabs.frontend.compiler_flags import NO_SOURCE_FLAGS
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.options import Budget, Options, TimeOver
from predabs.pipeline import check_pipeline, judgement
from predabs.spec.properties import property_of
from predabs.verdict import Unknown, Verdict
from support.c_programs import program_of_c, write_c
from support.engine_checks import task_of
from support.inline_engines import InlineEngines

ANALYSES = (
    "points_to",
    "partition",
    "modref",
    "liveness",
    "intervals",
    "ControlFlow",
    "call_graph",
)
# no engine is through at once: there are loops, a call with a result, and a product
TEXT = """int twice(int n) { return n + n; }
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0;
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) { x += 2; y += twice(1); }
  if (x != y) reach_error();
  return 0;
}"""


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, int]]:
    """How often each analysis ran, by name and program."""
    counted: Counter[tuple[str, int]] = Counter()
    seen: list[Program] = []  # alive, so that no two have one identity

    def watched(name: str, made: Callable[..., object]) -> Callable[..., object]:
        def run(program: Program, *args: object) -> object:
            seen.append(program)
            counted[name, id(program)] += 1
            return made(program, *args)

        return run

    for name in ANALYSES:
        monkeypatch.setattr(module, name, watched(name, getattr(module, name)))
    return counted


def test_facts_are_made_when_they_are_asked_for(runs: Counter[tuple[str, int]]) -> None:
    facts = ProgramFacts(program_of_c(TEXT))
    assert not runs
    assert facts.call_graph == {"twice": (), "main": ("twice",)}
    assert {name for name, _ in runs} == {"points_to", "call_graph"}
    assert facts.liveness is facts.liveness
    start = facts.flow.entry.location
    assert facts.interval(start, facts.program.functions["main"].locals[0]) is None
    assert set(runs.values()) == {1} and {name for name, _ in runs} == set(ANALYSES)


class _Stopped:
    """An engine that works for a while and then gives up, so that all of them have a turn."""

    def __init__(self, inner: Engine) -> None:
        self._inner = inner

    def run(self, budget: Budget) -> Verdict:
        with suppress(TimeOver):
            self._inner.run(Budget.of(1.0))
        return Unknown("the others are asked too")

    @property
    def so_far(self) -> str:
        return self._inner.so_far


def test_engines_share_them(
    runs: Counter[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each analysis once for the program, and once for the one with result variables."""
    monkeypatch.setattr(plan, "_SHARE", 0.001)
    task = task_of(program_of_c(TEXT))
    provers = {name: _Stopped(create(name, task)) for name in ("lazy", "slam", "numpred")}
    engines = InlineEngines(task, provers)
    AutoEngine(task, list(provers), engines).run(Budget.of(60))
    assert {"lazy", "slam", "numpred"} <= set(engines.started)
    assert set(runs.values()) == {1}
    assert len({program for _, program in runs}) <= 2


def test_a_whole_check(runs: Counter[tuple[str, int]], tmp_path: Path) -> None:
    """The program, its slice, and the slice with result variables: each of them once."""
    task = judgement.Task(
        (write_c(tmp_path, TEXT),),
        property_of("assert"),
        "main",
        DataModel.LP64,
        NO_SOURCE_FLAGS,
        Options(engine="auto"),
        0.0,
        None,
        None,
    )
    check_pipeline.analyse(task, lambda progress: None)
    assert runs and set(runs.values()) == {1}
    assert len({program for _, program in runs}) <= 3
