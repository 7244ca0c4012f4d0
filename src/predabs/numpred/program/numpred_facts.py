"""What is known about a program before its numbers and predicates are tracked.

Soundness duty: that of each analysis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...analysis.control_flow import ControlFlow
from ...analysis.facts import ProgramFacts
from ...analysis.intervals.analysis import Intervals
from ...c2bp.abstraction_context import AbstractionContext, context
from ...ir.cfa import Program
from ...predicates.single_literal_cubes import Pairs
from ...smt.solver import Statistics
from .live_variables import Alive


@dataclass(frozen=True, slots=True)
class NumpredFacts:
    """Storage, aliases, solvers and weakest preconditions (`context`), F for single literals
    (`pairs`), where runs go, what is live, and within which intervals."""

    context: AbstractionContext
    pairs: Pairs
    alive: Alive

    @property
    def program(self) -> Program:
        return self.context.program

    @property
    def flow(self) -> ControlFlow:
        return self.context.facts.flow

    @property
    def intervals(self) -> Intervals:
        return self.context.facts.intervals


def ground(
    facts: ProgramFacts, seconds: Callable[[], float | None], statistics: Statistics
) -> NumpredFacts:
    """What is needed beside the facts of a program."""
    here = context(facts, {}, 1, seconds, statistics)
    pairs = Pairs(here.logics, seconds)
    return NumpredFacts(replace(here, cubes=pairs), pairs, Alive(facts.liveness))
