"""Constraints on the places of floating-point numbers, as conditions of C.

A number has its place in the order of all numbers, and a NaN comes after them
(`program.numeric_variables`). So a lower bound holds of a NaN too, and an upper one does not.
Soundness duty: the condition holds wherever the constraint does; what relates places otherwise than
by their order, or to integers, is left out.

>>> from ..analysis.intervals.float_bounds import rank
>>> from ..domains.linear import at_most, variable
>>> from ..ir.show import show_expr
>>> from ..ir.expr import Var
>>> from ..ir.types import DOUBLE
>>> x, y = Var("x", DOUBLE), Var("y", DOUBLE)
>>> for part in (at_most(variable("x"), variable("y")), at_most(variable("y"), rank(0.5))):
...     print(show_expr(compared_places(part, {"x": x, "y": y})))
!(y < x)
y <= 0.5
"""

from __future__ import annotations

from collections.abc import Mapping

from ..analysis.intervals.float_bounds import ALL, number
from ..domains.linear import Comparison, Constraint, Linear
from ..ir import ieee754, make
from ..ir.expr import TRUE, Expr, Lvalue
from ..ir.ieee754 import DOUBLE, Rounding, format_of
from ..ir.types import FloatType


def compared_places(constraint: Constraint, lvalues: Mapping[str, Lvalue]) -> Expr:
    """A condition on the variables that have these places."""
    if constraint.relation is Comparison.EQUAL:
        return make.conj(_at_most(half.linear, lvalues) for half in constraint.halves())
    return _at_most(constraint.linear, lvalues)


def _at_most(linear: Linear, lvalues: Mapping[str, Lvalue]) -> Expr:
    """`linear <= 0`"""
    match linear.coefficients:
        case ((name, 1),):
            return _bounded_above(lvalues[name], -linear.constant)
        case ((name, -1),):
            return _bounded_below(lvalues[name], linear.constant)
        case ((one, 1), (two, -1)):
            return _ordered(lvalues[one], lvalues[two], linear.constant)
        case ((two, -1), (one, 1)):
            return _ordered(lvalues[one], lvalues[two], linear.constant)
    return TRUE


def _bounded_above(e: Lvalue, place: int) -> Expr:
    if place > ALL[1]:
        return TRUE
    return make.less_equal(e, _constant(e, max(place, ALL[0]), Rounding.RTN))


def _bounded_below(e: Lvalue, place: int) -> Expr:
    if place <= ALL[0]:
        return TRUE
    if place > ALL[1]:
        return make.negate(make.equal(e, e))
    return make.negate(make.less(e, _constant(e, place, Rounding.RTP)))


def _ordered(one: Lvalue, two: Lvalue, by: int) -> Expr:
    """`one + by <= two`; where both have a number, the second is not less, or not as small."""
    if by < 0 or one.type is not two.type or not isinstance(one.type, FloatType):
        return TRUE
    return make.negate(make.less(two, one) if by == 0 else make.less_equal(two, one))


def _constant(e: Lvalue, place: int, mode: Rounding) -> Expr:
    """The number at a place, in the type of `e`."""
    assert isinstance(e.type, FloatType)
    form = format_of(e.type)
    bits = ieee754.convert(DOUBLE, form, ieee754.from_float(number(place)), mode)
    return make.float_const(ieee754.to_float(ieee754.convert(form, DOUBLE, bits, mode)), e.type)
