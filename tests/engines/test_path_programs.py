"""Path programs: what is left of a program, and violations behind many rounds of its loops."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path as FilePath

import pytest

import predabs
from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Stopped
from predabs.engines import path_programs
from predabs.engines.cegar import Refined
from predabs.engines.engine import Clock, EngineTask, create
from predabs.engines.path_programs import AFTER, LoopRefiner, PathPrograms, path_program
from predabs.ir.cfa import Edge, Program
from predabs.ir.expr import Binary
from predabs.ir.ops import Assign, Error
from predabs.ir.order import location_graph, reverse_postorder
from predabs.options import Budget, Options, TimeOver
from predabs.verdict import Unsafe
from support.c_programs import program_of_c, write_c

LONG = """int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  while (i < 1000000) { i++; s += 2; }
  if (s == 2000000 && n == 42) reach_error();
  return 0;
}"""


@pytest.fixture(autouse=True)
def enough_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_programs, "_SECONDS", 120.0)


def edges_of(program: Program) -> frozenset[Edge]:
    return frozenset(edge for function in program.functions.values() for edge in function.edges)


def test_a_violation_behind_many_rounds_is_found_at_once() -> None:
    program = program_of_c(LONG)
    found = PathPrograms(EngineTask(ProgramFacts(program))).violation(edges_of(program), Clock())
    assert isinstance(found, Unsafe)
    assert isinstance(execute(program, ListInputs([42])), ErrorReached)


def test_without_acceleration_nothing_is_tried() -> None:
    program = program_of_c(LONG)
    task = EngineTask(ProgramFacts(program), Options(accelerate=False))
    assert PathPrograms(task).violation(edges_of(program), Clock()) is None


def test_edges_without_a_loop_are_left_to_the_engine() -> None:
    program = program_of_c(LONG)
    task = EngineTask(ProgramFacts(program))
    body = {
        edge
        for edge in edges_of(program)
        if isinstance(edge.op, Assign) and isinstance(edge.op.value, Binary)
    }
    assert PathPrograms(task).violation(edges_of(program) - body, Clock()) is None


def test_each_set_of_edges_is_tried_once() -> None:
    program = program_of_c(LONG.replace("s == 2000000", "s == 3"))
    programs = PathPrograms(EngineTask(ProgramFacts(program)))
    edges = edges_of(program)
    assert programs.violation(edges, Clock()) is None
    assert edges in programs._met
    assert programs.violation(edges, Clock()) is None


def test_a_run_ends_where_it_leaves_the_path() -> None:
    program = program_of_c(
        "int main(void) { int x = __VERIFIER_nondet_int();"
        " if (x > 3) { if (x > 9) reach_error(); } else x = 1; return 0; }"
    )
    errors = [edge for edge in edges_of(program) if isinstance(edge.op, Error)]
    kept = set(errors)
    for _ in range(10):
        kept |= {edge for edge in edges_of(program) if edge.dst in {one.src for one in kept}}
    restricted = path_program(program, frozenset(kept))
    assert isinstance(execute(restricted, ListInputs([10])), ErrorReached)
    for value in (9, 4, 3, -1):
        assert isinstance(execute(restricted, ListInputs([value])), Stopped)


def test_what_no_run_comes_to_is_left_out() -> None:
    """As in all programs: engines rely on it."""
    program = program_of_c(
        "int f(int n) { int i = 0; while (i < n) { if (i > 5) { i += 2; if (i & 1) i++; } i++; }"
        " return i; } int main(void) { int x = __VERIFIER_nondet_int();"
        " if (f(x) == 7) { if (x != 7) reach_error(); } return 0; }"
    )
    edges = sorted(edges_of(program), key=str)
    for number in range(len(edges)):
        restricted = path_program(program, frozenset(edges) - {edges[number]})
        for function in restricted.functions.values():
            reached = set(reverse_postorder(location_graph(function), function.entry))
            assert all(edge.src in reached for edge in function.edges)
        with suppress(TimeOver):
            create("bounded", EngineTask(ProgramFacts(restricted))).run(Budget.of(0.02))


def test_the_refiner_comes_second() -> None:
    program = program_of_c(LONG)
    seen: list[frozenset[Edge]] = []

    class Refiner:
        def refine(self, counterexample: frozenset[Edge], check: object) -> Refined:
            seen.append(counterexample)
            return Refined()

    programs = PathPrograms(EngineTask(ProgramFacts(program)))
    refiner = LoopRefiner(Refiner(), programs, lambda edges: edges, Clock())
    edges = edges_of(program)
    for _ in range(AFTER):
        assert isinstance(refiner.refine(edges, lambda error: Unsafe((), "")), Refined)
    seen.clear()
    assert isinstance(refiner.refine(edges, lambda error: Unsafe((), "")), Unsafe)
    assert not seen
    assert isinstance(refiner.refine(edges, lambda error: Unsafe((), "")), Refined)
    assert seen == [edges]


@pytest.mark.parametrize("engine", ["lazy", "slam"])
def test_engines_with_refinement_find_it(engine: str, tmp_path: FilePath) -> None:
    result = predabs.check([write_c(tmp_path, LONG)], engine=engine, timeout=None)
    assert result.verdict is predabs.Answer.FALSE
