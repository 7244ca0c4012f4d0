"""Fixpoints over a graph whose edges carry transformers, in weak topological order.

`solve` gives each node a value that covers all runs from the entry. Soundness duty: at the end the
value of each node includes the image of each incoming edge, and that is looked at, not assumed. At
the heads of the weak order (so on every cycle) values grow by `join`, and from the given round on
by `widen`; afterwards up to `narrowings` descending rounds use `narrow` [GC10, section 3.2],
by the recursive strategy of [Bou93].

>>> class Sets:  # sets of numbers modulo 4, where an edge is the number to add
...     bot = frozenset()
...     def is_bot(self, u): return not u
...     def leq(self, u, v): return u <= v
...     def join(self, u, v): return u | v
...     widen = narrow = join
...     def post(self, u, step): return frozenset((x + step) % 4 for x in u)
>>> found = solve(Sets(), {"a": [(1, "b")], "b": [(2, "b")]}, "a", frozenset([0]))
>>> sorted(found.values["b"]), found.rounds
([1, 3], 3)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from ..errors import InternalError
from ..ir.order import WeakOrder, weak_order
from ..records import dataclass

N = TypeVar("N", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Growing(Protocol[V, T_contra]):
    """What a fixpoint needs of a domain: all `NumPredDom` have it."""

    @property
    def bot(self) -> V: ...

    def is_bot(self, u: V) -> bool: ...

    def leq(self, u: V, v: V) -> bool: ...

    def join(self, u: V, v: V) -> V: ...

    def widen(self, u: V, v: V) -> V: ...

    def narrow(self, u: V, v: V) -> V: ...

    def post(self, u: V, transformer: T_contra) -> V: ...


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """When to widen and how often to narrow; `widen_after=None` never widens."""

    widen_after: int | None = 2
    narrowings: int = 2


@dataclass(frozen=True, slots=True, eq=False)
class Fixpoint(Generic[N, V]):
    """A value for each node that was reached, and how often a loop head was looked at."""

    values: Mapping[N, V]
    rounds: int


Graph = Mapping[N, Sequence[tuple[T, N]]]


def solve(
    domain: Growing[V, T],
    graph: Graph[N, T],
    entry: N,
    start: V,
    strategy: Strategy | None = None,
    tick: Callable[[], None] | None = None,
) -> Fixpoint[N, V]:
    """The least fixpoint that the strategy finds; `tick` is called at each node and may raise."""
    return _Solver(domain, graph, entry, start, strategy or Strategy(), tick).run()


class _Solver(Generic[N, V, T]):
    """One computation: values so far, and for each edge its last argument with its image."""

    def __init__(
        self,
        domain: Growing[V, T],
        graph: Graph[N, T],
        entry: N,
        start: V,
        strategy: Strategy,
        tick: Callable[[], None] | None,
    ) -> None:
        self._domain = domain
        self._entry = entry
        self._start = start
        self._strategy = strategy
        self._tick = tick
        successors = {node: [target for _, target in edges] for node, edges in graph.items()}
        self._weak: WeakOrder[N] = weak_order(successors, entry)
        self._place = {node: position for position, node in enumerate(self._weak.order)}
        self._incoming: dict[N, list[tuple[N, T]]] = {node: [] for node in self._weak.order}
        for node in self._weak.order:
            for transformer, target in graph.get(node, ()):
                self._incoming[target].append((node, transformer))
        self._values: dict[N, V] = {}
        self._images: dict[tuple[N, int], tuple[V, V]] = {}
        self._rounds = 0

    def run(self) -> Fixpoint[N, V]:
        self._ascend()
        if not self._is_closed():
            raise InternalError("a fixpoint is not closed under its transformers")
        for _ in range(self._strategy.narrowings if self._weak.ends else 0):
            before = dict(self._values)
            if not self._descend():
                break
            if not self._is_closed():  # an operation that is not monotone: stay above
                self._values = before
                break
        return Fixpoint(self._values, self._rounds)

    def _ascend(self) -> None:
        """One walk along the order that goes back to a head until nothing changes there."""
        order, ends = self._weak.order, self._weak.ends
        visits: dict[N, int] = {}
        back: dict[int, list[int]] = {}  # the positions of the heads whose components end here
        for head, end in ends.items():
            back.setdefault(end, []).append(self._place[head])
        for positions in back.values():
            positions.sort(reverse=True)  # the innermost component is repeated first
        walked: set[int] = set()  # heads whose body was visited after they were
        position = 0
        while True:
            again = next(
                (position for position in back.get(position, ()) if position in walked), None
            )
            if again is not None:
                position = again
            elif position == len(order):
                return
            node = order[position]
            new = self._collect(node)
            if node not in ends:
                self._values[node] = new
                position += 1
                continue
            self._rounds += 1
            visits[node] = visits[node] + 1 if again is not None else 1
            grown = self._grow(node, new, visits[node])
            if grown or again is None:
                walked.add(position)
                position += 1
            else:  # stable, and nothing came into its body from elsewhere meanwhile
                walked.discard(position)
                position = ends[node]

    def _grow(self, head: N, new: V, visit: int) -> bool:
        """Put more into a head's value; False if it was in there before."""
        old = self._values.get(head)
        if old is None:
            self._values[head] = new
            return True
        if self._domain.leq(new, old):
            return False
        after = self._strategy.widen_after
        both = self._domain.join(old, new)
        wide = after is not None and visit > after
        grown = self._values[head] = self._domain.widen(old, both) if wide else both
        return grown != old  # else `leq` has missed that it was in there

    def _descend(self) -> bool:
        """One decreasing walk; False if nothing became smaller."""
        smaller = False
        for node in self._weak.order:
            old, new = self._values[node], self._collect(node)
            if node in self._weak.ends:
                new = old if self._domain.leq(old, new) else self._domain.narrow(old, new)
            if new != old:
                smaller = True
                self._values[node] = new
        return smaller

    def _is_closed(self) -> bool:
        """Whether each value includes all that comes in."""
        for node, value in self._values.items():
            new = self._collect(node)
            if new == value or self._domain.leq(new, value):
                continue
            if self._domain.join(value, new) != value:
                return False
        return True

    def _collect(self, node: N) -> V:
        """The join of what comes in now."""
        if self._tick is not None:
            self._tick()
        value = self._start if node == self._entry else None
        for number, (source, transformer) in enumerate(self._incoming[node]):
            argument = self._values.get(source)
            if argument is None:
                continue
            known = self._images.get((node, number))
            if known is not None and known[0] == argument:
                image = known[1]
            else:
                empty = self._domain.is_bot(argument)
                image = self._domain.bot if empty else self._domain.post(argument, transformer)
                self._images[node, number] = (argument, image)
            value = image if value is None else self._domain.join(value, image)
        return self._domain.bot if value is None else value
