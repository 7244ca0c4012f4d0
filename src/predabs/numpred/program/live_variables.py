"""Which variables matter at a control point: those whose values a run may still use.

What is said about any other only makes values larger and tells states apart for nothing.
Soundness duty: none; whatever is left out is unknown.
"""

from __future__ import annotations

from ...analysis.liveness import Liveness
from ...ir.cfa import Location
from ...ir.configuration import Configuration
from ...ir.expr import Var


class Alive:
    """Liveness of the variables of all calls under way."""

    def __init__(self, live: Liveness) -> None:
        self._live = live
        self._at: dict[Location, frozenset[Var]] = {}
        self._found: dict[Configuration, frozenset[Var]] = {}

    def __call__(self, configuration: Configuration) -> frozenset[Var]:
        """The plain variables that are live where the run is, and those of the callers that are
        live where they will go on."""
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
        """The plain variables that are live at a location of a function."""
        known = self._at.get(location)
        if known is None:
            known = self._at[location] = self._live.at(location)
        return known
