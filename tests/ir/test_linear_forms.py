"""Linear forms: equal values whatever the variables hold, also where sums wrap around."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from predabs.ir import make
from predabs.ir.expr import Const, Expr, Op, UnaryOp, Var
from predabs.ir.linear_forms import equation, normal, solved
from predabs.ir.types import INT
from predabs.ir.walk import substitute

X, Y = Var("x", INT), Var("y", INT)
NUMBERS = st.integers(-5, 5) | st.integers(INT.low, INT.high)


def sums() -> st.SearchStrategy[Expr]:
    leaves = st.sampled_from((X, Y)) | NUMBERS.map(lambda n: make.const(n, INT))
    return st.recursive(
        leaves,
        lambda inner: (
            st.builds(make.binary, st.sampled_from((Op.ADD, Op.SUB, Op.MUL)), inner, inner)
            | st.builds(lambda e: make.unary(UnaryOp.NEG, e), inner)
        ),
        max_leaves=6,
    )


def value(e: Expr, x: int, y: int) -> Expr:
    return substitute(e, {X: make.const(x, INT), Y: make.const(y, INT)})


@given(sums(), NUMBERS, NUMBERS)
def test_the_normal_form_has_the_same_value(e: Expr, x: int, y: int) -> None:
    assert value(normal(e), x, y) is value(e, x, y)


@given(sums(), sums(), NUMBERS, NUMBERS)
def test_an_equation_keeps_its_meaning(left: Expr, right: Expr, x: int, y: int) -> None:
    assert value(equation(left, right), x, y) is value(make.equal(left, right), x, y)


@given(sums(), NUMBERS, NUMBERS)
def test_the_solution_is_one(e: Expr, x: int, y: int) -> None:
    wanted = value(e, x, y)
    assert isinstance(wanted, Const)
    found = solved(e, X, wanted)
    if found is not None:
        assert value(found, x, y) is make.const(x, INT)


def test_equal_sums_are_the_same() -> None:
    two = make.const(2, INT)
    one = make.binary(Op.ADD, make.binary(Op.MUL, two, X), Y)
    other = make.binary(Op.ADD, make.binary(Op.ADD, X, Y), X)
    assert normal(one) is normal(other) or normal(make.binary(Op.SUB, one, other)) is make.const(
        0, INT
    )
