"""The arithmetic of machine integers against the machine's own, through ctypes."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.ir import arith
from predabs.ir.expr import Op
from predabs.ir.types import IntType, PointerType

MACHINE: dict[tuple[int, bool], type[ctypes._SimpleCData[int]]] = {
    (8, True): ctypes.c_int8,
    (8, False): ctypes.c_uint8,
    (16, True): ctypes.c_int16,
    (16, False): ctypes.c_uint16,
    (32, True): ctypes.c_int32,
    (32, False): ctypes.c_uint32,
    (64, True): ctypes.c_int64,
    (64, False): ctypes.c_uint64,
}
TYPES = [IntType(*key) for key in MACHINE]
EXACT: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.AND: operator.and_,
    Op.OR: operator.or_,
    Op.XOR: operator.xor,
}


def machine(type_: IntType, number: int) -> int:
    """The number in the machine's integer type; ctypes keeps the low bits."""
    return MACHINE[type_.bits, type_.signed](number).value


def values(type_: IntType) -> st.SearchStrategy[int]:
    edges = [type_.low, type_.low + 1, 0, 1, type_.high - 1, type_.high]
    return st.sampled_from(edges) | st.integers(type_.low, type_.high)


@st.composite
def operands(draw: st.DrawFn) -> tuple[IntType, int, int]:
    type_ = draw(st.sampled_from(TYPES))
    return type_, draw(values(type_)), draw(values(type_))


@given(st.sampled_from(TYPES), st.integers(-(2**70), 2**70))
def test_wrapping_is_conversion(type_: IntType, number: int) -> None:
    assert type_.wrap(number) == machine(type_, number)
    assert type_.low <= type_.wrap(number) <= type_.high


@given(operands(), st.sampled_from(list(EXACT)))
def test_operators_that_wrap(case: tuple[IntType, int, int], op: Op) -> None:
    type_, left, right = case
    assert arith.binary(op, type_, left, right) == machine(type_, EXACT[op](left, right))


@given(operands())
def test_division_goes_towards_zero(case: tuple[IntType, int, int]) -> None:
    type_, left, right = case
    if right == 0:
        for op in (Op.DIV, Op.REM):
            with pytest.raises(arith.DivisionByZero):
                arith.binary(op, type_, left, right)
        return
    quotient = arith.binary(Op.DIV, type_, left, right)
    rest = arith.binary(Op.REM, type_, left, right)
    assert quotient == machine(type_, int(Fraction(left, right)))
    assert machine(type_, quotient * right + rest) == left
    assert abs(rest) < abs(right)
    assert rest == 0 or (rest < 0) == (left < 0)


def test_the_most_negative_number_divided_by_minus_one() -> None:
    for type_ in TYPES:
        if type_.signed:
            assert arith.binary(Op.DIV, type_, type_.low, -1) == type_.low
            assert arith.binary(Op.REM, type_, type_.low, -1) == 0


@given(operands(), st.integers(-200, 200))
def test_shifts_count_modulo_the_width(case: tuple[IntType, int, int], amount: int) -> None:
    type_, left, _ = case
    places = amount % type_.bits
    assert arith.binary(Op.SHL, type_, left, amount) == machine(type_, left * 2**places)
    assert arith.binary(Op.SHR, type_, left, amount) == Fraction(left, 2**places).__floor__()


@given(operands())
def test_comparisons(case: tuple[IntType, int, int]) -> None:
    type_, left, right = case
    assert arith.binary(Op.EQ, type_, left, right) == (left == right)
    assert arith.binary(Op.LT, type_, left, right) == (left < right)
    assert arith.binary(Op.LE, type_, left, right) == (left <= right)


@pytest.mark.parametrize("bits", [1, 3, 24])
@pytest.mark.parametrize("signed", [False, True])
def test_odd_widths_of_bit_fields(bits: int, signed: bool) -> None:
    type_ = IntType(bits, signed)
    members = {type_.wrap(n) for n in range(-(2 ** min(bits, 6)), 2 ** min(bits, 6))}
    assert all(type_.low <= n <= type_.high for n in members)
    assert type_.high - type_.low == 2**bits - 1
    assert type_.wrap(type_.high + 1) == type_.low


def test_pointers_are_unsigned() -> None:
    pointer = PointerType(IntType(32, True), 32)
    assert arith.binary(Op.SUB, pointer, 0, 4) == 2**32 - 4
