"""The arithmetic of IEEE 754 on bits, exactly: the one definition.

A number is the integer that its bits are: sign, exponent, fraction, of a `Format`. Every operation
is computed with integers and rounded once (IEEE 754-2019, 4.3). What the standard leaves open is
what SSE instructions do: of the operands the first NaN is the result, made quiet; an invalid
operation gives the NaN with the sign set and no other payload; a number out of range becomes the
most negative integer.

>>> hex(add(DOUBLE, from_float(0.1), from_float(0.2))), to_float(from_float(0.1) ^ 1 << 63)
('0x3fd3333333333334', -0.1)
"""

from __future__ import annotations

from enum import Enum
from math import isqrt
from struct import pack, unpack

from ..records import dataclass
from .types import FloatType


@dataclass(frozen=True, slots=True)
class Format:
    """Widths of the exponent and of the significand, whose first bit is not stored."""

    exponent: int
    precision: int

    @property
    def bits(self) -> int:
        return self.exponent + self.precision

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1

    @property
    def sign(self) -> int:
        return 1 << (self.exponent + self.precision - 1)

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << (self.precision - 1)

    @property
    def quiet(self) -> int:
        """The bit of a NaN that says so."""
        return 1 << (self.precision - 2)

    @property
    def nan(self) -> int:
        """The result of an invalid operation."""
        return self.sign | self.infinity | self.quiet


SINGLE = Format(8, 24)
DOUBLE = Format(11, 53)
EXTENDED = Format(15, 64)  # long double of x86, without its explicit first bit
_FORMATS = {32: SINGLE, 64: DOUBLE, 80: EXTENDED}


class Rounding(Enum):
    """Rounding modes, by SMT-LIB's names; the values are numbers, as terms have them."""

    RNE = 0  # to nearest, ties to even
    RNA = 1  # to nearest, ties away from zero
    RTP = 2  # up
    RTN = 3  # down
    RTZ = 4  # towards zero

    __hash__ = object.__hash__


RNE = Rounding.RNE


def format_of(type_: FloatType) -> Format:
    return _FORMATS[type_.bits]


def from_float(value: float) -> int:
    """The bits of a double."""
    return int.from_bytes(pack("<d", value), "little")


def to_float(bits: int) -> float:
    """The double of these bits."""
    return float(unpack("<d", bits.to_bytes(8, "little"))[0])


def is_nan(form: Format, a: int) -> bool:
    return a & ~form.sign > form.infinity


def is_infinite(form: Format, a: int) -> bool:
    return a & ~form.sign == form.infinity


def parts(form: Format, a: int) -> tuple[int, int, int]:
    """Sign, significand and exponent of a finite number: (-1)^sign * significand * 2^exponent."""
    stored = form.precision - 1
    field, fraction = a >> stored & ((1 << form.exponent) - 1), a & ((1 << stored) - 1)
    sign = int(a & form.sign != 0)
    if field == 0:
        return sign, fraction, 1 - form.bias - stored
    return sign, fraction | 1 << stored, field - form.bias - stored


def _signed(form: Format, a: int) -> tuple[int, int]:
    sign, significand, exponent = parts(form, a)
    return -significand if sign else significand, exponent


def truncated(form: Format, a: int) -> int:
    """The integer part of a finite number."""
    sign, significand, exponent = parts(form, a)
    whole = _whole(Rounding.RTZ, sign, significand, exponent)
    return -whole if sign else whole


def _up(mode: Rounding, sign: int, odd: int, rest: int, half: int) -> bool:
    """Does the significand grow, if this is cut off?"""
    match mode:
        case Rounding.RNE:
            return rest > half or (rest == half and odd == 1)
        case Rounding.RNA:
            return rest >= half
        case Rounding.RTP:
            return rest > 0 and not sign
        case Rounding.RTN:
            return rest > 0 and sign == 1
        case Rounding.RTZ:
            return False


