"""Intervals of integers: what C's operators make of them.

Soundness duty: if every operand lies in its interval, the exact result (before it is wrapped into
its type) lies in the interval given here.

>>> multiply((-2, 3), (5, 7)), divide((-7, 7), (2, 2)), bitwise(Op.AND, (0, 100), (0, 15))
((-14, 21), (-3, 3), (0, 15))
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from ...errors import InternalError
from ...ir import arith
from ...ir.expr import Op
from ...ir.types import IntType

Interval: TypeAlias = tuple[int, int]


@cache
def of_type(type_: IntType) -> Interval:
    return type_.low, type_.high


def inside(small: Interval, large: Interval) -> bool:
    return large[0] <= small[0] and small[1] <= large[1]


def join(one: Interval, two: Interval) -> Interval:
    return min(one[0], two[0]), max(one[1], two[1])


def meet(one: Interval, two: Interval) -> Interval | None:
    """The common part, or None if there is none."""
    low, high = max(one[0], two[0]), min(one[1], two[1])
    return (low, high) if low <= high else None


def wrapped(type_: IntType, exact: Interval) -> Interval:
    """The interval of the values after they were wrapped into the type."""
    if inside(exact, of_type(type_)):
        return exact
    low, high = type_.wrap(exact[0]), type_.wrap(exact[1])
    if exact[1] - exact[0] < 1 << type_.bits and low <= high:
        return low, high
    return of_type(type_)


def add(one: Interval, two: Interval) -> Interval:
    return one[0] + two[0], one[1] + two[1]


def subtract(one: Interval, two: Interval) -> Interval:
    return one[0] - two[1], one[1] - two[0]


def multiply(one: Interval, two: Interval) -> Interval:
    corners = [a * b for a in one for b in two]
    return min(corners), max(corners)


def divide(one: Interval, two: Interval) -> Interval:
    """C's division; a divisor of zero has no result. The dividend decides if the other is open."""
    divisors = [d for d in (*two, -1, 1) if two[0] <= d <= two[1] and d != 0]
    if not divisors:
        return one
    corners = [arith.divide(a, d) for a in one for d in divisors]
    return min(corners), max(corners)


def remainder(one: Interval, two: Interval) -> Interval:
    """It has the sign of the dividend, and is smaller than the divisor and not larger than it."""
    most = max(abs(two[0]), abs(two[1])) - 1
    if most < 0:
        return one
    if two[0] == two[1] and one[0] >= 0 and one[1] <= most:
        return one
    low = -min(most, max(-one[0], 0))
    high = min(most, max(one[1], 0))
    return low, high


def shift_left(one: Interval, two: Interval, bits: int) -> Interval:
    if not (two[0] >= 0 and two[1] < bits):
        return multiply(one, (1, 1 << (bits - 1)))
    return multiply(one, (1 << two[0], 1 << two[1]))


def shift_right(one: Interval, two: Interval, bits: int) -> Interval:
    if not (two[0] >= 0 and two[1] < bits):
        two = (0, bits - 1)
    corners = [a >> n for a in one for n in two]
    return min(corners), max(corners)


def bitwise(op: Op, one: Interval, two: Interval) -> Interval:
    """And, or, exclusive or."""
    if op is Op.AND:
        if one[0] >= 0 and two[0] >= 0:
            return 0, min(one[1], two[1])
        if one[0] >= 0:
            return 0, one[1]
        if two[0] >= 0:
            return 0, two[1]
    reach = max(abs(bound) for bound in (*one, *two)).bit_length()
    if one[0] >= 0 and two[0] >= 0:
        low = max(one[0], two[0]) if op is Op.OR else 0
        return low, (1 << reach) - 1
    return -(1 << reach), (1 << reach) - 1


def binary(op: Op, type_: IntType, one: Interval, two: Interval) -> Interval:
    """The exact result of an arithmetic operator whose left operand has the type."""
    match op:
        case Op.ADD:
            return add(one, two)
        case Op.SUB:
            return subtract(one, two)
        case Op.MUL:
            return multiply(one, two)
        case Op.DIV:
            return divide(one, two)
        case Op.REM:
            return remainder(one, two)
        case Op.SHL:
            return shift_left(one, two, type_.bits)
        case Op.SHR:
            return shift_right(one, two, type_.bits)
        case Op.AND | Op.OR | Op.XOR:
            return bitwise(op, one, two)
        case Op.EQ | Op.LT | Op.LE:
            return 0, 1
    raise InternalError(f"{op.value} of integers")
