"""The calls of a program, and the summaries of the functions that they reach.

A call through a pointer may reach many functions, and many calls the same ones: they share a group.
A group has a version, which tells whether any of its summaries has changed since a call was
computed, without a look at all of them. Soundness duty: each change of a summary is seen in the
versions of all groups with the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...ir.cfa import Edge, Function, Location
from ...ir.ops import Call
from ...records import dataclass
from .transfer import Summary


@dataclass(frozen=True, slots=True, eq=False)
class CallSite:
    """A call, the functions with a body that it may reach, and the number of their group."""

    edge: Edge
    call: Call
    callees: tuple[str, ...]
    group: int


class CallSites:
    """All calls: by caller, by where they return to, and by callee; the summaries by function."""

    def __init__(
        self, functions: Iterable[Function], callees: Callable[[Edge], tuple[str, ...]]
    ) -> None:
        self.of_edge: dict[Edge, CallSite] = {}
        self.in_function: dict[str, list[CallSite]] = {}
        self.into: dict[Location, list[CallSite]] = {}
        self.of_callee: dict[str, list[CallSite]] = {}
        self.summaries: dict[str, Summary] = {}
        self._versions: list[int] = []
        self._groups: dict[str, list[int]] = {}  # by function
        numbers: dict[tuple[str, ...], int] = {}
        for function in functions:
            here = self.in_function[function.name] = []
            for edge in function.edges:
                if not isinstance(edge.op, Call):
                    continue
                names = callees(edge)
                site = CallSite(edge, edge.op, names, self._group(names, numbers))
                self.of_edge[edge] = site
                here.append(site)
                self.into.setdefault(edge.dst, []).append(site)
                for name in names:
                    self.of_callee.setdefault(name, []).append(site)

    def _group(self, names: tuple[str, ...], numbers: dict[tuple[str, ...], int]) -> int:
        group = numbers.get(names)
        if group is None:
            group = numbers[names] = len(self._versions)
            self._versions.append(0)
            for name in names:
                self._groups.setdefault(name, []).append(group)
        return group

    def version(self, site: CallSite) -> int:
        """Of the summaries that a call may use."""
        return self._versions[site.group]

    def summarise(self, name: str, summary: Summary | None) -> None:
        """The function has another summary, or none: it does not return."""
        if summary is None:
            del self.summaries[name]
        else:
            self.summaries[name] = summary
        for group in self._groups.get(name, ()):
            self._versions[group] += 1
