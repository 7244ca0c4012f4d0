"""The join of graphs of different shapes stands for the memories of both, and for no others where
that matters."""

from __future__ import annotations

import pytest

from predabs.concrete.memory import ObjectKind
from predabs.ir.expr import Var
from predabs.ir.types import INT
from predabs.smg.abstraction import Alike, fold
from predabs.smg.entailment import entails
from predabs.smg.generalize import generalized
from predabs.smg.graph import NULL, Address, MemoryGraph, MemoryObject, Number, Segment, opaque
from support.memory_graphs import HEAD, NEXT, OWN, a_list, folded, held, to, with_boxes

X = Var("x", INT)


def listed(*data: int, x: int | None = None) -> MemoryGraph:
    """A list with these data, folded, and a number in a variable."""
    graph = a_list(*(Number(value) for value in data), graph=MemoryGraph(8))
    fold(graph, Alike.ANY)
    graph.variables[X] = graph.add(MemoryObject(ObjectKind.STACK, 4))
    graph.write(graph.variables[X], 0, 4, opaque() if x is None else Number(x))
    return graph


@pytest.mark.parametrize("lengths", [(1, 2), (2, 1), (1, 3), (1, 1)])
def test_a_node_and_a_list_are_a_list(lengths: tuple[int, int]) -> None:
    left, right = (listed(*range(5, 5 + length)) for length in lengths)
    joined = generalized(left, right)
    assert joined is not None
    segment = held(joined, joined.variables[HEAD], 0).segment
    assert segment == (None if lengths == (1, 1) else Segment(NEXT, None, 0, 1))
    assert entails(left, joined, True) and entails(right, joined, True)


def test_the_data_of_both_are_kept_if_they_are_the_same() -> None:
    same, other = generalized(listed(7), listed(7)), generalized(listed(7), listed(8))
    assert same is not None and other is not None
    values = [graph.read(to(graph, graph.variables[HEAD], 0), OWN, 8) for graph in (same, other)]
    assert values[0] == Number(7) and not isinstance(values[1], Number)


@pytest.mark.parametrize(
    "pair",
    [
        (listed(1, x=1), listed(1, 2, x=2)),
        (listed(0), listed(1, 2)),
    ],
    ids=["another number", "null or not"],
)
def test_what_is_too_different_has_no_join(pair: tuple[MemoryGraph, MemoryGraph]) -> None:
    assert generalized(*pair) is None


@pytest.mark.parametrize("length", [1, 3])
def test_what_only_one_has_may_be_missing(length: int) -> None:
    left, right = listed(), listed(*range(5, 5 + length))
    for joined in (generalized(left, right), generalized(right, left)):
        assert joined is not None
        made = held(joined, joined.variables[HEAD], 0)
        assert made.optional is (length == 1) and made.may_be_missing
        assert entails(left, joined, True) and entails(right, joined, True)
        more = generalized(joined, listed(5, 6))
        assert more is not None
        segment = held(more, more.variables[HEAD], 0).segment
        assert segment == Segment(NEXT, None, 0, 0)
        assert all(entails(graph, more, True) for graph in (left, right, joined))


def two_lists(one: int, two: int) -> MemoryGraph:
    """Two lists, of nodes or of segments of at least two."""
    graph = MemoryGraph(8)
    for name, count in (("a", one), ("b", two)):
        segment = Segment(NEXT, None, 0, 2) if count > 1 else None
        node = graph.add(MemoryObject(ObjectKind.HEAP, 8, segment=segment))
        graph.write(node, NEXT, 8, NULL)
        var = graph.variables[Var(name, HEAD.type)] = graph.add(MemoryObject(ObjectKind.GLOBAL, 8))
        graph.write(var, 0, 8, Address(node, 0))
    return graph


def test_that_either_list_is_long_is_not_forgotten() -> None:
    assert generalized(two_lists(1, 2), two_lists(2, 1)) is None
    assert generalized(two_lists(1, 1), two_lists(2, 1)) is not None
    assert generalized(two_lists(2, 2), two_lists(1, 1)) is not None


def test_what_belongs_to_a_node_belongs_to_each_of_the_list() -> None:
    left, right = with_boxes(1), with_boxes(3)
    folded(right)
    joined = generalized(left, right)
    assert joined is not None
    node = to(joined, joined.variables[HEAD], 0)
    assert held(joined, node, OWN).nested
    assert entails(right, joined, True)


def test_what_something_else_leads_to_does_not() -> None:
    left, right = with_boxes(1), with_boxes(3)
    folded(right)
    for graph in (left, right):
        holder = graph.variables[X] = graph.add(MemoryObject(ObjectKind.GLOBAL, 8))
        graph.write(holder, 0, 8, NULL)
    box = to(left, to(left, left.variables[HEAD], 0), OWN)
    left.write(left.variables[X], 0, 8, Address(box, 0))
    assert generalized(left, right) is None


def test_what_is_lost_in_one_of_them_is_not_forgotten() -> None:
    left, right = listed(1), listed(1, 2)
    left.add(MemoryObject(ObjectKind.HEAP, 8))
    assert generalized(left, right) is None


def test_the_end_that_a_pointer_leads_to_is_kept() -> None:
    """A pointer to a node alone leads to the first node, and to the last."""
    end = Var("end", HEAD.type)
    graphs = []
    for segment in (None, Segment(NEXT, OWN, 0, 2)):
        graph = MemoryGraph(8)
        node = graph.add(MemoryObject(ObjectKind.HEAP, 16, segment=segment))
        graph.write(node, NEXT, 8, NULL)
        graph.write(node, OWN, 8, NULL)
        for var, last in ((HEAD, False), (end, segment is not None)):
            graph.variables[var] = graph.add(MemoryObject(ObjectKind.GLOBAL, 8))
            graph.write(graph.variables[var], 0, 8, Address(node, 0, last))
        graphs.append(graph)
    joined = generalized(*graphs)
    assert joined is not None
    node = to(joined, joined.variables[HEAD], 0)
    assert joined.read(joined.variables[end], 0, 8) == Address(node, 0, last=True)
    assert all(entails(graph, joined, True) for graph in graphs)
