"""Predicates and numbers together [GC10]: a fixpoint over an abstract program, refined.

Each round solves the abstract program of the cells and predicates that are tracked, in weak
topological order with widening and narrowing. If no error is reached, there is none. Else a path to
an error is looked at: one that a run follows is a violation; from any other the engine learns what
to track next (`numpred/plan`).

Soundness duty: `Safe` only from a closed fixpoint in which no error and no limit is reached;
`Unsafe` only with inputs for a path that the exact semantics allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from time import monotonic

from ..domains.numpred.counters import Counters, Operation
from ..ir.cfa import Program
from ..ir.expr import Expr
from ..ir.path import Path
from ..ir.stack import Kind, Move
from ..numpred.cells import Cells
from ..numpred.graph import Control
from ..numpred.ground import ground
from ..numpred.invariant import condition
from ..numpred.learn import lesson, tested
from ..numpred.plan import Plan
from ..numpred.solution import Solution, Subject
from ..numpred.sources import Sources
from ..numpred.switches import switches
from ..numpred.table import Table
from ..numpred.thresholds import relates
from ..numpred.trace import backwards, distances, followed
from ..options import Budget, Options
from ..refine.feasible import Feasible, Infeasible, check_path
from ..statistics import EngineStatistics, Phase
from ..verdict import Invariant, Safe, Unknown, Unsafe, Verdict
from .sample import first_runs

_SECONDS = 10.0  # of one question to a solver
_MOST_PATHS = 8  # that are looked at in one round
_SHARE, _FOLLOW, _LONG = 0.15, 0.05, 60.0  # of the time that is left, and at most of so much
_SHORT, _SOON = 0.1, 1.0  # seconds that paths are followed, and a fixpoint has, at least
_PATIENCE = 5  # times the last fixpoint: for paths, and for a better numeric domain


def check(
    program: Program,
    options: Options,
    budget: Budget,
    statistics: EngineStatistics,
    progress: Callable[[str], None] | None = None,
) -> Verdict:
    """Decide the program."""
    return NumPredSearch(program, options, statistics, progress or (lambda text: None)).run(budget)


class NumPredSearch:
    """A check that can be gone on with after `TimeOver`: what was learned and a fixpoint that was
    finished are kept, one that was not is begun again."""

    def __init__(
        self,
        program: Program,
        options: Options,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> None:
        self._program = program
        self._options = options
        self._statistics = statistics
        self._progress = progress
        self._budget = Budget()
        self._sampled = False
        self._rounds: _Rounds | None = None

    def run(self, budget: Budget) -> Verdict:
        """Go on until there is a verdict, or raise `TimeOver`."""
        self._budget = budget
        if not self._sampled:
            self._sampled = True
            bug = first_runs(self._program, budget)
            if bug is not None:
                return bug
        if self._rounds is None:
            self._tick()
            self._rounds = _Rounds(
                self._program, self._options, self._statistics, self._tick, self._left
            )
        while True:
            verdict = self._rounds.round()
            if verdict is not None:
                return verdict

    def _left(self) -> float | None:
        self._budget.check()
        return self._budget.left

    def _tick(self) -> None:
        self._budget.check()
        self._progress("numpred")


class _TooSlow(Exception):
    """A fixpoint took longer than it may."""


class _Watched(Counters):
    """Counters that look at the clock whenever an operation begins, and add to those of a check."""

    def __init__(self, tick: Callable[[], None], whole: Counters) -> None:
        super().__init__(whole.calls, whole.seconds)
        self._tick = tick

    def enter(self, operation: Operation) -> None:
        self._tick()
        super().enter(operation)

    def watch(self) -> None:
        self._tick()


class _Rounds:
    """The rounds of one check; `tick` and `left` (seconds, None for any) raise `TimeOver`."""

    def __init__(
        self,
        program: Program,
        options: Options,
        statistics: EngineStatistics,
        tick: Callable[[], None],
        left: Callable[[], float | None],
    ) -> None:
        self._program = program
        self._statistics = statistics
        self._tick = tick
        self._left = left
        with statistics.phase(Phase.ABSTRACTION):
            known = self._ground = ground(program, self._seconds, statistics.solver)
            cells = self._cells = Cells(known.context)
            table = Table(known, cells, self._seconds)
            self._control = Control(known, tick)
            self._subject = Subject(known, cells, table, self._control)
            moves = self._control.moves
            tests, sources = switches(moves, cells), Sources(moves, cells)
            held = frozenset(var for head in self._control.heads for var in known.alive(head))
        self._plan = Plan(options, cells, table, tests, sources, held, self._left_out)
        self._solved: Solution | None = None
        self._last: Solution | None = None  # the one before
        self._until: float | None = None  # when a fixpoint is too slow

    def round(self) -> Verdict | None:
        """A verdict, or None if there is something new to track."""
        if self._solved is None:
            with self._statistics.phase(Phase.ABSTRACTION):
                self._solved = self._solve_soon()
        solved = self._solved
        with solved.domain.domain.vocabulary.manager.bounded():
            verdict = self._concluded(solved)
        self._solved, self._last = None, solved
        return verdict

    # -- a fixpoint -------------------------------------------------------------------------------

    def _solve_soon(self) -> Solution:
        """A fixpoint; if a better numeric domain takes too long, the last one once more, from which
        there are other things to learn."""
        last = self._last
        if last is None or not self._plan.may_be_slow:
            return self._solve()
        limit = min(_PATIENCE * last.seconds, _SHARE * min(_LONG, self._left() or _LONG))
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
        solved = self._subject.solve(
            precision,
            self._plan.structure,
            self._plan.numbers,
            _Watched(self._watch, self._statistics.operations),
            self._watch,
        )
        self._statistics.nodes += len(solved.values)
        return solved

    def _concluded(self, solved: Solution) -> Verdict | None:
        domain, values = solved.domain, solved.values
        for kind in (Kind.ERROR, Kind.LIMIT):
            ends = self._control.ends(kind)
            bad = [move for move in ends if move in values and not domain.is_bot(values[move])]
            if bad:
                with self._statistics.phase(Phase.REFINEMENT):
                    return self._refine(solved, bad)
        return Safe(tuple(self._invariants(solved)))

    def _invariants(self, solved: Solution) -> Iterator[Invariant]:
        domain, values = solved.domain.domain, solved.values
        for config in self._control.moves:
            if config in self._control.heads and config in values:
                formula = domain.gamma(values[config])
                expr = condition(formula, self._cells.places, solved.precision.predicates)
                yield Invariant(config.location, config.calls, expr)

    # -- refinement -------------------------------------------------------------------------------

    def _refine(self, solved: Solution, bad: list[Move]) -> Verdict | None:
        """Look at paths until one is a violation, or there is something new (None)."""
        self._statistics.refinements += 1
        plan = self._plan
        plan.solved(relates(solved.graph, plan.switches), solved.seconds)
        long = _FOLLOW * min(_LONG, self._left() or _LONG)
        short = min(long, max(_SHORT, _PATIENCE * solved.seconds))
        reason = self._follow(solved, bad, short)
        if not isinstance(reason, str):
            return reason
        if plan.more(self._near(solved, bad)):
            return None
        path = backwards(solved.domain, solved.graph, solved.values, self._control.start, bad[0])
        if path and not reason:
            found = self._look(path)
            if not isinstance(found, str):
                return found
            reason = found
        if path and plan.learn(lesson(self._ground, self._cells, path, range(len(path)))):
            return None
        if plan.better_structure():
            return None
        found = self._follow(solved, bad, long) if short < long else ""
        return Unknown(reason) if isinstance(found, str) else found

    def _follow(self, solved: Solution, bad: list[Move], seconds: float) -> Verdict | str | None:
        """Look at the paths that abstract states can follow; the text is empty if there is none."""
        until = monotonic() + seconds
        reason = ""

        def tick() -> bool:
            self._tick()
            return monotonic() < until

        begin = self._control.start
        paths = followed(solved.domain, solved.graph, begin, solved.start, bad, tick)
        for path in islice(paths, _MOST_PATHS):
            found = self._look(path)
            if not isinstance(found, str):
                return found
            reason = reason or found
        return reason

    def _near(self, solved: Solution, bad: list[Move]) -> Iterator[Expr]:
        return tested(distances(solved.graph, bad), self._control)

    def _look(self, path: list[Move]) -> Verdict | str | None:
        """What a path tells: a verdict, None if something new was learned from it, or else why
        not."""
        last = path[-1]
        edges = Path(tuple(move.edge for move in path))
        found = check_path(self._program, edges, self._statistics.solver, self._seconds())
        match found:
            case Feasible(inputs):
                if last.kind is Kind.LIMIT:
                    return Unknown(f"{last.edge.coord}: {last.text} can be reached")
                return Unsafe(Path(()), inputs, last.text)
            case Infeasible(core):
                if self._plan.learn(lesson(self._ground, self._cells, path, core)):
                    return None
                edge = f"{last.edge.coord}: a spurious path has {len(path)} edges"
                return f"{edge}, and nothing new excludes it"
        self._left()
        return found.reason

    # -- around -----------------------------------------------------------------------------------

    def _left_out(self, text: str) -> None:
        self._statistics.tried.append(f"numpred: {text}")

    def _seconds(self) -> float:
        left = self._left()
        return _SECONDS if left is None else max(0.05, min(_SECONDS, left))
