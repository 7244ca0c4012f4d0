"""The counters of several engines: as values of the result, and in words."""

from __future__ import annotations

from ..statistics import EngineStatistics
from .engine_work import engine_work, solver_use
from .result import EngineUse


def engine_uses(
    statistics: EngineStatistics, total: EngineStatistics, engine: str
) -> tuple[EngineUse, ...]:
    """The counters of each engine; all are one engine's, if there are no time slices."""
    parts = {name: used.total() for name, used in statistics.engines.items()}
    return tuple(
        EngineUse(name, solver_use(used), engine_work(used))
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
