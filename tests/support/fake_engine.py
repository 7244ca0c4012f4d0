"""An engine that does what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable

from predabs.engines.engine import EngineTask
from predabs.ir.cfa import Program
from predabs.options import Budget
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe, Verdict

Behaviour = Callable[[Program, Budget, EngineStatistics, Callable[[str], None]], Verdict]


def safe(
    program: Program, budget: Budget, statistics: EngineStatistics, progress: Callable[[str], None]
) -> Verdict:
    return Safe()


behaviour: Behaviour = safe


class FakeEngine:
    """Behaves as it was told when it runs."""

    so_far = ""

    def __init__(self, task: EngineTask) -> None:
        self._task = task

    def run(self, budget: Budget) -> Verdict:
        task = self._task
        return behaviour(task.program, budget, task.statistics, task.progress)
