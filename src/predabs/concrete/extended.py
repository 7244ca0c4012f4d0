"""long double of x86: 64 binary digits, the value of a run that a Python float cannot hold.

An `Extended` computes with `ir.ieee754`. It is a float too, the nearest one, for whoever only
shows it.

>>> one, tiny = Extended.of(1.0), Extended.of(2.0**-63)
>>> one + tiny == one, float(one) + float(tiny) == 1.0
(False, True)
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir import float_text, ieee754
from ..ir.ieee754 import DOUBLE, EXTENDED, SINGLE, Format, Rounding, from_float, to_float
from ..ir.types import FloatType

_BYTES = 10


class Extended(float):
    """A number of 79 bits (`ieee754.EXTENDED`)."""

    bits: int

    def __new__(cls, bits: int) -> Extended:
        self = super().__new__(cls, to_float(ieee754.convert(EXTENDED, DOUBLE, bits)))
        self.bits = bits
        return self

    def __getnewargs__(self) -> tuple[int]:
        return (self.bits,)

    @staticmethod
    def of(value: int | float) -> Extended:
        """The number; an integer is rounded."""
        if isinstance(value, Extended):
            return value
        if isinstance(value, int):
            return Extended(ieee754.from_integer(EXTENDED, value))
        return Extended(ieee754.convert(DOUBLE, EXTENDED, from_float(value)))

    @staticmethod
    def from_bytes(data: bytes | bytearray) -> Extended:
        """As it lies in memory: its first digit, which x86 stores too, says nothing new."""
        number = int.from_bytes(data[:_BYTES], "little")
        return Extended(number >> 64 << 63 | number & ((1 << 63) - 1))

    def to_bytes(self) -> bytes:
        head, tail = self.bits >> 63, self.bits & ((1 << 63) - 1)
        first = int(head & 0x7FFF != 0) << 63
        return (head << 64 | first | tail).to_bytes(_BYTES, "little")

    def to_double(self) -> float:
        return to_float(ieee754.convert(EXTENDED, DOUBLE, self.bits))

    def to_single(self) -> float:
        """Rounded once."""
        single = ieee754.convert(EXTENDED, SINGLE, self.bits)
        return to_float(ieee754.convert(SINGLE, DOUBLE, single))

    def _with(self, compute: Callable[..., int], *others: int | float) -> Extended:
        return Extended(compute(EXTENDED, self.bits, *(Extended.of(o).bits for o in others)))

    def __add__(self, other: float) -> Extended:
        return self._with(ieee754.add, other)

    def __sub__(self, other: float) -> Extended:
        return self._with(ieee754.sub, other)

    def __mul__(self, other: float) -> Extended:
        return self._with(ieee754.mul, other)

    def __truediv__(self, other: float) -> Extended:
        return self._with(ieee754.div, other)

    def __neg__(self) -> Extended:
        return Extended(self.bits ^ EXTENDED.sign)

    def __abs__(self) -> Extended:
        return Extended(self.bits & ~EXTENDED.sign)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | float):
            return NotImplemented
        return ieee754.equal(EXTENDED, self.bits, Extended.of(other).bits)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: float) -> bool:
        return ieee754.less(EXTENDED, self.bits, Extended.of(other).bits)

    def __le__(self, other: float) -> bool:
        return ieee754.less_equal(EXTENDED, self.bits, Extended.of(other).bits)

    def __gt__(self, other: float) -> bool:
        return Extended.of(other) < self

    def __ge__(self, other: float) -> bool:
        return Extended.of(other) <= self

    def __hash__(self) -> int:
        return float.__hash__(self)

    def __bool__(self) -> bool:
        return self.bits & ~EXTENDED.sign != 0

    def __int__(self) -> int:
        """Without its fraction; only what is finite has an integer."""
        return ieee754.truncated(EXTENDED, self.bits)

    # --- functions of math.h, by the names of the operators ---------------------------------------

    def fabs(self) -> Extended:
        return abs(self)

    def sqrt(self) -> Extended:
        return self._with(ieee754.sqrt)

    def floor(self) -> Extended:
        return Extended(ieee754.integral(EXTENDED, self.bits, Rounding.RTN))

    def ceil(self) -> Extended:
        return Extended(ieee754.integral(EXTENDED, self.bits, Rounding.RTP))

    def trunc(self) -> Extended:
        return Extended(ieee754.integral(EXTENDED, self.bits, Rounding.RTZ))

    def round(self) -> Extended:
        return Extended(ieee754.integral(EXTENDED, self.bits, Rounding.RNA))

    def rint(self) -> Extended:
        return Extended(ieee754.integral(EXTENDED, self.bits, Rounding.RNE))

    def fmod(self, other: float) -> Extended:
        return self._with(ieee754.fmod, other)

    def remainder(self, other: float) -> Extended:
        return self._with(ieee754.remainder, other)

    def nextup(self) -> Extended:
        return self._with(ieee754.next_up)

    def nextdown(self) -> Extended:
        return self._with(ieee754.next_down)

    def copysign(self, other: float) -> Extended:
        sign = Extended.of(other).bits & EXTENDED.sign
        return Extended(abs(self).bits | sign)


_OPERATIONS: dict[str, Callable[..., int]] = {
    "add": ieee754.add,
    "sub": ieee754.sub,
    "mul": ieee754.mul,
    "div": ieee754.div,
    "sqrt": ieee754.sqrt,
}
_MODES = {"up": Rounding.RTP, "down": Rounding.RTN, "zero": Rounding.RTZ}
_FORMATS = {32: SINGLE, 64: DOUBLE, 80: EXTENDED}


def directed(name: str, bits: int, *args: float) -> float:
    """An operation with a rounding direction, on numbers of a type of so many bits.

    >>> directed("div_up", 64, 1.0, 3.0) > 1 / 3, directed("sqrt_down", 32, 2.0)
    (True, 1.4142135381698608)
    """
    form = _FORMATS[bits]
    operation, _, direction = name.partition("_")
    operands = [bits_of_float(arg, form) for arg in args]
    result = _OPERATIONS[operation](form, *operands, _MODES[direction])
    return Extended(result) if form is EXTENDED else _double(form, result)


def next_single(value: float, up: bool) -> float:
    """The neighbour of a float."""
    step = ieee754.next_up if up else ieee754.next_down
    return _double(SINGLE, step(SINGLE, bits_of_float(value, SINGLE)))


def next_double(value: float, up: bool) -> float:
    step = ieee754.next_up if up else ieee754.next_down
    return to_float(step(DOUBLE, from_float(value)))


def bits_of_float(value: float, form: Format) -> int:
    """The bits of a value of a run, which is a number of the format."""
    if isinstance(value, Extended):
        return value.bits
    return ieee754.convert(DOUBLE, form, from_float(value))


def _double(form: Format, bits: int) -> float:
    return to_float(ieee754.convert(form, DOUBLE, bits))


def float_of_bits(bits: int, type_: FloatType) -> float:
    """The value of a run that has these bits in `ir.ieee754`'s format of the type."""
    form = ieee754.format_of(type_)
    if form is EXTENDED:
        return Extended(bits)
    return to_float(ieee754.convert(form, DOUBLE, bits))


def float_constant(text: str, type_: FloatType) -> float:
    """The value of a `FloatConst`."""
    return float_of_bits(float_text.parse(text, ieee754.format_of(type_)), type_)


def zero(type_: FloatType) -> float:
    return Extended(0) if type_.bits == 80 else 0.0
