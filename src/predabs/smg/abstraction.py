"""Abstraction: neighbours in a list that are alike become one segment [DPV13].

Soundness duty: the folded graph stands for all memories of the old one, and more.
"""

from __future__ import annotations

from enum import Enum

from ..concrete.memory import ObjectKind
from ..records import dataclass, replace
from .graph import (
    NULL,
    Address,
    Cell,
    FunctionName,
    MemoryGraph,
    MemoryObject,
    Number,
    Segment,
    Value,
    is_nonzero,
    opaque,
)
from .nested import Incoming, NestedObject, nested_object, pairs

_MOST_LEAST = 2


class Alike(Enum):
    """Which data two nodes may have that become one."""

    ANY = "any"
    ZERO = "zero"  # both are zero, neither is, or it is not known of one
    SAME = "same"  # the same number, or it is not known of one


def fold(graph: MemoryGraph, alike: Alike) -> None:
    """Make neighbours in lists one segment, wherever nothing else points to the second of them."""
    while (found := _next_fold(graph, alike)) is not None:
        _merge(graph, found)


@dataclass(frozen=True, slots=True)
class _Fold:
    """Two neighbours that can become one segment, with the data and the own objects of a node."""

    first: int
    second: int
    shape: Segment
    data: dict[int, Cell]
    nested: dict[int, NestedObject]

    @property
    def count(self) -> int:
        """How many objects of their own the two nodes have."""
        return sum(own.count for own in self.nested.values())


def _next_fold(graph: MemoryGraph, alike: Alike) -> _Fold | None:
    """Of what can be folded that with the fewest objects of its own: lists that hang in the nodes
    of another list are folded before that."""
    incoming = _incoming(graph)
    found: _Fold | None = None
    for first, cells in graph.cells.items():
        made = graph.objects[first]
        if made.kind is not ObjectKind.HEAP or not made.live or made.nested:
            continue
        for offset, (_, value) in cells.items():
            if not isinstance(value, Address):
                continue
            new = _neighbours(graph, first, offset, value, incoming, alike)
            if new is not None and not new.count:
                return new
            if new is not None and (found is None or new.count < found.count):
                found = new
    return found


def _incoming(graph: MemoryGraph) -> Incoming:
    """By object: the cells that point into it."""
    found: Incoming = {}
    for holder, offset, (_, value) in graph.values():
        if isinstance(value, Address):
            found.setdefault(value.object, []).append((holder, offset, value))
    return found


def _neighbours(
    graph: MemoryGraph, first: int, link: int, value: Address, incoming: Incoming, alike: Alike
) -> _Fold | None:
    """An object and the one that a link leads to, if they can be nodes of one segment."""
    second, head = value.object, value.offset
    one, two = graph.objects[first], graph.objects.get(second)
    if two is None or first == second or head is None or value.last:
        return None
    if two.kind is not ObjectKind.HEAP or not two.live or one.size != two.size or one.size is None:
        return None
    if one.record != two.record:
        return None  # a list hangs in a node of another
    if one.zeroed is not two.zeroed or two.nested or one.optional:
        return None
    back = _back_link(graph, first, second, link, head)
    for segment in (one.segment, two.segment):
        if segment is not None and (segment.next, segment.head) != (link, head):
            return None
        if segment is not None and segment.prev != back:
            return None
    size, following = graph.cells[second].get(link, (0, value))
    if size != graph.pointer_bytes:
        return None
    if isinstance(following, Address) and following.object in (first, second):
        return None
    if two.optional and following != NULL:
        return None  # the link is null if the node is missing
    if not _private(graph, first, second, link, back, incoming):
        return None
    joined = _joined(
        graph, first, second, {link} if back is None else {link, back}, alike, incoming
    )
    if joined is None:
        return None
    return _Fold(first, second, Segment(link, back, head, 0), *joined)


