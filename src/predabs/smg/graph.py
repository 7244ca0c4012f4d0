"""Symbolic memory graphs [DPV13]: objects, what lies at which offset in them, and list segments.

A graph stands for all memories in which its objects exist, its cells hold their values, and each
segment is a list of at least `least` nodes that are alike. Soundness duty: what no cell covers is
zero if its object says so, and anything otherwise; an opaque value is some number or address that
nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TypeAlias

from ..concrete.memory import ObjectKind
from ..ir.expr import Var
from ..records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Number:
    """Bits, as an unsigned number; an address that is zero is null."""

    bits: int


@dataclass(frozen=True, slots=True)
class Address:
    """A place in an object; of a segment, in its first node or its last. Without an offset it is
    not known where in the object."""

    object: int
    offset: int | None
    last: bool = False


@dataclass(frozen=True, slots=True)
class FunctionName:
    """The address of a function."""

    name: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that is not known; the same number is the same value."""

    number: int


Value: TypeAlias = Number | Address | FunctionName | Opaque
Cell: TypeAlias = tuple[int, Value]  # a size in bytes, and the value


@dataclass(frozen=True, slots=True)
class Segment:
    """Nodes linked by the pointer at offset `next`, which leads to offset `head` of the next node,
    and back by the one at `prev`, if there is one; at least `least` of them, of 0, 1 and 2."""

    next: int
    prev: int | None
    head: int
    least: int

    def is_linked_as(self, other: Segment) -> bool:
        """Are nodes of the one nodes of the other?"""
        return (self.next, self.prev, self.head) == (other.next, other.prev, other.head)


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """An object, or a segment of objects that are alike. `owner` is the function with whose call an
    object on the stack ends. If it is `optional` it may not exist, and pointers to it are null
    then. If it is `nested`, one pointer leads to it: that of a segment, of which each node has one
    of its own, of an optional object, or of another nested one; it exists with that. `record` is
    a hint: the struct as which the program has used it."""

    kind: ObjectKind
    size: int | None
    zeroed: bool = False
    live: bool = True
    segment: Segment | None = None
    owner: str = ""
    optional: bool = False
    nested: bool = False
    record: str = ""

    @property
    def may_be_missing(self) -> bool:
        return self.optional or (self.segment is not None and self.segment.least == 0)


class Untold(Exception):
    """The graph cannot tell what happens; the text says what."""


_NUMBERS = count(1)


def opaque() -> Opaque:
    """A value that is not known."""
    return Opaque(next(_NUMBERS))


NULL = Number(0)


