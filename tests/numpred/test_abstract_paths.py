"""Paths to an error in the abstract program, and what is learned from those that no run follows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from predabs.ir.configuration import Transition, TransitionKind
from predabs.ir.show import show_expr, show_op
from predabs.numpred.domain.counters import Counters
from predabs.numpred.program.solution import ProgramAbstraction, Solution
from predabs.numpred.refine.abstract_paths import backwards, distances, followed
from predabs.numpred.refine.path_refinement import PathRefinement, path_refinement
from predabs.numpred.refine.plan import Plan
from predabs.numpred.refine.sources import Sources
from predabs.options import Options
from support.c_programs import program_of_c
from support.numpred_runs import Abstracted

# the branches are joined, and boxes do not tell that x and y are equal
JOINED = """int main(void) {
  int x, y;
  if (__VERIFIER_nondet_int()) { x = 1; y = 1; } else { x = -1; y = -1; }
  if (x != y) reach_error();
  return 0; }"""


class Solved:
    """A program with its fixpoint over boxes."""

    def __init__(self, text: str, tracked: Callable[[str], bool] = lambda name: True) -> None:
        subject = self.subject = Abstracted(program_of_c(text))
        self.control = subject.control
        parts = ProgramAbstraction(subject.facts, subject.cells, subject.table, subject.control)
        precision = subject.precision([], tracked)
        self.solution: Solution = parts.solve(precision, "numeric", "box", Counters(), lambda: None)
        self.errors = self.control.transitions_of(TransitionKind.ERROR)

    def followed(self) -> list[list[Transition]]:
        found = self.solution
        start = self.control.initial
        return list(
            followed(found.domain, found.graph, start, found.initial, self.errors, lambda: True)
        )

    def backwards(self) -> list[Transition]:
        found = self.solution
        start = self.control.initial
        return backwards(found.domain, found.graph, found.values, start, self.errors[0])

    def path_refinement(self, path: list[Transition]) -> PathRefinement:
        return path_refinement(self.subject.facts, self.subject.cells, path, range(len(path)))


def test_a_path_back_from_an_error_that_only_a_join_reaches() -> None:
    solved = Solved(JOINED)
    (error,) = solved.errors
    assert not solved.solution.domain.is_bot(solved.solution.values[error])
    assert solved.followed() == []
    path = solved.backwards()
    assert path[0].src is solved.control.initial
    assert path[-1] is error
    assert all(before.dst is after.src for before, after in pairwise(path))
    assert len(path) == distances(solved.solution.graph, solved.errors)[solved.control.initial]


def test_abstract_states_follow_a_path_without_joins() -> None:
    solved = Solved(
        "int main(void) { int x = __VERIFIER_nondet_int(), i = 0;"
        " while (i < 2) i++; if (x == 3) reach_error(); return 0; }"
    )
    paths = solved.followed()
    assert paths
    rounds = {sum("i + 1" in show_op(transition.edge.op) for transition in path) for path in paths}
    for path in paths:
        assert path[0].src is solved.control.initial
        assert path[-1] in solved.errors
        assert all(before.dst is after.src for before, after in pairwise(path))
    assert rounds == {2}, "numbers know how often the loop is taken"


def test_what_a_path_tells() -> None:
    """The condition of the error, and what it was before each assignment."""
    solved = Solved(JOINED)
    found = solved.path_refinement(solved.backwards())
    assert {"main::x", "main::y"} <= set(found.cells)
    assert show_expr(found.written[0]) == "x == y"
    shown = [show_expr(expr) for expr in found.predicates]
    assert shown[0] == "x == y"
    assert {"x == 1", "x == -1"} & set(shown)


def test_numbers_come_before_predicates() -> None:
    """x has an address, and there is one in each call: it is no number from the start."""
    solved = Solved(
        "void f(void) { int x = 0, *p = &x; *p = 3; if (x != 3) reach_error(); }"
        " int main(void) { f(); f(); return 0; }",
        tracked=lambda name: False,
    )
    subject = solved.subject
    sources = Sources(subject.control.transitions, subject.cells)
    plan = Plan(Options(numeric="box"), subject.cells, subject.table, {}, sources, [])
    plan.solved(related=True, seconds=0.0)
    assert "f::x" not in plan.precision.cells
    found = solved.path_refinement(solved.backwards())
    assert plan.refine(found)
    assert "f::x" in plan.precision.cells
    assert not plan.precision.predicates
    assert plan.refine(found)
    assert plan.precision.predicates