def _back_link(graph: MemoryGraph, first: int, second: int, link: int, head: int) -> int | None:
    """The offset of a pointer in the second node that leads back to the first."""
    wanted = Address(first, head, graph.objects[first].segment is not None)
    fixed = graph.objects[first].segment or graph.objects[second].segment
    if fixed is not None and fixed.prev is None:
        return None
    for offset, (_, value) in graph.cells[second].items():
        fits = fixed is None or fixed.prev == offset
        width, _ = graph.cells[first].get(offset, (0, value))
        if value == wanted and offset != link and width == graph.pointer_bytes and fits:
            return offset
    return None


def _private(
    graph: MemoryGraph, first: int, second: int, link: int, back: int | None, incoming: Incoming
) -> bool:
    """Does nothing else point to where the two nodes meet?"""
    is_segment = graph.objects[second].segment is not None
    after = graph.cells[second][link][1]
    for holder, offset, value in incoming.get(second, ()):
        if (holder, offset) == (first, link):
            continue
        from_next = (
            back is not None
            and isinstance(after, Address)
            and holder == after.object
            and offset == back
            and value.offset == after.offset
        )
        if value.last and is_segment:
            continue  # pointers to the last node stay
        if not is_segment and from_next:
            continue
        return False
    if graph.objects[first].segment is not None:
        for holder, offset, value in incoming.get(first, ()):
            if value.last and (holder, offset) != (second, back):
                return False
    return True


def _joined(
    graph: MemoryGraph,
    first: int,
    second: int,
    links: set[int],
    alike: Alike,
    incoming: Incoming,
) -> tuple[dict[int, Cell], dict[int, NestedObject]] | None:
    """The data of both nodes, and by offset the objects that each node has of its own; None if
    they point to different things."""
    zeroed = graph.objects[first].zeroed
    found: dict[int, Cell] = {}
    nested: dict[int, NestedObject] = {}
    for offset, mine, yours in pairs(graph, first, second):
        if offset in links:
            continue
        known = mine or yours
        assert known is not None
        if mine is None or yours is None:
            if isinstance(known[1], Address | FunctionName):
                return None
            if zeroed:
                found[offset] = (known[0], opaque())
            continue
        if mine == yours and not _points_to_nested(graph, mine[1]):
            found[offset] = mine
            continue
        if mine[0] != yours[0]:
            return None
        if isinstance(mine[1], Address) or isinstance(yours[1], Address):
            own = nested_object(
                graph, incoming, (first, offset, mine[1]), (second, offset, yours[1])
            )
            if own is None:
                return None
            nested[offset] = own
            continue
        if not _are_alike(graph, mine[1], yours[1], alike):
            return None
        value = opaque()
        if all(is_nonzero(graph, cell[1]) for cell in (mine, yours)):
            graph.nonzero.add(value.number)
        found[offset] = (mine[0], value)
    return found, nested


def _points_to_nested(graph: MemoryGraph, value: Value) -> bool:
    return isinstance(value, Address) and graph.objects[value.object].nested


def _are_alike(graph: MemoryGraph, one: Value, two: Value, alike: Alike) -> bool:
    if alike is Alike.SAME and isinstance(one, Number) and isinstance(two, Number):
        return one == two
    if alike is Alike.ANY:
        return True
    zero = Number(0) in (one, two)
    return not (zero and (is_nonzero(graph, one) or is_nonzero(graph, two)))


def _merge(graph: MemoryGraph, found: _Fold) -> None:
    """The second node becomes part of the first."""
    first, second, shape = found.first, found.second, found.shape
    one, two = graph.objects[first], graph.objects[second]
    least = _least(one) + _least(two)
    segment = replace(shape, least=min(_MOST_LEAST, least))
    cells = dict(found.data)
    cells[shape.next] = graph.cells[second][shape.next]
    if shape.prev is not None:
        cells[shape.prev] = graph.cells[first][shape.prev]
    del graph.objects[second], graph.cells[second]
    graph.cells[first] = cells
    graph.objects[first] = replace(one, segment=segment)
    graph.redirect(second, two.segment is not None, first, True)
    for offset, own in found.nested.items():
        cells[offset] = (graph.pointer_bytes, own.put(graph))


def _least(made: MemoryObject) -> int:
    if made.optional:
        return 0
    return 1 if made.segment is None else made.segment.least
