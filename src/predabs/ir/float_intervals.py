"""Intervals of floating-point numbers, and what the operations of IEEE 754 make of them.

An interval has two bounds, which are numbers of Python, and says whether the value may be NaN. Both
zeros are one: an interval with zero may have either. Rounding is monotone, so an operation rounded
as the program rounds it has its bounds at corners of its operands [Moo66; Min04, section 3]; where
Python cannot round so (long double, other rounding modes) bounds go one number further outward.

Soundness duty: if every operand lies in its interval, the result of `ir.ieee754` does too.

>>> double = arithmetic(DOUBLE)
>>> double.multiply((-1.0, 2.0, False), (3.0, 4.0, False)), double.divide(ONE, (0.0, 1.0, False))
((-4.0, 8.0, False), (-inf, inf, False))
"""

from __future__ import annotations

import math
from ctypes import c_float
from functools import cache
from math import inf, nextafter
from struct import pack, unpack
from typing import TypeAlias

from . import ieee754
from .ieee754 import DOUBLE, RNE, SINGLE, Format, Rounding

FloatInterval: TypeAlias = tuple[float, float, bool]

ANY: FloatInterval = (-inf, inf, True)
NAN: FloatInterval = (inf, -inf, True)
ONE: FloatInterval = (1.0, 1.0, False)


def has_number(a: FloatInterval) -> bool:
    return a[0] <= a[1]


def is_empty(a: FloatInterval) -> bool:
    return a[0] > a[1] and not a[2]


def join(a: FloatInterval, b: FloatInterval) -> FloatInterval:
    return min(a[0], b[0]), max(a[1], b[1]), a[2] or b[2]


