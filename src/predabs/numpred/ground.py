"""What is known about a program before its numbers and predicates are tracked.

Soundness duty: that of each analysis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..analysis.facts import ProgramFacts
from ..analysis.flow import Flow
from ..analysis.intervals import Intervals
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
    alive: Alive

    @property
    def program(self) -> Program:
        return self.context.program

    @property
    def flow(self) -> Flow:
        return self.context.facts.flow

    @property
    def intervals(self) -> Intervals:
        return self.context.facts.intervals


def ground(
    facts: ProgramFacts, seconds: Callable[[], float | None], statistics: Statistics
) -> Ground:
    """What is needed beside the facts of a program."""
    here = context(facts, {}, 1, seconds, statistics)
    pairs = Pairs(here.logics, seconds)
    return Ground(replace(here, cubes=pairs), pairs, Alive(facts.liveness))
