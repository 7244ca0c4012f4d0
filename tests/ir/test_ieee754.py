"""IEEE 754 on bits against the machine's own arithmetic, and laws of rounding for all formats."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.ir import float_text, ieee754
from predabs.ir.ieee754 import DOUBLE, EXTENDED, SINGLE, Format, Rounding, from_float, to_float

DOUBLES = st.one_of(
    st.floats(allow_subnormal=True),
    st.integers(0, (1 << 64) - 1).map(to_float),
    st.sampled_from([0.0, -0.0, 5e-324, 2.0**-1022, math.inf, -math.inf, math.nan, 1.5, 2.0**52]),
)


def same(bits: int, value: float) -> bool:
    """Equal bit by bit; of NaN only that it is one."""
    return ieee754.is_nan(DOUBLE, bits) if value != value else bits == from_float(value)


def fraction(form: Format, bits: int) -> Fraction:
    """The value of a finite number."""
    sign, significand, exponent = ieee754.parts(form, bits)
    return (-1) ** sign * significand * Fraction(2) ** exponent


def rounded(form: Format, value: Fraction, mode: Rounding = Rounding.RNE) -> int:
    return ieee754.from_ratio(form, value.numerator, value.denominator, mode)


@given(DOUBLES, DOUBLES)
def test_arithmetic_is_that_of_the_machine(x: float, y: float) -> None:
    a, b = from_float(x), from_float(y)
    assert same(ieee754.add(DOUBLE, a, b), x + y)
    assert same(ieee754.sub(DOUBLE, a, b), x - y)
    assert same(ieee754.mul(DOUBLE, a, b), x * y)
    if y != 0:
        assert same(ieee754.div(DOUBLE, a, b), x / y)
    if x >= 0:
        assert same(ieee754.sqrt(DOUBLE, a), math.sqrt(x))
    assert ieee754.equal(DOUBLE, a, b) == (x == y)
    assert ieee754.less(DOUBLE, a, b) == (x < y)
    assert ieee754.less_equal(DOUBLE, a, b) == (x <= y)


@given(DOUBLES, DOUBLES)
def test_remainders(x: float, y: float) -> None:
    a, b = from_float(x), from_float(y)
    if math.isfinite(x) and y != 0 and not math.isnan(y):
        assert same(ieee754.fmod(DOUBLE, a, b), math.fmod(x, y))
        assert to_float(ieee754.remainder(DOUBLE, a, b)) == math.remainder(x, y)
    else:
        assert ieee754.is_nan(DOUBLE, ieee754.fmod(DOUBLE, a, b))


@given(DOUBLES)
def test_conversions(x: float) -> None:
    a = from_float(x)
    if math.isfinite(x):
        if abs(x) < 3e38:
            expected = int.from_bytes(struct.pack("<f", x), "little")
            assert ieee754.convert(DOUBLE, SINGLE, a) == expected
        assert ieee754.convert(EXTENDED, DOUBLE, ieee754.convert(DOUBLE, EXTENDED, a)) == a
        assert rounded(DOUBLE, Fraction(x)) == a & ~(DOUBLE.sign if x == 0 else 0)
        whole = int(x)
        fits = -(1 << 63) <= whole < 1 << 63
        assert ieee754.to_signed(DOUBLE, a, 64) == (whole if fits else -(1 << 63))
        assert to_float(ieee754.integral(DOUBLE, a, Rounding.RTN)) == math.floor(x)
        assert to_float(ieee754.integral(DOUBLE, a, Rounding.RTP)) == math.ceil(x)
        assert to_float(ieee754.integral(DOUBLE, a, Rounding.RNE)) == round(x)
    assert float_text.parse(float_text.show(DOUBLE, a), DOUBLE) == a
    if x == x:
        assert float_text.parse(repr(x), DOUBLE) == a
        assert float_text.show(DOUBLE, a) == x.hex()


@pytest.mark.parametrize("form", [Format(3, 4), Format(5, 11), EXTENDED], ids=str)
@given(data=st.data())
def test_rounding_is_to_a_neighbour(form: Format, data: st.DataObject) -> None:
    """The two directions are neighbours around the value, or both are the value; nearest is the
    nearer one of them."""
    value = data.draw(st.fractions(-1000, 1000, max_denominator=10**6))
    down = rounded(form, value, Rounding.RTN)
    up = rounded(form, value, Rounding.RTP)
    nearest = rounded(form, value)
    assert nearest in (down, up)
    finite = [bits for bits in (down, up) if not ieee754.is_infinite(form, bits)]
    sizes = {bits: abs(fraction(form, bits) - value) for bits in finite}
    if len(finite) == 2:
        assert fraction(form, down) <= value <= fraction(form, up)
        assert sizes[nearest] == min(sizes.values())
        if sizes[down] == sizes[up] != 0:
            assert nearest & 1 == 0  # ties to even
    assert rounded(form, value, Rounding.RTZ) == (up if value < 0 else down)
