"""CEGAR with combined numeric and predicate abstraction [GC10]: a fixpoint, refined.

Each round solves the abstract program of the cells and predicates that are tracked, in weak
topological order with widening and narrowing. If no error is reached, the program has none. Else
paths to an error are checked: a feasible one is a violation, others say what to track next.

Soundness duty: `Safe` only from a closed fixpoint in which no error and no limit is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

from ...ir.configuration import TransitionKind
from ...ir.expr import TRUE, And
from ...numpred.domain.counters import Counters, Operation
from ...numpred.loop_invariants import condition
from ...numpred.program.abstract_program import ConfigurationGraph
from ...numpred.program.numeric_variables import NumericVariables
from ...numpred.program.numpred_facts import numpred_facts
from ...numpred.program.predicate_meanings import PredicateMeanings
from ...numpred.program.solution import ProgramAbstraction, Solution
from ...numpred.refine.flag_variables import flag_variables
from ...numpred.refine.plan import Plan
from ...numpred.refine.sources import Sources
from ...options import Budget
from ...records import replace
from ...statistics import Phase
from ...verdict import Invariant, Method, Proof, Safe, Verdict
from ..cegar import PathCheck, cegar, no_proof_yet
from ..concrete_runs import FirstRuns
from ..engine import Clock, EngineTask
from .fixpoint_recorder import record_fixpoint
from .refinement import PlanRefiner, ReachedErrors

_SECONDS = 10.0  # of one solver call
_SHARE, _LONG = 0.15, 60.0  # of the time that is left, and at most of so much
_SOON = 1.0  # seconds that a fixpoint has, at least
_PATIENCE = 5  # times the last fixpoint, for a better numeric domain


class NumPredEngine:
    """When time is over, the precision and a finished fixpoint are kept; an unfinished one is
    begun again."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._clock = Clock()
        self._first = FirstRuns(task.program)
        self._check = PathCheck(task.program, task.statistics, self._clock, _SECONDS)
        self._begun: tuple[_FixpointExplorer, PlanRefiner] | None = None

    @property
    def so_far(self) -> str:
        return no_proof_yet(self._task.statistics)

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict."""
        self._clock.budget = budget
        bug = self._first.bug(budget)
        if bug is not None:
            return bug
        if self._begun is None:
            self._tick()
            with self._task.statistics.phase(Phase.ABSTRACTION):
                self._begun = self._begin()
        return cegar(*self._begun, self._check, self._task.statistics)

    def _begin(self) -> tuple[_FixpointExplorer, PlanRefiner]:
        task = self._task
        facts = numpred_facts(task.facts, self._seconds, task.statistics.solver)
        cells = NumericVariables(facts.context, task.options.float_intervals)
        table = PredicateMeanings(facts, cells, self._seconds)
        control = ConfigurationGraph(facts, self._tick)
        tests = flag_variables(control.transitions, cells)
        sources = Sources(control.transitions, cells)
        live_at_heads = frozenset(var for head in control.heads for var in facts.live(head))
        plan = Plan(task.options, cells, table, tests, sources, live_at_heads, self._left_out)
        abstraction = ProgramAbstraction(facts, cells, table, control)
        explorer = _FixpointExplorer(task, self._clock, abstraction, plan, self._tick)
        refiner = PlanRefiner(
            self._clock,
            abstraction,
            plan,
            self._tick,
            explorer.settle,
            task.statistics.record,
        )
        return explorer, refiner

    def _left_out(self, text: str) -> None:
        self._task.statistics.tried.append(f"numpred: {text}")

    def _seconds(self) -> float:
        return self._clock.at_most(_SECONDS)

    def _tick(self) -> None:
        self._clock.budget.check()
        self._task.progress("numpred")


class _TooSlow(Exception):
    """A fixpoint took longer than it may."""


class _Watched(Counters):
    """Counters that check the clock whenever an operation begins, and add to those of a check."""

    def __init__(self, tick: Callable[[], None], whole: Counters) -> None:
        super().__init__(whole.calls, whole.seconds)
        self._tick = tick

    def enter(self, operation: Operation) -> None:
        self._tick()
        super().enter(operation)

    def watch(self) -> None:
        self._tick()


class _FixpointExplorer:
    """Solves the abstract program at the precision of the plan."""

    def __init__(
        self,
        task: EngineTask,
        clock: Clock,
        abstraction: ProgramAbstraction,
        plan: Plan,
        tick: Callable[[], None],
    ) -> None:
        self._statistics = task.statistics
        self._shared = task.shared
        self._clock = clock
        self._abstraction = abstraction
        self._plan = plan
        self._tick = tick
        self._solved: Solution | None = None
        self._last: Solution | None = None  # the one before
        self._until: float | None = None  # when a fixpoint is too slow

    def explore(self) -> Safe | ReachedErrors:
        """A fixpoint, and the errors that it reaches; if none, the limits."""
        if self._solved is None:
            with self._statistics.phase(Phase.ABSTRACTION):
                self._solved = self._solve_soon()
        solved = self._solved
        domain, values = solved.domain, solved.values
        with domain.domain.vocabulary.manager.bounded():
            for kind in (TransitionKind.ERROR, TransitionKind.LIMIT):
                transitions = self._abstraction.control.transitions_of(kind)
                bad = [
                    transition
                    for transition in transitions
                    if transition in values and not domain.is_bot(values[transition])
                ]
                if bad:
                    if self._shared.is_heard:
                        self._shared.offer("numpred", self._conjuncts(solved))
                    return ReachedErrors(solved, bad)
            if self._statistics.record is not None:
                record_fixpoint(self._statistics.record, self._abstraction, solved, self._plan)
            proof = Proof("numpred", Method.INVARIANTS, "z3", whole=False)
            return Safe(tuple(self._invariants(solved)), proof)

    def settle(self) -> None:
        """The counterexamples of the last fixpoint were refined for: solve again."""
        self._solved, self._last = None, self._solved

    def _solve_soon(self) -> Solution:
        """A fixpoint; if a more precise numeric domain takes too long, the last one once more,
        for other refinements."""
        last = self._last
        if last is None or not self._plan.may_be_slow:
            return self._solve()
        limit = min(_PATIENCE * last.seconds, _SHARE * min(_LONG, self._clock.left or _LONG))
        self._until = monotonic() + max(_SOON, limit)
        try:
            return self._solve()
        except _TooSlow:
            self._plan.too_slow()
        finally:
            self._until = None
        same = last.precision is self._plan.precision and last.structure == self._plan.structure
        return last if same else self._solve()

    def _watch(self) -> None:
        self._tick()
        if self._until is not None and monotonic() > self._until:
            raise _TooSlow

    def _solve(self) -> Solution:
        precision = self._plan.precision
        self._statistics.predicates_total = len(precision.predicates)
        self._statistics.predicates_active = len(precision.predicates)
        self._watch()
        solved = self._abstraction.solve(
            precision,
            self._plan.structure,
            self._plan.numeric_domain,
            _Watched(self._watch, self._statistics.operations),
            self._watch,
        )
        self._statistics.nodes += len(solved.values)
        return solved

    def _conjuncts(self, solved: Solution) -> Iterator[Invariant]:
        """The invariants in parts: a fixpoint that reaches an error is one for all runs, too."""
        for invariant in self._invariants(solved):
            expr = invariant.expr
            for part in expr.args if isinstance(expr, And) else (expr,):
                if part is not TRUE:
                    yield replace(invariant, expr=part)

    def _invariants(self, solved: Solution) -> Iterator[Invariant]:
        domain, values = solved.domain.domain, solved.values
        for configuration in self._abstraction.control.transitions:
            if configuration in self._abstraction.control.heads and configuration in values:
                formula = domain.gamma(values[configuration])
                expr = condition(
                    formula, self._abstraction.cells.lvalues, solved.precision.predicates
                )
                yield Invariant(configuration.location, configuration.calls, expr)
