"""The abstract reachability tree [HJMS02, section 4]: regions of configurations, marked as
covered or uncovered, each with the time of the marking.

Soundness duty: a node is marked covered only if uncovered nodes of the same configuration include
its region; when such a node is removed or changes, every node that was marked covered later than it
is unmarked, so that it is visited again. The root covers nothing: its successors were computed from
the initial states, not from all of its region.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator

from ...bdd import Function, Manager
from ...encode.blocks import Exit
from ...ir.configuration import Configuration
from ...records import dataclass, field


@dataclass(slots=True, eq=False)
class Node:
    """A node `n : r`: a configuration with a region, reached from its parent by an exit of the
    parent's block. `stamp` is when it was marked, 0 if it is not."""

    number: int
    configuration: Configuration
    region: Function
    parent: Node | None
    exit: Exit | None
    support: frozenset[int]  # the predicates that its region was computed with
    children: list[Node] = field(default_factory=list)
    stamp: int = 0
    covered: bool = False
    removed: bool = False

    def path(self) -> list[Node]:
        """From the root to this node."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        nodes.reverse()
        return nodes


class Waitlist:
    """Unmarked nodes, in the order of a traversal: dfs, bfs, or wto by the rank of their
    configurations."""

    def __init__(self, traversal: str, rank: Callable[[Configuration], tuple[int, ...]]) -> None:
        self._traversal = traversal
        self._rank = rank
        self._line: deque[Node] = deque()
        self._heap: list[tuple[tuple[int, ...], int, Node]] = []

    def add(self, node: Node) -> None:
        if self._traversal == "wto":
            heapq.heappush(self._heap, (self._rank(node.configuration), node.number, node))
        else:
            self._line.append(node)

    def pop(self) -> Node | None:
        """The next node that is still there and not marked."""
        while self._heap or self._line:
            if self._traversal == "wto":
                node = heapq.heappop(self._heap)[2]
            else:
                node = self._line.pop() if self._traversal == "dfs" else self._line.popleft()
            if not node.removed and node.stamp == 0:
                return node
        return None


class ReachabilityTree:
    """A tree under construction."""

    def __init__(self, manager: Manager, root: Configuration, waitlist: Waitlist) -> None:
        self._manager = manager
        self._waitlist = waitlist
        self._time = 0
        self._made = 0
        self._uncovered: dict[Configuration, list[Node]] = {}
        self._unions: dict[Configuration, Function] = {}
        self._covered: list[Node] = []
        self.root = self._node(root, manager.true, None, None, frozenset())

    @property
    def made(self) -> int:
        """How many nodes were made, those included that were removed."""
        return self._made

    def nodes(self) -> Iterator[Node]:
        """All nodes, parents before children."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def next(self) -> Node | None:
        return self._waitlist.pop()

    def add(self, parent: Node, exit_: Exit, region: Function, support: frozenset[int]) -> Node:
        assert exit_.target is not None
        node = self._node(exit_.target, region, parent, exit_, support)
        parent.children.append(node)
        return node

    def _node(
        self,
        configuration: Configuration,
        region: Function,
        parent: Node | None,
        exit_: Exit | None,
        support: frozenset[int],
    ) -> Node:
        self._made += 1
        node = Node(self._made, configuration, region, parent, exit_, support)
        self._waitlist.add(node)
        return node

    # --- covering ---------------------------------------------------------------------------------

    def reached(self, configuration: Configuration) -> Function:
        """The union of the regions of the uncovered marked nodes of a configuration."""
        known = self._unions.get(configuration)
        if known is None:
            nodes = self._uncovered.get(configuration, ())
            known = self._manager.disjunction(node.region for node in nodes)
            self._unions[configuration] = known
        return known

    def is_covered(self, node: Node) -> bool:
        return not (node.region & ~self.reached(node.configuration)).satisfiable()

    def mark(self, node: Node, covered: bool) -> None:
        self._time += 1
        node.stamp, node.covered = self._time, covered
        if covered:
            self._covered.append(node)
        elif node is not self.root:
            self._uncovered.setdefault(node.configuration, []).append(node)
            self._unions[node.configuration] = self.reached(node.configuration) | node.region

    def unmark(self, node: Node) -> None:
        if not node.covered and node.stamp and node is not self.root:
            self._uncovered[node.configuration].remove(node)
            self._unions.pop(node.configuration, None)
        node.stamp, node.covered = 0, False
        self._waitlist.add(node)

    # --- refinement -------------------------------------------------------------------------------

    def drop_below(self, pivot: Node) -> None:
        """Remove the subtree below a node, and visit the node again (lines 16-18)."""
        since = pivot.stamp
        stack, pivot.children = pivot.children, []
        while stack:
            node = stack.pop()
            node.removed = True
            if node.stamp and not node.covered:
                self._uncovered[node.configuration].remove(node)
                self._unions.pop(node.configuration, None)
            stack += node.children
        self.unmark(pivot)
        self.unmark_covered_after(since)

    def relabel(self, node: Node, region: Function, support: frozenset[int]) -> None:
        """Give a node a smaller region, and keep the subtree below it (line 14)."""
        node.region, node.support = region, support
        self._unions.pop(node.configuration, None)

    def unmark_covered_after(self, since: int) -> None:
        """Nodes covered since then may have been covered by nodes that are gone (lines 17-18)."""
        kept: list[Node] = []
        for node in self._covered:
            if node.removed or not node.covered:
                continue
            if node.stamp > since:
                self.unmark(node)
            else:
                kept.append(node)
        self._covered = kept

    def invariants(self) -> dict[Configuration, Function]:
        """The regions that contain all states of each configuration, once no node is unmarked."""
        return {
            configuration: self.reached(configuration)
            for configuration, nodes in self._uncovered.items()
            if nodes
        }
