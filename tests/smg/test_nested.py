"""What belongs to the nodes of a list: trees of objects, which each node gets back when it is taken
out; and what is shared stays what it is."""

from __future__ import annotations

from predabs.concrete.memory import ObjectKind
from predabs.smg.abstraction import Alike, fold
from predabs.smg.graph import (
    NULL,
    Address,
    MemoryGraph,
    MemoryObject,
    Segment,
    Value,
    opaque,
)
from predabs.smg.graph_text import graph_text, read_graph
from predabs.smg.segments import materialized, split
from support.memory_graphs import HEAD, NEXT, OWN, a_list, folded, held, made, to, with_boxes


def test_a_tree_belongs_to_each_node() -> None:
    graph = with_boxes(3)
    node = folded(graph)
    box = to(graph, node, OWN)
    assert graph.objects[box].nested and held(graph, box, 0).nested
    assert not graph.objects[box].optional
    assert len(graph.objects) == 4  # the variable, the list, a box and a paper


def test_a_node_that_is_taken_out_has_a_tree_of_its_own() -> None:
    graph = with_boxes(3)
    node = folded(graph)
    new = materialized(graph, node, last=False)
    taken = to(new, new.variables[HEAD], 0)
    box = to(new, taken, OWN)
    assert taken != node and box != to(new, node, OWN)
    assert not new.objects[box].nested and not held(new, box, 0).nested
    assert held(new, node, OWN).nested and held(new, to(new, node, OWN), 0).nested


def test_what_one_node_lacks_may_be_missing_with_all_that_belongs_to_it() -> None:
    graph = MemoryGraph(8)
    box = made(graph, Address(made(graph, size=4), 0), NULL, size=24)
    a_list(Address(box, 0), NULL, graph=graph)
    node = folded(graph)
    assert held(graph, node, OWN).optional
    taken = to(new := materialized(graph, node, last=False), new.variables[HEAD], 0)
    box = to(new, taken, OWN)
    assert new.objects[box].optional and not new.objects[box].nested
    assert held(new, box, 0).nested  # it exists if the box does
    empty, filled = split(new, box)
    assert empty.read(taken, OWN, 8) == NULL and len(empty.objects) == len(new.objects) - 2
    assert not filled.objects[box].optional and not held(filled, box, 0).nested


def test_lists_hang_in_lists() -> None:
    """Those inside are folded first, so that it does not matter how long each is."""
    graph = MemoryGraph(8)
    inner = []
    for count in (1, 3):
        here: Value = NULL
        for _ in range(count):
            here = Address(made(graph, here, opaque(), record="leaf"), 0)
        inner.append(here)
    a_list(*inner, graph=graph)
    node = folded(graph)
    leaves = held(graph, node, OWN)
    assert leaves.nested and leaves.segment == Segment(NEXT, None, 0, 1)


def test_objects_of_different_structs_are_no_list() -> None:
    graph = MemoryGraph(8)
    leaf = made(graph, NULL, opaque(), record="leaf")
    node = made(graph, Address(leaf, 0), opaque(), record="list")
    graph.variables[HEAD] = graph.add(MemoryObject(ObjectKind.GLOBAL, 8))
    graph.write(graph.variables[HEAD], 0, 8, Address(node, 0))
    fold(graph, Alike.ANY)
    assert graph.objects[node].segment is None


def test_a_node_of_the_same_struct_belongs_to_another_if_it_leads_nowhere() -> None:
    flat, deep = MemoryGraph(8), MemoryGraph(8)
    for graph, behind in ((flat, False), (deep, True)):
        owned = []
        for _ in range(2):
            end = Address(made(graph, size=4), 0) if behind else NULL
            owned.append(Address(made(graph, opaque(), end, size=24), 0))
        here: Value = NULL
        for value in owned:
            here = Address(made(graph, here, opaque(), value, size=24), 0)
        graph.variables[HEAD] = graph.add(MemoryObject(ObjectKind.GLOBAL, 8))
        graph.write(graph.variables[HEAD], 0, 8, here)
    assert held(flat, folded(flat), 16).nested
    fold(deep, Alike.ANY)
    assert not any(made.nested for made in deep.objects.values())


def test_what_two_nodes_share_is_not_their_own() -> None:
    graph = MemoryGraph(8)
    shared = Address(made(graph, size=4), 0)
    boxes = [made(graph, shared, NULL, size=24) for _ in range(2)]
    a_list(*(Address(box, 0) for box in boxes), graph=graph)
    fold(graph, Alike.ANY)
    assert not any(made.segment for made in graph.objects.values())


def test_the_end_of_a_list_belongs_to_no_node() -> None:
    """Else it would exist once for each of them."""
    graph = MemoryGraph(8)
    lists = []
    for _ in range(2):
        end = made(graph, size=4)
        number = made(graph, Address(end, 0), opaque())
        segment = Segment(NEXT, None, 0, 1)
        graph.objects[number] = MemoryObject(ObjectKind.HEAP, 16, segment=segment)
        lists.append(Address(number, 0))
    a_list(*lists, graph=graph)
    fold(graph, Alike.ANY)
    assert not any(made.nested for made in graph.objects.values())


def test_a_lost_ring_ends_no_search() -> None:
    """Nothing leads to it but itself, so that each of its objects belongs to another."""
    graph = MemoryGraph(8)
    one, two = made(graph), made(graph)
    for node, other in ((one, two), (two, one)):
        graph.write(node, NEXT, 8, Address(other, 0))
        graph.write(node, OWN, 8, Address(made(graph, Address(node, 0)), 0))
    fold(graph, Alike.ANY)
    assert {one, two} <= graph.objects.keys()


def test_a_graph_with_trees_is_written_and_read() -> None:
    graph = with_boxes(2)
    folded(graph)
    text = graph_text(graph)
    assert graph_text(read_graph(text, 8, {"head": HEAD})) == text
