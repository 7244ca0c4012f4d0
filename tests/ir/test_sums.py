"""Sums with constants: folding them changes no value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from predabs.ir import make
from predabs.ir.expr import Binary, Const, Op, Var
from predabs.ir.show import show_expr
from predabs.ir.sums import folded
from predabs.ir.types import IntType
from predabs.ir.walk import subterms
from support.small_conditions import SMALL, STATES, A, B, holds

VALUES = st.recursive(
    st.sampled_from([A, B]) | st.integers(-4, 3).map(lambda n: make.const(n, SMALL)),
    lambda inner: st.builds(
        make.binary, st.sampled_from([Op.ADD, Op.ADD, Op.SUB, Op.MUL, Op.AND]), inner, inner
    ),
    max_leaves=8,
)
CONDITIONS = st.builds(make.compare, st.sampled_from([Op.EQ, Op.LT, Op.LE]), VALUES, VALUES)


@given(CONDITIONS)
def test_the_meaning_stays(condition: Binary) -> None:
    short = folded(condition)
    assert [holds(short, state) for state in STATES] == [
        holds(condition, state) for state in STATES
    ]
    assert folded(short) is short
    assert len(list(subterms(short))) <= len(list(subterms(condition))) + 1


@given(st.lists(st.integers(-4, 3), min_size=1, max_size=8), st.booleans())
def test_one_constant_is_left(numbers: list[int], signed: bool) -> None:
    type_ = IntType(3, signed)
    e = x = Var("x", type_)
    for number in numbers:
        e = make.binary(Op.ADD if number % 2 else Op.SUB, e, make.const(type_.wrap(number), type_))
    constants = [term for term in subterms(folded(e)) if isinstance(term, Const)]
    assert len(constants) <= 1
    equation = folded(make.equal(e, make.const(1, type_)))
    assert isinstance(equation, Binary)
    assert equation.left is x


def test_unsigned_numbers() -> None:
    u = Var("u", IntType(32, False))
    less = make.binary(Op.SUB, u, make.const(1, u.type))
    assert show_expr(folded(make.binary(Op.SUB, less, make.const(2, u.type)))) == "u - 3"
