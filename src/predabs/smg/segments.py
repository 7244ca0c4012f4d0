"""List segments: how a node is taken out of one, and what it is if it is empty [DPV13].

Soundness duty: the graphs that `materialized` and `split` give stand together for all memories of
the old one.
"""

from __future__ import annotations

from ..records import replace
from .graph import (
    NULL,
    Address,
    Cell,
    MemoryGraph,
    MemoryObject,
    Number,
    Opaque,
    Segment,
    Untold,
    Value,
    opaque,
)


class NeedsNode(Exception):
    """A node of a segment is accessed: the first, or the last."""

    def __init__(self, number: int, last: bool) -> None:
        super().__init__()
        self.number = number
        self.last = last

    def cases(self, graph: MemoryGraph) -> list[MemoryGraph]:
        """Graphs in which it is an object of its own."""
        segment = graph.objects[self.number].segment
        assert segment is not None
        if graph.objects[self.number].may_be_missing:
            return split(graph, self.number)
        return [materialized(graph, self.number, self.last)]


class NeedsSplit(Exception):
    """It matters whether a segment is empty."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def cases(self, graph: MemoryGraph) -> list[MemoryGraph]:
        return split(graph, self.number)


def materialized(graph: MemoryGraph, number: int, last: bool) -> MemoryGraph:
    """The graph in which the first (or last) node of a segment is an object of its own."""
    new = graph.copy()
    made = new.objects[number]
    segment = made.segment
    assert segment is not None and segment.least > 0
    node = new.add(replace(made, segment=None))
    cells = new.cells[number]
    for offset, (size, value) in cells.items():
        new.cells[node][offset] = (size, _own(new, value))
    new.objects[number] = replace(made, segment=replace(segment, least=segment.least - 1))
    if last:
        assert segment.prev is not None
        new.redirect(number, True, node, False)
        new.cells[number][segment.next] = _pointer(new, node, segment)
        new.cells[node][segment.next] = graph.cells[number][segment.next]
        new.cells[node][segment.prev] = _pointer(new, number, segment, last=True)
    else:
        new.redirect(number, False, node, False)
        new.cells[node][segment.next] = _pointer(new, number, segment)
        if segment.prev is not None:
            new.cells[node][segment.prev] = graph.cells[number][segment.prev]
            new.cells[number][segment.prev] = _pointer(new, node, segment)
    return new


def _pointer(graph: MemoryGraph, to: int, segment: Segment, last: bool = False) -> Cell:
    return graph.pointer_bytes, Address(to, segment.head, last)


def _own(graph: MemoryGraph, value: Value, *, nested: bool = False) -> Value:
    """What a node holds that is taken out, where the segment holds the value: data of its own, and
    objects of its own, with what belongs to them. With `nested`, it is not the node that holds it,
    but something that may not exist, or not once."""
    match value:
        case Opaque(number):
            fresh = opaque()
            if number in graph.nonzero:
                graph.nonzero.add(fresh.number)
            return fresh
        case Address(to, offset, last) if graph.objects[to].nested:
            made = graph.objects[to]
            twin = graph.add(replace(made, nested=nested))
            inside = nested or not _exists_once(made)
            for at, (size, inner) in graph.cells[to].items():
                graph.cells[twin][at] = (size, _own(graph, inner, nested=inside))
            return Address(twin, offset, last)
    return value


def _exists_once(made: MemoryObject) -> bool:
    """Is it one object, if nothing that it belongs to says otherwise?"""
    return made.segment is None and not made.optional


def exists_once(made: MemoryObject) -> bool:
    """Is it one object, for sure? What belongs to others is nested."""
    return _exists_once(made) and not made.nested


def _released(graph: MemoryGraph, number: int) -> None:
    """What belongs to an object that exists once is like any other object."""
    if not _exists_once(graph.objects[number]):
        return
    for _, value in graph.cells[number].values():
        if isinstance(value, Address) and graph.objects[value.object].nested:
            graph.objects[value.object] = replace(graph.objects[value.object], nested=False)
            _released(graph, value.object)


def split(graph: MemoryGraph, number: int) -> list[MemoryGraph]:
    """The graph in which what may be missing is, and that in which it is not."""
    made = graph.objects[number]
    filled, empty = graph.copy(), graph.copy()
    if made.optional:
        filled.objects[number] = replace(made, optional=False)
        _released(filled, number)
        remove(empty, number)
        for holder, offset, (size, value) in list(empty.values()):
            if isinstance(value, Address) and value.object == number:
                empty.cells[holder][offset] = (size, NULL)
        return [empty, filled]
    segment = made.segment
    assert segment is not None and segment.least == 0
    filled.objects[number] = replace(made, segment=replace(segment, least=1))
    _, following = empty.cells[number][segment.next]
    before: Value = empty.cells[number][segment.prev][1] if segment.prev is not None else following
    if any(isinstance(end, Address) and end.object == number for end in (following, before)):
        raise Untold("what a list that ends in itself is, if it is empty")
    remove(empty, number)
    for holder, offset, (size, value) in list(empty.values()):
        if isinstance(value, Address) and value.object == number:
            new = _moved(empty, before if value.last else following, value, segment)
            empty.cells[holder][offset] = (size, new)
    return [empty, filled]


def remove(graph: MemoryGraph, number: int) -> None:
    """Leave out an object, and what belongs to it."""
    for _, value in graph.cells[number].values():
        if isinstance(value, Address) and graph.objects[value.object].nested:
            remove(graph, value.object)
    del graph.objects[number], graph.cells[number]


def _moved(graph: MemoryGraph, value: Value, old: Address, segment: Segment) -> Value:
    """What a pointer into an empty segment is: the link's value, as far from it as from the
    link."""
    if old.offset is None:
        raise Untold("a pointer somewhere into a list that may be empty")
    distance = old.offset - segment.head
    match value:
        case _ if distance == 0:
            return value
        case Address(to, offset, last) if offset is not None:
            return Address(to, offset + distance, last)
        case Number(bits):
            return Number((bits + distance) % (1 << 8 * graph.pointer_bytes))
    return opaque()
