"""What an analysis counts while it works: predicates, nodes, rounds, and the time by phase.

One object for a whole check; an engine that has time slices among others has one of its own in it
(`of`), and `total` adds all of them up. The solvers of an engine share its `solver`. Time is
charged to the innermost phase that is open, so phases may nest and their seconds add up to the time
that passed in them.

>>> statistics = EngineStatistics()
>>> with statistics.phase(Phase.ABSTRACTION):
...     with statistics.phase(Phase.BDD):
...         statistics.phase_now.value
'bdd'
>>> sorted(phase.value for phase in statistics.seconds)
['abstraction', 'bdd']
>>> statistics.nodes, statistics.of("lazy").nodes, statistics.of("numpred").nodes = 1, 20, 300
>>> statistics.total().nodes
321
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from .numpred.domain.counters import Counters
from .obstacles import Obstacle
from .proof_record import EngineRecord
from .records import dataclass, field, replace
from .smt.solver import Statistics


class Phase(Enum):
    """What time is spent on, in the order of a check."""

    FRONT_END = "front end"
    CLANG = "clang"  # the parser alone, in native code
    SLICE = "slice"
    SEARCH = "bounded search"
    ABSTRACTION = "abstraction"
    REFINEMENT = "refinement"
    INDUCTION = "induction"
    BDD = "bdd"  # in native code
    REPLAY = "replay"


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the slam engine: the Boolean program it checked (variables, BDD nodes, lemmas),
    the solver calls so far, the steps of the trace, and the predicates that refinement added. With
    `--keep`, their texts too."""

    predicates: int
    lemmas: int
    solver_calls: int
    bdd_nodes: int
    trace: int
    new: tuple[str, ...] = ()
    program_text: str = ""
    trace_text: str = ""


@dataclass(slots=True)
class EngineStatistics:
    """Counters of one check, or of one engine in it, which adds to them as it goes."""

    solver: Statistics = field(default_factory=Statistics)
    predicates_total: int = 0  # different ones, wherever they are tracked
    predicates_active: int = 0  # the most that one node has
    nodes: int = 0  # of the tree, also those that were dropped again
    refinements: int = 0
    abstractions: int = 0  # abstract posts of a region under a block
    abstractions_cached: int = 0  # those of them that were computed before
    seconds: dict[Phase, float] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)  # of the slam engine
    operations: Counters = field(default_factory=Counters)  # of the numpred engine's domains
    tried: list[str] = field(default_factory=list)  # a line for each engine: how it ended, and why
    decided: str = ""  # the engine with the verdict, if several were tried
    engines: dict[str, EngineStatistics] = field(default_factory=dict)  # those with time slices
    obstacles: list[Obstacle] = field(default_factory=list)  # what stands in the engine's way
    record: EngineRecord | None = None  # what the engine tells for a report, if one is wanted
    _open: list[Phase] = field(default_factory=list)
    _since: float = 0.0

    @contextmanager
    def phase(self, phase: Phase) -> Iterator[None]:
        """What is done inside belongs to this phase."""
        self.charge()
        self._open.append(phase)
        try:
            yield
        finally:
            self.charge()
            self._open.pop()

    def charge(self) -> None:
        """Bring `seconds` up to this moment."""
        now = time.perf_counter()
        if self._open:
            phase = self._open[-1]
            self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._since
        self._since = now

    def stop(self) -> None:
        """Whoever counts here has been stopped, wherever that was: no phase goes on."""
        self.charge()
        self._open.clear()

    @property
    def phase_now(self) -> Phase | None:
        """The innermost phase that is open, here or in an engine."""
        inside = (engine.phase_now for engine in self.engines.values())
        return next(filter(None, inside), self._open[-1] if self._open else None)

    def of(self, engine: str) -> EngineStatistics:
        """The counters of one engine."""
        return self.engines.setdefault(engine, EngineStatistics())

    def total(self) -> EngineStatistics:
        """All counters up to this moment, those of the engines added up; of active predicates the
        most that one of them has."""
        self.charge()
        found = EngineStatistics(
            replace(self.solver),
            self.predicates_total,
            self.predicates_active,
            self.nodes,
            self.refinements,
            self.abstractions,
            self.abstractions_cached,
            dict(self.seconds),
            list(self.rounds),
            Counters(dict(self.operations.calls), dict(self.operations.seconds)),
            list(self.tried),
            obstacles=list(self.obstacles),
        )
        for engine in self.engines.values():
            found._add(engine.total())
        return found

    def _add(self, other: EngineStatistics) -> None:
        self.solver.add(other.solver)
        self.predicates_total += other.predicates_total
        self.predicates_active = max(self.predicates_active, other.predicates_active)
        self.nodes += other.nodes
        self.refinements += other.refinements
        self.abstractions += other.abstractions
        self.abstractions_cached += other.abstractions_cached
        for phase, seconds in other.seconds.items():
            self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds
        self.rounds += other.rounds
        self.operations.add(other.operations)
        self.tried += other.tried
