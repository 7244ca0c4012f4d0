"""Orders on graphs against their definitions, on random graphs and on large ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.ir import make
from predabs.ir.call_graph import call_graph, called_functions, direct_targets, recursive_functions
from predabs.ir.cfa import Edge, Function, Location
from predabs.ir.expr import FunctionAddress, Var
from predabs.ir.ops import Assume, Call, Return, Skip
from predabs.ir.order import (
    WeakOrder,
    dominators,
    location_graph,
    loop_heads,
    reverse_postorder,
    strong_components,
    weak_order,
)
from predabs.ir.types import INT, FunctionType, PointerType
from support.ir_samples import C, program_of

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn, most: int = 9) -> Graph:
    """Any graph: unreachable nodes, self loops, double edges and irreducible loops included."""
    size = draw(st.integers(1, most))
    node = st.integers(0, size - 1)
    return {at: draw(st.lists(node, max_size=3)) for at in range(size)}


def reachable(graph: Mapping[int, list[int]], start: int, without: frozenset[int]) -> set[int]:
    """What a path of at least one edge leads to, not touching `without`."""
    found: set[int] = set()
    todo = [start]
    while todo:
        for node in graph.get(todo.pop(), ()):
            if node not in found and node not in without:
                found.add(node)
                todo.append(node)
    return found


NONE: frozenset[int] = frozenset()


def all_nodes(graph: Graph) -> set[int]:
    return {0} | reachable(graph, 0, NONE)


@given(graphs())
def test_reverse_postorder_has_each_reachable_node_once(graph: Graph) -> None:
    order = reverse_postorder(graph, 0)
    assert order[0] == 0
    assert len(order) == len(set(order))
    assert set(order) == all_nodes(graph)


@given(graphs())
def test_reverse_postorder_is_topological_without_cycles(graph: Graph) -> None:
    acyclic = {node: [s for s in after if s > node] for node, after in graph.items()}
    order = reverse_postorder(acyclic, 0)
    for node in order:
        for successor in acyclic[node]:
            assert order.index(node) < order.index(successor)


@given(graphs())
def test_strong_components_are_mutual_reachability(graph: Graph) -> None:
    components = strong_components(graph)
    assert sorted(node for component in components for node in component) == sorted(graph)
    group = {node: number for number, nodes in enumerate(components) for node in nodes}
    reach = {node: reachable(graph, node, NONE) | {node} for node in graph}
    for a in graph:
        for b in graph:
            assert (group[a] == group[b]) == (b in reach[a] and a in reach[b])
        assert all(group[successor] <= group[a] for successor in graph[a])


def components_around(order: WeakOrder[int], node: int) -> list[int]:
    """The heads of all components with the node inside, its own included."""
    position = order.order.index(node)
    return [head for head, end in order.ends.items() if order.order.index(head) <= position < end]


@given(graphs())
def test_weak_order_laws(graph: Graph) -> None:
    order = weak_order(graph, 0)
    position = {node: at for at, node in enumerate(order.order)}
    assert set(position) == all_nodes(graph)
    assert len(position) == len(order.order)
    # components are nested or disjoint, and `around` is the smallest proper one
    ranges = {head: range(position[head], end) for head, end in order.ends.items()}
    for a in ranges.values():
        for b in ranges.values():
            common = set(a) & set(b)
            assert not common or common in (set(a), set(b))
    for node in order.order:
        proper = [head for head in components_around(order, node) if head != node]
        smallest = min(proper, key=lambda head: len(ranges[head]), default=None)
        assert order.around.get(node) == smallest
    # the law of the order
    for node in order.order:
        for successor in graph[node]:
            forward = position[node] < position[successor]
            assert forward or successor in components_around(order, node)
    # a component is strongly connected without the heads around it
    for head, indices in ranges.items():
        outer = frozenset(h for h in components_around(order, head) if h != head)
        members = {order.order[index] for index in indices}
        for node in members:
            inside = reachable(graph, node, outer)
            assert members - {node} <= inside
            assert len(members) > 1 or node in inside


@given(graphs())
def test_every_cycle_has_a_head(graph: Graph) -> None:
    heads = frozenset(weak_order(graph, 0).ends)
    for node in all_nodes(graph) - heads:
        assert node not in reachable(graph, node, heads)


def bourdoncle(graph: Graph, root: int) -> str:
    """The recursive algorithm of [Bou93], as its output in parentheses."""
    number = dict.fromkeys(graph, 0)
    stack: list[int] = []
    count = 0

    def visit(vertex: int, partition: list[str]) -> int:
        nonlocal count
        stack.append(vertex)
        count += 1
        head = number[vertex] = count
        loop = False
        for successor in graph[vertex]:
            least = visit(successor, partition) if not number[successor] else number[successor]
            if least <= head:
                head = least
                loop = True
        if head == number[vertex]:
            number[vertex] = sys.maxsize
            element = stack.pop()
            if loop:
                while element != vertex:
                    number[element] = 0
                    element = stack.pop()
                inner: list[str] = []
                for successor in graph[vertex]:
                    if not number[successor]:
                        visit(successor, inner)
                partition.insert(0, f"({' '.join([str(vertex), *inner])})")
            else:
                partition.insert(0, str(vertex))
        return head

    partition: list[str] = []
    visit(root, partition)
    return " ".join(partition)


@given(graphs())
def test_weak_order_is_bourdoncles(graph: Graph) -> None:
    assert str(weak_order(graph, 0)) == bourdoncle(graph, 0)


def test_the_example_of_bou93() -> None:
    graph = {1: [2], 2: [3, 8], 3: [4], 4: [5, 7], 5: [6], 6: [5, 7], 7: [3, 8]}
    order = weak_order(graph, 1)
    assert str(order) == "1 2 (3 4 (5 6) 7) 8"
    assert dict(order.around) == {4: 3, 5: 3, 6: 5, 7: 3}


def test_a_loop_with_two_entries_has_one_head() -> None:
    order = weak_order({0: [1, 2], 1: [2], 2: [1]}, 0)
    assert len(order.ends) == 1


@given(graphs(7))
def test_dominators_by_removing_nodes(graph: Graph) -> None:
    above = dominators(graph, 0)
    nodes = all_nodes(graph)
    assert set(above) == nodes - {0}
    for node in nodes - {0}:
        chain = [node]
        while chain[-1] != 0:
            chain.append(above[chain[-1]])
        cut = {
            other
            for other in nodes
            if other in (0, node) or node not in reachable(graph, 0, frozenset([other]))
        }
        assert set(chain) == cut


LARGE = 20_000


def deep_graphs() -> Iterator[tuple[str, dict[int, list[int]], int]]:
    """Large graphs with the number of heads that they must have at least."""
    yield "chain", {n: [n + 1] for n in range(LARGE)}, 0
    yield "ring", {n: [(n + 1) % LARGE] for n in range(LARGE)}, 1
    yield "nest", {n: [n + 1, n - 1] if n else [1] for n in range(LARGE)}, LARGE // 2
    yield "irreducible", {n: [n + 1, (n * 7 + 3) % LARGE] for n in range(LARGE)}, 1


@pytest.mark.parametrize("graph, heads", [pytest.param(g, h, id=n) for n, g, h in deep_graphs()])
def test_large_graphs(graph: dict[int, list[int]], heads: int) -> None:
    order = weak_order(graph, 0)
    assert len(order.ends) >= heads
    assert len(order.order) == len(reverse_postorder(graph, 0))
    assert sum(map(len, strong_components(graph))) >= LARGE
    position = {node: at for at, node in enumerate(order.order)}
    for node in order.order:
        for successor in graph.get(node, ()):
            if position[successor] <= position[node]:
                assert position[node] < order.ends[successor]
    assert str(order).count("(") == len(order.ends)


def function(name: str, steps: list[tuple[int, object, int]]) -> Function:
    edges = tuple(Edge(Location(name, a), op, Location(name, b), C) for a, op, b in steps)
    type_ = FunctionType(INT, (), False)
    entry, exit_ = Location(name, 0), Location(name, 99)
    return Function(name, type_, (), (), entry, exit_, edges, C)


def test_the_graph_of_a_function() -> None:
    x = Var("f::x", INT)
    small = make.less(x, make.const(3, INT))
    f = function(
        "f",
        [
            (0, Assume(small), 1),
            (1, Skip(), 0),
            (0, Assume(make.negate(small)), 2),
            (2, Return(x), 99),
        ],
    )
    at = [Location("f", n) for n in (0, 1, 2)]
    assert location_graph(f) == {
        at[0]: (at[1], at[2]),
        at[1]: (at[0],),
        at[2]: (f.exit,),
        f.exit: (),
    }
    assert loop_heads(f) == {at[0]}


def address(name: str) -> FunctionAddress:
    return FunctionAddress(name, PointerType(FunctionType(INT, (), False), 64))


def test_call_graph_and_recursion() -> None:
    pointer = Var("p", PointerType(FunctionType(INT, (), False), 64))
    through = Call(None, pointer, ())
    f = function("f", [(0, Call(None, address("g"), ()), 1), (1, Call(None, address("h"), ()), 99)])
    g = function("g", [(0, through, 99)])
    h = function("h", [(0, Call(None, address("h"), ()), 99)])
    k = function("k", [(0, Call(None, address("printf"), ()), 99)])
    program = program_of(f, g, h, k)
    graph = call_graph(program, lambda edge: direct_targets(edge) or ("f", "k", "puts"))
    assert graph == {"f": ("g", "h"), "g": ("f", "k"), "h": ("h",), "k": ()}
    assert recursive_functions(graph) == {"f", "g", "h"}
    assert strong_components(graph)[-1] == ("f", "g")
    assert called_functions(graph) == {"f", "g", "h", "k"}
    named = call_graph(program, direct_targets)
    assert named["g"] == () and recursive_functions(named) == {"h"}
