"""Symbolic memory graphs for tests: lists whose nodes have things of their own."""

from __future__ import annotations

from predabs.concrete.memory import ObjectKind
from predabs.ir.expr import Var
from predabs.ir.types import VOID, PointerType
from predabs.smg.abstraction import Alike, fold
from predabs.smg.graph import NULL, Address, MemoryGraph, MemoryObject, Number, Value

HEAD = Var("head", PointerType(VOID, 64))
NEXT, OWN = 0, 8


def made(graph: MemoryGraph, *values: Value, size: int = 16, record: str = "") -> int:
    """An object with these values, eight bytes each."""
    number = graph.add(MemoryObject(ObjectKind.HEAP, size, record=record))
    for place, value in enumerate(values):
        graph.write(number, 8 * place, 8, value)
    return number


def a_list(*owned: Value, graph: MemoryGraph) -> MemoryGraph:
    """A list whose nodes hold these values besides the links."""
    here: Value = NULL
    for value in reversed(owned):
        here = Address(made(graph, here, value), 0)
    graph.variables[HEAD] = graph.add(MemoryObject(ObjectKind.GLOBAL, 8))
    graph.write(graph.variables[HEAD], 0, 8, here)
    return graph


def held(graph: MemoryGraph, number: int, offset: int) -> MemoryObject:
    """The object that a pointer leads to."""
    value = graph.read(number, offset, 8)
    assert isinstance(value, Address)
    return graph.objects[value.object]


def to(graph: MemoryGraph, number: int, offset: int) -> int:
    value = graph.read(number, offset, 8)
    assert isinstance(value, Address)
    return value.object


def folded(graph: MemoryGraph) -> int:
    """The one node that the list became."""
    fold(graph, Alike.ANY)
    number = to(graph, graph.variables[HEAD], 0)
    assert graph.objects[number].segment is not None
    assert graph.read(number, NEXT, 8) == NULL
    return number


def with_boxes(count: int) -> MemoryGraph:
    """A list in which each node has a box, which has a paper."""
    graph = MemoryGraph(8)
    papers = [Address(made(graph, size=4), 0) for _ in range(count)]
    boxes = [made(graph, paper, Number(n), size=24) for n, paper in enumerate(papers, 1)]
    return a_list(*(Address(box, 0) for box in boxes), graph=graph)
