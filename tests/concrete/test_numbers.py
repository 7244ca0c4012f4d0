"""Conversions between numbers, compared with what the compiler of this machine makes of them."""

from __future__ import annotations

import ctypes
import math
import platform
import shutil
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from predabs.concrete.numbers import (
    float_quotient,
    int_to_single,
    quotient,
    remainder,
    signed,
    to_integer,
    to_single,
)
from predabs.ir import arith
from predabs.ir.expr import Op
from predabs.ir.types import CHAR, INT, LLONG, UCHAR, UINT, ULLONG, IntType

TYPES = {
    "signed char": CHAR,
    "unsigned char": UCHAR,
    "short": IntType(16, True),
    "unsigned short": IntType(16, False),
    "int": INT,
    "unsigned": UINT,
    "long long": LLONG,
    "unsigned long long": ULLONG,
}
C_TYPES = {
    "signed char": ctypes.c_byte,
    "unsigned char": ctypes.c_ubyte,
    "short": ctypes.c_short,
    "unsigned short": ctypes.c_ushort,
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong,
}


@dataclass(frozen=True)
class Native:
    """C functions that convert, by the type's name, and that divide."""

    to: dict[str, Callable[[float], int]]
    single: dict[str, Callable[[int], float]]
    double: dict[str, Callable[[int], float]]
    divide: Callable[[float, float], float]
    divide_single: Callable[[float, float], float]


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Native:
    gcc = shutil.which("gcc")
    if gcc is None or platform.machine() != "x86_64":
        pytest.skip("no C compiler for x86-64 here")
    folder = tmp_path_factory.mktemp("convert")
    lines = [
        "double divide(double x, double y) { return x / y; }",
        "float divide_single(float x, float y) { return x / y; }",
    ]
    for number, name in enumerate(TYPES):
        lines.append(f"{name} to_{number}(double x) {{ return ({name})x; }}")
        lines.append(f"float single_{number}({name} x) {{ return (float)x; }}")
        lines.append(f"double double_{number}({name} x) {{ return (double)x; }}")
    (folder / "convert.c").write_text("\n".join(lines))
    command = [gcc, "-O1", "-shared", "-fPIC", "-o", "convert.so", "convert.c"]
    subprocess.run(command, cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "convert.so"))

    def function(name: str, result: Any, *params: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *params)((name, library))

    single, double = ctypes.c_float, ctypes.c_double
    types = list(enumerate(C_TYPES.items()))
    return Native(
        {name: function(f"to_{n}", type_, double) for n, (name, type_) in types},
        {name: function(f"single_{n}", single, type_) for n, (name, type_) in types},
        {name: function(f"double_{n}", double, type_) for n, (name, type_) in types},
        function("divide", double, double, double),
        function("divide_single", single, single, single),
    )


def same(left: float, right: float) -> bool:
    """The same bits, but for what a NaN carries."""
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    return left == right and math.copysign(1, left) == math.copysign(1, right)


borders = st.sampled_from(
    [
        sign * (2.0**power + offset)
        for sign in (1, -1)
        for power in (7, 8, 15, 16, 31, 32, 63, 64, 65)
        for offset in (0, 1, -1, 0.5, -0.5, 2048, -2048)
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.floats() | borders | st.floats(-1e20, 1e20))
@example(math.nan)
@example(math.inf)
@example(-math.inf)
def test_to_integers(native: Native, x: float) -> None:
    for name, type_ in TYPES.items():
        assert to_integer(x, type_) == native.to[name](x), name


@settings(max_examples=300, deadline=None)
@given(st.integers(-(2**63), 2**64 - 1))
@example((1 << 54) + (1 << 30) + 1)
@example((1 << 62) + (1 << 38))
@example((1 << 64) - 1)
@example((1 << 63) - 1)
@example(-(1 << 63))
def test_from_integers(native: Native, n: int) -> None:
    for name, type_ in TYPES.items():
        value = type_.wrap(n)
        assert int_to_single(value) == native.single[name](value)
        assert float(value) == native.double[name](value)


@settings(max_examples=300, deadline=None)
@given(st.floats(), st.floats() | st.sampled_from([0.0, -0.0]))
@example(0.0, 0.0)
@example(-1.0, 0.0)
@example(math.nan, 0.0)
def test_division(native: Native, x: float, y: float) -> None:
    assert same(float_quotient(x, y), native.divide(x, y))
    x, y = to_single(x), to_single(y)
    assert same(to_single(float_quotient(x, y)), native.divide_single(x, y))


def test_zero_by_zero_is_the_nan_of_the_machine(native: Native) -> None:
    ours, theirs = float_quotient(0.0, 0.0), native.divide(0.0, 0.0)
    assert struct.pack("<d", ours) == struct.pack("<d", theirs)


@given(st.integers(-(2**130), 2**130))
def test_an_integer_is_rounded_to_the_nearest_single(n: int) -> None:
    found = int_to_single(n)
    if math.isinf(found):
        assert abs(n) >= 2**128 - 2**103
        return
    step = 2.0 ** (math.frexp(found)[1] - 25) if found else 1.0
    distance = abs(Fraction(found) - n)
    for neighbour in (found - 2 * step, found + 2 * step, found - step, found + step):
        if same(to_single(neighbour), neighbour):
            assert distance <= abs(Fraction(neighbour) - n)


@given(st.integers(-(2**64), 2**64), st.integers(-(2**64), 2**64).filter(bool))
def test_integer_division(left: int, right: int) -> None:
    assert quotient(left, right) == arith.divide(left, right)
    assert remainder(left, right) == arith.remainder(left, right)


@pytest.mark.parametrize("left", [-1, 0, 1])
def test_integer_division_by_zero(left: int) -> None:
    with pytest.raises(ZeroDivisionError):
        quotient(left, 0)
    with pytest.raises(ZeroDivisionError):
        remainder(left, 0)


@given(st.integers(-(2**70), 2**70), st.integers(1, 66))
def test_signed_wraps(n: int, bits: int) -> None:
    assert signed(n, bits) == IntType(bits, True).wrap(n)
    assert arith.binary(Op.ADD, IntType(bits, True), n, 0) == signed(n, bits)


def test_wide_integers() -> None:
    wide = IntType(128, True)
    assert to_integer(-1e30, wide) == int(-1e30)
    assert to_integer(math.nan, wide) == -(2**127)
