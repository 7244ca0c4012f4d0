"""Addresses by the names that a person knows: `&list.head`, `&a[3]`, `malloc#1`, NULL.

An object of the heap has a number, and its elements the type of the pointers that were seen to lead
there. Memory of the environment is `outside#1` and so on. What is said is for people only: where an
object has ended, or an address lies in none, the nearest is named.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Collection, Mapping

from ...ir.address_space import FIRST_FUNCTION, FIRST_OBJECT, NULL_PAGE, end_of_objects
from ...ir.expr import Var
from ...ir.types import (
    ArrayType,
    FunctionType,
    IntType,
    Member,
    PointerType,
    Record,
    RecordType,
    Type,
    VoidType,
    size_of,
)
from ...records import dataclass

_NEAR = 16  # bytes before an object that still belong to it
_BEHIND = 64
_OUTSIDE = 1 << 14  # memory of the environment, whose size nobody knows
_SHADOWS = re.compile(r"#\d+$")


def source_name(var: Var) -> str:
    """The name as the source has it, without the number of a second one in the same function, and
    the file of a second one in the program.

    >>> from ...ir.types import INT
    >>> source_name(Var("main::x#2", INT)), source_name(Var("count@a.c", INT))
    ('x', 'count')
    """
    return _SHADOWS.sub("", var.short.partition("@")[0])


@dataclass(slots=True)
class _Object:
    """An object with a name; `type` is None as long as it is not known. Of a block (heap, outside)
    it is the type of an element, and `function` what has allocated it."""

    base: int
    size: int
    name: str
    type: Type | None
    function: str = ""
    block: bool = False
    literal: bool = False


@dataclass(frozen=True, slots=True)
class NamedPart:
    """A part of an object by its name, with its type if that is known."""

    name: str
    type: Type | None
    address: int
    size: int


class AddressNames:
    """The objects of a run that were seen so far."""

    def __init__(
        self, records: Mapping[str, Record], bits: int, locals_: Mapping[str, Collection[str]]
    ) -> None:
        self._records = records
        self.bits = bits
        self._locals = locals_  # the names that each function has for its own variables
        self._bases: list[int] = []
        self._objects: dict[int, _Object] = {}
        self._outside: list[_Object] = []
        self._blocks = 0
        self._freed: dict[int, int] = {}  # in which line, by address
        self._new: dict[int, str] = {}  # where blocks were allocated that were not named yet

    # --- what there is ----------------------------------------------------------------------------

    def variable(self, var: Var, address: int, literal: str | None = None) -> None:
        """A variable, or the array of a string literal, lies there."""
        name = literal or source_name(var)
        made = _Object(address, size_of(var.type), name, var.type, var.function)
        made.literal = literal is not None
        self._add(made)

    def allocated(self, address: int, size: int, function: str, line: int) -> None:
        """An object was allocated in that line."""
        self._add(_Object(address, size, "", None, function, block=True))
        self._new[address] = f"({size} byte{'s' * (size != 1)}, line {line})"

    def freed(self, address: int, line: int) -> None:
        """The object there was freed in that line."""
        self._freed[address] = line

    def end(self, base: int) -> str:
        """When an object of the heap, or a variable with its block, has ended, in words."""
        if (found := self._objects.get(base)) is not None and not found.block:
            return "its block has ended"
        line = self._freed.get(base)
        return "freed" if line is None else f"freed in line {line}"

    def introduced(self, address: int) -> str | None:
        """Where an object was allocated, if it is now named for the first time."""
        return self._new.pop(address, None)

    def _add(self, made: _Object) -> None:
        if made.base not in self._objects:
            insort(self._bases, made.base)
        self._objects[made.base] = made

    def learn(self, address: int, type_: PointerType) -> None:
        """A pointer of this type leads there: so much for what a block consists of."""
        target = type_.target
        if isinstance(target, VoidType | FunctionType) or not address:
            return
        found = self._near(address)
        if found is None or not found.block or found.base != address:
            return
        size = size_of(target)
        if size > 0 and (found.type is None or (_is_byte(found.type) and not _is_byte(target))):
            found.type = target

    # --- what it is called ------------------------------------------------------------------------

    def pointer(self, address: int, type_: PointerType, function: str) -> str:
        """An address, as seen in a function."""
        if address == 0:
            return "NULL"
        found = self._near(address)
        if found is None:
            if address >= (1 << self.bits) - NULL_PAGE:
                return f"({type_}){address - (1 << self.bits)}"
            return hex(address)
        if found.literal:
            offset = address - found.base
            return found.name if offset == 0 else f"{found.name} + {offset}"
        name = self._qualified(found, function)
        offset = address - found.base
        if found.block and (offset == 0 or found.type is None):
            return name if offset == 0 else f"{name} {'+' if offset > 0 else '-'} {abs(offset)}"
        path, part, rest = self._path(found, name, offset, type_.target)
        if rest == 0:
            return f"&{path}"
        size = size_of(part)
        if size and rest % size == 0 and not isinstance(part, ArrayType | RecordType):
            return f"&{path} + {rest // size}"
        return f"(char *)&{path} + {rest}"

    def part(self, address: int, size: int, function: str) -> NamedPart | None:
        """The smallest part of an object that has all these bytes."""
        found = self._near(address)
        if found is None or address + size > found.base + found.size or address < found.base:
            return None
        name = self._qualified(found, function)
        if found.type is None:
            offset = address - found.base
            shown = f"*{name}" if offset == 0 else f"*({name} + {offset})"
            return NamedPart(shown, None, address, size)
        at, type_, path = found.base, found.type, name
        if found.block:
            path, at, type_ = self._element(found, name, address, size)
        while (inner := self._inside(type_, address - at, size)) is not None:
            text, offset, type_ = inner
            path, at = _joined(path, text), at + offset
        return NamedPart(path, type_, at, size_of(type_))

    def _qualified(self, found: _Object, function: str) -> str:
        """The name, with the function where another variable has the same name. A block is numbered
        when it is first named: library functions may have some of their own."""
        if not found.name:
            self._blocks += 1
            found.name = f"{found.function}#{self._blocks}"
        if found.block:
            return found.name
        other = found.function and found.function != function
        hidden = other and found.name in self._locals.get(function, ())
        return f"{found.function}::{found.name}" if hidden else found.name

    def _near(self, address: int) -> _Object | None:
        """The object that the address lies in, or nearly."""
        if not FIRST_FUNCTION <= address < end_of_objects(self.bits):
            return self._from_outside(address)
        if address < FIRST_OBJECT:
            return None
        index = bisect_right(self._bases, address)
        if index:
            before = self._objects[self._bases[index - 1]]
            if address < before.base + before.size + _BEHIND:
                return before
        if index < len(self._bases) and self._bases[index] - address <= _NEAR:
            return self._objects[self._bases[index]]
        return None

    def _from_outside(self, address: int) -> _Object | None:
        if address < FIRST_FUNCTION or address >= (1 << self.bits) - NULL_PAGE:
            return None
        for item in self._outside:
            size = size_of(item.type) if isinstance(item.type, RecordType) else _OUTSIDE
            if -_NEAR <= address - item.base < size:
                return item
        name = f"outside#{len(self._outside) + 1}"
        made = _Object(address, _OUTSIDE, name, None, block=True)
        self._outside.append(made)
        return made

    # --- parts ------------------------------------------------------------------------------------

    def _element(self, found: _Object, name: str, address: int, size: int) -> tuple[str, int, Type]:
        """The element of a block that has these bytes, or all of them."""
        assert found.type is not None
        step = size_of(found.type)
        index = (address - found.base) // step
        at = found.base + index * step
        if address + size <= at + step:
            if index == 0 and _is_single(found, step):
                return f"*{name}", at, found.type
            return f"{name}[{index}]", at, found.type
        return f"*{name}", found.base, ArrayType(found.type, found.size // step)

    def _path(self, found: _Object, name: str, offset: int, wanted: Type) -> tuple[str, Type, int]:
        """The part that begins at the offset and has the wanted type, or what is nearest to that;
        its type, and the bytes that are left."""
        assert found.type is not None
        path, type_ = name, found.type
        if found.block:
            step = size_of(type_)
            index, offset = divmod(offset, step)
            path = f"{name}[{index}]"
            if index == 0 and _is_single(found, step):
                path = f"*{name}"
        best = (path, type_, offset)
        while type_ is not wanted or offset:
            if isinstance(type_, ArrayType) and type_ is found.type and size_of(type_.element):
                # a pointer may lead before or behind it
                index, offset = divmod(offset, size_of(type_.element))
                path, type_ = f"{path}[{index}]", type_.element
            elif (inner := self._inside(type_, offset, 1)) is not None:
                text, start, type_ = inner
                path, offset = _joined(path, text), offset - start
            else:
                break
            if best[2] or isinstance(best[1], ArrayType) or type_ is wanted:
                best = (path, type_, offset)
        return best

    def _inside(self, type_: Type, offset: int, size: int) -> tuple[str, int, Type] | None:
        """The member or element that has these bytes: `.x` or `[i]`, where it begins, its type."""
        match type_:
            case ArrayType(element, length) if (step := size_of(element)) > 0:
                index = offset // step
                if 0 <= index < max(length, 1) and offset + size <= (index + 1) * step:
                    return f"[{index}]", index * step, element
            case RecordType(tag, _) if tag in self._records:
                for member in self._records[tag].members:
                    if _holds(member, offset, size):
                        return f".{member.name}", member.offset, member.type
        return None


def _is_single(found: _Object, step: int) -> bool:
    """Is a block one record, as far as is known?"""
    return isinstance(found.type, RecordType) and not step < found.size // 2 < _OUTSIDE // 2


def _holds(member: Member, offset: int, size: int) -> bool:
    if member.bitfield or not member.name:
        return False
    return member.offset <= offset and offset + size <= member.offset + size_of(member.type)


def _joined(path: str, part: str) -> str:
    """
    >>> _joined("*malloc#1", ".next"), _joined("a", ".x"), _joined("*malloc#1", "[2]")
    ('malloc#1->next', 'a.x', '(*malloc#1)[2]')
    """
    if not path.startswith("*"):
        return path + part
    return f"{path[1:]}->{part[1:]}" if part.startswith(".") else f"({path}){part}"


def _is_byte(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.bits == 8
