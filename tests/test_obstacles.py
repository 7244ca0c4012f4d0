"""What engines note as standing in their way."""

from __future__ import annotations

import pytest

from predabs.engines.engine import create
from predabs.ir.cfa import Edge
from predabs.ir.ops import Call
from predabs.ir.order import loop_heads
from predabs.ir.path import Path
from predabs.obstacles import Obstacle, ObstacleKind, of_path
from predabs.options import Budget, TimeOver
from predabs.statistics import EngineStatistics
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import searching, task_of

ENDLESS = """
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = 1;
  if (x % 2 == 0) return 0;
  while (__VERIFIER_nondet_int())
    y = y * x * x * x;
  if (y % 2 == 0) reach_error();
  return 0;
}
"""
DEEP = """
unsigned f(unsigned n) {
  if (n < 2) return 1;
  return f(n - 1) * n + f(n - 2);
}
int main(void) {
  if (f(__VERIFIER_nondet_uint()) == 77) reach_error();
  return 0;
}
"""


def stopped(engine: str, text: str, seconds: float) -> list[Obstacle]:
    """What stands in the way of an engine when its time is over."""
    counted = EngineStatistics()
    made = create(engine, task_of(program_of_c(text), statistics=counted))
    with searching(), counted_time(), pytest.raises(TimeOver):
        made.run(Budget.of(seconds))
    return counted.obstacles


def test_the_bounded_engine_names_loops() -> None:
    (found,) = stopped("bounded", ENDLESS, 0.05)
    assert (found.kind, found.function, found.coord.line) == (ObstacleKind.LOOP, "main", 5)
    assert found.count >= 2


def test_the_bounded_engine_names_recursion() -> None:
    found = stopped("bounded", DEEP, 0.05)
    assert [(one.kind, one.function) for one in found] == [(ObstacleKind.RECURSION, "f")]
    assert found[0].count >= 2


def test_kinduction_names_the_error() -> None:
    found = stopped("kinduction", ENDLESS, 0.4)
    assert [(one.kind, one.coord.line) for one in found] == [(ObstacleKind.INDUCTION, 7)]


def test_a_path_names_the_loop_that_it_takes_most() -> None:
    text = """
int g(void) { return 1; }
int main(void) {
  int i = 0, s = 0;
  while (i < 3) { s = s + g(); i++; }
  return s;
}
"""
    program = program_of_c(text)
    main, inner = program.functions["main"], program.functions["g"]
    (head,) = loop_heads(main)
    edges: list[Edge] = []
    here = main.entry
    for _ in range(60):
        leaving = main.outgoing[here]
        rounds = sum(edge.src is head for edge in edges)
        taken = leaving[0] if here is not head or rounds < 3 else leaving[-1]
        edges.append(taken)
        if isinstance(taken.op, Call):
            edges += inner.edges
        here = taken.dst
        if not main.outgoing[here]:
            break
    (found,) = of_path(program, Path(tuple(edges)))
    assert (found.kind, found.coord.line, found.function) == (ObstacleKind.PATH, 5, "main")
    assert found.count == 3
    (straight,) = of_path(program, Path(tuple(edges[:2])))
    assert straight.kind is ObstacleKind.ERROR
    assert of_path(program, Path(())) == []
