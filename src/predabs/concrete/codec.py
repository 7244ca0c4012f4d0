"""How scalars lie in bytes: little-endian, as gcc lays them out on x86.

`_Bool` takes a byte of which the lowest bit counts, an integer of an odd width the bytes it needs,
and a long double ten bytes (`concrete.extended`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from struct import Struct, error
from typing import Any

from ..ir.types import VOID, FloatType, IntType, PointerType, ScalarType, size_of
from ..records import dataclass
from .extended import Extended
from .numbers import signed

StructError = error

_STANDARD = {
    (8, True): "<b",
    (8, False): "<B",
    (16, True): "<h",
    (16, False): "<H",
    (32, True): "<i",
    (32, False): "<I",
    (64, True): "<q",
    (64, False): "<Q",
}


@dataclass(frozen=True, slots=True)
class Codec:
    """Reads and writes one scalar type.

    `read(data, offset)[0]` is the value (a tuple, as `struct` has it, to save a call); both raise
    `StructError` if the bytes are not all there. Offsets must not be negative. `type` is one of the
    types that lie like this; pointers have a codec of their own. `marks` says for each
    byte as what memory of the environment is accessed: of zero, nothing is known.
    """

    name: str
    type: ScalarType
    size: int
    read: Callable[[bytes | bytearray, int], tuple[Any, ...]]
    write: Callable[[bytearray, int, Any], None]
    marks: tuple[int, ...] = ()


@cache
def codec(type_: ScalarType) -> Codec:
    """The codec of a type; types that lie alike share its name.

    >>> from ..ir.types import INT
    >>> data = bytearray(8)
    >>> codec(INT).write(data, 2, -2)
    >>> data.hex(), codec(INT).read(data, 2)[0]
    ('0000feffffff0000', -2)
    """
    match type_:
        case FloatType(32, size):
            return _standard("f32", type_, "<f", size)
        case FloatType(64, size):
            return _standard("f64", type_, "<d", size)
        case FloatType(_, size):
            return _long_double(type_, size)
        case PointerType(_, bits):
            return _standard(f"p{bits}", PointerType(VOID, bits), _STANDARD[bits, False], bits // 8)
        case IntType(bits, sign):
            name = f"{'s' if sign else 'u'}{bits}"
            if (bits, sign) in _STANDARD:
                return _standard(name, type_, _STANDARD[bits, sign], bits // 8)
            return _odd(name, type_, size_of(type_))


def _standard(name: str, type_: ScalarType, layout: str, size: int) -> Codec:
    struct = Struct(layout)
    return Codec(name, type_, size, struct.unpack_from, struct.pack_into)


def _long_double(type_: FloatType, size: int) -> Codec:
    """Ten bytes; those behind are not written."""

    def read(data: bytes | bytearray, offset: int) -> tuple[Extended]:
        if offset + size > len(data):
            raise StructError
        return (Extended.from_bytes(data[offset : offset + size]),)

    def write(data: bytearray, offset: int, value: float) -> None:
        if offset + size > len(data):
            raise StructError
        data[offset : offset + 10] = Extended.of(value).to_bytes()

    return Codec(f"f80_{size}", type_, size, read, write)


def _odd(name: str, type_: IntType, size: int) -> Codec:
    """An integer whose width `struct` does not know: the bits above it do not count."""
    bits, sign = type_.bits, type_.signed
    mask = (1 << bits) - 1

    def read(data: bytes | bytearray, offset: int) -> tuple[int]:
        if offset + size > len(data):
            raise StructError
        value = int.from_bytes(data[offset : offset + size], "little") & mask
        return (signed(value, bits) if sign else value,)

    def write(data: bytearray, offset: int, value: int) -> None:
        if offset + size > len(data):
            raise StructError
        data[offset : offset + size] = (value & mask).to_bytes(size, "little")

    return Codec(name, type_, size, read, write)
