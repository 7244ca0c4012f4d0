"""The numpred engine's refinement: which paths are looked at, and what is tracked because of them.

Abstract states are followed forwards to an error for a while, each path being checked; then what
the program tests near the error is tracked, or what a path found backwards speaks of, or a
structure is tried that tells more apart (`numpred/refine/plan`).

No soundness duty: whatever is tracked, a fixpoint is right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from time import monotonic

from ...ir.configuration import Transition, TransitionKind
from ...ir.expr import Expr
from ...ir.path import Path
from ...numpred.program.solution import Solution, Subject
from ...numpred.program.thresholds import relates
from ...numpred.refine.abstract_paths import backwards, distances, followed
from ...numpred.refine.path_refinement import PathRefinement, lesson, tested
from ...numpred.refine.plan import Plan
from ...refine.feasible import Infeasible
from ..cegar import Check, Outcome, Refined, Stuck, Trace
from ..engine import Clock

_MOST_PATHS = 8  # that are looked at in one round
_FOLLOW, _LONG = 0.05, 60.0  # of the time that is left, and at most of so much
_SHORT = 0.1  # seconds that paths are followed, at least
_PATIENCE = 5  # times the last fixpoint, for paths


@dataclass(frozen=True, slots=True)
class ReachedEnds:
    """A fixpoint that reaches errors, or limits."""

    solved: Solution
    bad: list[Transition]


class PlanRefiner:
    """Changes the plan; `settle` is told when a fixpoint has been dealt with."""

    def __init__(
        self,
        clock: Clock,
        subject: Subject,
        plan: Plan,
        tick: Callable[[], None],
        settle: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._subject = subject
        self._control = subject.control
        self._plan = plan
        self._tick = tick
        self._settle = settle

    def refine(self, counterexample: ReachedEnds, check: Check) -> Outcome:
        """Look at paths until one is a violation, or there is something new."""
        with counterexample.solved.domain.domain.vocabulary.manager.bounded():
            outcome = self._refined(counterexample, check)
        self._settle()
        return outcome

    def _refined(self, counterexample: ReachedEnds, check: Check) -> Outcome:
        solved, bad, plan = counterexample.solved, counterexample.bad, self._plan
        plan.solved(relates(solved.graph, plan.switches), solved.seconds)
        long = _FOLLOW * min(_LONG, self._clock.left or _LONG)
        short = min(long, max(_SHORT, _PATIENCE * solved.seconds))
        seen = self._follow(counterexample, check, short)
        if seen is not None and not isinstance(seen, Stuck):
            return seen
        if plan.more(self._near(counterexample)):
            return Refined()
        path = backwards(solved.domain, solved.graph, solved.values, self._control.start, bad[0])
        if path and seen is None:
            seen = self._look(path, check)
            if not isinstance(seen, Stuck):
                return seen
        if path and plan.learn(self._lesson(path, range(len(path)))):
            return Refined()
        if plan.better_structure():
            return Refined()
        again = self._follow(counterexample, check, long) if short < long else None
        if again is not None and not isinstance(again, Stuck):
            return again
        return seen or Stuck("")

    def _follow(self, counterexample: ReachedEnds, check: Check, seconds: float) -> Outcome | None:
        """Look at the paths that abstract states can follow; None if there is none."""
        until = monotonic() + seconds
        first: Stuck | None = None

        def tick() -> bool:
            self._tick()
            return monotonic() < until

        solved = counterexample.solved
        begin, bad = self._control.start, counterexample.bad
        paths = followed(solved.domain, solved.graph, begin, solved.start, bad, tick)
        for path in islice(paths, _MOST_PATHS):
            found = self._look(path, check)
            if not isinstance(found, Stuck):
                return found
            first = first or found
        return first

    def _look(self, path: list[Transition], check: Check) -> Outcome:
        """What a path tells: a verdict, something new, or else why not."""
        last = path[-1]
        edges = Path(tuple(transition.edge for transition in path))
        found = check(Trace(edges, last.text, last.kind is TransitionKind.LIMIT))
        if not isinstance(found, Infeasible):
            return found
        if self._plan.learn(self._lesson(path, found.core)):
            return Refined()
        edge = f"{last.edge.coord}: a spurious path has {len(path)} edges"
        return Stuck(f"{edge}, and nothing new excludes it")

    def _lesson(self, path: list[Transition], core: Collection[int]) -> PathRefinement:
        return lesson(self._subject.ground, self._subject.cells, path, core)

    def _near(self, counterexample: ReachedEnds) -> Iterator[Expr]:
        near = distances(counterexample.solved.graph, counterexample.bad)
        return tested(near, self._control)
