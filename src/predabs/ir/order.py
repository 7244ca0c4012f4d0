"""Orders on graphs: reverse post-order, strong components, weak topological order, dominators.

Fixpoint iterations and explorers visit locations in these orders. Soundness duty: every cycle that
can be reached passes through a head of the weak topological order, so that it is enough to
abstract or widen at heads. Nothing here recurses, and all but the dominators takes almost linear
time, however deep loops nest, also for loops with several entries (goto).

A graph maps each node to its successors in a fixed order; a node that is no key has none.

>>> print(weak_order({1: [2], 2: [3, 5], 3: [3, 4], 4: [2]}, 1))
1 (2 (3) 4) 5
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

from ..records import dataclass
from .cfa import Function, Location

N = TypeVar("N", bound=Hashable)
Graph: TypeAlias = Mapping[N, Sequence[N]]


def location_graph(function: Function) -> dict[Location, tuple[Location, ...]]:
    """The automaton of a function without its operations."""
    return {
        location: tuple(edge.dst for edge in edges) for location, edges in function.outgoing.items()
    }


def loop_heads(function: Function) -> frozenset[Location]:
    """The locations that cut every cycle of the function: the heads of its weak order."""
    return frozenset(weak_order(location_graph(function), function.entry).ends)


class _Event(Enum):
    ENTER = 1  # (parent, node): along a tree edge; a root is its own parent
    EDGE = 2  # (node, successor): an edge to a node that was entered before
    LEAVE = 3  # (parent, node)


def _depth_first(graph: Graph[N], roots: Iterable[N]) -> Iterator[tuple[_Event, N, N]]:
    """The events of a depth-first search."""
    seen: set[N] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        yield _Event.ENTER, root, root
        stack = [(root, root, iter(graph.get(root, ())))]
        while stack:
            parent, node, successors = stack[-1]
            for successor in successors:
                if successor not in seen:
                    seen.add(successor)
                    yield _Event.ENTER, node, successor
                    stack.append((node, successor, iter(graph.get(successor, ()))))
                    break
                yield _Event.EDGE, node, successor
            else:
                stack.pop()
                yield _Event.LEAVE, parent, node


def reverse_postorder(graph: Graph[N], root: N) -> list[N]:
    """What can be reached from `root`, each node before its successors but for back edges."""
    finished = [node for event, _, node in _depth_first(graph, [root]) if event is _Event.LEAVE]
    finished.reverse()
    return finished


def strong_components(graph: Graph[N]) -> list[tuple[N, ...]]:
    """The strongly connected components of all nodes [Tar72], each after those it leads to."""
    components: list[tuple[N, ...]] = []
    number: dict[N, int] = {}
    low: dict[N, int] = {}
    pending: dict[N, None] = {}  # entered, in this order, and not in a component yet
    for root in graph:
        todo = [] if root in number else [root]
        stack: list[tuple[N, Iterator[N]]] = []
        while todo or stack:
            if todo:
                entered = todo.pop()
                number[entered] = low[entered] = len(number)
                pending[entered] = None
                stack.append((entered, iter(graph.get(entered, ()))))
            node, successors = stack[-1]
            for successor in successors:
                if successor not in number:
                    todo.append(successor)
                    break
                if successor in pending and number[successor] < low[node]:
                    low[node] = number[successor]
            else:
                stack.pop()
                if stack and low[node] < low[stack[-1][0]]:
                    low[stack[-1][0]] = low[node]
                if low[node] == number[node]:
                    component = [pending.popitem()[0]]
                    while component[-1] != node:
                        component.append(pending.popitem()[0])
                    components.append(tuple(reversed(component)))
    return components


@dataclass(frozen=True, slots=True, eq=False)
class WeakOrder(Generic[N]):
    """A weak topological order of the nodes that can be reached, without nested objects.

    A component is a head and what follows it in `order` up to `ends[head]` (exclusive); components
    are disjoint or nested. For every edge u -> v, either u stands before v, or v is the head of a
    component with u inside. So one pass over `order` that goes back to a head at the end of its
    component, as long as something changes there, computes a fixpoint.

    `around` maps each node to the head of the smallest component that holds it; a head is not held
    by its own component.
    """

    order: tuple[N, ...]
    ends: Mapping[N, int]
    around: Mapping[N, N]

    def __str__(self) -> str:
        """The notation of [Bou93]: a component in parentheses, its head first."""
        texts = []
        closing: list[int] = []
        for position, node in enumerate(self.order):
            opened = "(" if node in self.ends else ""
            if opened:
                closing.append(self.ends[node])
            closed = 0
            while closing and closing[-1] == position + 1:
                closing.pop()
                closed += 1
            texts.append(f"{opened}{node}{')' * closed}")
        return " ".join(texts)


def weak_order(graph: Graph[N], root: N) -> WeakOrder[N]:
    """A weak topological order of what can be reached from `root`.

    [Bou93] defines it by a recursion that is quadratic in the depth of nesting. Here the
    same components come from a loop nesting forest, found from the inside out with union-find: the
    component of a head is what leads back to it among its descendants in the depth-first tree.
    Edges that are neither tree nor back edges are kept until their ends' common ancestor comes, so
    that loops with several entries are right too [Ram99]. Among the children of one
    component, reverse post-order is topological; so the forest in pre-order is the weak order.
    """
    entered: list[N] = []
    left: list[N] = []
    into: dict[N, list[N]] = {}  # sources of the edges into a node or collapsed component
    back: dict[N, list[N]] = {}  # sources of back edges, by target
    jumps: dict[N, list[tuple[N, N]]] = {}  # other edges, by the common ancestor of their ends
    ancestor: dict[N, N] = {}  # union-find: from a node that was left towards one that was not
    for event, source, node in _depth_first(graph, [root]):
        if event is _Event.ENTER:
            entered.append(node)
            into[node] = [source]
            ancestor[node] = node
        elif event is _Event.LEAVE:
            left.append(node)
            ancestor[node] = source
        elif ancestor[node] == node:
            back.setdefault(node, []).append(source)
        else:
            jumps.setdefault(_find(ancestor, node), []).append((source, node))

    around: dict[N, N] = {}
    outermost = {node: node for node in entered}  # union-find: the largest component found so far
    for head in reversed(entered):
        for source, node in jumps.get(head, ()):
            into[_find(outermost, node)].append(source)
        body: dict[N, None] = {}
        todo = list(back.get(head, ()))
        while todo:
            node = _find(outermost, todo.pop())
            if node != head and node not in body:
                body[node] = None
                todo.extend(into[node])
        for node in body:
            around[node] = outermost[node] = head
    return _in_order(list(reversed(left)), frozenset(back), around)


def _find(parent: dict[N, N], node: N) -> N:
    """The root of the node's tree; the way there is halved, so that it is short next time."""
    while (above := parent[node]) != node:
        parent[node] = parent[above]
        node = above
    return node


