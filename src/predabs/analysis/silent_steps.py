"""Silent steps: what no tracked storage and no error depends on, contracted in the automaton of a
function.

Locations that lead to each other by silent steps are one (a loop that has no say is passed over),
and a location from which silent steps lead to one other only is that one. This is slicing again, by
what is tracked now.

Soundness duty: every run of the function, with its silent steps left out, is one of the contracted
function.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ..ir.cfa import Edge, Function, Location
from ..ir.ops import Halt, Return
from ..ir.order import strong_components


class SilentSteps:
    """The contraction of a function. `is_silent` says of an edge whether it is left out;
    without `loops`, no loop is passed over."""

    def __init__(
        self, function: Function, is_silent: Callable[[Edge], bool], loops: bool = True
    ) -> None:
        self._function = function
        self._silent = {
            location: [edge for edge in edges if is_silent(edge)]
            for location, edges in function.outgoing.items()
        }
        self._loop: dict[Location, tuple[Location, ...]] = {}
        self._next: dict[Location, Location | None] = {}
        graph = {
            location: tuple(edge.dst for edge in edges) for location, edges in self._silent.items()
        }
        for group in strong_components(graph):
            if len(group) == 1 and group[0] not in graph[group[0]]:
                self._contract(group)
            elif loops:
                self._loop.update(dict.fromkeys(group, group))
                self._contract(group)
            else:
                self._next.update((location, location) for location in group)

    def _contract(self, group: tuple[Location, ...]) -> None:
        """Those that the group leads to are known."""
        ways = dict.fromkeys(self._next[edge.dst] for edge in self._leaving(group))
        ways.pop(None, None)
        there: Location | None = group[0]
        if not any(self.loud(location) for location in group) and len(ways) < 2:
            there = next(iter(ways), None)
        self._next.update(dict.fromkeys(group, there))

    def _leaving(self, group: tuple[Location, ...]) -> list[Edge]:
        inside = set(group)
        return [
            edge for location in group for edge in self._silent[location] if edge.dst not in inside
        ]

    def next(self, location: Location) -> Location | None:
        """Where a run is as soon as it matters; None if it never does."""
        return self._next[location]

    def together(self, location: Location) -> tuple[Location, ...]:
        """The locations of a loop that is passed over, or the location alone."""
        return self._loop.get(location, (location,))

    def is_loop(self, location: Location) -> bool:
        """Is the location inside of a loop that is passed over?"""
        return location in self._loop

    def within(self, location: Location) -> list[Edge]:
        """The steps of a loop that is passed over."""
        group = self._loop[location]
        inside = set(group)
        return [edge for here in group for edge in self._silent[here] if edge.dst in inside]

    def loud(self, location: Location) -> list[Edge]:
        """The edges that leave a location and are not silent."""
        silent = set(map(id, self._silent[location]))
        return [
            edge
            for edge in self._function.outgoing[location]
            if id(edge) not in silent and not isinstance(edge.op, Halt)
        ]

    def onward(self, location: Location) -> list[Edge]:
        """One silent step to each place that silent steps lead to from here, or from a location
        that is together with it."""
        found: dict[Location, Edge] = {}
        for edge in self._leaving(self.together(location)):
            there = self._next[edge.dst]
            if there is not None:
                found.setdefault(there, edge)
        return list(found.values())

    def way(self, source: Location, target: Location) -> list[Edge]:
        """Silent steps from one location to another, as few as there can be."""
        before: dict[Location, Edge | None] = {source: None}
        todo = deque([source])
        while target not in before:
            for edge in self._silent[todo.popleft()]:
                if edge.dst not in before:
                    before[edge.dst] = edge
                    todo.append(edge.dst)
        found: list[Edge] = []
        here = target
        while (edge_to := before[here]) is not None:
            found.append(edge_to)
            here = edge_to.src
        found.reverse()
        return found

    def graph(self) -> dict[Location, tuple[Location, ...]]:
        """The contracted automaton, with a step over each call."""
        kept = dict.fromkeys([self._function.entry, *self._next.values()])
        return {location: self._successors(location) for location in kept if location is not None}

    def _successors(self, location: Location) -> tuple[Location, ...]:
        found: dict[Location, None] = {}
        for here in self.together(location):
            for edge in self.loud(here):
                there = None if isinstance(edge.op, Return) else self._next[edge.dst]
                if there is not None:
                    found[there] = None
        for edge in self.onward(location):
            there = self._next[edge.dst]
            if there is not None:
                found[there] = None
        return tuple(found)
