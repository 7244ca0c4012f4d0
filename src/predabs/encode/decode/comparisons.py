"""Comparisons of integer sums in a normal form: `small sum OP other sum`.

There are no negative factors, and constants are where they need no wider type. A condition and its
negation come out as each other's negation. Soundness duty: the expression is equivalent to the
comparison, wherever the parts of the sum lie in their bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import TypeAlias

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.expr import FALSE, TRUE, Const, Expr
from ...ir.expr import Op as IrOp
from ...ir.types import IntType, PointerType
from ...smt.term import Op
from ..encoding import value_range
from .sums import Integer, Sum, exact, wide

_Parts: TypeAlias = tuple[tuple[int, Integer], ...]
_Pointer: TypeAlias = Callable[[Expr], Expr]


def compare(op: Op, sum_: Sum, pointer: _Pointer) -> Expr:
    """The comparison of a sum with zero; `pointer` writes addresses."""
    strict = op is Op.LT
    if strict:
        op, sum_ = Op.LE, Sum(sum_.parts, sum_.constant + 1)
    decided = _decided(op, sum_)
    if decided is not None:
        return decided
    factor = gcd(*(f for f, _ in sum_.parts))
    # a whole number is at most zero if its quotient, rounded up, is
    value = -(-sum_.constant // factor)
    if op is Op.EQ and value * factor != sum_.constant:
        return FALSE
    left = tuple((f // factor, part) for f, part in sum_.parts if f > 0)
    right = tuple((-f // factor, part) for f, part in sum_.parts if f < 0)
    if op is Op.EQ:
        return _equal(left, right, value, pointer)
    if not left or not right:
        return _bounded(left, right, value, strict, pointer)
    if value > 0:
        return _placed(IrOp.LT, left, right, value - 1, pointer)
    return _placed(IrOp.LE, left, right, value, pointer)


def _placed(op: IrOp, left: _Parts, right: _Parts, value: int, pointer: _Pointer) -> Expr:
    """left + value OP right; the constant is added, unless subtracting it on the other side
    needs no wider type."""
    pairs = [(Sum(left, value), Sum(right)), (Sum(left), Sum(right, -value))]
    if value < 0:
        pairs.reverse()
    return _in_one_type(op, *min(pairs, key=_width), pointer)


def _bounded(left: _Parts, right: _Parts, value: int, strict: bool, pointer: _Pointer) -> Expr:
    """left + value <= right, where one side is empty."""
    sum_ = Sum(left or right)
    most = -value if left else value - 1  # the sum is at most, or is not at most, this number
    if most in (sum_.low, sum_.high - 1):
        end = most if most == sum_.low else most + 1
        is_end = _in_one_type(IrOp.EQ, sum_, Sum((), end), pointer)
        return is_end if (end == most) == bool(left) else make.negate(is_end)
    # "< 0" and "<= 0" rather than "<= -1" and "< 1"
    if most == -1 or (most and (strict if left else not strict)):
        below = _in_one_type(IrOp.LT, sum_, Sum((), most + 1), pointer)
    else:
        below = _in_one_type(IrOp.LE, sum_, Sum((), most), pointer)
    return below if left else make.negate(below)


def _equal(left: _Parts, right: _Parts, value: int, pointer: _Pointer) -> Expr:
    if not left:
        left, right, value = right, left, -value
    if not right:
        return _in_one_type(IrOp.EQ, Sum(left), Sum((), -value), pointer)
    if value > 0:
        left, right, value = right, left, -value
    return _placed(IrOp.EQ, left, right, value, pointer)


def _in_one_type(op: IrOp, left: Sum, right: Sum, pointer: _Pointer) -> Expr:
    """In the type of one side, if that has all values of the other."""
    a, b = exact(left), exact(right)
    order = ((b, a), (a, b)) if isinstance(a.expr, Const) else ((a, b), (b, a))
    for one, two in order:
        type_ = one.expr.type
        low, high = value_range(type_)
        if low <= two.low and two.high <= high and isinstance(type_, IntType | PointerType):
            sides = pointer(a.as_type(type_)), pointer(b.as_type(type_))
            return make.compare(op, *sides)
    type_ = wide(min(a.low, b.low), max(a.high, b.high))
    return make.compare(op, a.as_type(type_), b.as_type(type_))


def _width(pair: tuple[Sum, Sum]) -> int:
    """How many bits two sums take."""
    try:
        types = [exact(side).expr.type for side in pair]
    except UnsupportedFeature:
        return 1 << 16
    return max(t.bits for t in types if isinstance(t, IntType | PointerType))


def _decided(op: Op, sum_: Sum) -> Expr | None:
    """Whether the sum is (at most) zero, if the bounds of its parts tell."""
    low, high = sum_.low, sum_.high
    if op is Op.LE:
        return TRUE if high <= 0 else FALSE if low > 0 else None
    if not low <= 0 <= high:
        return FALSE
    return TRUE if low == high else None