def _in_order(nodes: list[N], heads: frozenset[N], around: Mapping[N, N]) -> WeakOrder[N]:
    """The forest in pre-order, children in the order of `nodes`."""
    inside: dict[N, list[N]] = {head: [] for head in heads}
    stack = [node for node in reversed(nodes) if node not in around]
    for node in reversed(nodes):
        if node in around:
            inside[around[node]].append(node)
    order: list[N] = []
    size = dict.fromkeys(nodes, 1)
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(inside.get(node, ()))
    ends: dict[N, int] = {}
    for position in reversed(range(len(order))):
        node = order[position]
        if node in heads:
            ends[node] = position + size[node]
        if node in around:
            size[around[node]] += size[node]
    return WeakOrder(tuple(order), ends, around)


def dominators(graph: Graph[N], root: N) -> dict[N, N]:
    """The immediate dominator of each node that can be reached, but for the root [CHK01].

    All dominators of a node are found by following the map up to the root.
    """
    nodes = reverse_postorder(graph, root)
    number = {node: position for position, node in enumerate(nodes)}
    sources: dict[N, list[N]] = {node: [] for node in nodes}
    for node in nodes:
        for successor in graph.get(node, ()):
            sources[successor].append(node)
    above = {root: root}
    changed = True
    while changed:
        changed = False
        for node in nodes[1:]:
            known = [source for source in sources[node] if source in above]
            common = known[0]
            for other in known[1:]:
                while other != common:
                    if number[other] > number[common]:
                        other = above[other]
                    else:
                        common = above[common]
            if above.get(node) != common:
                above[node] = common
                changed = True
    del above[root]
    return above
