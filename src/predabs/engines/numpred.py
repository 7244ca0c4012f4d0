"""Predicates and numbers together (paper 003): a fixpoint over an abstract program, refined.

Each round solves the abstract program of the cells and predicates that are tracked, in weak
topological order with widening and narrowing. If no error is reached, there is none. Else a path to
an error is looked at: one that a run follows is a violation; from any other the engine learns, in
this order: cells to track as numbers, a numeric domain that relates more, predicates, and a
structure that tells more apart (section 6.1).

Soundness duty: `Safe` only from a closed fixpoint in which no error and no limit is reached;
`Unsafe` only with inputs for a path that the exact semantics allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from time import monotonic
from typing import Any

from ..bdd import Manager
from ..domains.factory import create
from ..domains.fixpoint import Strategy, solve
from ..domains.numpred.choose import make
from ..domains.numpred.counters import Counters, Operation
from ..domains.numpred.lattice import NumPredDom
from ..ir.cfa import Program
from ..ir.expr import Expr
from ..ir.path import Path
from ..ir.stack import Kind, Move
from ..numpred.cells import Cells
from ..numpred.graph import Control, Node, Step, Stepping, conditions_of, relates
from ..numpred.ground import ground
from ..numpred.invariant import condition
from ..numpred.learn import Lesson, lesson, tested
from ..numpred.precision import Precision
from ..numpred.table import Table
from ..numpred.trace import backwards, distances, followed
from ..numpred.translate import Translator
from ..options import Budget, Options
from ..refine.feasible import Feasible, Infeasible, check_path
from ..statistics import EngineStatistics, Phase
from ..verdict import Invariant, Safe, Unknown, Unsafe, Verdict
from .sample import first_runs

_SECONDS = 10.0  # of one question to a solver
_BDD_MB = 512
_FEW_CELLS = 30  # that are all tracked from the start
_MOST_CELLS = 100  # that conditions read, and are tracked from the start
_FEW_NEW, _MOST_NEW = 6, 12  # predicates of one round: first, and at most
_MOST_PATHS = 8  # that are looked at in one round
_STRUCTURES = ("nex", "ndd")  # if the user has no wish: one after the other
_NUMBERS = ("box", "octagon", "polyhedra")
_FOLLOW, _FOLLOW_SECONDS = 0.05, 60.0  # of the time that is left, and at most of so much
_SLOW_ROUND = 1.0  # seconds of a fixpoint
_STRATEGY = Strategy(widen_after=2, narrowings=2)


def check(
    program: Program,
    options: Options,
    budget: Budget,
    statistics: EngineStatistics,
    progress: Callable[[str], None] | None = None,
) -> Verdict:
    """Decide the program."""
    return Search(program, options, budget, statistics, progress or (lambda text: None)).run()


class _Watched(Counters):
    """Counters that look at the clock whenever an operation begins."""

    def __init__(self, tick: Callable[[], None]) -> None:
        super().__init__()
        self._tick = tick

    def enter(self, operation: Operation) -> None:
        self._tick()
        super().enter(operation)


class Search:
    """One run of the algorithm."""

    def __init__(
        self,
        program: Program,
        options: Options,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> None:
        self._program = program
        self._budget = budget
        self._statistics = statistics
        self._progress = progress
        self._structures = list(_STRUCTURES if options.domain is None else (options.domain,))
        self._numbers = _NUMBERS if options.numeric is None else (options.numeric,)
        self._level = 0  # which of the numeric domains is in use
        with statistics.phase(Phase.ABSTRACTION):
            self._ground = ground(program, self._seconds, statistics.solver)
            self._cells = Cells(self._ground.context)
            self._table = Table(self._ground, self._cells, self._seconds)
            self._control = Control(self._ground, self._tick)
        self._precision = Precision()
        self._related = False
        self._most_new = _FEW_NEW
        self._took = 0.0  # seconds of the last fixpoint
        self._slow = False  # was a better numeric domain slow and of no use?
        if self._has_numbers:
            plain = {name: cell for name, cell in self._cells.all.items() if cell.plain}
            tested = {name: cell for name, cell in self._cells.tested.items() if cell.plain}
            few = len(plain) <= _FEW_CELLS
            self._precision = Precision(
                plain if few else tested if len(tested) <= _MOST_CELLS else {}
            )

    @property
    def _has_numbers(self) -> bool:
        return self._structures[0] != "predicate"

    @property
    def _has_predicates(self) -> bool:
        return self._structures[0] != "numeric"

    def run(self) -> Verdict:
        bug = first_runs(self._program, self._budget)
        if bug is not None:
            return bug
        while True:
            verdict = self._round()
            if verdict is not None:
                return verdict

    # -- a round ----------------------------------------------------------------------------------

    def _round(self) -> Verdict | None:
        precision = self._precision
        self._statistics.predicates_total = len(precision.predicates)
        self._statistics.predicates_active = len(precision.predicates)
        self._tick()
        with self._statistics.phase(Phase.ABSTRACTION):
            translator = Translator(self._ground, self._cells, precision)
            graph = self._control.steps(translator, self._tick)
            begin = self._table.start(precision)
        domain: NumPredDom[Any] = make(
            self._structures[0],
            create(self._numbers[self._level]),
            precision.predicates,
            precision.cells,
            manager=Manager(_BDD_MB),
            counters=_Watched(self._tick),
        )
        self._related = relates(graph)
        stepping = Stepping(domain, conditions_of(graph))
        with domain.vocabulary.manager.bounded():
            with self._statistics.phase(Phase.ABSTRACTION):
                start = domain.assume(domain.alpha(begin), translator.ranges)
                began = monotonic()
                found = solve(stepping, graph, self._control.start, start, _STRATEGY, self._tick)
                self._took = monotonic() - began
            self._statistics.nodes += len(found.values)
            for kind in (Kind.ERROR, Kind.LIMIT):
                bad = [
                    move
                    for move in self._control.ends(kind)
                    if move in found.values and not domain.is_bot(found.values[move])
                ]
                if bad:
                    with self._statistics.phase(Phase.REFINEMENT):
                        return self._refine(stepping, graph, found.values, start, bad)
            return Safe(tuple(self._invariants(domain, found.values)))

    def _invariants(
        self, domain: NumPredDom[Any], values: Mapping[Node, Any]
    ) -> Iterator[Invariant]:
        places, predicates = self._cells.places, self._precision.predicates
        for config in self._control.moves:
            if config in self._control.heads and config in values:
                expr = condition(domain.gamma(values[config]), places, predicates)
                yield Invariant(config.location, config.calls, expr)

    # -- refinement -------------------------------------------------------------------------------

    def _refine(
        self,
        domain: Stepping[Any],
        graph: dict[Node, list[tuple[Step, Node]]],
        values: Mapping[Node, Any],
        start: Any,
        bad: list[Move],
    ) -> Verdict | None:
        """Look at paths until one is a violation, or there is something new (None)."""
        self._statistics.refinements += 1
        begin = self._control.start
        reason = ""
        joined = True  # are joins to blame, and no path?
        until = monotonic() + _FOLLOW * min(_FOLLOW_SECONDS, self._budget.left or _FOLLOW_SECONDS)

        def tick() -> bool:
            self._tick()
            return monotonic() < until

        for path in islice(followed(domain, graph, begin, start, bad, tick), _MOST_PATHS):
            joined = False
            found = self._look(path)
            if not isinstance(found, str):
                return found
            reason = reason or found
        if self._more(self._near(graph, bad)):
            return None
        if joined:
            path = backwards(domain, graph, values, begin, bad[0])
            found = self._look(path) if path else f"{bad[0].edge.coord}: no path leads there"
            if not isinstance(found, str):
                return found
            reason = found
        return None if self._better_structure() else Unknown(reason)

    def _near(self, graph: dict[Node, list[tuple[Step, Node]]], bad: list[Move]) -> Iterator[Expr]:
        return tested(distances(graph, bad), self._control)

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
                if self._learn(lesson(self._ground, self._cells, path, core)):
                    return None
                edge = f"{last.edge.coord}: a spurious path has {len(path)} edges"
                return f"{edge}, and nothing new excludes it"
        self._budget.check()
        return found.reason

    def _learn(self, learned: Lesson) -> bool:
        """Numbers first, then predicates; False if all is known."""
        precision = self._precision
        if self._has_numbers:
            new = {n: c for n, c in learned.cells.items() if n not in precision.cells}
            if new:
                self._precision = replace(precision, cells={**precision.cells, **new})
                return True
        return self._more(learned.written, learned.predicates)

    def _more(self, *predicates: Iterable[Expr]) -> bool:
        """A better numeric domain, or else the first of the predicates of which some are new. Once
        a better domain was slow and of no use, it is the other way round."""
        if not self._slow and self._better_numbers():
            return True
        return any(map(self._more_predicates, predicates)) or self._better_numbers()

    def _better_numbers(self) -> bool:
        if not self._related or self._level + 1 == len(self._numbers):
            return False
        self._level += 1
        return True

    def _better_structure(self) -> bool:
        if len(self._structures) == 1:
            return False
        del self._structures[0]
        return True

    def _more_predicates(self, found: Iterable[Expr]) -> bool:
        if not self._has_predicates:
            return False
        new = {}
        for expr in found:
            added = self._table.add(expr)
            if added is not None:
                new[added[0]] = added[1]
                if len(new) == self._most_new:
                    self._most_new = min(2 * self._most_new, _MOST_NEW)
                    break
        known = self._precision.predicates
        self._precision = replace(self._precision, predicates={**known, **new})
        if new and self._level and self._took > _SLOW_ROUND:
            self._slow, self._level = True, 0
        return bool(new)

    # -- around -----------------------------------------------------------------------------------

    def _seconds(self) -> float:
        self._budget.check()
        left = self._budget.left
        return _SECONDS if left is None else max(0.05, min(_SECONDS, left))

    def _tick(self) -> None:
        self._budget.check()
        self._progress("numpred")