def rounded(
    form: Format, mode: Rounding, sign: int, significand: int, exponent: int, rest: bool = False
) -> int:
    """The number nearest to significand * 2^exponent (`rest`: and a little more than that)."""
    minus = form.sign if sign else 0
    if rest:  # a bit below all others tells as much as all that was cut off
        wide = max(0, form.precision + 2 - significand.bit_length())
        significand = (significand << (wide + 1)) | 1
        exponent -= wide + 1
    if significand == 0:
        return minus
    stored = form.precision - 1
    first = exponent + significand.bit_length() - 1
    unit = max(first, 1 - form.bias) - stored  # the weight of the last bit
    cut = unit - exponent
    if cut <= 0:
        kept = significand << -cut
    else:
        kept, lost = significand >> cut, significand & ((1 << cut) - 1)
        kept += _up(mode, sign, kept & 1, lost, 1 << (cut - 1))
        if kept >> form.precision:
            kept, unit = kept >> 1, unit + 1
    if not kept >> stored:
        return minus | kept  # subnormal
    field = unit + stored + form.bias
    if field >= (1 << form.exponent) - 1:
        away = (Rounding.RNE, Rounding.RNA, Rounding.RTN if sign else Rounding.RTP)
        return minus | (form.infinity if mode in away else form.infinity - 1)
    return minus | (field << stored) + kept - (1 << stored)


def from_ratio(form: Format, numerator: int, bottom: int, mode: Rounding = RNE) -> int:
    """The number nearest to a quotient, of which the denominator is positive; zero is positive."""
    sign, top = int(numerator < 0), abs(numerator)
    shift = max(0, form.precision + 3 + bottom.bit_length() - top.bit_length())
    quotient, rest = divmod(top << shift, bottom)
    return rounded(form, mode, sign, quotient, -shift, rest != 0)


def from_integer(form: Format, value: int, mode: Rounding = RNE) -> int:
    return rounded(form, mode, int(value < 0), abs(value), 0)


def _not_a_number(form: Format, *operands: int) -> int:
    """The result where an operand is NaN, or the operation invalid."""
    for a in operands:
        if is_nan(form, a):
            return a | form.quiet
    return form.nan


# --- operations -----------------------------------------------------------------------------------


def add(form: Format, a: int, b: int, mode: Rounding = RNE) -> int:
    if is_nan(form, a) or is_nan(form, b):
        return _not_a_number(form, a, b)
    if is_infinite(form, a):
        return form.nan if is_infinite(form, b) and a != b else a
    if is_infinite(form, b):
        return b
    (left, low), (right, other) = _signed(form, a), _signed(form, b)
    exponent = min(low, other)
    total = (left << (low - exponent)) + (right << (other - exponent))
    if total == 0:
        if a == b:
            return a
        return form.sign if mode is Rounding.RTN else 0
    return rounded(form, mode, int(total < 0), abs(total), exponent)


def sub(form: Format, a: int, b: int, mode: Rounding = RNE) -> int:
    if is_nan(form, a) or is_nan(form, b):
        return _not_a_number(form, a, b)
    return add(form, a, b ^ form.sign, mode)


def mul(form: Format, a: int, b: int, mode: Rounding = RNE) -> int:
    if is_nan(form, a) or is_nan(form, b):
        return _not_a_number(form, a, b)
    sign = (a ^ b) & form.sign
    if is_infinite(form, a) or is_infinite(form, b):
        zero = a & ~form.sign == 0 or b & ~form.sign == 0
        return form.nan if zero else sign | form.infinity
    (_, left, low), (_, right, other) = parts(form, a), parts(form, b)
    return rounded(form, mode, int(sign != 0), left * right, low + other)


def div(form: Format, a: int, b: int, mode: Rounding = RNE) -> int:
    if is_nan(form, a) or is_nan(form, b):
        return _not_a_number(form, a, b)
    sign = (a ^ b) & form.sign
    if is_infinite(form, a):
        return form.nan if is_infinite(form, b) else sign | form.infinity
    if is_infinite(form, b):
        return sign
    (_, left, low), (_, right, other) = parts(form, a), parts(form, b)
    if right == 0:
        return form.nan if left == 0 else sign | form.infinity
    shift = 2 * form.precision + 3  # so that the quotient has more digits than are kept
    quotient, rest = divmod(left << shift, right)
    return rounded(form, mode, int(sign != 0), quotient, low - other - shift, rest != 0)


