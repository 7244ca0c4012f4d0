"""Lvalues as generated Python: how to load, store and take the address of a place.

A place is a register, some bytes of a variable, or an address. Soundness duty: each index into an
array of known length is checked where the place is read or written, and what the checks of the
indices do not keep inside the variable is checked against its whole size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ...errors import InternalError
from ...ir.expr import Deref, Expr, Field, Index, Lvalue, Var
from ...ir.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    ScalarType,
    Type,
    size_of,
)
from ..codec import Codec, codec
from ..memory import ObjectKind
from ..storage_layout import InBytes, Register, VariableLayout
from .code import Constants, PythonCode, fit, numeral, plain


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes of a variable (`home`) or behind an address (`pointer`).

    They start `offset` bytes after it, plus the value of `dynamic` if there is one; a bit-field
    (`bits` = first bit and width) counts its bits from there. `loose` says that the offset may lie
    outside the variable. `depth` is how deep the text of the access is nested.
    """

    type: Type
    home: InBytes | None
    pointer: str
    offset: int
    dynamic: str
    loose: bool
    bits: tuple[int, int] | None
    depth: int

    @property
    def position(self) -> str:
        """The offset as text."""
        if not self.dynamic:
            return str(self.offset)
        return f"{self.dynamic} + {self.offset}" if self.offset else self.dynamic

    @property
    def location(self) -> str:
        """The address as text."""
        base = self.home.address if self.home else self.pointer
        offset = str(self.offset) if self.offset else ""
        return " + ".join(term for term in (base, self.dynamic, offset) if term)


Place: TypeAlias = Register | Bytes


@dataclass(frozen=True, slots=True)
class Bound:
    """What to say if an index is out of bounds."""

    verb: str
    array: Expr
    length: int


def place_operands(lvalue: Expr) -> Iterator[Expr]:
    """The values that decide which place it is: the pointer and the indices."""
    while True:
        match lvalue:
            case Var():
                return
            case Deref(pointer, _):
                yield pointer
                return
            case Field(base, _, _):
                lvalue = base
            case Index(base, position, _):
                yield position
                lvalue = base
            case _:
                raise InternalError(f"a {type(lvalue).__name__} stands where an lvalue must stand")


