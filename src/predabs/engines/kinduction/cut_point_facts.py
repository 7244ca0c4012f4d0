"""Facts that were proved, as conditions at cut points that an unrolling can be strengthened with.

Soundness duty: a condition is there only at configurations where its fact holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...encode.backward_unrolling import CutPointFact
from ...encode.entry_conditions import entry_condition
from ...encode.environment import Formulas
from ...ir.cfa import Location
from ...ir.configuration import Configuration
from ...smt.term import BOOL, TRUE, Symbol
from ...verdict import Invariant


class CutPointFacts:
    """The facts at the cut points of one graph of blocks, and what each switch stands for."""

    def __init__(
        self, formulas: Formulas, cut_points: Iterable[Configuration], facts: Iterable[Invariant]
    ) -> None:
        self._formulas = formulas
        self.at: dict[Configuration, list[CutPointFact]] = {}
        self.meanings: dict[Symbol, Invariant] = {}
        places = _places(cut_points, formulas.partition.program.entry)
        for fact in facts:
            for configuration in places.get((fact.location, fact.stack), ()):
                self._add(configuration, fact)

    def _add(self, configuration: Configuration, fact: Invariant) -> None:
        condition = entry_condition(self._formulas, fact.expr)
        if condition is None or condition.term is TRUE:
            return
        switch = Symbol(f"fact~{len(self.meanings)}", BOOL)
        self.meanings[switch] = fact
        self.at.setdefault(configuration, []).append(CutPointFact(switch, condition))


def _places(
    cut_points: Iterable[Configuration], entry: str
) -> Mapping[tuple[Location, tuple[object, ...]], list[Configuration]]:
    """The cut points by location and calls; those of other functions than the entry without calls
    too: what is said there holds whatever the calls are."""
    found: dict[tuple[Location, tuple[object, ...]], list[Configuration]] = {}
    for configuration in cut_points:
        location = configuration.location
        found.setdefault((location, configuration.calls), []).append(configuration)
        if configuration.calls and location.function != entry:
            found.setdefault((location, ()), []).append(configuration)
    return found