def sqrt(form: Format, a: int, mode: Rounding = RNE) -> int:
    if is_nan(form, a):
        return _not_a_number(form, a)
    if a & ~form.sign == 0 or a == form.infinity:
        return a
    if a & form.sign:
        return form.nan
    _, significand, exponent = parts(form, a)
    shift = 2 * form.precision + 4 + (exponent & 1)
    root = isqrt(significand << shift)
    rest = root * root != significand << shift
    return rounded(form, mode, 0, root, (exponent - shift) // 2, rest)


def integral(form: Format, a: int, mode: Rounding) -> int:
    """The nearest integer as a number of the format: floor, ceil, trunc, round or rint."""
    if is_nan(form, a):
        return _not_a_number(form, a)
    if is_infinite(form, a):
        return a
    sign, significand, exponent = parts(form, a)
    if exponent >= 0:
        return a
    return rounded(form, mode, sign, _whole(mode, sign, significand, exponent), 0)


def _whole(mode: Rounding, sign: int, significand: int, exponent: int) -> int:
    """The integer nearest to significand * 2^exponent."""
    if exponent >= 0:
        return significand << exponent
    kept, lost = significand >> -exponent, significand & ((1 << -exponent) - 1)
    return kept + _up(mode, sign, kept & 1, lost, 1 << (-exponent - 1))


def fmod(form: Format, a: int, b: int) -> int:
    """a - n * b, exactly, with the sign of a: C's fmod."""
    if is_nan(form, a) or is_nan(form, b):
        return _not_a_number(form, a, b)
    if is_infinite(form, a) or b & ~form.sign == 0:
        return form.nan
    if is_infinite(form, b):
        return a
    (sign, left, low), (_, right, other) = parts(form, a), parts(form, b)
    exponent = min(low, other)
    rest = (left << (low - exponent)) % (right << (other - exponent))
    return rounded(form, RNE, sign, rest, exponent)


def remainder(form: Format, a: int, b: int) -> int:
    """a - n * b, exactly, n nearest to a / b, ties to even: C's and IEEE's remainder."""
    if is_nan(form, a) or is_nan(form, b):
        return _not_a_number(form, a, b)
    if is_infinite(form, a) or b & ~form.sign == 0:
        return form.nan
    if is_infinite(form, b):
        return a
    (sign, left, low), (_, right, other) = parts(form, a), parts(form, b)
    exponent = min(low, other)
    divisor = right << (other - exponent)
    count, rest = divmod(left << (low - exponent), divisor)
    if 2 * rest > divisor or (2 * rest == divisor and count & 1):
        rest -= divisor
    return rounded(form, RNE, sign ^ int(rest < 0), abs(rest), exponent)


def next_up(form: Format, a: int) -> int:
    """The least number above; infinity stays."""
    if is_nan(form, a):
        return _not_a_number(form, a)
    if a == form.infinity:
        return a
    if a & ~form.sign == 0:
        return 1
    return a - 1 if a & form.sign else a + 1


def next_down(form: Format, a: int) -> int:
    return a | form.quiet if is_nan(form, a) else next_up(form, a ^ form.sign) ^ form.sign


# --- comparisons ----------------------------------------------------------------------------------


def _order(form: Format, a: int) -> int:
    """Numbers that are no NaN stand in the order of these; both zeros are one."""
    return -(a ^ form.sign) if a & form.sign else a


def equal(form: Format, a: int, b: int) -> bool:
    return not is_nan(form, a) and not is_nan(form, b) and _order(form, a) == _order(form, b)


def less(form: Format, a: int, b: int) -> bool:
    return not is_nan(form, a) and not is_nan(form, b) and _order(form, a) < _order(form, b)


def less_equal(form: Format, a: int, b: int) -> bool:
    return not is_nan(form, a) and not is_nan(form, b) and _order(form, a) <= _order(form, b)


# --- conversions ----------------------------------------------------------------------------------


def convert(source: Format, target: Format, a: int, mode: Rounding = RNE) -> int:
    """From one format to another; a NaN keeps its sign and as much of its payload as fits."""
    if source == target:
        return a
    minus = target.sign if a & source.sign else 0
    if is_nan(source, a):
        payload = a & (source.quiet - 1)
        more = target.precision - source.precision
        payload = payload << more if more >= 0 else payload >> -more
        return minus | target.infinity | target.quiet | payload
    if is_infinite(source, a):
        return minus | target.infinity
    return rounded(target, mode, *parts(source, a))


def to_signed(form: Format, a: int, width: int, mode: Rounding = Rounding.RTZ) -> int:
    """The integer as a number; what does not fit becomes the most negative one."""
    least = -(1 << (width - 1))
    if a & ~form.sign >= form.infinity:
        return least
    sign, significand, exponent = parts(form, a)
    if exponent > width:
        return 0 if significand == 0 else least
    whole = _whole(mode, sign, significand, exponent)
    whole = -whole if sign else whole
    return whole if least <= whole < -least else least
