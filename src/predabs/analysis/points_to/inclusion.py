"""Inclusion constraints between sets [And94], solved by difference propagation [PKH04].

A node holds a set of elements (numbers), kept as the bits of one integer. Edges say that one set
includes another; watchers are called with the elements that a node gets (each at least once) and
may add nodes and edges. Nodes on a cycle of inclusion edges have equal sets and are merged.

Soundness duty: after `solve`, every inclusion holds and every watcher has seen every element.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...ir.order import strong_components

Watcher = Callable[[int], None]
"""What is called with a set of elements, as the bits of an integer."""


def members(bits: int) -> Iterator[int]:
    """The elements of a set that is kept as an integer.

    >>> list(members(0b10110))
    [1, 2, 4]
    """
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class TooMuchWork(Exception):
    """The limit of the work was reached before the constraints were solved."""


class Inclusions:
    """A system of constraints that can grow while, and after, it is solved. `work` counts the
    elements that were passed to watchers and the nodes that were visited."""

    def __init__(self) -> None:
        self._parent: list[int] = []
        self._sets: list[int] = []
        self._passed: list[int] = []  # what edges and watchers have got, a part of the set
        self._edges: list[set[int]] = []
        self._watchers: list[list[Watcher]] = []
        self._derived: list[tuple[int, int]] = []  # sources, and targets that are made from them
        self._queue: deque[int] = deque()
        self._waiting: set[int] = set()
        self._visits = 0  # since cycles were looked for
        self._grown = False
        self.work = 0

    def node(self, elements: Iterable[int] = ()) -> int:
        """A new node with these elements."""
        made = len(self._parent)
        self._parent.append(made)
        self._sets.append(0)
        self._passed.append(0)
        self._edges.append(set())
        self._watchers.append([])
        for element in elements:
            self.include(made, 1 << element)
        return made

    def elements(self, node: int) -> int:
        """The set of the node, as bits."""
        return self._sets[self._find(node)]

    def include(self, node: int, elements: int) -> None:
        """The node has these elements, given as bits."""
        self._add(self._find(node), elements)

    def edge(self, source: int, target: int) -> None:
        """The target includes the source."""
        parent = self._parent
        if parent[source] != source:
            source = self._find(source)
        if parent[target] != target:
            target = self._find(target)
        edges = self._edges[source]
        if source != target and target not in edges:
            edges.add(target)
            self._grown = True
            if passed := self._passed[source]:
                self._add(target, passed)  # the rest will come

    def watch(self, node: int, watcher: Watcher) -> None:
        """Call the watcher with the elements that the node has or gets."""
        node = self._find(node)
        self._watchers[node].append(watcher)
        if passed := self._passed[node]:  # the rest will come
            self.work += passed.bit_count()
            watcher(passed)

    def derive(self, source: int, target: int, change: Callable[[int], int]) -> None:
        """The target includes what `change` makes of the elements of the source."""
        self._derived.append((source, target))
        self.watch(source, lambda elements: self.include(target, change(elements)))

    def feeding(self, sources: Iterable[int], targets: Iterable[int]) -> list[int]:
        """Those of the sources whose elements, had they any, one of the targets would get; all of
        them are empty nodes."""
        derived: dict[int, list[int]] = {}
        for source, target in self._derived:
            derived.setdefault(self._find(source), []).append(target)
        wanted = set(map(self._find, targets))
        found: list[int] = []
        for source in sources:
            seen: set[int] = set()
            todo = [self._find(source)]
            while todo:
                here = todo.pop()
                if here not in seen and not self._sets[here]:
                    seen.add(here)
                    todo += map(self._find, (*self._edges[here], *derived.get(here, ())))
            if not wanted.isdisjoint(seen):
                found.append(source)
        return found

    def solve(self, most_work: int | None = None) -> None:
        """Pass elements on until every constraint holds, or raise `TooMuchWork`."""
        if self._visits == 0:
            self._merge_cycles()  # later, only when much work suggests that cycles have appeared
        queue, waiting, parent = self._queue, self._waiting, self._parent
        sets, passed = self._sets, self._passed
        while queue:
            node = queue.popleft()
            waiting.discard(node)
            news = sets[node] & ~passed[node]
            if parent[node] != node or not news:
                continue
            passed[node] |= news
            for target in self._edges[node]:  # most of the time is spent here: no calls
                if parent[target] != target:
                    target = self._find(target)
                old = sets[target]
                new = old | news
                if new != old:  # never of the node itself, which has the news
                    sets[target] = new
                    if target not in waiting:
                        waiting.add(target)
                        queue.append(target)
            if watchers := self._watchers[node]:
                many = news.bit_count()
                for watcher in tuple(watchers):
                    self.work += many
                    watcher(news)
            self._visits += 1
            self.work += 1
            if most_work is not None and self.work > most_work:
                raise TooMuchWork
            if self._grown and self._visits > 2 * len(self._parent):
                self._merge_cycles()

    def _add(self, node: int, elements: int) -> None:
        old = self._sets[node]
        new = old | elements
        if new != old:
            self._sets[node] = new
            self._wake(node)

    def _wake(self, node: int) -> None:
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
        self._visits, self._grown = 1, False
        graph = {
            node: [self._find(target) for target in targets]
            for node, targets in enumerate(self._edges)
            if targets and self._parent[node] == node
        }
        for component in strong_components(graph):
            if len(component) > 1:
                self._merge(component)

    def _merge(self, component: Sequence[int]) -> None:
        into, *others = component
        edges = self._edges[into]
        for node in others:
            self._parent[node] = into
            self._sets[into] |= self._sets[node]
            self._passed[into] &= self._passed[node]
            edges |= self._edges[node]
            self._watchers[into] += self._watchers[node]
            self._sets[node], self._passed[node] = 0, 0
            self._edges[node], self._watchers[node] = set(), []
        self._edges[into] = {self._find(target) for target in edges} - {into}
        if self._sets[into] != self._passed[into]:
            self._wake(into)
