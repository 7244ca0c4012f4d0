"""Locations that a run comes to at most once.

Soundness duty: a location is listed only if no run is there twice: no loop of its function leads
back to it, and its function is the entry or is called from one place, which is itself of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..ir.cfa import Edge, Location, Program
from ..ir.ops import Call
from ..ir.order import location_graph, strong_components


class AtMostOnce:
    """Answers for one program; `targets` gives the functions that a call may enter."""

    def __init__(self, program: Program, targets: Callable[[Edge], Iterable[str]]) -> None:
        self._program = program
        self._callers: dict[str, list[Edge]] = {}
        for function in program.functions.values():
            for edge in function.edges:
                if isinstance(edge.op, Call):
                    for name in targets(edge):
                        self._callers.setdefault(name, []).append(edge)
        self._straight: dict[str, frozenset[Location]] = {}
        self._functions: dict[str, bool] = {}

    def location(self, location: Location) -> bool:
        """Does a run come to the location at most once?"""
        return location in self._straight_parts(location.function) and self.function(
            location.function
        )

    def function(self, name: str) -> bool:
        """Does a run enter the function at most once?"""
        chain: list[str] = []
        while name not in self._functions:
            if name in chain:  # only its own recursion calls it
                self._functions[name] = False
                break
            chain.append(name)
            callers = self._callers.get(name, [])
            if name == self._program.entry or len(callers) != 1:
                self._functions[name] = not callers
            elif callers[0].src not in self._straight_parts(callers[0].src.function):
                self._functions[name] = False
            else:
                name = callers[0].src.function
        answer = self._functions[name]
        for caller in chain:
            self._functions.setdefault(caller, answer)
        return answer

    def _straight_parts(self, name: str) -> frozenset[Location]:
        """The locations of a function that lie on no cycle."""
        known = self._straight.get(name)
        if known is None:
            graph = location_graph(self._program.functions[name])
            known = self._straight[name] = frozenset(
                group[0]
                for group in strong_components(graph)
                if len(group) == 1 and group[0] not in graph[group[0]]
            )
        return known
