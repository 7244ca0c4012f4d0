"""One time slice of one engine: what became of it, as a value that can be told to others.

Soundness duty: a verdict is the engine's own. A violation that does not replay is none: it is
`Unknown`, and kept for others to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...errors import ResourceExhausted, UnsupportedFeature, too_deep
from ...evidence.replay import refuted
from ...ir.cfa import Program
from ...options import Budget, TimeOver
from ...records import dataclass
from ...statistics import EngineStatistics, Phase
from ...verdict import Unknown, Unsafe, Verdict
from ..engine import Engine, LookingEngine


@dataclass(frozen=True, slots=True)
class TimeSlice:
    """So many seconds from its beginning on, or (None) all of the budget, which it never exceeds;
    `look` asks for less than a whole run."""

    seconds: float | None
    whole: Budget
    look: bool = False

    def begin(self) -> Budget:
        """The budget of a time slice that begins now."""
        end = Budget.of(self.seconds).deadline
        ends = [one for one in (end, self.whole.deadline) if one is not None]
        return Budget(min(ends, default=None))


@dataclass(frozen=True, slots=True)
class Report:
    """How a time slice ended: a verdict, or None if its time was over; and the same in words.
    `doubtful` is a violation that did not replay."""

    verdict: Verdict | None
    text: str
    doubtful: Unsafe | None = None


Make: TypeAlias = Callable[[], Engine]


class Runner:
    """Runs an engine, which is made when it is first needed, for a time slice."""

    def __init__(
        self,
        make: Make,
        program: Program,
        statistics: EngineStatistics,
        replaying: Callable[[], None] = lambda: None,
    ) -> None:
        self._make = make
        self._program = program
        self._statistics = statistics
        self._replaying = replaying  # told that a slice may take longer, because it was worth it
        self._engine: Engine | None = None

    def run(self, given: TimeSlice) -> Report:
        """Continue until there is a verdict, or the time is over."""
        budget = given.begin()
        try:
            if self._engine is None:
                self._engine = self._make()
            if given.look and isinstance(self._engine, LookingEngine):
                verdict: Verdict = self._engine.look(budget)
            else:
                verdict = self._engine.run(budget)
            if isinstance(verdict, Unsafe):
                return self._replayed(verdict, given.whole)
        except TimeOver:
            return Report(None, "it has not begun" if self._engine is None else self._engine.so_far)
        except (UnsupportedFeature, ResourceExhausted) as problem:
            verdict = Unknown(str(problem))
        except RecursionError as problem:
            verdict = Unknown(str(too_deep(problem)))
        return Report(verdict, verdict.reason if isinstance(verdict, Unknown) else "proved")

    def _replayed(self, bug: Unsafe, whole: Budget) -> Report:
        """The bug, if its inputs lead to an error, or if the time for finding that out is over."""
        self._replaying()
        with self._statistics.phase(Phase.REPLAY):
            reason = refuted(self._program, bug.inputs, whole.deadline)
        if reason is None or (whole.left is not None and whole.left <= 0):
            return Report(bug, bug.text)
        text = reason.about(bug.text)
        return Report(Unknown(text), text, bug)
