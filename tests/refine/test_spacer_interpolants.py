"""Blocks as Horn clauses: invariants of whole programs, interpolants of paths."""

from __future__ import annotations

from time import monotonic

import pytest

from predabs.encode import block_graph
from predabs.ir.configuration import Configuration
from predabs.refine.interpolators import spacer_interpolants
from predabs.refine.interpolators.spacer_interpolants import Interpolants, Link, System, reachable
from predabs.smt.horn import HornRefuted, Solution, Solved, verify
from predabs.smt.solver import Statistics
from support.counted_time import PLENTY
from support.refine_problems import Subject, problem_of, shown, subject

EQUAL = """int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x++; y++; }
  if (x != y) reach_error();
  return 0;
}"""
BOUNDED = """int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  __VERIFIER_assume(n >= 0);
  while (i < n) i++;
  if (i > n) reach_error();
  return 0;
}"""
LOCKED = """int lock; int unused;
void take(void) { if (lock) reach_error(); lock = 1; unused++; }
void give(void) { if (!lock) reach_error(); lock = 0; }
int main(void) {
  int old, new = __VERIFIER_nondet_int();
  do {
    take();
    old = new;
    if (__VERIFIER_nondet_int()) { give(); new++; }
  } while (new != old);
  give();
  return 0;
}"""
TWO = """int main(void) {
  int i = 0, k = 0, n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n < 1000);
  while (i < n) { i++; k++; }
  while (i > 0) { if (k <= 0) reach_error(); i--; k--; }
  return 0;
}"""


def system_of(where: Subject) -> System[Configuration]:
    known = reachable(where.blocks, where.root, monotonic() + 30)
    assert known is not None
    links: list[Link[Configuration]] = [Link(None, e, e.target) for e in where.root.exits]
    for configuration, block in known.items():
        links += [Link(configuration, e, e.target) for e in block.exits]
    return System(where.blocks.formulas, links)


def solved(text: str, encoding: str = "int") -> Solution | None:
    system = system_of(subject(text, encoding))
    solution = system.solve(Statistics(), PLENTY)
    if isinstance(solution, Solved):
        assert isinstance(verify(system.rules, solution.relations, Statistics(), PLENTY), Solved)
        assert solution.relations.keys() == set(system.relations.values())
    return solution


@pytest.mark.parametrize("text", [EQUAL, BOUNDED, LOCKED, TWO])
def test_invariants_of_a_program(text: str) -> None:
    assert isinstance(solved(text), Solved)


@pytest.mark.parametrize("text", [EQUAL, LOCKED])
def test_invariants_of_vectors(text: str) -> None:
    assert isinstance(solved(text, "bv"), Solved)


def test_a_bug_is_found() -> None:
    assert isinstance(solved(EQUAL.replace("x++; y++;", "x++; y += 2;")), HornRefuted)


def test_a_limit_must_not_be_reached() -> None:
    """A recursive call is where the exploration ends, so it is no proof."""
    recursive = "int f(int n) { return n > 0 ? f(n - 1) : 0; } int main(void) { return f(3); }"
    assert isinstance(solved(recursive), HornRefuted)


def test_storage_that_does_not_matter_is_left_out() -> None:
    (relation,) = system_of(subject(LOCKED)).relations.values()
    names = [symbol.name for symbol in relation.arguments]
    assert names == ["lock@", "main::new@"]


def test_caps(monkeypatch: pytest.MonkeyPatch) -> None:
    where = subject(TWO)
    monkeypatch.setattr(spacer_interpolants, "MOST_TERMS", 10)
    assert system_of(where).solve(Statistics(), PLENTY) is None
    monkeypatch.setattr(block_graph, "MOST_BLOCKS", 1)
    assert reachable(where.blocks, where.root, monotonic() + 30) is None
    assert reachable(where.blocks, where.root, monotonic() - 1) is None


def test_interpolants_of_a_path() -> None:
    found = shown(Interpolants().find(problem_of(subject(EQUAL), 3), PLENTY))
    assert {"x <= y", "y <= x"} <= set(found) or "x == y" in found
    assert "i <= n" in shown(Interpolants().find(problem_of(subject(BOUNDED), 4), PLENTY))
    vectors = shown(Interpolants().find(problem_of(subject(EQUAL, "bv"), 3), PLENTY))
    assert {"x == y", "y == x"} & set(vectors)


def test_no_time_no_predicates() -> None:
    assert Interpolants().find(problem_of(subject(EQUAL), 2), 0.0) is None