class MemoryGraph:
    """One graph; whoever owns it may change it."""

    __slots__ = ("cells", "nonzero", "objects", "pointer_bytes", "variables")

    def __init__(self, pointer_bytes: int) -> None:
        self.pointer_bytes = pointer_bytes
        self.objects: dict[int, MemoryObject] = {}
        self.cells: dict[int, dict[int, Cell]] = {}
        self.variables: dict[Var, int] = {}
        self.nonzero: set[int] = set()  # opaque values that are not zero

    def copy(self) -> MemoryGraph:
        twin = MemoryGraph(self.pointer_bytes)
        twin.objects = dict(self.objects)
        twin.cells = {number: dict(cells) for number, cells in self.cells.items()}
        twin.variables = dict(self.variables)
        twin.nonzero = set(self.nonzero)
        return twin

    # --- objects ----------------------------------------------------------------------------------

    def add(self, made: MemoryObject) -> int:
        """A new object; gives its number."""
        number = next(_NUMBERS)
        self.objects[number] = made
        self.cells[number] = {}
        return number

    def end(self, number: int) -> None:
        """The object is gone; pointers to it dangle."""
        self.objects[number] = replace(self.objects[number], live=False, zeroed=False)
        self.cells[number] = {}

    def values(self) -> Iterator[tuple[int, int, Cell]]:
        """All cells, each with its object and offset."""
        for number, cells in self.cells.items():
            for offset, cell in cells.items():
                yield number, offset, cell

    def replace(self, old: Value, new: Value) -> None:
        """Wherever the one value is, there is the other."""
        for number, offset, (size, value) in list(self.values()):
            if value == old:
                self.cells[number][offset] = (size, new)
        if isinstance(old, Opaque) and isinstance(new, Opaque) and old.number in self.nonzero:
            self.nonzero.add(new.number)

    def redirect(self, number: int, last: bool, to: int, to_last: bool) -> None:
        """Pointers into the first (or last) node of a segment, or into an object, lead elsewhere,
        at the same offsets."""
        for holder, offset, (size, value) in list(self.values()):
            if isinstance(value, Address) and value.object == number and value.last is last:
                moved = Address(to, value.offset, to_last)
                self.cells[holder][offset] = (size, moved)

    # --- bytes ------------------------------------------------------------------------------------

    def read(self, number: int, offset: int, size: int) -> Value:
        """What the bytes hold; they lie in the object."""
        cells = self.cells[number]
        found = cells.get(offset)
        if found is not None and found[0] == size:
            return found[1]
        overlapping = list(self._overlapping(number, offset, size))
        if overlapping:
            return opaque()
        if self.objects[number].zeroed:
            return NULL
        value = opaque()
        cells[offset] = (size, value)
        return value

    def cell(self, number: int, offset: int, size: int) -> Cell | None:
        """The cell at an offset; where an object of zeros has none, a zero of that size."""
        found = self.cells[number].get(offset)
        if found is not None or not self.objects[number].zeroed:
            return found
        return None if any(self._overlapping(number, offset, size)) else (size, NULL)

    def _overlapping(self, number: int, offset: int, size: int) -> Iterator[tuple[int, Cell]]:
        for at, cell in self.cells[number].items():
            if at < offset + size and offset < at + cell[0]:
                yield at, cell

    def write(self, number: int, offset: int, size: int, value: Value) -> None:
        """The bytes hold the value from now on."""
        self.clear(number, offset, size)
        self.cells[number][offset] = (size, value)

    def clear(self, number: int, offset: int, size: int) -> None:
        """No cell covers the bytes any more. What a cell covered besides them is unknown now."""
        cells = self.cells[number]
        for at, (width, _) in list(self._overlapping(number, offset, size)):
            del cells[at]
            for byte in (*range(at, offset), *range(offset + size, at + width)):
                cells[byte] = (1, opaque())

    def forget(self, number: int, offset: int, size: int) -> None:
        """The bytes hold anything from now on."""
        self.clear(number, offset, size)
        if self.objects[number].zeroed:
            for at, part in pieces(offset, size):
                self.cells[number][at] = (part, opaque())

    def zero(self, number: int, offset: int, size: int) -> None:
        """The bytes are zero from now on."""
        self.clear(number, offset, size)
        made = self.objects[number]
        if not made.zeroed and offset == 0 and size == made.size:
            self.objects[number] = replace(made, zeroed=True)
        elif not made.zeroed:
            for at, part in pieces(offset, size):
                self.cells[number][at] = (part, NULL)

    def forget_all(self, number: int) -> None:
        """The whole object holds anything from now on."""
        self.cells[number] = {}
        self.objects[number] = replace(self.objects[number], zeroed=False)


_MOST_PIECES = 256


def pieces(offset: int, size: int) -> list[tuple[int, int]]:
    """A range as parts at natural alignment, with their sizes.

    >>> pieces(4, 13)
    [(4, 4), (8, 8), (16, 1)]
    """
    found = []
    end = offset + size
    while offset < end:
        part = 8
        while offset % part or offset + part > end:
            part //= 2
        found.append((offset, part))
        offset += part
        if len(found) > _MOST_PIECES:
            raise Untold("a large block of memory is written")
    return found


def is_nonzero(graph: MemoryGraph, value: Value) -> bool:
    """Is it known that a value is not zero?"""
    match value:
        case Number(bits):
            return bits != 0
        case Opaque(number):
            return number in graph.nonzero
    return True
