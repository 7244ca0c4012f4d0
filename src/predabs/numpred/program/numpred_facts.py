"""What is known about a program before its numbers and predicates are tracked.

Soundness duty: that of each analysis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...analysis.control_flow import ControlFlow
from ...analysis.facts import ProgramFacts
from ...analysis.intervals.analysis import Intervals
from ...c2bp.abstraction_context import AbstractionContext, abstraction_context
from ...ir.cfa import Program
from ...predicates.single_literal_cubes import SingleLiteralCubes
from ...smt.solver import Statistics
from .live_variables import Alive


@dataclass(frozen=True, slots=True)
class NumpredFacts:
    """Storage, aliases, solvers and weakest preconditions (`context`), F for single literals
    (`pairs`), where runs go, what is live, and within which intervals."""

    context: AbstractionContext
    pairs: SingleLiteralCubes
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
    here = abstraction_context(facts, {}, 1, seconds, statistics)
    pairs = SingleLiteralCubes(here.logics, seconds)
    return NumpredFacts(replace(here, cubes=pairs), pairs, Alive(facts.liveness))
