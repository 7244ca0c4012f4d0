"""The numpred engine's refinement [GC10, section 6.1, step 5]: which paths are checked, and what is
tracked because of them.

For a while, paths that abstract states follow forwards to an error are checked; then the conditions
near the error are tracked, or those of a path found backwards, or a more precise data structure is
used (`numpred/refine/plan`).

No soundness duty: whatever is tracked, a fixpoint is right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from itertools import islice
from time import monotonic

from ...evidence.recording import RecordTexts
from ...ir.configuration import Transition, TransitionKind
from ...ir.expr import Expr
from ...ir.path import Path
from ...numpred.program.solution import ProgramAbstraction, Solution
from ...numpred.program.thresholds import relates
from ...numpred.refine.abstract_paths import backwards, distances, followed
from ...numpred.refine.path_refinement import PathRefinement, path_refinement, tested
from ...numpred.refine.plan import Plan
from ...proof_record import EngineRecord, RefinementRound, shortened_path
from ...records import dataclass
from ...refine.feasible import Infeasible
from ...verdict import Unsafe
from ..cegar import Check, ErrorPath, Outcome, Refined, Stuck
from ..engine import Clock
from .fixpoint_recorder import listed, tracked

_MOST_PATHS = 8  # that are checked in one round
_FOLLOW, _LONG = 0.05, 60.0  # of the time that is left, and at most of so much
_SHORT = 0.1  # seconds that paths are followed, at least
_PATIENCE = 5  # times the last fixpoint, for paths


@dataclass(frozen=True, slots=True)
class ReachedErrors:
    """A fixpoint that reaches errors, or limits."""

    solved: Solution
    bad: list[Transition]


class PlanRefiner:
    """Refines the plan; `settle` is called when the next fixpoint is due."""

    def __init__(
        self,
        clock: Clock,
        abstraction: ProgramAbstraction,
        plan: Plan,
        tick: Callable[[], None],
        settle: Callable[[], None],
        record: EngineRecord | None = None,
    ) -> None:
        self._clock = clock
        self._abstraction = abstraction
        self._control = abstraction.control
        self._plan = plan
        self._tick = tick
        self._settle = settle
        self._record = record
        self._seen: tuple[Path, Collection[int]] | None = None  # the last path that was checked

    def refine(self, counterexample: ReachedErrors, check: Check) -> Outcome:
        """Check paths until one is a violation, or the plan is refined."""
        with counterexample.solved.domain.domain.vocabulary.manager.bounded():
            if self._record is None:
                outcome = self._refined(counterexample, check)
            else:
                before, self._seen = tracked(self._plan), None
                outcome = self._refined(counterexample, check)
                self._note(self._record, counterexample, before, outcome)
        self._settle()
        return outcome

    def _note(
        self,
        record: EngineRecord,
        counterexample: ReachedErrors,
        before: dict[str, list[str]],
        outcome: Outcome,
    ) -> None:
        """Tell the round for a report."""
        edges, core = ((), ()) if self._seen is None else (self._seen[0].edges, self._seen[1])
        steps, left_out = shortened_path(self._texts.steps(edges, core))
        feasible = ("the path is feasible",) if isinstance(outcome, Unsafe) else ()
        record.add(
            RefinementRound(
                f"The fixpoint reaches {len(counterexample.bad)} errors or limits",
                steps,
                left_out,
                (f"fixpoint in {counterexample.solved.seconds:.2f} s", *feasible),
                listed(tracked(self._plan), before),
            )
        )

    @cached_property
    def _texts(self) -> RecordTexts:
        return RecordTexts(self._abstraction.facts.program)

    def _refined(self, counterexample: ReachedErrors, check: Check) -> Outcome:
        solved, bad, plan = counterexample.solved, counterexample.bad, self._plan
        plan.solved(relates(solved.graph, plan.flag_variables), solved.seconds)
        long = _FOLLOW * min(_LONG, self._clock.left or _LONG)
        short = min(long, max(_SHORT, _PATIENCE * solved.seconds))
        seen = self._refine_forward(counterexample, check, short)
        if seen is not None and not isinstance(seen, Stuck):
            return seen
        if plan.more(self._near(counterexample)):
            return Refined()
        path = backwards(solved.domain, solved.graph, solved.values, self._control.initial, bad[0])
        if path and seen is None:
            seen = self._refine_path(path, check)
            if not isinstance(seen, Stuck):
                return seen
        if path and plan.refine(self._path_refinement(path, range(len(path)))):
            return Refined()
        if plan.more_precise_structure():
            return Refined()
        again = self._refine_forward(counterexample, check, long) if short < long else None
        if again is not None and not isinstance(again, Stuck):
            return again
        return seen or Stuck("")

    def _refine_forward(
        self, counterexample: ReachedErrors, check: Check, seconds: float
    ) -> Outcome | None:
        """Refine for the paths that abstract states can follow; None if there is none."""
        until = monotonic() + seconds
        first: Stuck | None = None

        def tick() -> bool:
            self._tick()
            return monotonic() < until

        solved = counterexample.solved
        begin, bad = self._control.initial, counterexample.bad
        paths = followed(solved.domain, solved.graph, begin, solved.initial, bad, tick)
        for path in islice(paths, _MOST_PATHS):
            found = self._refine_path(path, check)
            if not isinstance(found, Stuck):
                return found
            first = first or found
        return first

    def _refine_path(self, path: list[Transition], check: Check) -> Outcome:
        """A verdict, a refinement, or the reason why a path gives neither."""
        last = path[-1]
        edges = Path(tuple(transition.edge for transition in path))
        found = check(ErrorPath(edges, last.text, last.kind is TransitionKind.LIMIT))
        self._seen = (edges, found.core if isinstance(found, Infeasible) else ())
        if not isinstance(found, Infeasible):
            return found
        if self._plan.refine(self._path_refinement(path, found.core)):
            return Refined()
        edge = f"{last.edge.coord}: a spurious path has {len(path)} edges"
        return Stuck(f"{edge}, and nothing new excludes it")

    def _path_refinement(self, path: list[Transition], core: Collection[int]) -> PathRefinement:
        return path_refinement(self._abstraction.facts, self._abstraction.cells, path, core)

    def _near(self, counterexample: ReachedErrors) -> Iterator[Expr]:
        near = distances(counterexample.solved.graph, counterexample.bad)
        return tested(near, self._control)