def meet(a: FloatInterval, b: FloatInterval) -> FloatInterval:
    """What lies in both; maybe nothing."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high, a[2] and b[2]) if low <= high else (inf, -inf, a[2] and b[2])


def negate(a: FloatInterval) -> FloatInterval:
    return -a[1], -a[0], a[2]


def absolute(a: FloatInterval) -> FloatInterval:
    low, high, nan = a
    if low > high or low >= 0:
        return a
    return (-high, -low, nan) if high <= 0 else (0.0, max(-low, high), nan)


def less(a: FloatInterval, b: FloatInterval) -> tuple[bool, bool]:
    """May `a < b` be false, may it be true?"""
    return a[2] or b[2] or (a[1] >= b[0] and has_number(a) and has_number(b)), a[0] < b[1]


def less_equal(a: FloatInterval, b: FloatInterval) -> tuple[bool, bool]:
    return a[2] or b[2] or (a[1] > b[0] and has_number(a) and has_number(b)), (
        a[0] <= b[1] and has_number(a) and has_number(b)
    )


def equal(a: FloatInterval, b: FloatInterval) -> tuple[bool, bool]:
    same = a[0] == a[1] == b[0] == b[1] and not a[2] and not b[2]
    return not same, max(a[0], b[0]) <= min(a[1], b[1])


def _single(value: float) -> float:
    return c_float(value).value


def next_single(value: float, towards: float) -> float:
    """The neighbour of a float, as a float."""
    if value == towards:
        return value
    if value == 0:
        return math.copysign(2.0**-149, towards)
    bits = int.from_bytes(pack("<f", value), "little")
    bits += 1 if (towards > value) == (value > 0) else -1
    return float(unpack("<f", bits.to_bytes(4, "little"))[0])


def _identity(value: float) -> float:
    return value


def _next_down(value: float) -> float:
    return nextafter(value, -inf)


def _next_up(value: float) -> float:
    return nextafter(value, inf)


def _single_down(value: float) -> float:
    return next_single(_single(value), -inf)


def _single_up(value: float) -> float:
    return next_single(_single(value), inf)


class FloatArithmetic:
    """The operations of a format with a rounding mode; `_down` and `_up` take a result of Python's
    arithmetic to a bound of the true one."""

    def __init__(self, form: Format, mode: Rounding) -> None:
        self.form = form
        match form == SINGLE, form == DOUBLE and mode is RNE, mode is RNE:
            case True, _, True:
                self._down = self._up = _single
            case True, _, False:
                self._down, self._up = _single_down, _single_up
            case False, True, _:
                self._down = self._up = _identity
            case _:
                self._down, self._up = _next_down, _next_up

    # --- arithmetic -------------------------------------------------------------------------------

    def add(self, a: FloatInterval, b: FloatInterval) -> FloatInterval:
        low, high = a[0] + b[0], a[1] + b[1]
        if low - low == 0 and high - high == 0 and a[0] <= a[1] and b[0] <= b[1]:
            return self._down(low), self._up(high), a[2] or b[2]
        return self._corners([x + y for x in a[:2] for y in b[:2]], a, b)

    def subtract(self, a: FloatInterval, b: FloatInterval) -> FloatInterval:
        return self.add(a, (-b[1], -b[0], b[2]))

    def multiply(self, a: FloatInterval, b: FloatInterval) -> FloatInterval:
        corners = [x * y for x in a[:2] for y in b[:2]]
        # an infinity times a zero inside of the other has no corner
        nan = (_infinite(a) and _around_zero(b)) or (_infinite(b) and _around_zero(a))
        return self._corners(corners, a, b, nan)

    def divide(self, a: FloatInterval, b: FloatInterval) -> FloatInterval:
        if _around_zero(b):
            if not has_number(a):
                return NAN
            nan = a[2] or b[2] or _around_zero(a) or (_infinite(a) and _infinite(b))
            return -inf, inf, nan
        return self._corners([x / y for x in a[:2] for y in b[:2]], a, b)

    def square_root(self, a: FloatInterval) -> FloatInterval:
        low, high, nan = a
        if low > high or high < 0:
            return NAN
        down = self._down(math.sqrt(max(low, 0.0)))
        return max(down, 0.0), self._up(math.sqrt(high)), nan or low < 0

    def _corners(
        self, corners: list[float], a: FloatInterval, b: FloatInterval, nan: bool = False
    ) -> FloatInterval:
        """The hull of the corners; a corner that is NaN has numbers around it that other corners
        have too."""
        nan = nan or a[2] or b[2]
        if a[0] > a[1] or b[0] > b[1]:
            return inf, -inf, nan
        numbers = [corner for corner in corners if corner == corner]
        nan = nan or len(numbers) < len(corners)
        if not numbers:
            return inf, -inf, True
        return self._down(min(numbers)), self._up(max(numbers)), nan

    # --- conversions ------------------------------------------------------------------------------

    def converted(self, a: FloatInterval) -> FloatInterval:
        """A number of another format, in this one."""
        return a if a[0] > a[1] else (self._down(a[0]), self._up(a[1]), a[2])

    def of_integers(self, low: int, high: int) -> FloatInterval:
        down, up = _of_integer(low, Rounding.RTN), _of_integer(high, Rounding.RTP)
        if self._down is _single and max(abs(low), abs(high)) > 1 << 53:
            return next_single(_single(down), -inf), next_single(_single(up), inf), False
        if self._down is _identity:
            return _of_integer(low, RNE), _of_integer(high, RNE), False
        return self._down(down), self._up(up), False

    def integral(self, a: FloatInterval, mode: Rounding) -> FloatInterval:
        """Rounded to integers, as floor, ceil, trunc, round or rint do it."""
        return a if a[0] > a[1] else (_integral(a[0], mode), _integral(a[1], mode), a[2])

    def constant(self, bits: int) -> FloatInterval:
        """The number of these bits."""
        form = self.form
        if ieee754.is_nan(form, bits):
            return NAN
        low = ieee754.to_float(ieee754.convert(form, DOUBLE, bits, Rounding.RTN))
        high = ieee754.to_float(ieee754.convert(form, DOUBLE, bits, Rounding.RTP))
        return low, high, False

    # --- neighbours and bits ----------------------------------------------------------------------

    def below(self, value: float) -> float:
        """What is less than a number is not above this."""
        if value == -inf:
            return value
        if self.form == SINGLE:
            near = _single(value)
            return near if near < value else next_single(near, -inf)
        return nextafter(value, -inf) if self.form == DOUBLE else value

    def above(self, value: float) -> float:
        return -self.below(-value)

    def of_bits(self, low: int, high: int) -> FloatInterval:
        """The numbers of all bits from `low` to `high`."""
        sign, most = self.form.sign, self.form.infinity
        found, nan = (inf, -inf, False), False
        for first in (0, sign):
            start, end = max(low - first, 0), min(high - first, sign - 1)
            if start > end:
                continue
            nan = nan or end > most
            if start <= most:
                part = self.constant(start)[0], self.constant(min(end, most))[1], False
                found = join(found, negate(part) if first else part)
        return found[0], found[1], nan

    def to_bits(self, a: FloatInterval) -> tuple[int, int]:
        """Bounds of the bits, as numbers without a sign."""
        low, high, nan = a
        form = self.form
        if not nan and low <= high and (low > 0 or high < 0):
            ends = [_bits(form, low, Rounding.RTN), _bits(form, high, Rounding.RTP)]
            return min(ends), max(ends)
        return 0, 2 * form.sign - 1


def _bits(form: Format, value: float, mode: Rounding) -> int:
    return ieee754.convert(DOUBLE, form, ieee754.from_float(value), mode)


def _of_integer(value: int, mode: Rounding) -> float:
    return ieee754.to_float(ieee754.from_integer(DOUBLE, value, mode))


def _integral(value: float, mode: Rounding) -> float:
    return ieee754.to_float(ieee754.integral(DOUBLE, ieee754.from_float(value), mode))


def _around_zero(a: FloatInterval) -> bool:
    return a[0] <= 0 <= a[1]


def _infinite(a: FloatInterval) -> bool:
    return a[0] <= a[1] and (a[0] == -inf or a[1] == inf)


@cache
def arithmetic(form: Format, mode: Rounding = RNE) -> FloatArithmetic:
    return FloatArithmetic(form, mode)
