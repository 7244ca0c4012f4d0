"""Floating-point inputs at their extremes, and conditions on one number solved for it."""

from __future__ import annotations

import random

import pytest

from predabs.encode.encoding import BitVectorEncoding
from predabs.ir.ieee754 import DOUBLE, from_float, is_nan
from predabs.refine.interpolators.extreme_inputs import ExtremeInputs, extremes, solved
from predabs.refine.interpolators.weakest import Weakest
from predabs.refine.refiner import PivotRefinement
from predabs.smt import build, floats
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.term import BitVecSort, Op, Symbol, Term
from support.lazy_paths import Case

X, V, W = (Symbol(name, BitVecSort(64)) for name in "xvw")


def number(value: float) -> Term:
    return floats.constant(DOUBLE, from_float(value))


def most(term: Term, value: float) -> Term:
    return floats.less_equal(DOUBLE, term, number(value))


def least(term: Term, value: float) -> Term:
    return floats.less_equal(DOUBLE, number(value), term)


def plus(left: Term, right: Term) -> Term:
    return floats.arithmetic(Op.FP_ADD, DOUBLE, left, right)


def is_input(symbol: Symbol) -> bool:
    return symbol is not X


def test_an_input_takes_its_bounds() -> None:
    conditions = [build.and_(most(V, 1.0), least(V, -1.0)), least(plus(X, V), 10.0)]
    assert set(extremes(conditions, is_input)) == {
        least(plus(X, number(1.0)), 10.0),
        least(plus(X, number(-1.0)), 10.0),
    }


def test_an_input_without_a_bound_says_nothing() -> None:
    assert not list(extremes([least(plus(plus(X, V), W), 10.0), most(V, 1.0)], is_input))


def test_many_inputs_take_their_bounds_together() -> None:
    inputs = [Symbol(f"v{n}", BitVecSort(64)) for n in range(9)]
    conditions = [part for v in inputs for part in (most(v, 1.0), least(v, 0.5))]
    total: Term = X
    for v in inputs:
        total = plus(total, v)
    found = list(extremes([*conditions, least(total, 10.0)], is_input))
    assert len(set(found)) == 2
    assert all(TermEvaluator({X: from_float(5.6)}).holds(term) for term in found)
    assert len({solved(term) for term in found} - {None}) == 2


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (least(plus(X, number(1.0)), 10.0), least(X, 9.0)),
        (most(plus(X, number(2.0)), 10.0), most(X, 8.0)),
        (floats.less(DOUBLE, floats.neg(DOUBLE, X), number(3.0)), None),
        (most(X, 3.0), None),  # a bound already
        (floats.equal(DOUBLE, plus(X, number(1.0)), number(2.0)), None),  # false at both ends
        (least(plus(X, V), 2.0), None),
    ],
)
def test_conditions_on_one_number(condition: Term, expected: Term | None) -> None:
    found = solved(condition)
    assert found is expected or (expected is None and found is not None)


def test_a_bound_holds_where_the_condition_does() -> None:
    pick = random.Random(7)
    for _ in range(30):
        term: Term = X
        for _ in range(pick.randint(1, 4)):
            value = number(pick.choice([0.1, 0.5, 1.0, 3.0, 100.0]))
            op = pick.choice([Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV])
            term = floats.arithmetic(op, DOUBLE, term, value)
        condition = pick.choice([least, most])(term, pick.choice([-2.0, 0.3, 10.0]))
        found = solved(condition)
        if found is None:
            continue
        for _ in range(20):
            bits = pick.choice([pick.getrandbits(64), from_float(pick.uniform(-50, 50))])
            if not is_nan(DOUBLE, bits):
                evaluator = TermEvaluator({X: bits})
                assert evaluator.holds(found) == evaluator.holds(condition)


STEPS = """double __VERIFIER_nondet_double(void); void reach_error(void); double x;
int main(void) { double v; x = 0.0;
  A: v = __VERIFIER_nondet_double(); if (!(v >= -1.0 && v <= 1.0)) return 0; x = x + v;
  B: v = __VERIFIER_nondet_double(); if (!(v >= -1.0 && v <= 1.0)) return 0; x = x + v;
  C: if (x > 2.5) reach_error(); return 0; }"""


def test_they_exclude_the_path() -> None:
    """Without them no predicate says how large x may be between two steps."""
    without = Case(STEPS, ("A", "B", "C"), Weakest(), encoding=BitVectorEncoding())
    assert not isinstance(without.refine(), PivotRefinement)
    case = Case(STEPS, ("A", "B", "C"), Weakest(), ExtremeInputs(), encoding=BitVectorEncoding())
    outcome = case.refine()
    assert isinstance(outcome, PivotRefinement)
    for configuration, predicate in outcome.predicates:
        case.precision.add(configuration.location, predicate)
    assert case.refine() == PivotRefinement(outcome.pivot, ())
