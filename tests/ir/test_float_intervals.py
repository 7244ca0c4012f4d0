"""Intervals of floating-point numbers: the result of an operation on members is a member."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.ir import float_intervals, ieee754
from predabs.ir.float_intervals import FloatArithmetic, FloatInterval, arithmetic
from predabs.ir.ieee754 import DOUBLE, EXTENDED, SINGLE, Format, Rounding

FORMATS = (SINGLE, DOUBLE, EXTENDED)


def bits(form: Format) -> st.SearchStrategy[int]:
    one = ieee754.from_integer(form, 1)
    sizes = [0, 1, one, one + 1, form.infinity - 1, form.infinity, form.infinity + 1]
    picked = st.sampled_from(sizes + [size | form.sign for size in sizes])
    return st.one_of(picked, st.integers(0, (1 << form.bits) - 1))


def member(numbers: FloatArithmetic, value: int, interval: FloatInterval) -> bool:
    """Does the interval have the number of these bits?"""
    low, high, nan = numbers.constant(value)
    return interval[2] if nan else interval[0] <= high and low <= interval[1]


@st.composite
def members(draw: st.DrawFn, form: Format) -> tuple[int, FloatInterval]:
    """A number, and an interval that it lies in."""
    numbers, value = arithmetic(form), draw(bits(form))
    interval = numbers.constant(value)
    for _ in range(draw(st.integers(0, 2))):
        interval = float_intervals.join(interval, numbers.constant(draw(bits(form))))
    return value, interval


BINARY = {
    "add": ieee754.add,
    "subtract": ieee754.sub,
    "multiply": ieee754.mul,
    "divide": ieee754.div,
}


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_arithmetic(name: str, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(FORMATS))
    mode = data.draw(st.sampled_from(list(Rounding)))
    (a, one), (b, two) = data.draw(members(form)), data.draw(members(form))
    numbers = arithmetic(form, mode)
    found = getattr(numbers, name)(one, two)
    assert member(numbers, BINARY[name](form, a, b, mode), found)


@given(data=st.data())
def test_functions_of_one_number(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(FORMATS))
    mode = data.draw(st.sampled_from(list(Rounding)))
    a, interval = data.draw(members(form))
    numbers = arithmetic(form, mode)
    assert member(numbers, ieee754.sqrt(form, a, mode), numbers.square_root(interval))
    assert member(numbers, ieee754.integral(form, a, mode), numbers.integral(interval, mode))
    assert member(numbers, a ^ form.sign, float_intervals.negate(interval))
    assert member(numbers, a & ~form.sign, float_intervals.absolute(interval))
    other = data.draw(st.sampled_from(FORMATS))
    target = arithmetic(other, mode)
    assert member(target, ieee754.convert(form, other, a, mode), target.converted(interval))


@given(data=st.data())
def test_comparisons(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(FORMATS))
    (a, one), (b, two) = data.draw(members(form)), data.draw(members(form))
    for name in ("less", "less_equal", "equal"):
        may_be = getattr(float_intervals, name)(one, two)
        assert may_be[getattr(ieee754, name)(form, a, b)]


@given(data=st.data())
def test_integers_and_bits(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(FORMATS))
    mode = data.draw(st.sampled_from(list(Rounding)))
    wide = st.integers(-(1 << 70), 1 << 70) | st.integers(-100, 100)
    low, middle, high = sorted(data.draw(st.tuples(wide, wide, wide)))
    numbers = arithmetic(form, mode)
    assert member(numbers, ieee754.from_integer(form, middle, mode), numbers.of_integers(low, high))
    number = st.integers(0, (1 << form.bits) - 1)
    low, middle, high = sorted(data.draw(st.tuples(number, number, number)))
    assert member(numbers, middle, numbers.of_bits(low, high))
    a, interval = data.draw(members(form))
    least, most = numbers.to_bits(interval)
    assert least <= a <= most


@given(data=st.data())
def test_neighbours(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(FORMATS))
    a, b = data.draw(bits(form)), data.draw(bits(form))
    numbers = arithmetic(form)
    bound = numbers.constant(b)
    if ieee754.less(form, a, b):
        assert numbers.constant(a)[0] <= numbers.below(bound[1])
    if ieee754.less(form, b, a):
        assert numbers.above(bound[0]) <= numbers.constant(a)[1]


def test_bounds_are_tight() -> None:
    """Results are not rounded outward where Python rounds as the program does."""
    third = arithmetic(DOUBLE).divide((1.0, 1.0, False), (3.0, 3.0, False))
    assert third == (1 / 3, 1 / 3, False)
    assert arithmetic(SINGLE).multiply((0.5, 1.5, False), (0.5, 3.0, False)) == (0.25, 4.5, False)
    assert arithmetic(DOUBLE).add((1.0, math.inf, False), (1.0, 2.0, False)) == (
        2.0,
        math.inf,
        False,
    )
