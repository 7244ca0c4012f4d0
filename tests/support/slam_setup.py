"""Searches of the slam engine, with the Boolean program of each round kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from unittest.mock import patch

from predabs.bdd import Function as States
from predabs.boolprog.bebop import Node, Reached, model_from, reach
from predabs.boolprog.limits import CheckLimits
from predabs.c2bp.boolean_graphs import BooleanGraphBuilder, BooleanGraphs
from predabs.c2bp.boolean_variables import Boolean
from predabs.c2bp.lemmas import Lemmas
from predabs.c2bp.program import ProgramPredicates
from predabs.engines.concrete_runs import FirstRuns
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.ir.cfa import Edge, Function, Program
from predabs.ir.expr import Binary, Cast, Const, Expr, Op
from predabs.ir.result_variables import with_results
from predabs.ir.show import show_expr
from predabs.ir.types import IntType, PointerType
from predabs.ir.walk import subterms
from predabs.options import Budget, Options
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe, Unknown, Verdict
from support.c2bp_runs import Follower
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import checked


@dataclass(frozen=True)
class Made:
    """What a round has checked."""

    predicates: ProgramPredicates
    flat: BooleanGraphs
    lemmas: int


@dataclass
class Searched:
    """A search that has ended; `program` is the one that it has looked at."""

    program: Program
    verdict: Verdict
    statistics: EngineStatistics
    rounds: list[Made] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return type(self.verdict).__name__

    @property
    def found(self) -> list[str]:
        """The lines of the predicates files of all rounds."""
        return [line for item in self.statistics.rounds for line in item.new]


def searched(subject: Program | str, seconds: float = LONG, *, samples: bool = False) -> Searched:
    """Let the engine decide a program; without `samples`, it must find bugs by itself."""
    program = program_of_c(subject) if isinstance(subject, str) else subject
    statistics = EngineStatistics()
    rounds: list[Made] = []
    with _watched(rounds), _alone(samples), counted_time():
        try:
            verdict = checked("slam", program, Options(), Budget.of(seconds), statistics)
        except (ResourceExhausted, UnsupportedFeature) as problem:
            verdict = Unknown(str(problem))
    return Searched(with_results(program), verdict, statistics, rounds)


@contextmanager
def _watched(rounds: list[Made]) -> Iterator[None]:
    make = BooleanGraphBuilder.build

    def watched(
        self: BooleanGraphBuilder, predicates: ProgramPredicates, lemmas: Lemmas
    ) -> BooleanGraphs:
        flat = make(self, predicates, lemmas)
        rounds.append(Made(predicates, flat, len(lemmas)))
        return flat

    with patch.object(BooleanGraphBuilder, "build", watched):
        yield


@contextmanager
def _alone(samples: bool) -> Iterator[None]:
    if samples:
        yield
        return
    with patch.object(FirstRuns, "bug", lambda *_: None):
        yield


def states(flat: BooleanGraphs) -> Reached:
    """All that the Boolean program reaches; a location has the label that `Follower` looks for."""
    graphs = {
        name: replace(
            graph,
            locations=tuple(
                replace(place, labels=(f"L{place.text.rpartition(':')[2]}",))
                for place in graph.locations
            ),
        )
        for name, graph in flat.graphs.items()
    }
    limits = CheckLimits()
    return reach(model_from(flat.program, graphs, flat.root, limits, see_all=True), limits)


class _Beside(Follower):
    """A run that leaves out what depends on the numbers that addresses are: it has others."""

    def _held(self, booleans: list[Boolean]) -> Mapping[str, bool]:
        return super()._held([boolean for boolean in booleans if not _is_of_numbers(boolean.expr)])


def _is_of_numbers(predicate: Expr) -> bool:
    for term in subterms(predicate):
        match term:
            case Const(value, PointerType()) if value:
                return True
            case Cast(arg, IntType()) if isinstance(arg.type, PointerType):
                return True
            case Binary(Op.LT | Op.LE, left, _, _) if isinstance(left.type, PointerType):
                return True
    return False


def follow(program: Program, made: Made, runs: int = 6, steps: int = 150) -> int:
    """Hold runs of the C program against a round; gives how many states were looked up."""
    reached = states(made.flat)
    known: dict[Node, States] = {}
    visits = 0
    for seed in range(runs):
        follower = _Beside(program, made.predicates, reached, known, seed)
        follower.run(steps)
        visits += follower.visits
    return visits


class _Holding(Follower):
    """A run that evaluates the invariants of a proof where it comes to their locations."""

    def __init__(self, found: Searched, seed: int) -> None:
        assert isinstance(found.verdict, Safe)
        self.invariants = {item.location: item.expr for item in found.verdict.invariants}
        last = found.rounds[-1]
        super().__init__(found.program, last.predicates, states(last.flat), {}, seed)

    def _compare(self, function: Function, edge: Edge) -> None:
        expr = self.invariants.get(edge.src)
        if expr is not None:
            self.visits += 1
            assert self.value(expr), f"{edge.coord}: {show_expr(expr)}"


def hold_invariants(found: Searched, runs: int = 4, steps: int = 100) -> int:
    """Hold the invariants of a proof against runs; gives how often they were evaluated."""
    visits = 0
    for seed in range(runs):
        machine = _Holding(found, seed)
        machine.run(steps)
        visits += machine.visits
    return visits
