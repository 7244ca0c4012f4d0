"""Path programs [BHMR07]: of a program, the edges of a counterexample, and so its loops.

A path to an error that takes a loop once stands for those that take it any number of times. Where
acceleration knows what many rounds do, the bounded engine looks at all of them at once, so that an
error behind a million rounds needs no million of refinements.

Soundness duty: each run of a path program is one of the program, up to calls through pointers, and
a violation is replayed. That there is none is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from ..analysis.acceleration.program import accelerated
from ..analysis.facts import ProgramFacts
from ..errors import ResourceExhausted, UnsupportedFeature
from ..ir.cfa import Edge, Location, Program
from ..ir.ops import Assume, Halt
from ..ir.order import location_graph, reverse_postorder
from ..options import Budget, TimeOver
from ..records import replace
from ..statistics import EngineStatistics
from ..verdict import Unsafe
from .cegar import Check, Outcome, Refiner
from .engine import Clock, EngineTask, create

AFTER = 8  # counterexamples: most proofs need no more, and have no use for this
_MOST = 3  # of one engine
_OFF = Halt("not on the path", None)
_SECONDS, _SHARE = 1.0, 0.1  # for one of them, of the time that is left

C = TypeVar("C")


class PathPrograms:
    """The path programs that one engine has met."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._met: set[frozenset[Edge]] = set()
        self._wanted: bool | None = None if task.options.accelerate else False

    def violation(self, edges: frozenset[Edge], clock: Clock) -> Unsafe | None:
        """A violation with these edges alone, and any number of rounds of their loops."""
        if len(self._met) >= _MOST or not edges or edges in self._met:
            return None
        if self._wanted is None:
            self._wanted = accelerated(self._task.program) is not self._task.program
        if not self._wanted:
            return None
        self._met.add(edges)
        program = path_program(self._task.program, edges)
        if accelerated(program) is program:
            return None
        left = clock.left
        seconds = _SECONDS if left is None else min(_SECONDS, _SHARE * left)
        options = replace(self._task.options, record=False)
        task = EngineTask(ProgramFacts(program), options, EngineStatistics())
        try:
            verdict = create("bounded", task).run(Budget.of(seconds))
        except (TimeOver, ResourceExhausted, UnsupportedFeature):
            return None
        return verdict if isinstance(verdict, Unsafe) else None


def path_program(program: Program, edges: frozenset[Edge]) -> Program:
    """Of each function that has some of the edges, only those: at the others a run ends."""
    functions = {}
    for name, function in program.functions.items():
        if edges.isdisjoint(function.edges):
            functions[name] = function
            continue
        last = max(location.index for location in function.locations)
        off, end = Location(name, last + 1), Location(name, last + 2)
        kept: list[Edge] = []
        for edge in function.edges:
            if edge in edges:
                kept.append(edge)
            elif isinstance(edge.op, Assume):
                kept.append(Edge(edge.src, edge.op, off, edge.coord))
            else:
                kept.append(Edge(edge.src, _OFF, end, edge.coord))
        kept.append(Edge(off, _OFF, end, function.coord))
        cut = replace(function, edges=tuple(kept))
        reached = set(reverse_postorder(location_graph(cut), cut.entry))
        edges_left = tuple(edge for edge in kept if edge.src in reached)
        functions[name] = replace(function, edges=edges_left)
    return replace(program, functions=functions)


class LoopRefiner(Generic[C]):
    """A refiner that looks at the path program first, once there were some counterexamples."""

    def __init__(
        self,
        refiner: Refiner[C],
        programs: PathPrograms,
        edges_of: Callable[[C], Iterable[Edge]],
        clock: Clock,
    ) -> None:
        self._refiner = refiner
        self._programs = programs
        self._edges_of = edges_of
        self._clock = clock
        self._count = 0

    def refine(self, counterexample: C, check: Check) -> Outcome:
        """Exclude the counterexample; or a violation, if one has the same loops."""
        self._count += 1
        if self._count > AFTER:
            edges = frozenset(self._edges_of(counterexample))
            violation = self._programs.violation(edges, self._clock)
            if violation is not None:
                return violation
        return self._refiner.refine(counterexample, check)
