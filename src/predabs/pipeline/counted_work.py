"""The counters of the engines as plain values of a result."""

from __future__ import annotations

from ..statistics import EngineStatistics, Phase
from .result import EngineUse, OperationUse, SolverUse, Work


def solver_use(statistics: EngineStatistics) -> SolverUse:
    used = statistics.solver
    return SolverUse(used.calls, used.cached, used.seconds)


def work(statistics: EngineStatistics) -> Work:
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
        tuple(statistics.obstacles),
    )


def engine_uses(
    statistics: EngineStatistics, total: EngineStatistics, engine: str
) -> tuple[EngineUse, ...]:
    """The counters of each engine; all are one engine's, if there are no time slices."""
    parts = {name: used.total() for name, used in statistics.engines.items()}
    return tuple(
        EngineUse(name, solver_use(used), work(used))
        for name, used in (parts or {engine: total}).items()
    )


def counts(statistics: EngineStatistics) -> str:
    """How far an engine with a tree is, in words; nothing for the others."""
    if not statistics.nodes:
        return ""
    phase = statistics.phase_now
    return (
        f"{f': {phase.value}' if phase else ''}, round {statistics.refinements + 1}, "
        f"{statistics.nodes} nodes, {statistics.predicates_total} predicates"
    )
