"""Conversions and operations on numbers that take more than one Python operator.

Integers are those of `ir.arith`. Floating point is Python's, that is IEEE double; `float` is
double rounded to single after each operation (which gives the IEEE result, as a double has more
than twice the digits), and `long double` is `concrete.extended`. A floating point number out of an
integer type's range converts as x86-64 code does it, see `to_integer`.
"""

from __future__ import annotations

import math
from struct import Struct

from ..ir.types import IntType, PointerType

_SINGLE = Struct("<f")
_EXACT_DOUBLE = 1 << 53


def signed(value: int, bits: int) -> int:
    """The value of a signed type of `bits` bits that is congruent to `value`."""
    half = 1 << (bits - 1)
    return ((value + half) & (2 * half - 1)) - half


def quotient(left: int, right: int) -> int:
    """C's division, towards zero; ZeroDivisionError where it has no value.

    >>> quotient(-7, 2), quotient(7, -2)
    (-3, -3)
    """
    if left >= 0:
        return left // right if right > 0 else -(left // -right)
    return -(-left // right) if right > 0 else -left // -right


def remainder(left: int, right: int) -> int:
    """C's remainder: it has the sign of the dividend.

    >>> remainder(-7, 2), remainder(7, -2)
    (-1, 1)
    """
    rest = abs(left) % abs(right)
    return rest if left >= 0 else -rest


def to_single(value: float) -> float:
    """The nearest `float`; what is too large becomes infinite.

    >>> to_single(0.1), to_single(1e300)
    (0.10000000149011612, inf)
    """
    try:
        return float(_SINGLE.unpack(_SINGLE.pack(value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def int_to_single(value: int) -> float:
    """The nearest `float`, rounded once: a large integer must not be rounded to double first.

    >>> int_to_single((1 << 54) + (1 << 30) + 1) == float((1 << 54) + (1 << 31))
    True
    """
    magnitude = abs(value)
    if magnitude > _EXACT_DOUBLE:
        # Keep 40 bits and, in the last one, whether anything was cut off: enough to round by.
        shift = magnitude.bit_length() - 40
        cut = magnitude >> shift
        magnitude = (cut | (cut << shift != magnitude)) << shift
    single = to_single(float(magnitude))
    return -single if value < 0 else single


def to_integer(value: float, type_: IntType | PointerType) -> int:
    """The conversion of a floating-point number to an integer type: the fraction is cut off.

    Out of range C leaves it open; this is what gcc's code for x86-64 computes: `cvttsd2si` with 32
    bits (for types up to `int`) or 64 bits gives the most negative number, narrower and unsigned
    types take the low bits of that, and `unsigned long` adds 2^63 where the value is that large.

    >>> from ..ir.types import INT, UCHAR, ULLONG
    >>> to_integer(-3.9, INT), to_integer(1e10, INT), to_integer(300.0, UCHAR)
    (-3, -2147483648, 44)
    >>> to_integer(1e19, ULLONG) == 10**19
    True
    """
    signed_type = isinstance(type_, IntType) and type_.signed
    if type_.bits > 64:
        return type_.wrap(_truncated(value, type_.bits + (not signed_type)))
    if type_.bits == 64 and not signed_type and value >= 2.0**63:
        return type_.wrap(_truncated(value - 2.0**63, 64) ^ (1 << 63))
    narrow = type_.bits < 32 or (type_.bits == 32 and signed_type)
    return type_.wrap(_truncated(value, 32 if narrow else 64))


def _truncated(value: float, bits: int) -> int:
    if math.isfinite(value):
        whole = int(value)
        if -(1 << (bits - 1)) <= whole < 1 << (bits - 1):
            return whole
    return -(1 << (bits - 1))


def float_quotient(left: float, right: float) -> float:
    """IEEE division: by zero it gives an infinity or NaN (with the sign that x86 gives it).

    >>> float_quotient(1.0, -0.0), float_quotient(0.0, 0.0)
    (-inf, nan)
    """
    try:
        return left / right
    except ZeroDivisionError:
        if math.isnan(left):
            return left
        if left == 0:
            return -math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)


# --- functions of math.h on float and double, named as the operators are --------------------------

_INVALID = -math.nan  # the NaN of x86, with the sign set


def sqrt(value: float) -> float:
    """For `float` to be rounded once more, which changes nothing.

    >>> sqrt(2.25), sqrt(-0.0), sqrt(-1.0)
    (1.5, -0.0, nan)
    """
    return math.sqrt(value) if not value < 0 else _INVALID


def floor(value: float) -> float:
    """
    >>> floor(-0.5), floor(0.5), floor(math.inf)
    (-1.0, 0.0, inf)
    """
    return math.copysign(math.floor(value), value) if abs(value) < _EXACT_DOUBLE else value


def ceil(value: float) -> float:
    return math.copysign(math.ceil(value), value) if abs(value) < _EXACT_DOUBLE else value


def trunc(value: float) -> float:
    return math.copysign(math.trunc(value), value) if abs(value) < _EXACT_DOUBLE else value


def rint(value: float) -> float:
    """To the nearest integer, ties to even.

    >>> rint(2.5), rint(-0.5), rint(0.5000000000000001)
    (2.0, -0.0, 1.0)
    """
    return math.copysign(round(value), value) if abs(value) < _EXACT_DOUBLE else value


def round_away(value: float) -> float:
    """To the nearest integer, ties away from zero.

    >>> round_away(2.5), round_away(-0.5), round_away(0.49999999999999994)
    (3.0, -1.0, 0.0)
    """
    whole = trunc(value)
    if abs(value - whole) >= 0.5 and abs(value) < _EXACT_DOUBLE:
        whole += math.copysign(1.0, value)
    return whole


def fmod(left: float, right: float) -> float:
    """
    >>> fmod(-7.0, 2.0), fmod(1.0, math.inf), fmod(1.0, 0.0)
    (-1.0, 1.0, nan)
    """
    if math.isinf(left) or right == 0:
        return left if math.isnan(left) else right if math.isnan(right) else _INVALID
    return math.fmod(left, right)


def ieee_remainder(left: float, right: float) -> float:
    """
    >>> ieee_remainder(7.0, 2.0), ieee_remainder(-1.0, 2.0), ieee_remainder(1.0, 0.0)
    (-1.0, -1.0, nan)
    """
    if math.isinf(left) or right == 0:
        return left if math.isnan(left) else right if math.isnan(right) else _INVALID
    return math.remainder(left, right)


FLOAT_FUNCTIONS = {
    "fabs": abs,
    "sqrt": sqrt,
    "floor": floor,
    "ceil": ceil,
    "trunc": trunc,
    "round": round_away,
    "rint": rint,
    "fmod": fmod,
    "remainder": ieee_remainder,
    "copysign": math.copysign,
}
