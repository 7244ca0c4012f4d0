"""Limits of variables at locations, for the choice of terms.

An integer sum needs no term for wrap-around where the analysis of intervals excludes it. Soundness
duty: whenever a run is at a location, the variable lies within the limits; they need not hold in a
state that no run comes to.
"""

from __future__ import annotations

from ..analysis.intervals import intervals
from ..analysis.liveness import Liveness
from ..analysis.modref import ModRef
from ..analysis.partition import Partition
from ..ir.cfa import Location
from ..ir.expr import Var
from .environment import Limits


def limits_of(partition: Partition, effects: ModRef, live: Liveness) -> Limits:
    """The limits of the plain integers of a program, as its interval analysis has them."""
    found = intervals(partition.program, partition, effects, live)

    def limits(location: Location, var: Var) -> tuple[int, int] | None:
        return found.at(location).get(var)

    return limits
