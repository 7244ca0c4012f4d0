"""Order the places of an unrolled function so that branches meet before anything follows.

A place is a location together with how often each loop around it has been gone through. Along the
weak topological order (loops as nested components) its key is a tuple of numbers; in the order of
keys every place comes after all places that lead to it in the unrolling, so one pass merges all
that can be merged.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.cfa import Function, Location
from ...ir.order import location_graph, weak_order

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnrollStep:
    """A step in the unrolling: the counts at its end, whether it begins a new round of the
    innermost loop there, and how many loops it leaves."""

    counts: Counts
    again: bool
    left: int


class Unrolling:
    """The loops of one function."""

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
        """The rank of a place among all places of one call of the function."""
        key: list[int] = []
        for head, count in zip(self._loops[location], counts, strict=True):
            key += (self._position[head], count)
        key.append(self._position[location])
        return tuple(key)

    def move(self, source: Location, counts: Counts, target: Location) -> UnrollStep:
        """Go along an edge."""
        old, new = self._loops[source], self._loops[target]
        shared = 0
        while shared < min(len(old), len(new)) and old[shared] is new[shared]:
            shared += 1
        after = list(counts[:shared]) + [0] * (len(new) - shared)
        again = shared == len(new) and bool(new) and new[-1] is target
        if again:
            after[-1] += 1
        return UnrollStep(tuple(after), again, len(old) - shared)
