"""Grow one function's automaton edge by edge, then tidy it.

While growing, jumps are `Skip` edges; `finish` contracts them, drops what cannot be reached from
the entry, and numbers the locations in the order of the source. Soundness duty: the runs of the
finished automaton are those of the grown one, up to the contracted skips.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import make
from ...ir.cfa import Coord, Edge, Location
from ...ir.expr import Expr
from ...ir.ops import Assume, Error, Halt, Operation, Return, Skip
from ...records import dataclass


@dataclass(frozen=True, slots=True)
class FinishedGraph:
    """What becomes of a graph: the parts of a `Function` that it determines."""

    entry: Location
    exit: Location
    edges: tuple[Edge, ...]
    labels: Mapping[str, Location]


class CfaBuilder:
    """A growing automaton. `here` is where the next operation goes, None in unreachable code."""

    def __init__(self, function: str) -> None:
        self.function = function
        self._count = 0
        self._edges: list[tuple[int, Operation, int, Coord]] = []
        self.entry = self.fresh()
        self.exit = self.fresh()
        self.here: int | None = self.entry

    def fresh(self) -> int:
        """A new location, not connected yet."""
        self._count += 1
        return self._count - 1

    @property
    def empty(self) -> bool:
        return not self._edges

    def emit(self, op: Operation, coord: Coord) -> None:
        """Append an operation; after one that ends the run or the function, nothing follows."""
        if self.here is None:
            return
        match op:
            case Return():
                self.jump(self.exit, coord, op)
            case Error() | Halt():
                self.jump(self.fresh(), coord, op)
            case _:
                target = self.fresh()
                self._edges.append((self.here, op, target, coord))
                self.here = target

    def jump(self, target: int, coord: Coord, op: Operation | None = None) -> None:
        """Go on at `target`; nothing follows here."""
        if self.here is not None:
            self._edges.append((self.here, op or Skip(), target, coord))
        self.here = None

    def add(self, source: int, op: Operation, target: int, coord: Coord) -> None:
        """An edge between two given locations."""
        self._edges.append((source, op, target, coord))

    def end_if(self, cond: Expr, end: Halt, coord: Coord) -> None:
        """The run ends so where the condition holds, and goes on elsewhere."""
        if self.here is None:
            return
        start, ends, on = self.here, self.fresh(), self.fresh()
        self.add(start, Assume(cond), ends, coord)
        self.add(start, Assume(make.negate(cond)), on, coord)
        self.here = ends
        self.emit(end, coord)
        self.here = on

    def finish(self, labels: Mapping[str, int]) -> FinishedGraph:
        """The tidied automaton, with the locations of the labels that can be reached."""
        alias = self._contract()
        entry, exit_ = alias[self.entry], alias[self.exit]
        successors: dict[int, list[int]] = {}
        first_edge: dict[int, int] = {}
        kept: list[tuple[int, Operation, int, Coord]] = []
        for src, op, dst, coord in self._edges:
            if alias[src] == src:  # a contracted location has no edge of its own any more
                first_edge.setdefault(src, len(kept))
                successors.setdefault(src, []).append(alias[dst])
                kept.append((src, op, alias[dst], coord))
        reached = _reachable(entry, successors)
        last = len(kept)
        order = sorted(
            reached | {exit_},
            key=lambda at: (at != entry, first_edge.get(at, last), at != exit_, at),
        )
        names = {at: Location(self.function, number) for number, at in enumerate(order)}
        return FinishedGraph(
            names[entry],
            names[exit_],
            tuple(Edge(names[s], op, names[d], c) for s, op, d, c in kept if s in reached),
            {name: names[alias[at]] for name, at in labels.items() if alias[at] in names},
        )

    def _contract(self) -> list[int]:
        """For each location, the one that stands for it: where its lone skips lead."""
        out_degree = [0] * self._count
        skip_to: dict[int, int] = {}
        for src, op, dst, _ in self._edges:
            out_degree[src] += 1
            if isinstance(op, Skip):
                skip_to[src] = dst
        alias = [-1] * self._count
        for start in range(self._count):
            trail = []
            at = start
            while alias[at] < 0 and out_degree[at] == 1 and at in skip_to:
                alias[at] = at  # for now: if the trail comes back here, this endless loop stays
                trail.append(at)
                at = skip_to[at]
            if alias[at] < 0:
                alias[at] = at
            for passed in trail:
                alias[passed] = alias[at]
        return alias


def _reachable(start: int, successors: Mapping[int, list[int]]) -> set[int]:
    reached = {start}
    todo = [start]
    while todo:
        for at in successors.get(todo.pop(), ()):
            if at not in reached:
                reached.add(at)
                todo.append(at)
    return reached
