"""The program facts that the abstraction by predicates and numbers uses, live variables among them.

Soundness duty: that of each analysis. To leave out variables that are not live only loses precision
where it does not matter: what is left out is unknown.
"""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.control_flow import ControlFlow
from ...analysis.facts import ProgramFacts
from ...analysis.intervals.analysis import Intervals
from ...analysis.liveness import Liveness
from ...c2bp.abstraction_context import AbstractionContext, abstraction_context
from ...ir.cfa import Location, Program
from ...ir.configuration import Configuration
from ...ir.expr import Var
from ...predicates.single_literal_cubes import SingleLiteralCubes
from ...records import dataclass, replace
from ...smt.solver import Statistics


class LiveVariables:
    """The live scalar variables of all calls under way."""

    def __init__(self, live: Liveness) -> None:
        self._live = live
        self._at: dict[Location, frozenset[Var]] = {}
        self._found: dict[Configuration, frozenset[Var]] = {}

    def __call__(self, configuration: Configuration) -> frozenset[Var]:
        """The scalar variables that are live at the location, and those of the callers that are
        live after their calls."""
        found = self._found.get(configuration)
        if found is None:
            here = configuration.location
            found = frozenset(v for v in self.at(here) if v.function in ("", here.function))
            for call in configuration.calls:
                after = self.at(call.dst)
                found |= {var for var in after if var.function == call.src.function}
            self._found[configuration] = found
        return found

    def at(self, location: Location) -> frozenset[Var]:
        """The scalar variables that are live at a location of a function."""
        known = self._at.get(location)
        if known is None:
            known = self._at[location] = self._live.at(location)
        return known


@dataclass(frozen=True, slots=True)
class NumpredFacts:
    """Storage, aliases, solvers and weakest preconditions (`context`), F for single literals
    (`pairs`), control flow, live variables and interval facts."""

    context: AbstractionContext
    pairs: SingleLiteralCubes
    live: LiveVariables

    @property
    def program(self) -> Program:
        return self.context.program

    @property
    def flow(self) -> ControlFlow:
        return self.context.facts.flow

    @property
    def intervals(self) -> Intervals:
        return self.context.facts.intervals


def numpred_facts(
    facts: ProgramFacts, seconds: Callable[[], float | None], statistics: Statistics
) -> NumpredFacts:
    """The facts of a program, with an abstraction context."""
    here = abstraction_context(facts, {}, 1, seconds, statistics)
    pairs = SingleLiteralCubes(here.logics, seconds)
    return NumpredFacts(replace(here, cubes=pairs), pairs, LiveVariables(facts.liveness))
