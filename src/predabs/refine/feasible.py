"""Is a path feasible: is there a run of the program that follows it?

Soundness duty: `Infeasible` only if no run follows the path, proved by the solver, with edges that
are reason enough; `Feasible` comes with inputs of a run, which a replay has to confirm (the
formulas leave floating-point numbers open). A limit, a solver's 'unknown' and all that the formulas
cannot express are `FeasibilityUnknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TypeAlias

from ..errors import UnsupportedFeature
from ..ir.cfa import Coord, Program
from ..ir.path import Path
from ..records import dataclass
from ..smt import build
from ..smt.cores import minimise
from ..smt.solver import Answer, Sat, Solver, Statistics, Unsat
from ..smt.solvers import create
from ..smt.term import FALSE, TRUE, Term
from ..symbolic.model_inputs import inputs_of
from ..symbolic.state import Guard
from ..symbolic.typed_model import typed_model
from ..symbolic.values import SymbolicLimit
from ..verdict import Input
from .path_execution import PathExecutor

_EDGES_PER_LOOK = 64  # how often the clock is checked


@dataclass(frozen=True, slots=True)
class Feasible:
    """A run with these inputs follows the path."""

    inputs: tuple[Input, ...]


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No run follows the path: the conditions of the edges with these numbers, each seen from the
    start of the path, contradict each other. None of them can be left out, if time was enough."""

    core: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FeasibilityUnknown:
    """No answer, and why."""

    reason: str


Feasibility: TypeAlias = Feasible | Infeasible | FeasibilityUnknown


def check_path(
    program: Program,
    path: Path,
    statistics: Statistics,
    timeout: float | None = None,
    solver: str = "bitwuzla",
) -> Feasibility:
    """Execute the path symbolically from the entry, and ask the solver about its condition."""
    deadline = None if timeout is None else monotonic() + timeout
    limits: list[tuple[Term, str]] = []

    def limit(guard: Guard, cond: Term, reason: str, coord: Coord) -> None:
        limits.append((build.and_(guard.term, cond), f"{coord}: {reason}"))

    executor = PathExecutor(program, limit)
    conditions: list[Term] = [executor.beginning()]
    stop: str | None = None
    for number, edge in enumerate(path.edges):
        if number % _EDGES_PER_LOOK == 0 and _left(deadline, 1.0) <= 0:
            return FeasibilityUnknown("the time limit was reached")
        after = path.edges[number + 1] if number + 1 < len(path) else None
        try:
            condition = executor.follow(edge, after)
        except SymbolicLimit as problem:
            stop = f"{edge.coord}: {problem}"  # what comes before may be a contradiction already
            break
        except UnsupportedFeature as problem:
            stop = str(problem)
            break
        conditions.append(condition)
        if condition is FALSE:
            break
    answer = _decide(create(solver, statistics), conditions, limits, executor, deadline)
    return answer if stop is None or isinstance(answer, Infeasible) else FeasibilityUnknown(stop)


def _decide(
    solver: Solver,
    conditions: Sequence[Term],
    limits: Sequence[tuple[Term, str]],
    executor: PathExecutor,
    deadline: float | None,
) -> Feasibility:
    beginning, *others = conditions
    solver.add(beginning)
    edges: dict[Term, int] = {}
    for number, condition in enumerate(others):
        if condition is not TRUE:
            edges.setdefault(condition, number)
    asked = [FALSE] if FALSE in edges else list(edges)
    answer = minimise(solver, asked, timeout=_limit(deadline))
    match answer:
        case Unsat(core):
            for cond, reason in limits:  # of runs that the conditions leave out
                if not isinstance(solver.check([cond], _limit(deadline)), Unsat):
                    return FeasibilityUnknown(reason)
            return Infeasible(tuple(sorted(edges[term] for term in core)))
        case Sat(model):
            no_doubts = [build.not_(doubt) for doubt in executor.doubts]
            if no_doubts or executor.accesses:

                def ask(more: Sequence[Term]) -> Answer:
                    return solver.check([*asked, *no_doubts, *more], _limit(deadline))

                run = typed_model(ask, executor.accesses, executor.environment)
                if not isinstance(run, Sat):
                    reason = "it depends on which pointers from outside are the same"
                    return FeasibilityUnknown(reason)
                model = run.model
            inputs, _ = inputs_of(model, executor.taken, ())
            return Feasible(inputs)
    return FeasibilityUnknown(
        f"the solver could not decide whether the path is feasible ({answer})"
    )


def _left(deadline: float | None, forever: float) -> float:
    return forever if deadline is None else deadline - monotonic()


def _limit(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - monotonic())
