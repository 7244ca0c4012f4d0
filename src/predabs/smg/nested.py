"""Objects that each node of a list has for itself, so that they are part of a segment [DPV13].

What belongs to a node is a tree: an object that only the node points to, what only that object
points to, and so on. So lists may hang in lists. Soundness duty: what two nodes have becomes one
tree only if nothing else points into either, and stands for both: data that differ are not known,
and what one has and the other has not is optional.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ..concrete.memory import ObjectKind
from ..records import dataclass, replace
from .graph import (
    NULL,
    Address,
    Cell,
    FunctionName,
    MemoryGraph,
    MemoryObject,
    Segment,
    Value,
    opaque,
)

Incoming: TypeAlias = dict[int, list[tuple[int, int, Address]]]
Pointer: TypeAlias = tuple[int, int, Value]  # an object, an offset, and what it holds there


@dataclass(frozen=True, slots=True)
class NestedObject:
    """An object for each node, to the offset of which the node points, in place of others; and
    those that belong to it, by the offset of the pointer there."""

    made: MemoryObject
    cells: Mapping[int, Cell]
    offset: int
    replaced: frozenset[int]
    inner: Mapping[int, NestedObject]

    def put(self, graph: MemoryGraph) -> Address:
        """Make it, and leave out what it stands for; gives the pointer to it."""
        number = graph.add(self.made)
        cells = graph.cells[number]
        cells.update(self.cells)
        for at, own in self.inner.items():
            cells[at] = (graph.pointer_bytes, own.put(graph))
        for old in self.replaced:
            del graph.objects[old], graph.cells[old]
        return Address(number, self.offset)

    @property
    def count(self) -> int:
        """How many objects it stands for."""
        return len(self.replaced) + sum(own.count for own in self.inner.values())


def pairs(
    graph: MemoryGraph, first: int, second: int
) -> Iterator[tuple[int, Cell | None, Cell | None]]:
    """By offset, what two objects hold."""
    one, two = graph.cells[first], graph.cells[second]
    for at in one.keys() | two.keys():
        known = one.get(at) or two.get(at)
        assert known is not None
        yield at, graph.cell(first, at, known[0]), graph.cell(second, at, known[0])


def nested_object(
    graph: MemoryGraph, incoming: Incoming, mine: Pointer, yours: Pointer
) -> NestedObject | None:
    """The object that stands for what two nodes point to; None if there is none."""
    return _Trees(graph, incoming, (mine[0], yours[0])).of(mine, yours)


@dataclass(frozen=True, slots=True)
class _Private:
    """An object that only one place points to."""

    number: int
    offset: int


@dataclass(frozen=True, slots=True)
class _Trees:
    """What belongs to two nodes."""

    graph: MemoryGraph
    incoming: Incoming
    nodes: tuple[int, int]

    def of(self, mine: Pointer, yours: Pointer) -> NestedObject | None:
        one, two = self._private(mine), self._private(yours)
        if one is not None and two is not None:
            return self._joined(one, two) if one.offset == two.offset else None
        if one is not None and yours[2] == NULL:
            return self._alone(one, optional=True)
        if two is not None and mine[2] == NULL:
            return self._alone(two, optional=True)
        return None

    def _private(self, pointer: Pointer) -> _Private | None:
        """The object of the heap that is pointed to, if only that pointer leads to it."""
        holder, at, value = pointer
        if not isinstance(value, Address) or value.offset is None or value.last:
            return None
        to = value.object
        made = self.graph.objects[to]
        if made.kind is not ObjectKind.HEAP or not made.live or to in self.nodes:
            return None
        if is_like(made, self.graph.objects[holder]) and self._leads_on(to):
            return None
        if any((other, there) != (holder, at) for other, there, _ in self.incoming.get(to, ())):
            return None
        return _Private(to, value.offset)

    def _leads_on(self, number: int) -> bool:
        return any(isinstance(value, Address) for _, value in self.graph.cells[number].values())

    def _alone(self, found: _Private, *, optional: bool) -> NestedObject | None:
        """What only one of two nodes has."""
        made = replace(self.graph.objects[found.number], nested=True)
        if optional:
            made = maybe_missing(made, self.graph.cells[found.number], found.offset)
        cells: dict[int, Cell] = {}
        inner: dict[int, NestedObject] = {}
        for at, cell in self.graph.cells[found.number].items():
            if not isinstance(cell[1], Address):
                cells[at] = cell
                continue
            there = self._private((found.number, at, cell[1]))
            if there is None or at in links(made.segment):
                return None
            own = self._alone(there, optional=False)
            if own is None:
                return None
            inner[at] = own
        return NestedObject(made, cells, found.offset, frozenset([found.number]), inner)

    def _joined(self, one: _Private, two: _Private) -> NestedObject | None:
        """What stands for an object of the first node, and for one of the second."""
        graph = self.graph
        mine, yours = graph.objects[one.number], graph.objects[two.number]
        if mine.size is None or (mine.size, mine.zeroed) != (yours.size, yours.zeroed):
            return None
        segment = _either(mine.segment, yours.segment)
        for shape in (mine.segment, yours.segment):
            if shape is not None and segment is not None and not shape.is_linked_as(segment):
                return None
        cells: dict[int, Cell] = {}
        inner: dict[int, NestedObject] = {}
        for at, left, right in pairs(graph, one.number, two.number):
            values = [cell[1] for cell in (left, right) if cell is not None]
            leads = any(isinstance(value, Address) for value in values)
            if left is not None and left == right and not leads:
                cells[at] = left
                continue
            if at in links(segment):
                return None  # their ends differ
            if left is None or right is None:
                if leads or mine.zeroed or any(isinstance(v, FunctionName) for v in values):
                    return None
                continue
            if left[0] != right[0]:
                return None
            if leads:
                own = self.of((one.number, at, left[1]), (two.number, at, right[1]))
                if own is None:
                    return None
                inner[at] = own
            elif any(isinstance(value, FunctionName) for value in values):
                return None
            else:
                cells[at] = (left[0], opaque())
        made = replace(mine, segment=segment, optional=False, nested=True)
        if mine.optional or yours.optional:
            made = maybe_missing(made, cells, one.offset)
        both = frozenset([one.number, two.number])
        return NestedObject(made, cells, one.offset, both, inner)


def maybe_missing(made: MemoryObject, cells: Mapping[int, Cell], offset: int) -> MemoryObject:
    """The object that a pointer leads to, if it need not exist; a list that null ends is empty
    then."""
    shape = made.segment
    if (
        shape is not None
        and offset == shape.head
        and all(link is None or cells[link][1] == NULL for link in (shape.next, shape.prev))
    ):
        return replace(made, segment=replace(shape, least=0))
    return replace(made, optional=True)


def is_like(one: MemoryObject, two: MemoryObject) -> bool:
    """Do they look like nodes of one list or tree? Then what leads on does not belong to the other:
    it might be as deep as the list is long."""
    return (one.kind, one.size, one.record) == (two.kind, two.size, two.record)


def links(segment: Segment | None) -> tuple[int | None, ...]:
    """The offsets of the pointers that make a segment a list."""
    return () if segment is None else (segment.next, segment.prev)


def _either(one: Segment | None, two: Segment | None) -> Segment | None:
    """A segment for both; a node of its own is one."""
    known = one or two
    if known is None:
        return None
    least = min(1 if segment is None else segment.least for segment in (one, two))
    return replace(known, least=least)
