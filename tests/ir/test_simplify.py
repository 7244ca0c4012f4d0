"""Shorter conditions mean the same."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.evidence.invariant_text import invariant_text
from predabs.ir import make
from predabs.ir.expr import FALSE, TRUE, And, Binary, Const, Expr, Not, Op, Or, Var
from predabs.ir.show import show_expr
from predabs.ir.simplify import simplified
from predabs.ir.types import CHAR, INT, LLONG, UINT, IntType
from predabs.ir.walk import fold

X, Y = Var("x", INT), Var("y", INT)
U = Var("u", IntType(2, False))
VALUES = {X: range(-3, 5), Y: range(3), U: range(4)}


def number(value: int, type_: IntType = INT) -> Const:
    return make.const(value, type_)


def holds(condition: Expr, values: dict[Var, int]) -> bool:
    def value(term: Expr, parts: tuple[int, ...]) -> int:
        match term:
            case Var():
                return values[term]
            case Const(constant, _):
                return constant
            case Not():
                return not parts[0]
            case And():
                return all(parts)
            case Or():
                return any(parts)
            case Binary(op, _, _, _):
                left, right = parts
                return {Op.EQ: left == right, Op.LT: left < right, Op.LE: left <= right}[op]
        raise AssertionError(term)

    return bool(fold(condition, value))


def literal(pick: random.Random) -> Expr:
    var = pick.choice([X, X, Y, U])
    assert isinstance(var.type, IntType)
    other: Expr = number(pick.randint(0, 3) - (var is X), var.type)
    if var is Y and pick.random() < 0.5:
        other = X
    sides = (var, other) if pick.random() < 0.5 else (other, var)
    made = make.compare(pick.choice([Op.EQ, Op.LT, Op.LE]), *sides)
    return make.negate(made) if pick.random() < 0.5 else made


def condition(pick: random.Random) -> Expr:
    cases = [
        make.conj(literal(pick) for _ in range(pick.randint(1, 4)))
        for _ in range(pick.randint(1, 5))
    ]
    sure = [literal(pick) for _ in range(pick.randint(0, 3))]
    return make.conj((*sure, make.disj(cases)))


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_the_meaning_stays(seed: int) -> None:
    before = condition(random.Random(seed))
    after = simplified(before)
    assert len(show_expr(after)) <= len(show_expr(before)) + 8  # x >= 3 && x <= 3 is x == 3
    for values in product(*VALUES.values()):
        state = dict(zip(VALUES, values, strict=True))
        assert holds(after, state) == holds(before, state)


def test_what_others_say_is_left_out() -> None:
    at_least, at_most = make.less_equal(number(0), X), make.less_equal(X, number(9))
    three = make.equal(X, number(3))
    assert simplified(make.conj((at_least, at_most, three))) is three
    low, high = make.less_equal(number(0), X), make.less_equal(X, number(1))
    assert simplified(make.conj((low, high, make.not_equal(X, number(0))))) is make.equal(
        X, number(1)
    )
    assert simplified(make.conj((at_most, make.less(number(9), X), three))) is FALSE


def test_two_orders_are_an_equality() -> None:
    both = make.conj((make.less_equal(X, Y), make.less(Y, number(7)), make.less_equal(Y, X)))
    assert show_expr(simplified(both)) == "x == y && y < 7"


def test_what_is_known_reaches_inner_cases() -> None:
    inner = make.disj((make.less(X, Y), make.less(X, number(2))))
    cases = make.disj((make.conj((make.less(X, number(9)), inner)), make.equal(Y, number(1))))
    condition = make.conj((make.less(number(3), X), cases))
    assert show_expr(simplified(condition)) == "x > 3 && (x < 9 && x < y || y == 1)"


def test_short_cases_exclude_others() -> None:
    below, other = make.less(X, number(8)), make.not_equal(X, number(0))
    assert simplified(make.disj((below, other))) is TRUE
    longer = make.conj((make.less(number(3), X), make.less(X, Y)))
    either = simplified(make.disj((below, longer)))
    assert show_expr(either) == "x < 8 || x < y"


def test_cases_are_put_together() -> None:
    p, q, r = make.less(X, Y), make.equal(X, number(5)), make.less(Y, number(2))
    assert simplified(make.disj((p, make.negate(p)))) is TRUE
    assert simplified(make.disj((make.conj((p, q)), p))) is p
    four = [make.conj((one, two, r)) for one in (p, make.negate(p)) for two in (q, make.negate(q))]
    assert simplified(make.disj(four)) is r
    shared = simplified(make.disj((make.conj((p, q)), make.conj((p, r)))))
    assert show_expr(shared) == "x < y && (x == 5 || y < 2)"
    condition = simplified(make.conj((q, make.disj((make.conj((r, q)), make.less(X, number(3)))))))
    assert condition is make.conj((q, r))


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (make.less(make.cast(Var("c", CHAR), INT), X), "c < x"),
        (make.less(make.cast(X, LLONG), Var("l", LLONG)), "x < l"),
        (make.less(make.cast(X, LLONG), make.cast(Var("u", UINT), LLONG)), "(long long)x < u"),
        (
            make.equal(
                make.binary(Op.ADD, make.cast(X, LLONG), number(1, LLONG)), make.cast(Y, LLONG)
            ),
            "(long long)x + 1 == y",
        ),
        (make.less(make.cast(X, UINT), Var("u", UINT)), "(unsigned int)x < u"),
        (make.not_equal(make.cast(Var("c", CHAR), INT), number(7)), "c != 7"),
    ],
)
def test_conversions_that_c_makes_are_not_shown(made: Expr, text: str) -> None:
    assert invariant_text(made) == text