class PythonLvalues:
    """Generates the access to places, with the texts of their operands given as `codes`."""

    def __init__(self, layout: VariableLayout, constants: Constants) -> None:
        self._layout = layout
        self._constants = constants
        self.codecs: dict[str, Codec] = {}

    def resolve(self, lvalue: Lvalue, verb: str, codes: Mapping[Expr, PythonCode]) -> Place:
        """The place; `verb` is read or write, or empty if only its address is wanted."""
        steps: list[Field | Index] = []
        base: Expr = lvalue
        while isinstance(base, Field | Index):
            steps.append(base)
            base = base.base
        home, pointer, loose, depth = None, "", False, 0
        if isinstance(base, Var):
            found = self._layout.home(base)
            if isinstance(found, Register):
                if steps:
                    raise InternalError(f"the scalar {base.name} is used like an array or record")
                return found
            home, loose = found, size_of(base.type) > found.size
        elif isinstance(base, Deref):
            pointer, depth = codes[base.pointer].text, codes[base.pointer].depth
        else:
            raise InternalError(f"a {type(base).__name__} stands where an lvalue must stand")
        offset, bits, flexible = 0, None, False
        dynamic: list[str] = []
        for step in reversed(steps):
            if isinstance(step, Field):
                member, flexible = self._layout.member(step.base.type, step.name)
                offset += member.offset
                if member.bitfield:
                    assert isinstance(member.type, IntType)
                    bits = (member.bit % 8, member.type.bits)
                continue
            length = _length(step.base)
            free = not verb or flexible or length == 0
            index = codes[step.index]
            inside = index.low >= 0 and index.high < length
            loose = loose or (free and not inside)
            text, depth = index.text, max(depth, index.depth)
            if not free and not inside:
                bound = self._constants.name(Bound(verb, step.base, length))
                text = f"(w if 0 <= (w := {text}) < {length} else beyond(w, {bound}))"
            if index.constant and (free or inside):
                offset += index.low * size_of(step.type)
            elif (size := size_of(step.type)) == 1:
                dynamic.append(text)
            else:
                dynamic.append(f"{text} * {size}")
            flexible = False
        offsets = " + ".join(dynamic)
        return Bytes(lvalue.type, home, pointer, offset, offsets, loose, bits, depth + 2)

    def address(self, place: Place) -> PythonCode:
        """The address of a place, wrapped as addresses are."""
        if isinstance(place, Register):
            raise InternalError(f"the address of {place.var.name} is taken, but it has no bytes")
        if place.home and place.home.address.isdigit() and not place.dynamic:
            address = int(place.home.address) + place.offset
            return numeral(address & ((1 << self._layout.bits) - 1))
        within = place.home and not place.dynamic and 0 <= place.offset <= place.home.size
        if within or place.location == place.pointer:
            text = f"({place.location})"
        else:
            text = f"({place.location} & {(1 << self._layout.bits) - 1})"
        return PythonCode(text, 0, (1 << self._layout.bits) - 1, depth=place.depth)

    # --- loading ---------------------------------------------------------------------------------

    def load(self, place: Place) -> PythonCode:
        """The value of the place."""
        if isinstance(place, Register):
            return plain(place.text, place.var.type)
        match place.type:
            case IntType() as type_ if place.bits:
                return self._load_bits(place, type_, *place.bits)
            case IntType() | PointerType() | FloatType() as type_:
                return self._load_scalar(place, type_)
            case RecordType() | ArrayType():
                size = size_of(place.type)
                if place.home is None:
                    return PythonCode(f"read({place.location}, {size})", depth=place.depth)
                start = self._start(place, "read", size)
                return PythonCode(f"take({place.home.data}, {start}, {size})", depth=place.depth)
            case _:
                raise InternalError(f"a value of type {place.type} cannot be loaded")

    def _load_scalar(self, place: Bytes, type_: ScalarType) -> PythonCode:
        form = self._codec(type_)
        if place.home is None:
            return plain(f"ld_{form.name}({place.location})", type_, place.depth)
        start = self._start(place, "read", form.size)
        match form.name:
            case "u8":
                text = f"{place.home.data}[{start}]"
            case "s8":
                text = f"(({place.home.data}[{start}] ^ 128) - 128)"
            case _:
                text = f"rd_{form.name}({place.home.data}, {start})[0]"
        return plain(text, type_, place.depth)

    def _load_bits(self, place: Bytes, type_: IntType, bit: int, width: int) -> PythonCode:
        if place.home is None:
            text = f"load_bits({place.location}, {bit}, {width})"
        else:
            start = self._start(place, "read", (bit + width + 7) // 8)
            text = f"get_bits({place.home.data}, {start}, {bit}, {width})"
        return fit(type_, PythonCode(text, 0, (1 << width) - 1, depth=place.depth))

    # --- storing ---------------------------------------------------------------------------------

    def store(self, place: Place, value: PythonCode) -> str:
        """The statement that stores the value, which is one of the place's type."""
        if isinstance(place, Register):
            return f"{place.text} = {value.text}"
        if place.home and place.home.kind is ObjectKind.LITERAL:
            return f"literal({size_of(place.type)})"
        match place.type:
            case IntType() if place.bits:
                return self._store_bits(place, value, *place.bits)
            case IntType() | PointerType() | FloatType() as type_:
                form = self._codec(type_)
                if place.home is None:
                    return f"st_{form.name}({place.location}, {value.text})"
                start = self._start(place, "write", form.size)
                return f"wr_{form.name}({place.home.data}, {start}, {value.text})"
            case RecordType() | ArrayType():
                return self._store_bytes(place, value, size_of(place.type))
            case _:
                raise InternalError(f"a value of type {place.type} cannot be stored")

    def _store_bits(self, place: Bytes, value: PythonCode, bit: int, width: int) -> str:
        if place.home is None:
            return f"store_bits({place.location}, {bit}, {width}, {value.text})"
        start = self._start(place, "write", (bit + width + 7) // 8)
        return f"set_bits({place.home.data}, {start}, {bit}, {width}, {value.text})"

    def _store_bytes(self, place: Bytes, value: PythonCode, size: int) -> str:
        if place.home is None:
            return f"write({place.location}, {value.text})"
        start = self._start(place, "write", size)
        return f"put({place.home.data}, {start}, {value.text})"

    def _start(self, place: Bytes, verb: str, size: int) -> str:
        """Where the bytes start in the variable, checked where that is needed."""
        assert place.home is not None
        if not place.loose:
            return place.position
        name = self._constants.name(place.home)
        return f"within({place.position}, {size}, {name}, {verb!r})"

    def _codec(self, type_: ScalarType) -> Codec:
        form = codec(type_)
        self.codecs[form.name] = form
        return form


def _length(array: Expr) -> int:
    if isinstance(array.type, ArrayType):
        return array.type.length
    raise InternalError(f"the type {array.type} is indexed like an array")
