"""The explicit engine [BL13]: states of machines told apart by values, with refinement.

It begins with no variable followed. A path to an error that the values of all variables exclude
says which of them have to be followed; one that they do not exclude is checked in the exact
semantics. If an earlier check has had a proof, it begins with what was followed there.

Soundness duty: `Safe` only if an exploration meets no error and no limit; `Unsafe` only with inputs
for a path that the exact semantics allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...ir.cfa import Edge
from ...ir.configuration import Transition, TransitionKind
from ...ir.expr import Var
from ...ir.ops import Assume
from ...ir.path import Path
from ...ir.types import IntType
from ...options import Budget
from ...statistics import Phase
from ...verdict import Method, Proof, ProofPrecision, Safe, Unknown, Unsafe, Verdict
from ..cegar import ErrorPath, PathCheck
from ..engine import Clock, EngineTask
from .array_cells import ArrayCells
from .exploration import Diverges, Exploration
from .invariants import invariants_of
from .refinement import open_cells, reasons
from .roles import Roles
from .small_inputs import Alternatives, Split
from .steps import StepMaker

NAME = "explicit"
_MANY_STATES = 300  # of one exploration; then a path has to teach more than one thing


class ExplicitEngine:
    """When time is over, the states that were found are kept."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._clock = Clock()
        self._followed: dict[Var, None] = {}
        self._kept: dict[Edge, None] = {}
        self._splits: dict[Edge, Split | Alternatives] = {}  # of conditions with a few cases
        self._counters: dict[Var, None] = {}  # of which only differences are followed
        self._given_up: dict[Var, None] = {}
        self._exact = False
        self._roles: Roles | None = None
        self._cells: ArrayCells | None = None
        self._exploration: Exploration | None = None
        self._check = PathCheck(task.program, task.statistics, self._clock)
        if task.learned is not None and task.learned.prover == NAME:
            self._begin_with(task.learned.precision)

    @property
    def so_far(self) -> str:
        statistics = self._task.statistics
        return (
            f"no proof yet with {len(self._followed)} variables, {statistics.nodes} states"
            f" and {statistics.refinements} refinements"
        )

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict."""
        self._clock.budget = budget
        statistics = self._task.statistics
        while True:
            with statistics.phase(Phase.ABSTRACTION):
                if self._exploration is None:
                    followed = [var for var in self._followed if var not in self._given_up]
                    self._exploration = Exploration(
                        self._task.facts,
                        self._array_cells,
                        followed,
                        self._kept,
                        self._splits,
                        None if self._exact else self._counters,
                        self._tick,
                    )
                try:
                    path = self._exploration.run()
                except Diverges as problem:
                    self._generalise(problem.counters)
                    continue
            statistics.nodes = len(self._exploration.parents)
            if path is None:
                found = invariants_of(
                    self._task.facts.partition,
                    self._array_cells,
                    self._exploration.at_heads(),
                )
                proof = Proof(NAME, Method.INVARIANTS, "", whole=False)
                return Safe(found, proof, precision=self._tracked)
            statistics.refinements += 1
            with statistics.phase(Phase.REFINEMENT):
                verdict = self._refine(path)
            if verdict is not None:
                return verdict
            self._exploration = None

    def _begin_with(self, precision: ProofPrecision | None) -> None:
        """Follow what was followed in an earlier proof. Whatever it names, an exploration with it
        is as sound as any other."""
        if precision is None:
            return
        own = frozenset(self._task.facts.modref.variables)
        self._followed.update((var, None) for var in precision.storage if var in own)
        for where, cond in precision.predicates:
            function = self._task.program.functions[where.function]
            self._kept.update(
                (edge, None)
                for edge in function.outgoing[where]
                if isinstance(edge.op, Assume) and edge.op.cond is cond
            )
        self._task.statistics.predicates_total = len(self._followed)

    @property
    def _tracked(self) -> ProofPrecision:
        """What was followed, and the conditions that were kept."""
        followed = (var for var in self._followed if var not in self._given_up)
        kept = ((edge.src, edge.op.cond) for edge in self._kept if isinstance(edge.op, Assume))
        return ProofPrecision(tuple(kept), storage=tuple(followed))

    def _generalise(self, counters: Iterable[Var]) -> None:
        """Follow only the differences of counters to each other; or if that was not enough, not at
        all."""
        for var in counters:
            (self._given_up if var in self._counters else self._counters)[var] = None
        self._exploration = None

    def _refine(self, path: tuple[Transition, ...]) -> Verdict | None:
        """Exclude the path; or the verdict, if a run follows it or nothing excludes it."""
        facts, cells = self._task.facts, self._array_cells
        variables = [var for var in facts.modref.variables if isinstance(var.type, IntType)]
        several = self._task.statistics.nodes > _MANY_STATES
        few: dict[Edge, Split | Alternatives] = {}
        found = reasons(facts, cells, variables, path, several, few)
        if found is None:
            last = path[-1]
            edges = tuple(transition.edge for transition in path)
            error = ErrorPath(Path(edges), last.text, last.kind is TransitionKind.LIMIT)
            verdict = self._check(error)
            if isinstance(verdict, Unsafe | Unknown):
                return verdict
            found = frozenset(one for one in open_cells(cells, path) if one not in self._followed)
            few = {edge: split for edge, split in few.items() if edge not in self._splits}
            if few and not found:
                self._splits.update(few)
                self._kept.update(dict.fromkeys(few))
                return None
            if not found:
                return Unknown("the values of variables do not exclude a path to the error")
        new = [one for one in found if one not in self._followed and one not in self._kept]
        if not new and not self._counters:
            return Unknown("values that were forgotten would be needed")
        if not new:  # counters have to be followed as they are, whatever that takes
            self._exact = True
            self._counters.clear()
            self._given_up.clear()
        variables_new = sorted((one for one in new if isinstance(one, Var)), key=lambda v: v.name)
        self._followed.update(dict.fromkeys((*variables_new, *cells.alike(variables_new))))
        if several:
            self._followed.update(dict.fromkeys(self._alike(variables_new)))
        self._kept.update((one, None) for one in new if isinstance(one, Edge))
        self._task.statistics.predicates_total = len(self._followed)
        return None

    @property
    def _array_cells(self) -> ArrayCells:
        if self._cells is None:
            self._cells = ArrayCells(self._task.facts)
        return self._cells

    def _alike(self, variables: Iterable[Var]) -> Iterator[Var]:
        """Variables with the same roles."""
        facts = self._task.facts
        if self._roles is None:
            maker = StepMaker(
                facts, self._array_cells, lambda var: isinstance(var.type, IntType), ()
            )
            self._roles = Roles(facts.program, maker.places.variable)
        return self._roles.alike(variables)

    def _tick(self) -> None:
        self._clock.budget.check()
        if self._exploration is not None:
            self._task.statistics.nodes = len(self._exploration.parents)
        self._task.progress(NAME)
