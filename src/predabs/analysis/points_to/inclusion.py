"""Inclusion constraints between sets [And94], solved by difference propagation [PKH04].

A node holds a set of elements (numbers). Edges say that one set includes another; watchers are
called for each element that a node ever gets (at least once) and may add nodes and edges. Nodes on
a cycle of inclusion edges have equal sets and are merged.

Soundness duty: after `solve`, every inclusion holds and every watcher has seen every element.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from ...ir.order import strong_components

Watcher = Callable[[int], None]


class Inclusions:
    """A system of constraints that can grow while, and after, it is solved."""

    def __init__(self) -> None:
        self._parent: list[int] = []
        self._sets: list[set[int]] = []
        self._news: list[set[int]] = []  # what has not been passed on yet, a part of the set
        self._edges: list[set[int]] = []
        self._watchers: list[list[Watcher]] = []
        self._queue: deque[int] = deque()
        self._waiting: set[int] = set()
        self._work = 0
        self._grown = False

    def node(self, elements: Iterable[int] = ()) -> int:
        """A new node with these elements."""
        made = len(self._parent)
        self._parent.append(made)
        self._sets.append(set())
        self._news.append(set())
        self._edges.append(set())
        self._watchers.append([])
        self.include(made, elements)
        return made

    def elements(self, node: int) -> set[int]:
        """The set of the node; not to be changed."""
        return self._sets[self._find(node)]

    def include(self, node: int, elements: Iterable[int]) -> None:
        """The node has these elements."""
        node = self._find(node)
        self._add(node, set(elements) - self._sets[node])

    def edge(self, source: int, target: int) -> None:
        """The target includes the source."""
        source, target = self._find(source), self._find(target)
        if source != target and target not in self._edges[source]:
            self._edges[source].add(target)
            self._grown = True
            self._add(target, self._sets[source] - self._sets[target])

    def watch(self, node: int, watcher: Watcher) -> None:
        """Call the watcher for each element that the node has or gets."""
        node = self._find(node)
        self._watchers[node].append(watcher)
        # those that are waiting to be passed on will come; the others must be told now
        for element in self._sets[node] - self._news[node]:
            watcher(element)

    def solve(self) -> None:
        """Pass elements on until every constraint holds."""
        if self._work == 0:
            self._merge_cycles()  # later, only when much work suggests that cycles have appeared
        while self._queue:
            node = self._queue.popleft()
            self._waiting.discard(node)
            if self._parent[node] != node:
                continue
            news = self._news[node]
            if not news:
                continue
            self._news[node] = set()
            for target in list(self._edges[node]):
                target = self._find(target)
                if target != node:
                    self._add(target, news - self._sets[target])
            for watcher in list(self._watchers[node]):
                for element in news:
                    watcher(element)
            self._work += 1
            if self._grown and self._work > len(self._parent):
                self._merge_cycles()

    def _add(self, node: int, fresh: set[int]) -> None:
        if fresh:
            self._sets[node] |= fresh
            self._news[node] |= fresh
            if node not in self._waiting:
                self._waiting.add(node)
                self._queue.append(node)

    def _find(self, node: int) -> int:
        parent = self._parent
        while (above := parent[node]) != node:
            parent[node] = parent[above]
            node = above
        return node

    def _merge_cycles(self) -> None:
        self._work, self._grown = 1, False
        graph = {
            node: [self._find(target) for target in targets]
            for node, targets in enumerate(self._edges)
            if targets and self._parent[node] == node
        }
        for component in strong_components(graph):
            for node in component[1:]:
                self._merge(component[0], node)

    def _merge(self, into: int, node: int) -> None:
        passed = (self._sets[into] - self._news[into]) & (self._sets[node] - self._news[node])
        self._parent[node] = into
        self._sets[into] |= self._sets[node]
        self._news[into] = self._sets[into] - passed
        self._edges[into] = {self._find(t) for t in self._edges[into] | self._edges[node]} - {into}
        self._watchers[into] += self._watchers[node]
        self._sets[node], self._news[node] = set(), set()
        self._edges[node], self._watchers[node] = set(), []
        if self._news[into] and into not in self._waiting:
            self._waiting.add(into)
            self._queue.append(into)
