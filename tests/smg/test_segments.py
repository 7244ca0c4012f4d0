"""List segments: what folding loses is only the number of nodes and their data."""

from __future__ import annotations

import pytest

from predabs.concrete.memory import ObjectKind
from predabs.ir.expr import Var
from predabs.ir.types import VOID, PointerType
from predabs.smg.abstraction import Alike, fold
from predabs.smg.canonical import collect, join, shape_of
from predabs.smg.graph import (
    NULL,
    Address,
    MemoryGraph,
    MemoryObject,
    Number,
    Opaque,
    Segment,
    Untold,
    opaque,
)
from predabs.smg.segments import materialized, split

HEAD = Var("head", PointerType(VOID, 64))
NEXT, PREV, DATA = 0, 8, 16


def a_list(*data: int, doubly: bool = False) -> MemoryGraph:
    """A variable that points to a list with these data."""
    graph = MemoryGraph(8)
    nodes = [graph.add(MemoryObject(ObjectKind.HEAP, 24)) for _ in data]
    for number, (node, value) in enumerate(zip(nodes, data, strict=True)):
        after = Address(nodes[number + 1], 0) if number + 1 < len(nodes) else NULL
        before = Address(nodes[number - 1], 0) if number and doubly else NULL
        graph.write(node, NEXT, 8, after)
        graph.write(node, PREV, 8, before)
        graph.write(node, DATA, 4, Number(value))
    graph.variables[HEAD] = graph.add(MemoryObject(ObjectKind.GLOBAL, 8))
    graph.write(graph.variables[HEAD], 0, 8, Address(nodes[0], 0) if nodes else NULL)
    return graph


def heap(graph: MemoryGraph) -> list[int]:
    return [n for n, made in graph.objects.items() if made.kind is ObjectKind.HEAP]


def first(graph: MemoryGraph) -> Address:
    value = graph.read(graph.variables[HEAD], 0, 8)
    assert isinstance(value, Address)
    return value


@pytest.mark.parametrize("doubly", [False, True])
def test_a_list_becomes_one_segment(doubly: bool) -> None:
    graph = a_list(1, 2, 3, doubly=doubly)
    fold(graph, Alike.ANY)
    (node,) = heap(graph)
    segment = graph.objects[node].segment
    assert segment is not None
    assert (segment.next, segment.prev, segment.least) == (NEXT, PREV if doubly else None, 2)
    assert first(graph) == Address(node, 0)
    assert graph.read(node, NEXT, 8) == NULL
    assert isinstance(graph.read(node, DATA, 4), Opaque)


@pytest.mark.parametrize("doubly", [False, True])
def test_lists_of_two_and_of_more_nodes_get_one_shape(doubly: bool) -> None:
    shapes = set()
    for length in (2, 3, 7):
        graph = a_list(*[5] * length, doubly=doubly)
        fold(graph, Alike.SAME)
        shapes.add(shape_of(graph).key)
    assert len(shapes) == 1


def test_a_node_that_something_else_points_to_stays() -> None:
    graph = a_list(1, 2, 3)
    middle = graph.read(first(graph).object, NEXT, 8)
    graph.variables[Var("x", HEAD.type)] = holder = graph.add(MemoryObject(ObjectKind.GLOBAL, 8))
    graph.write(holder, 0, 8, middle)
    fold(graph, Alike.ANY)
    assert len(heap(graph)) == 2  # the first, and what begins in the middle


def test_data_can_keep_nodes_apart() -> None:
    sizes = {}
    for alike in Alike:
        graph = a_list(0, 1, 2, 2)
        fold(graph, alike)
        sizes[alike] = len(heap(graph))
    assert sizes == {Alike.ANY: 1, Alike.ZERO: 2, Alike.SAME: 3}


@pytest.mark.parametrize("doubly", [False, True])
def test_a_node_is_taken_out_at_the_front(doubly: bool) -> None:
    graph = a_list(4, 4, 4, doubly=doubly)
    fold(graph, Alike.SAME)
    (segment,) = heap(graph)
    new = materialized(graph, segment, last=False)
    node = first(new).object
    assert node != segment and new.objects[node].segment is None
    assert new.read(node, NEXT, 8) == Address(segment, 0)
    assert new.read(node, DATA, 4) == Number(4)
    if doubly:
        assert new.read(segment, PREV, 8) == Address(node, 0)
        assert new.read(node, PREV, 8) == NULL
    rest = new.objects[segment].segment
    assert rest is not None and rest.least == 1
    assert first(graph) == Address(segment, 0)  # the old graph is as it was


