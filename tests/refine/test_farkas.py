"""Farkas interpolants: general inequalities for loops."""

from __future__ import annotations

from predabs.encode.encoding import BoundedTerm
from predabs.encode.integer_encoding import wrap
from predabs.ir.types import INT as C_INT
from predabs.refine.interpolators.farkas import Farkas, combine, linear
from predabs.smt import build
from predabs.smt.term import INT, Symbol
from support.refine_problems import problem_of, shown, subject

COUNT = """int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x++; y++; }
  if (x != y) reach_error();
  return 0;
}"""
INPUTS = """int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  __VERIFIER_assume(n >= 0 && n < 1000);
  while (i < n) {
    int step = __VERIFIER_nondet_int();
    __VERIFIER_assume(step > 0 && step < 3);
    i = i + step;
  }
  if (i > n + 1) reach_error();
  return 0;
}"""
FLAG = """int flag;
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) { if (flag == 1) reach_error(); x++; }
  return 0;
}"""
MEMORY = """int a[4]; int sum;
int main(void) {
  int i = __VERIFIER_nondet_int(), turns = 0;
  __VERIFIER_assume(i >= 0 && i < 4);
  a[i] = 5; sum = 5;
  while (turns < 7) { turns++; }
  if (a[i] < sum) reach_error();
  return 0;
}"""


def test_both_sides_of_a_disequality() -> None:
    for turns in range(3):
        found = Farkas().find(problem_of(subject(COUNT), 2 + turns), 200.0)
        assert shown(found) == ["x < y", "y < x"]


def test_a_bound_holds_in_every_turn() -> None:
    bounded = INPUTS.replace("step < 3", "step < 2").replace("n + 1", "n")
    for turns in range(3):
        assert "n < i" in shown(Farkas().find(problem_of(subject(bounded), 2 + turns), 200.0))


def test_inputs_cancel_out() -> None:
    for turns in range(3):
        found = Farkas().find(problem_of(subject(INPUTS), 2 + turns), 200.0)
        assert all("nondet" not in text and "step" not in text for text in shown(found))


def test_equalities_stay_equalities() -> None:
    assert shown(Farkas().find(problem_of(subject(FLAG), 2), 200.0)) == ["flag == 1"]


def test_what_is_not_linear_is_a_variable() -> None:
    assert shown(Farkas().find(problem_of(subject(MEMORY), 2), 200.0))


def test_the_region_takes_part() -> None:
    where = subject(COUNT)
    problem = problem_of(where, 3)
    rest = type(problem)(
        problem.blocks,
        problem.exits[1:],
        build.eq(Symbol("main::x@", INT), Symbol("main::y@", INT)),
        problem.transitions[1:],
        frozenset((block - 1, number) for block, number in problem.core if block),
        problem.observed,
        problem.statistics,
    )
    assert shown(Farkas().find(rest, 200.0)) == ["x < y", "y < x"]


def test_nothing_for_vectors() -> None:
    assert Farkas().find(problem_of(subject(COUNT, "bv"), 2), 200.0) is None


def test_sums_are_seen_through_wrap_around() -> None:
    x = Symbol("x", INT)
    number = BoundedTerm(build.add(x, build.integer(1)), C_INT.low + 1, C_INT.high + 1)
    found = linear(build.add(wrap(number, C_INT).term, x))
    assert found.factors == {x: 2}
    assert found.constant == 1
    assert combine([(1, found), (-1, found)]).factors == {}
    small = build.mod(x, build.integer(8))
    assert linear(small).factors == {small: 1}
