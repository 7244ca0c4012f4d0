"""An engine that does what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable

from predabs.ir.cfa import Program
from predabs.logic.solver import Statistics
from predabs.options import Budget, Options
from predabs.verdict import Safe, Verdict

Behaviour = Callable[[Program, Budget, Statistics, Callable[[str], None]], Verdict]


def safe(
    program: Program, budget: Budget, statistics: Statistics, progress: Callable[[str], None]
) -> Verdict:
    return Safe()


behaviour: Behaviour = safe


def check(
    program: Program,
    options: Options,
    budget: Budget,
    statistics: Statistics,
    progress: Callable[[str], None],
) -> Verdict:
    return behaviour(program, budget, statistics, progress)