def test_a_node_is_taken_out_at_the_back() -> None:
    graph = a_list(4, 4, 4, doubly=True)
    fold(graph, Alike.SAME)
    (segment,) = heap(graph)
    new = materialized(graph, segment, last=True)
    (node,) = set(heap(new)) - {segment}
    assert new.read(segment, NEXT, 8) == Address(node, 0)
    assert new.read(node, PREV, 8) == Address(segment, 0, last=True)
    assert new.read(node, NEXT, 8) == NULL


def test_a_segment_may_be_empty() -> None:
    graph = a_list(4, 4)
    fold(graph, Alike.SAME)
    (segment,) = heap(graph)
    for _ in range(2):
        graph = materialized(graph, segment, last=False)
    empty, filled = split(graph, segment)
    assert len(heap(empty)) == 2 and len(heap(filled)) == 3
    second = empty.read(first(empty).object, NEXT, 8)
    assert isinstance(second, Address)
    assert empty.read(second.object, NEXT, 8) == NULL


def test_graphs_of_one_shape_are_joined() -> None:
    old, new, more = a_list(1, 2), a_list(1, 3), a_list(1, 2, 3)
    assert shape_of(old).key == shape_of(new).key != shape_of(more).key
    assert join(old, shape_of(old), new, shape_of(new))
    node = first(new).object
    assert new.read(node, DATA, 4) == Number(1)
    after = new.read(node, NEXT, 8)
    assert isinstance(after, Address) and isinstance(new.read(after.object, DATA, 4), Opaque)
    again = a_list(1, 7)
    assert not join(new, shape_of(new), again, shape_of(again))


def test_that_two_places_hold_the_same_is_part_of_a_graph() -> None:
    shared, apart = a_list(1, 2), a_list(1, 2)
    value = opaque()
    for graph, second in ((shared, value), (apart, opaque())):
        node = first(graph).object
        graph.write(node, DATA, 4, value)
        after = graph.read(node, NEXT, 8)
        assert isinstance(after, Address)
        graph.write(after.object, DATA, 4, second)
    again = apart.copy()
    assert join(shared, shape_of(shared), apart, shape_of(apart))
    assert not join(apart, shape_of(apart), again, shape_of(again))


def test_what_nothing_leads_to_is_left_out() -> None:
    graph = a_list(1, 2)
    graph.write(graph.variables[HEAD], 0, 8, NULL)
    kept = graph.copy()
    collect(graph, keep_lost=False)
    collect(kept, keep_lost=True)
    assert not heap(graph) and len(heap(kept)) == 2


def test_a_node_that_holds_something_narrower_than_a_link_ends_its_list() -> None:
    graph = a_list(1, 2)
    (after,) = [node for node in heap(graph) if node != first(graph).object]
    graph.write(after, NEXT, 4, NULL)
    fold(graph, Alike.ANY)
    assert len(heap(graph)) == 2


@pytest.mark.parametrize("width", [4, 8])
def test_a_place_before_the_end_of_a_list_is_as_wide_as_pointers(width: int) -> None:
    """The node around a link that is null begins below null."""
    graph = MemoryGraph(width)
    segment = MemoryObject(ObjectKind.HEAP, 2 * width, segment=Segment(width, None, width, 0))
    node = graph.add(segment)
    graph.write(node, width, width, NULL)
    graph.variables[HEAD] = graph.add(MemoryObject(ObjectKind.GLOBAL, width))
    graph.write(graph.variables[HEAD], 0, width, Address(node, 0))
    empty, _ = split(graph, node)
    below = Number((1 << 8 * width) - width)
    assert empty.read(empty.variables[HEAD], 0, width) == below


def test_an_empty_list_that_ends_in_itself_is_untold() -> None:
    """If it is empty, its link leads to what is not there: a certificate may say such a thing."""
    graph = a_list(1)
    (node,) = heap(graph)
    graph.objects[node] = MemoryObject(ObjectKind.HEAP, 24, segment=Segment(NEXT, None, 0, 0))
    assert len(split(graph, node)) == 2
    graph.write(node, NEXT, 8, Address(node, 0))
    with pytest.raises(Untold):
        split(graph, node)
