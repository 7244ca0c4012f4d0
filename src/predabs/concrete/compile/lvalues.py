"""Lvalues as generated Python: how to load, store and take the address of one.

A resolved lvalue is a register, some bytes of a variable, or an address. Soundness duty: each index
into an array of known length is checked where the element is read or written, and what the checks
of the indices do not keep inside the variable is checked against its whole size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ...analysis.memory.views import View
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
from ...records import dataclass, replace
from ..codec import Codec, codec
from ..memory import ObjectKind
from ..storage_layout import InBytes, Register, VariableLayout
from .code import Constants, PythonCode, fit, numeral, of_type

# Null as the start of an access to a member: a multiple of all address spaces, below all addresses,
# so that no member lies in low memory of the environment.
_NULL = -(1 << 128)
_MOST_BYTES = 32  # of a scalar


@dataclass(frozen=True, slots=True)
class ByteLvalue:
    """Bytes of a variable (`home`) or behind an address (`pointer`).

    They start `offset` bytes after it, plus the value of `dynamic` if there is one; a bit-field
    (`bits` = first bit and width) counts its bits from there. `loose` says that the offset may lie
    outside the variable. `depth` is how deep the text of the access is nested.
    """

    place: Lvalue
    home: InBytes | None
    pointer: str
    offset: int
    dynamic: str
    loose: bool
    bits: tuple[int, int] | None
    depth: int

    @property
    def type(self) -> Type:
        return self.place.type

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


ResolvedLvalue: TypeAlias = Register | ByteLvalue


@dataclass(frozen=True, slots=True)
class Bound:
    """What to say if an index is out of bounds."""

    verb: str
    array: Expr
    length: int


def lvalue_operands(lvalue: Expr) -> Iterator[Expr]:
    """The values that decide which storage it names: the pointer and the indices."""
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
    """Generates the access to lvalues, with the texts of their operands in `codes`."""

    def __init__(self, layout: VariableLayout, constants: Constants, tracing: bool) -> None:
        self._layout = layout
        self._constants = constants
        self._seen = tracing and layout.has_environment
        self.codecs: dict[str, Codec] = {}
        self._views: dict[View, int] = {}

    def resolve(
        self, lvalue: Lvalue, verb: str, codes: Mapping[Expr, PythonCode]
    ) -> ResolvedLvalue:
        """The lvalue resolved to storage; `verb` is read or write, or empty if only its address is
        wanted."""
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
            if verb and steps and self._layout.has_environment:
                pointer, depth = f"({pointer} or {_NULL})", depth + 1
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
        return ByteLvalue(lvalue, home, pointer, offset, offsets, loose, bits, depth + 2)

    def address(self, lvalue: ResolvedLvalue) -> PythonCode:
        """The address of an lvalue, wrapped as addresses are."""
        if isinstance(lvalue, Register):
            raise InternalError(f"the address of {lvalue.var.name} is taken, but it has no bytes")
        if lvalue.home and lvalue.home.address.isdigit() and not lvalue.dynamic:
            address = int(lvalue.home.address) + lvalue.offset
            return numeral(address & ((1 << self._layout.bits) - 1))
        within = lvalue.home and not lvalue.dynamic and 0 <= lvalue.offset <= lvalue.home.size
        if within or lvalue.location == lvalue.pointer:
            text = f"({lvalue.location})"
        else:
            text = f"({lvalue.location} & {(1 << self._layout.bits) - 1})"
        return PythonCode(text, 0, (1 << self._layout.bits) - 1, depth=lvalue.depth)

    def bytes_of(self, lvalue: ByteLvalue) -> tuple[str, int]:
        """The address of the first byte, and how many there are."""
        size = sum(lvalue.bits) + 7 >> 3 if lvalue.bits else size_of(lvalue.type)
        return self.address(lvalue).text, size

    # --- loading ---------------------------------------------------------------------------------

    def load(self, lvalue: ResolvedLvalue) -> PythonCode:
        """The value of the lvalue."""
        if isinstance(lvalue, Register):
            return of_type(lvalue.text, lvalue.var.type)
        match lvalue.type:
            case IntType() as type_ if lvalue.bits:
                return self._load_bits(lvalue, type_, *lvalue.bits)
            case IntType() | PointerType() | FloatType() as type_:
                return self._load_scalar(lvalue, type_)
            case RecordType() | ArrayType():
                size = size_of(lvalue.type)
                if lvalue.home is None:
                    text = self._behind(lvalue, "read", str(size))
                    return PythonCode(text, depth=lvalue.depth)
                start = self._start(lvalue, "read", size)
                return PythonCode(f"take({lvalue.home.data}, {start}, {size})", depth=lvalue.depth)
            case _:
                raise InternalError(f"a value of type {lvalue.type} cannot be loaded")

    def _load_scalar(self, lvalue: ByteLvalue, type_: ScalarType) -> PythonCode:
        form = self._codec(type_)
        if lvalue.home is None:
            form = self._in_view(form, lvalue)
            return of_type(self._behind(lvalue, f"ld_{form.name}"), type_, lvalue.depth)
        start = self._start(lvalue, "read", form.size)
        match form.name:
            case "u8":
                text = f"{lvalue.home.data}[{start}]"
            case "s8":
                text = f"(({lvalue.home.data}[{start}] ^ 128) - 128)"
            case _:
                text = f"rd_{form.name}({lvalue.home.data}, {start})[0]"
        return of_type(text, type_, lvalue.depth)

    def _load_bits(self, lvalue: ByteLvalue, type_: IntType, bit: int, width: int) -> PythonCode:
        if lvalue.home is None:
            text = self._behind(lvalue, "load_bits", str(bit), str(width))
        else:
            start = self._start(lvalue, "read", (bit + width + 7) // 8)
            text = f"get_bits({lvalue.home.data}, {start}, {bit}, {width})"
        return fit(type_, PythonCode(text, 0, (1 << width) - 1, depth=lvalue.depth))

    def _behind(self, lvalue: ByteLvalue, function: str, *more: str) -> str:
        """The call that reads what lies behind a pointer."""
        arguments = ", ".join((lvalue.location, *more))
        if self._seen:
            return f"seen({self._constants.name(lvalue.place)}, {function}, {arguments})"
        return f"{function}({arguments})"

    # --- storing ---------------------------------------------------------------------------------

    def store(self, lvalue: ResolvedLvalue, value: PythonCode) -> str:
        """The statement that stores the value, which is one of the lvalue's type."""
        if isinstance(lvalue, Register):
            return f"{lvalue.text} = {value.text}"
        if lvalue.home and lvalue.home.kind is ObjectKind.LITERAL:
            return f"literal({size_of(lvalue.type)})"
        match lvalue.type:
            case IntType() if lvalue.bits:
                return self._store_bits(lvalue, value, *lvalue.bits)
            case IntType() | PointerType() | FloatType() as type_:
                form = self._codec(type_)
                if lvalue.home is None:
                    form = self._in_view(form, lvalue)
                    return f"st_{form.name}({lvalue.location}, {value.text})"
                start = self._start(lvalue, "write", form.size)
                return f"wr_{form.name}({lvalue.home.data}, {start}, {value.text})"
            case RecordType() | ArrayType():
                return self._store_bytes(lvalue, value, size_of(lvalue.type))
            case _:
                raise InternalError(f"a value of type {lvalue.type} cannot be stored")

    def _store_bits(self, lvalue: ByteLvalue, value: PythonCode, bit: int, width: int) -> str:
        if lvalue.home is None:
            return f"store_bits({lvalue.location}, {bit}, {width}, {value.text})"
        start = self._start(lvalue, "write", (bit + width + 7) // 8)
        return f"set_bits({lvalue.home.data}, {start}, {bit}, {width}, {value.text})"

    def _store_bytes(self, lvalue: ByteLvalue, value: PythonCode, size: int) -> str:
        if lvalue.home is None:
            return f"write({lvalue.location}, {value.text})"
        start = self._start(lvalue, "write", size)
        return f"put({lvalue.home.data}, {start}, {value.text})"

    def _start(self, lvalue: ByteLvalue, verb: str, size: int) -> str:
        """Where the bytes start in the variable, checked where that is needed."""
        assert lvalue.home is not None
        if not lvalue.loose:
            return lvalue.position
        name = self._constants.name(lvalue.home)
        return f"within({lvalue.position}, {size}, {name}, {verb!r})"

    def _codec(self, type_: ScalarType) -> Codec:
        form = codec(type_)
        self.codecs[form.name] = form
        return form

    def _in_view(self, form: Codec, lvalue: ByteLvalue) -> Codec:
        """The codec for an access that may be to memory of the environment."""
        if not self._layout.has_environment:
            return form
        view = self._layout.view(lvalue.place)
        number = self._views.setdefault(view, len(self._views) + 1)
        name = f"{form.name}_in{number}"
        if name not in self.codecs:
            marks = (_MOST_BYTES * number + at * (not view.bytewise) for at in range(form.size))
            self.codecs[name] = replace(form, name=name, marks=tuple(marks))
        return self.codecs[name]


def _length(array: Expr) -> int:
    if isinstance(array.type, ArrayType):
        return array.type.length
    raise InternalError(f"the type {array.type} is indexed like an array")
