"""Order the nodes of an unrolled function so that branches meet before anything follows.

A node is a location together with the number of iterations of each loop around it. Along the
weak topological order (loops as nested components) its key is a tuple of numbers; in the order of
keys every node comes after all nodes that lead to it in the unrolling, so one pass merges all
that can be merged.
"""

from __future__ import annotations

from ...ir.cfa import Function, Location
from ...ir.order import location_graph, weak_order
from ...records import dataclass

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnrollStep:
    """A step in the unrolling: the counts at its end, whether it begins the next iteration of the
    innermost loop there, and how many loops it leaves."""

    counts: Counts
    next_iteration: bool
    left: int


class Unrolling:
    """The loops of one function, in weak topological order."""

    def __init__(self, function: Function) -> None:
        order = weak_order(location_graph(function), function.entry)
        self._position = {location: number for number, location in enumerate(order.order)}
        self._loops: dict[Location, tuple[Location, ...]] = {}
        for location in order.order:
            around = order.around.get(location)
            nest = self._loops[around] if around is not None else ()
            self._loops[location] = (*nest, location) if location in order.ends else nest

    def loops(self, location: Location) -> tuple[Location, ...]:
        """The heads of the loops around a location, outermost first; a head is in its own loop."""
        return self._loops[location]

    def key(self, location: Location, counts: Counts) -> tuple[int, ...]:
        """The rank of a node among all nodes of one call of the function."""
        key: list[int] = []
        for head, count in zip(self._loops[location], counts, strict=True):
            key += (self._position[head], count)
        key.append(self._position[location])
        return tuple(key)

    def step(self, source: Location, counts: Counts, target: Location) -> UnrollStep:
        """Go along an edge."""
        old, new = self._loops[source], self._loops[target]
        shared = 0
        while shared < min(len(old), len(new)) and old[shared] is new[shared]:
            shared += 1
        after = list(counts[:shared]) + [0] * (len(new) - shared)
        next_iteration = shared == len(new) and bool(new) and new[-1] is target
        if next_iteration:
            after[-1] += 1
        return UnrollStep(tuple(after), next_iteration, len(old) - shared)
