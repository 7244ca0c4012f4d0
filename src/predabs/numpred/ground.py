"""What is known about a program before its numbers and predicates are tracked.

Soundness duty: that of each analysis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..analysis.flow import Flow
from ..analysis.intervals import Intervals, intervals
from ..analysis.liveness import liveness
from ..c2bp.context import Context, context
from ..ir.cfa import Program
from ..logic.solver import Statistics
from ..predicates.pairs import Pairs
from .alive import Alive


@dataclass(frozen=True, slots=True)
class Ground:
    """Storage, aliases, solvers and weakest preconditions (`context`), F for single literals
    (`pairs`), where runs go, what is live, and within which intervals."""

    context: Context
    pairs: Pairs
    flow: Flow
    alive: Alive
    intervals: Intervals

    @property
    def program(self) -> Program:
        return self.context.program


def ground(program: Program, seconds: Callable[[], float | None], statistics: Statistics) -> Ground:
    """Analyse a program."""
    here = context(program, {}, 1, seconds, statistics)
    pairs = Pairs(here.logics, seconds)
    here = replace(here, cubes=pairs)
    split = here.partition
    live = liveness(program, here.effects)
    found = intervals(program, split, here.effects, live)
    return Ground(here, pairs, Flow(program, split.points_to), Alive(live), found)
