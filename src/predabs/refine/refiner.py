"""An abstract path to an error: is it feasible, and if not, what is its pivot, and which predicates
exclude it?

Backwards from the error, the formulas of the blocks are conjoined, and at each node the solver is
asked whether a state of its region can still reach the error. The first node where none can is the
pivot [HJMS02, section 4.2]. Then, until the blocks from the pivot on are excluded: take a path
through them that the abstraction allows, and let the interpolators find predicates that exclude it.

Soundness duty: `FeasiblePath` only if the solver has a model of the whole path; the caller replays
it. Progress: a path that comes again is given to the next interpolator, until none is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..bdd import Function
from ..encode.block_sequences import block_sequence
from ..encode.blocks import Blocks, Exit, execute
from ..encode.environment import Environment
from ..encode.integer_encoding import NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir.configuration import Configuration, Transition
from ..ir.expr import Expr
from ..predicates.post import AbstractPost
from ..predicates.precision import Precision
from ..predicates.table import PredicateTable
from ..records import dataclass, field
from ..smt.cores import minimise
from ..smt.evaluate import TermEvaluator
from ..smt.solver import Sat, Solver, Statistics, Unsat
from ..smt.term import TRUE, Term
from .interpolators.interpolation_problem import (
    InterpolationProblem,
    Interpolator,
    fact_index,
    facts_at,
)

_ROUNDS = 60  # paths through one sequence of blocks


@dataclass(frozen=True, slots=True)
class FeasiblePath:
    """The solver has a model of these transitions, to the error or to a limit."""

    transitions: tuple[Transition, ...]


@dataclass(frozen=True, slots=True)
class PivotRefinement:
    """The path is excluded, if these predicates are tracked below the node with this number; none
    are needed if the abstraction itself became sharper."""

    pivot: int
    predicates: tuple[tuple[Configuration, int], ...]


@dataclass(frozen=True, slots=True)
class NoRefinement:
    """No predicates were found, and why."""

    reason: str


PathOutcome: TypeAlias = FeasiblePath | PivotRefinement | NoRefinement


@dataclass(slots=True)
class PathRefiner:
    """Refines for abstract paths; `interpolators` in the order in which they are asked."""

    blocks: Blocks
    predicates: PredicateTable
    post: AbstractPost
    precision: Precision
    interpolators: Sequence[Interpolator]
    solver: Solver
    statistics: Statistics
    seconds: Callable[[], float]  # how long one solver call may take; raises when time is over
    tally: dict[str, int] = field(default_factory=dict)  # predicates by interpolator
    watch: Callable[[InterpolationProblem, str], None] | None = None  # told who has found some

    def refine(self, regions: Sequence[Function], exits: Sequence[Exit]) -> PathOutcome:
        """`regions[i]` is that of the node from which `exits[i]` leads on; the last exit is an
        error or a limit."""
        used = self.predicates.manager
        observed = self.predicates.observed(n for r in regions for n in used.support(r))
        whole = block_sequence(self.blocks.formulas, exits, observed)
        solver = self.solver.fresh()
        pivot = -1
        model = None
        for number in range(len(exits) - 1, -1, -1):
            solver.add(whole.parts[number])
            assumed = self._region(regions[number], whole.cuts[number])
            answer = solver.check([assumed], self.seconds())
            if isinstance(answer, Unsat):
                pivot = number
                break
            if number == 0 and isinstance(answer, Sat):
                model = answer.model
            del answer  # a model that is alive when the solver is asked on is read as a whole
        if pivot < 0:
            if model is None:
                return NoRefinement("the solver could not decide whether a path is feasible")
            return FeasiblePath(whole.transitions(exits, TermEvaluator(model)))
        rest = _Suffix(self, regions[pivot], tuple(exits[pivot:]))
        outcome = rest.exclude()
        if isinstance(outcome, NoRefinement):
            return outcome
        return PivotRefinement(pivot, outcome)

    def _region(self, region: Function, environment: Environment) -> Term:
        return self.predicates.region_term(
            region, lambda number: self.predicates.after(number, environment)
        )


class _Suffix:
    """The blocks of a path from the pivot on, while they are being excluded."""

    def __init__(self, refiner: PathRefiner, region: Function, exits: tuple[Exit, ...]) -> None:
        self._refiner = refiner
        self._region = region
        self._exits = exits
        self._extra: dict[Configuration, dict[int, None]] = {}
        self._tries: dict[tuple[Transition, ...], int] = {}

    def exclude(self) -> tuple[tuple[Configuration, int], ...] | NoRefinement:
        for _ in range(_ROUNDS):
            regions = self._regions()
            if regions is None:
                return self._found()
            transitions = self._path(regions)
            if transitions is None:
                continue  # the abstraction became more precise
            if isinstance(transitions, NoRefinement):
                return transitions
            whole = tuple(transition for part in transitions for transition in part)
            number = self._tries.get(whole, 0)
            problem = self._problem(transitions)
            if isinstance(problem, NoRefinement):
                return problem
            asked = self._ask(problem, number)
            if asked is None:
                return NoRefinement(self._no_predicates(whole))
            self._tries[whole] = asked + 1
        return NoRefinement("too many paths through the same blocks need predicates of their own")

    def _no_predicates(self, transitions: tuple[Transition, ...]) -> str:
        return (
            f"{transitions[-1].edge.coord}: no predicates were found that exclude a spurious path"
        )

    def _found(self) -> tuple[tuple[Configuration, int], ...]:
        return tuple(
            (configuration, n) for configuration, numbers in self._extra.items() for n in numbers
        )

    def _wanted(self, configuration: Configuration) -> frozenset[int]:
        here = self._refiner.precision.at(configuration.location)
        return here | frozenset(self._extra.get(configuration, ()))

    def _regions(self) -> list[Function] | None:
        """The regions along the blocks, with the predicates found so far; None if they exclude
        the error."""
        post = self._refiner.post
        region, regions = self._region, [self._region]
        for exit_ in self._exits[:-1]:
            assert exit_.target is not None
            region = post.image(exit_, region, self._wanted(exit_.target))
            if not region.satisfiable():
                return None
            regions.append(region)
        if isinstance(post.reaches(self._exits[-1], region), Unsat):
            return None
        return regions

    def _path(
        self, regions: Sequence[Function]
    ) -> list[tuple[Transition, ...]] | NoRefinement | None:
        """A path through the blocks that the abstraction allows, from the error backwards; None if
        there is none, because images had been too large."""
        post = self._refiner.post
        end: dict[int, bool] = {}
        parts: list[tuple[Transition, ...]] = []
        for number in range(len(self._exits) - 1, -1, -1):
            exit_ = self._exits[number]
            watched = self._wanted(exit_.block.start) if number else frozenset[int]()
            answer, before = post.passes(exit_, regions[number], end, watched)
            if isinstance(answer, Unsat):
                if post.sharpen(exit_):
                    return None
                return NoRefinement("an image has too many combinations of predicates")
            if not isinstance(answer, Sat):
                return NoRefinement("the solver could not decide whether a block can be passed")
            parts.append(exit_.block.path(exit_, TermEvaluator(answer.model).holds))
            end = before
        parts.reverse()
        return parts

    def _problem(
        self, transitions: list[tuple[Transition, ...]]
    ) -> InterpolationProblem | NoRefinement:
        """The path with its core: the transitions whose conditions contradict the region."""
        refiner = self._refiner
        formulas = refiner.blocks.formulas
        environment = self._exits[0].block.before
        region = refiner.predicates.region_term(
            self._region, lambda n: refiner.predicates.after(n, environment)
        )
        observed = refiner.predicates.observed(refiner.predicates.manager.support(self._region))
        guards: dict[Term, tuple[int, int]] = {}
        for block, part in enumerate(transitions):
            facts = facts_at(refiner.blocks, self._exits, block, environment, observed)
            for number, fact in enumerate(facts):
                if fact is not TRUE:
                    guards.setdefault(fact, (block, fact_index(number)))
            for number, transition in enumerate(part):
                guard, environment, _ = execute(formulas, transition, environment)
                if guard is not TRUE:
                    guards.setdefault(guard, (block, number))
        solver = refiner.solver.fresh()
        for fact in formulas.facts([region, *guards]):
            solver.add(fact)
        solver.add(region)
        answer = minimise(solver, list(guards), timeout=refiner.seconds())
        if not isinstance(answer, Unsat):
            return NoRefinement("the solver could not say why a path is infeasible")
        core = frozenset(guards[term] for term in answer.core)
        return InterpolationProblem(
            refiner.blocks,
            self._exits,
            region,
            tuple(transitions),
            core,
            observed,
            refiner.statistics,
        )

    def _ask(self, problem: InterpolationProblem, first: int) -> int | None:
        """Let an interpolator find a new predicate; its index."""
        for number in range(first, len(self._refiner.interpolators)):
            interpolator = self._refiner.interpolators[number]
            try:
                found = interpolator.find(problem, self._refiner.seconds())
            except (UnsupportedFeature, NeedsBitVectors):
                continue
            new = 0
            for configuration, predicate in found.predicates if found is not None else ():
                new += self._add(configuration, predicate)
            if new:
                tally = self._refiner.tally
                tally[interpolator.name] = tally.get(interpolator.name, 0) + new
                if self._refiner.watch is not None:
                    self._refiner.watch(problem, interpolator.name)
                return number
        return None

    def _add(self, configuration: Configuration, predicate: Expr) -> bool:
        try:
            number = self._refiner.predicates.number(predicate)
        except UnsupportedFeature:
            return False
        if number is None or number in self._wanted(configuration):
            return False
        self._extra.setdefault(configuration, {})[number] = None
        return True
