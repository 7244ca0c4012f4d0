"""Values as a person would write them: numbers, texts, `{x = 1, next = &b}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...concrete.codec import codec
from ...concrete.memory import ByteObject, ObjectKind, get_bits
from ...concrete.outcome import Value
from ...concrete.state_view import StateView
from ...ir.listing import quoted
from ...ir.types import (
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    Member,
    PointerType,
    Record,
    RecordType,
    Type,
    size_of,
)
from .addresses import AddressNames
from .steps import Shown, ShownValue

_LONGEST = 72  # characters of an array or a record
_LONGEST_TEXT = 48  # characters of a string
_SHOWN_BYTES = 16


class ValueTexts:
    """Shows the values of a run, in the state in which it is."""

    def __init__(self, records: Mapping[str, Record], names: AddressNames) -> None:
        self._records = records
        self._names = names

    def shown(
        self, name: str, type_: Type, value: Value, view: StateView, function: str
    ) -> ShownValue:
        """A value of this type, as seen in a function."""
        match value:
            case bytes():
                return ShownValue(name, self._aggregate(type_, value, view, function))
            case int() if isinstance(type_, PointerType):
                return ShownValue(name, *self._pointer(value, type_, view, function))
            case int() if isinstance(type_, IntType) and type_.bits == 8:
                return ShownValue(name, value, character(value) or "")
        return ShownValue(name, value)

    def _pointer(
        self, address: int, type_: PointerType, view: StateView, function: str
    ) -> tuple[Shown, str]:
        """The address, and the text that stands there."""
        if (called := view.function_at(address)) is not None:
            return called.partition("@")[0], ""
        self._names.learn(address, type_)
        shown = self._names.pointer(address, type_, function)
        found = view.object_near(address)
        if found is None:
            return shown, ""
        if not found.live:
            heap = found.kind is ObjectKind.HEAP
            return shown, f"({self._names.end(found.base) if heap else 'its function has ended'})"
        if isinstance(type_.target, IntType) and type_.target.bits == 8:
            return shown, "" if shown.startswith('"') else (_text_at(found, address) or "")
        return shown, ""

    def _aggregate(self, type_: Type, data: bytes, view: StateView, function: str) -> str:
        text = ""
        for piece in self._pieces(type_, data, 0, view, function):
            text += piece
            if len(text) > _LONGEST:
                return f"{text[:_LONGEST]}..."
        return text

    def _pieces(
        self, type_: Type, data: bytes, offset: int, view: StateView, function: str
    ) -> Iterator[str]:
        match type_:
            case ArrayType(element, length):
                whole = data[offset : offset + size_of(type_)]
                if _is_byte(element) and (text := as_text(whole)) is not None:
                    yield text
                    return
                yield "{"
                size, index = size_of(element), 0
                while index < length:
                    yield ", " if index else ""
                    yield from self._pieces(element, data, offset + index * size, view, function)
                    alike = _alike(whole, index * size, size)
                    yield f" ({alike} times)" if alike > 2 else ""
                    index += alike if alike > 2 else 1
                yield "}"
            case RecordType(tag, _) if tag in self._records:
                yield "{"
                record = self._records[tag]
                members = [member for member in record.members if member.name]
                for number, member in enumerate(members[:1] if record.union else members):
                    yield f"{', ' if number else ''}{member.name} = "
                    if member.bitfield:
                        yield str(_bits(member, data, offset))
                    else:
                        at = offset + member.offset
                        yield from self._pieces(member.type, data, at, view, function)
                yield "}"
            case IntType() | PointerType() | FloatType() if offset + size_of(type_) <= len(data):
                value = codec(type_).read(data, offset)[0]
                shown = self.shown("", type_, value, view, function)
                yield str(shown.value)
            case FunctionType():
                yield "?"
            case _:
                yield bytes_text(data[offset:])


def _alike(data: bytes, start: int, size: int) -> int:
    """How many elements from there on are the same.

    >>> _alike(b"abbb", 0, 1), _alike(b"abbb", 1, 1)
    (1, 3)
    """
    first, at = data[start : start + size], start + size
    while first and data[at : at + size] == first:
        at += size
    return max(1, (at - start) // size if size else 1)


def _is_byte(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.bits == 8


def _bits(member: Member, data: bytes, offset: int) -> int:
    assert isinstance(member.type, IntType)
    value = get_bits(bytearray(data), offset, member.bit, member.type.bits)
    return member.type.wrap(value)


def character(value: int) -> str | None:
    """
    >>> character(97), character(10), character(200)
    ("'a'", "'\\\\n'", None)
    """
    if value == 39:
        return r"'\''"
    if 32 <= value < 127 or value in (9, 10, 13):
        return f"'{quoted([value])[1:-1]}'" if value != 34 else "'\"'"
    return None


def as_text(data: bytes) -> str | None:
    """The string that an array of characters holds, if it looks like one.

    >>> as_text(b"ab\\0\\0"), as_text(b"a\\n"), as_text(bytes(3)), as_text(b"\\1\\2\\0")
    ('"ab"', '"a\\\\n" (no end)', '""', None)
    """
    end = data.find(0)
    text = data if end < 0 else data[:end]
    if not all(32 <= byte < 127 or byte in (9, 10, 13) for byte in text) or (
        not text and data[1:2] > b"\0"
    ):
        return None
    dots = "..." if len(text) > _LONGEST_TEXT else ""
    return f"{quoted(list(text[:_LONGEST_TEXT]))}{dots}{' (no end)' if end < 0 else ''}"


def bytes_text(data: bytes) -> str:
    """Bytes of which nothing is known.

    >>> bytes_text(b"hello\\0"), bytes_text(bytes([1, 2, 0]))
    ('"hello"', '{01 02 00}')
    """
    text = as_text(data) if data[:1] > b"\0" else None
    dots = " ..." if len(data) > _SHOWN_BYTES else ""
    return text or f"{{{data[:_SHOWN_BYTES].hex(' ')}{dots}}}"


def _text_at(found: ByteObject, address: int) -> str | None:
    """The string at an address in an object."""
    start = address - found.base
    if start >= len(found.data) or not found.data[start]:
        return None
    return as_text(bytes(found.data[start : start + 4096]))
