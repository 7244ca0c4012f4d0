"""Quotients, remainders and shifts of numbers by a constant, by cases.

A quotient times its divisor is nearly the dividend, which is all that a comparison needs; in C it
is rounded towards zero, so the sign of the dividend matters. A remainder is the dividend minus a
multiple, told apart by cases if there are few. Soundness duty: that of values; what comes in are
the numbers themselves (`settled`).

>>> from ...domains.linear import variable
>>> from ...ir.expr import Op
>>> from .linear_cases import compared, exactly
>>> half = divided(exactly(variable("n")), 2, lambda name: (-9, 9))
>>> str(compared(Op.LT, exactly(variable("j")), half).holds)
'(-n <= 0 & 2*j - n <= -2) | (n <= 0 & 2*j - n <= -1)'
"""

from __future__ import annotations

from ...domains.linear import at_most
from ...ir.arith import divide
from ...records import replace
from ..domain.formula import compare, conj
from .linear_cases import MOST_WRAPS, LinearCase, Ranges, Value, range_of, times


def divided(value: Value, divisor: int, ranges: Ranges) -> Value:
    """The quotient, rounded towards zero; the divisor is not zero."""
    found: list[LinearCase] = []
    size = abs(divisor)
    for case in value:
        least, most = range_of(case, ranges)
        if most >= 0:
            above = compare(at_most(0, case.linear + case.high))
            found.append(_rounded_down(replace(case, condition=conj(case.condition, above)), size))
        if least < 0:
            below = compare(at_most(case.linear + case.low, 0))
            (opposite,) = times((replace(case, condition=conj(case.condition, below)),), -1)
            found += times((_rounded_down(opposite, size),), -1)
    return times(tuple(found), -1) if divisor < 0 else tuple(found)


def shifted(value: Value, count: int) -> Value:
    """The number shifted to the right, which rounds down."""
    return tuple(_rounded_down(case, 1 << count) for case in value)


def _rounded_down(case: LinearCase, size: int) -> LinearCase:
    """`size` times the quotient is at most `size - 1` less than the number."""
    low = case.low - case.divisor * (size - 1)
    return LinearCase(case.condition, case.linear, low, case.high, case.divisor * size)


def remainder(value: Value, size: int, ranges: Ranges, down: bool) -> Value | None:
    """The number minus a multiple of `size`, with its own sign or, with `down`, none; None if there
    are too many multiples. The size is positive."""
    found: list[LinearCase] = []
    for case in value:
        least, most = range_of(case, ranges)
        pieces = _pieces(least, most, size, down)
        if not case.exact or pieces.stop - pieces.start > MOST_WRAPS:
            return None
        number = case.linear + case.low
        for quotient in pieces:
            multiple = quotient * size
            first = multiple if quotient > 0 or down else multiple - size + 1
            last = multiple if quotient < 0 and not down else multiple + size - 1
            inside = conj(compare(at_most(first, number)), compare(at_most(number, last)))
            found.append(LinearCase(conj(case.condition, inside), number - multiple))
    return tuple(found)


def _pieces(least: int, most: int, size: int, down: bool) -> range:
    """The quotients of the numbers of a range, rounded down or towards zero."""
    if down:
        return range(least // size, most // size + 1)
    return range(divide(least, size), divide(most, size) + 1)
