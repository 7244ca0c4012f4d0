"""The counters of a check, or of one engine in it, as plain values of the result."""

from __future__ import annotations

from ..statistics import EngineStatistics, Phase
from .result import OperationUse, SolverUse, Work


def solver_use(statistics: EngineStatistics) -> SolverUse:
    used = statistics.solver
    return SolverUse(used.calls, used.cached, used.seconds)


def engine_work(statistics: EngineStatistics) -> Work:
    """The counters of a check, or of one engine in it."""
    seconds = statistics.seconds
    return Work(
        statistics.predicates_total,
        statistics.predicates_active,
        statistics.nodes,
        statistics.refinements,
        statistics.abstractions,
        statistics.abstractions_cached,
        tuple((phase.value, seconds[phase]) for phase in Phase if phase in seconds),
        (
            ("solver", statistics.solver.seconds),
            ("bdd", seconds.get(Phase.BDD, 0.0)),
            ("clang", seconds.get(Phase.CLANG, 0.0)),
        ),
        tuple(statistics.rounds),
        tuple(
            OperationUse(operation.value, calls, statistics.operations.seconds.get(operation, 0.0))
            for operation, calls in statistics.operations.calls.items()
        ),
    )
