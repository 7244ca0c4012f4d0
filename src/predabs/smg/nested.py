"""Objects that each node of a list has for itself, so that they are part of a segment [DPV13].

Soundness duty: what two nodes have becomes one object only if nothing else points to either, and
stands for both: data that differ are not known, and what one has and the other has not is optional.
"""

from __future__ import annotations

from typing import TypeAlias

from ..concrete.memory import ObjectKind
from ..records import dataclass, replace
from .graph import NULL, Address, Cell, FunctionName, MemoryGraph, MemoryObject, Value, opaque

Incoming: TypeAlias = dict[int, list[tuple[int, int, Address]]]
Pointer: TypeAlias = tuple[int, int, Value]  # an object, an offset, and what it holds there


@dataclass(frozen=True, slots=True)
class NestedObject:
    """An object for each node, to the offset of which the node points, in place of others."""

    made: MemoryObject
    cells: dict[int, Cell]
    offset: int
    replaced: frozenset[int]


def nested_object(
    graph: MemoryGraph, incoming: Incoming, mine: Pointer, yours: Pointer
) -> NestedObject | None:
    """The object that stands for what two nodes point to; None if there is none."""
    found: list[tuple[int, int] | None] = []
    for holder, at, value in (mine, yours):
        if value == NULL:
            found.append(None)
            continue
        if not isinstance(value, Address) or value.offset is None or value.last:
            return None
        if not _is_private(graph, incoming, value.object, (holder, at)):
            return None
        found.append((value.object, value.offset))
    one, two = found
    known = one or two
    assert known is not None
    number, offset = known
    if one is None or two is None:
        made = replace(graph.objects[number], optional=True, nested=True)
        return NestedObject(made, dict(graph.cells[number]), offset, frozenset([number]))
    if one[1] != two[1]:
        return None
    return _joined(graph, one[0], two[0], offset)


def _is_private(
    graph: MemoryGraph, incoming: Incoming, number: int, place: tuple[int, int]
) -> bool:
    """Is it an object of the heap that only the cell at that place points to, and that points to
    no object of a node itself?"""
    made = graph.objects[number]
    if made.kind is not ObjectKind.HEAP or not made.live:
        return False
    if any((holder, at) != place for holder, at, _ in incoming.get(number, ())):
        return False
    values = [value for _, value in graph.cells[number].values()]
    return not any(isinstance(value, Address) for value in values)


def _joined(graph: MemoryGraph, first: int, second: int, offset: int) -> NestedObject | None:
    one, two = graph.objects[first], graph.objects[second]
    alike = (one.size, one.zeroed) == (two.size, two.zeroed)
    segment = one.segment or two.segment
    if not alike or one.size is None:
        return None
    if segment is not None:
        least = min(1 if made.segment is None else made.segment.least for made in (one, two))
        for made in (one, two):
            if made.segment is not None and replace(made.segment, least=segment.least) != segment:
                return None
        segment = replace(segment, least=least)
    cells: dict[int, Cell] = {}
    mine, yours = graph.cells[first], graph.cells[second]
    for at in mine.keys() | yours.keys():
        left, right = mine.get(at), yours.get(at)
        if left == right and left is not None:
            cells[at] = left
            continue
        if segment is not None and at in (segment.next, segment.prev):
            return None  # their ends differ
        for cell in (left, right):
            if cell is not None and isinstance(cell[1], Address | FunctionName):
                return None
        if left is not None and right is not None and left[0] == right[0]:
            cells[at] = (left[0], opaque())
        elif one.zeroed or (left is not None and right is not None):
            return None
    optional = one.optional or two.optional
    made = replace(one, segment=segment, optional=optional, nested=True)
    return NestedObject(made, cells, offset, frozenset([first, second]))
