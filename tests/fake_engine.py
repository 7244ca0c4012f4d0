"""An engine that does what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable

from predabs.ir.cfa import Program
from predabs.options import Budget, Options
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe, Verdict

Behaviour = Callable[[Program, Budget, EngineStatistics, Callable[[str], None]], Verdict]


def safe(
    program: Program, budget: Budget, statistics: EngineStatistics, progress: Callable[[str], None]
) -> Verdict:
    return Safe()


behaviour: Behaviour = safe


def check(
    program: Program,
    options: Options,
    budget: Budget,
    statistics: EngineStatistics,
    progress: Callable[[str], None],
) -> Verdict:
    return behaviour(program, budget, statistics, progress)
