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
    one, two = (_private(graph, incoming, pointer) for pointer in (mine, yours))
    if one is not None and two is not None:
        return _joined(graph, incoming, one, two) if one.offset == two.offset else None
    if one is not None and yours[2] == NULL:
        return _alone(graph, incoming, one, optional=True)
    if two is not None and mine[2] == NULL:
        return _alone(graph, incoming, two, optional=True)
    return None


@dataclass(frozen=True, slots=True)
class _Private:
    """An object that only one place points to."""

    number: int
    offset: int


def _private(graph: MemoryGraph, incoming: Incoming, pointer: Pointer) -> _Private | None:
    """The object of the heap that is pointed to, if only that pointer leads to it."""
    holder, at, value = pointer
    if not isinstance(value, Address) or value.offset is None or value.last:
        return None
    made = graph.objects[value.object]
    if made.kind is not ObjectKind.HEAP or not made.live:
        return None
    if any((other, there) != (holder, at) for other, there, _ in incoming.get(value.object, ())):
        return None
    return _Private(value.object, value.offset)


def _alone(
    graph: MemoryGraph, incoming: Incoming, found: _Private, *, optional: bool
) -> NestedObject | None:
    """What only one of two nodes has."""
    made = graph.objects[found.number]
    made = replace(made, optional=made.optional or optional, nested=True)
    cells: dict[int, Cell] = {}
    inner: dict[int, NestedObject] = {}
    for at, cell in graph.cells[found.number].items():
        if not isinstance(cell[1], Address):
            cells[at] = cell
            continue
        there = _private(graph, incoming, (found.number, at, cell[1]))
        own = None if there is None else _alone(graph, incoming, there, optional=False)
        if own is None:
            return None
        inner[at] = own
    return NestedObject(made, cells, found.offset, frozenset([found.number]), inner)


def _joined(
    graph: MemoryGraph, incoming: Incoming, one: _Private, two: _Private
) -> NestedObject | None:
    """What stands for an object of the first node, and for one of the second."""
    mine, yours = graph.objects[one.number], graph.objects[two.number]
    if mine.size is None or (mine.size, mine.zeroed) != (yours.size, yours.zeroed):
        return None
    if mine.segment is not None and yours.segment is not None:
        alike = replace(mine.segment, least=yours.segment.least) == yours.segment
    else:
        alike = True
    if not alike:
        return None
    segment = _either(mine.segment, yours.segment)
    cells: dict[int, Cell] = {}
    inner: dict[int, NestedObject] = {}
    links = () if segment is None else (segment.next, segment.prev)
    for at, left, right in pairs(graph, one.number, two.number):
        if left is not None and left == right and not isinstance(left[1], Address):
            cells[at] = left
            continue
        if at in links:
            return None  # their ends differ
        if left is not None and right is not None and left[0] != right[0]:
            return None
        if any(cell is not None and isinstance(cell[1], Address) for cell in (left, right)):
            if left is None or right is None:
                return None
            own = nested_object(
                graph, incoming, (one.number, at, left[1]), (two.number, at, right[1])
            )
            if own is None:
                return None
            inner[at] = own
            continue
        if any(cell is not None and isinstance(cell[1], FunctionName) for cell in (left, right)):
            return None
        if left is not None and right is not None:
            cells[at] = (left[0], opaque())
        elif mine.zeroed:
            return None
    optional = mine.optional or yours.optional
    made = replace(mine, segment=segment, optional=optional, nested=True)
    return NestedObject(made, cells, one.offset, frozenset([one.number, two.number]), inner)


def _either(one: Segment | None, two: Segment | None) -> Segment | None:
    """A segment for both; a node of its own is one."""
    known = one or two
    if known is None:
        return None
    least = min(1 if segment is None else segment.least for segment in (one, two))
    return replace(known, least=least)
