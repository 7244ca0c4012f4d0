"""`printf` prints what the C library of this machine prints."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import platform
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from predabs.concrete.memory import ByteMemory, ObjectKind
from predabs.concrete.outcome import Failure, Refusal, Value
from predabs.concrete.printf import formatted


def ours(template: str, *args: Value) -> bytes:
    """Strings are put into memory, all else is taken as it is."""
    memory = ByteMemory(64)
    placed: list[Value] = []
    for arg in args:
        if isinstance(arg, bytes):
            block = memory.allocate(len(arg) + 1, ObjectKind.HEAP, "the string")
            block.data[:-1] = arg
            placed.append(block.base)
        else:
            placed.append(arg)
    return formatted(template.encode("latin-1"), placed, memory, 64)


def theirs(template: str, *args: Any) -> bytes:
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("no glibc here to compare with")
    library = ctypes.CDLL(None)
    buffer = ctypes.create_string_buffer(20_000)
    passed = [ctypes.c_double(a) if isinstance(a, float) else _word(a) for a in args]
    length = library.snprintf(buffer, ctypes.c_size_t(20_000), template.encode("latin-1"), *passed)
    return buffer.raw[:length]


def _word(value: int | bytes) -> Any:
    return value if isinstance(value, bytes) else ctypes.c_longlong(value)


flags = st.sets(st.sampled_from("-+ #0")).map(lambda chosen: "".join(sorted(chosen)))
widths = st.just("") | st.integers(1, 30).map(str)
precisions = st.just("") | st.just(".") | st.integers(0, 30).map(lambda n: f".{n}")
lengths = st.sampled_from(["", "hh", "h", "l", "ll", "z", "t", "j"])
words = st.integers(-(2**63), 2**63 - 1) | st.integers(-300, 300) | st.just(0)
doubles = st.floats(allow_nan=True) | st.floats(-1e6, 1e6) | st.integers(-100, 100).map(float)


@settings(max_examples=300, deadline=None)
@given(flags, widths, precisions, lengths, st.sampled_from("diuoxX"), words)
@example("#", "", ".0", "", "o", 0)
@example("#", "", ".", "", "x", 0)
@example("+", "5", ".0", "", "d", 0)
def test_integers(flag: str, width: str, precision: str, length: str, kind: str, n: int) -> None:
    template = f"<%{flag}{width}{precision}{length}{kind}>"
    assert ours(template, n) == theirs(template, n)


@settings(max_examples=500, deadline=None)
@given(flags, widths, precisions, st.sampled_from("eEfFgGaA"), doubles)
@example("", "", "", "a", 5e-324)
@example("", "", ".0", "a", 1.5)
@example("", "", ".3", "a", 0.0)
@example("#", "", ".0", "A", 255.0)
@example("0", "10", "", "f", math.inf)
@example("+", "10", "", "F", -math.nan)
@example("#", "", "", "g", 100000.0)
@example("", "", ".0", "f", 0.5)
@example("", "", ".1", "e", 9.95)
def test_floating_point(flag: str, width: str, precision: str, kind: str, x: float) -> None:
    template = f"<%{flag}{width}{precision}{kind}>"
    assert ours(template, x) == theirs(template, x)


@settings(max_examples=300, deadline=None)
@given(
    flags, widths, precisions, st.binary(max_size=12).map(lambda text: text.replace(b"\0", b"a"))
)
def test_strings(flag: str, width: str, precision: str, text: bytes) -> None:
    template = f"<%{flag}{width}{precision}s>"
    assert ours(template, text) == theirs(template, text)


@settings(max_examples=200, deadline=None)
@given(flags, widths, precisions, st.integers(0, 2**64 - 1))
@example("+0", "30", "", 0)
@example("+ 0", "30", "", 12)
def test_characters_and_pointers(flag: str, width: str, precision: str, n: int) -> None:
    for template in (f"<%{flag}{width}c>", f"<%{flag}{width}{precision}p>"):
        assert ours(template, n) == theirs(template, n)


@pytest.mark.parametrize(
    ("template", "args"),
    [
        ("", []),
        ("%%|%5%|%-5%", []),
        ("%*d|%-*d|%*d", [6, 42, 6, 42, -6, 42]),
        ("%.*d|%.*f|%.*s", [3, 7, -1, 2.5, 2, b"abcdef"]),
        ("%0*d", [-8, 3]),
        ("%d %u %x", [-1, -1, -1]),
        ("%hhd %hhu %hd %hu", [300, 300, 70000, 70000]),
        ("%lu %ld %zu %td", [2**63, -1, 5, -5]),
        ("%c%c%c", [72, 105 + 256, 0]),
        ("%s|%.3s|%10.2s|%-10s|", [b"hello"] * 4),
        ("%s|%.5s|%.6s|%10s", [0, 0, 0, 0]),
        ("%Lf %lf", [1.5, 2.5]),
        ("%'d", [1234567]),
        ("%i bytes\t\x80\xff", [12]),
    ],
)
def test_chosen_formats(template: str, args: Sequence[Any]) -> None:
    if "L" in template:  # a long double is passed otherwise
        assert ours(template, *args) == b"1.500000 2.500000"
    else:
        assert ours(template, *args) == theirs(template, *args)


def test_the_width_of_long() -> None:
    assert formatted(b"%lu %zx", [-1, -1], ByteMemory(32), 32) == b"4294967295 ffffffff"
    assert formatted(b"%llu", [-1], ByteMemory(32), 32) == b"18446744073709551615"


@pytest.mark.parametrize(
    ("template", "args", "message"),
    [
        ("%d %d", [1], "the format '%d' has no argument left"),
        ("%*d", [1], "the format '%*d' has no argument left"),
        ("%d", [1.5], "the format '%d' needs an integer or pointer"),
        ("%f", [1], "the format '%f' needs a floating-point number"),
        ("%5", [1], "the format ends within '%5'"),
        ("%", [], "the format ends within '%'"),
        ("%s", [8], "read of 1 byte at address 0x8, near null"),
    ],
)
def test_what_goes_wrong(template: str, args: Sequence[Value], message: str) -> None:
    with pytest.raises(Failure) as raised:
        ours(template, *args)
    assert str(raised.value) == message


@pytest.mark.parametrize("template", ["%n", "%ls", "%lc", "%m", "%k", "%1$d", "%La", "%Ld", "%lp"])
def test_what_is_refused(template: str) -> None:
    with pytest.raises(Refusal, match="is not supported"):
        ours(template, 1.0 if template == "%La" else 1)
