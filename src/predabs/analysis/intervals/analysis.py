"""Interval analysis: bounds for the scalar variables that are numbers at each location.

Flow-sensitive inside functions; between functions all calls are taken together (`fixpoint`).

Soundness duty: in every run, whenever a location is reached, each scalar variable lies in its
interval there; a location without a state is never reached.
"""

from __future__ import annotations

from ...ir.cfa import Location, Program
from ...ir.expr import Expr, Var
from ...ir.types import IntType
from ..liveness import Liveness
from ..memory.partition import Partition
from ..modref import ModRef
from . import interval
from .interval import Interval
from .linear_loops import LinearLoops
from .state import State
from .transfer import Transfer


class Intervals:
    """The result. A state maps variables to intervals (of floating point, see `float_bounds`); what
    is missing may have any value of its type."""

    def __init__(
        self,
        program: Program,
        partition: Partition,
        effects: ModRef,
        live: Liveness,
        wanted: frozenset[Var] | None = None,
    ) -> None:
        transfer = Transfer(program, partition, effects, live, wanted)
        self._bounds = transfer.bounds
        self._empty = transfer.empty
        solved = LinearLoops(program, transfer, effects.calls)
        self._states = solved.states
        self.linear_loops = solved.linear_loops

    def reachable(self, location: Location) -> bool:
        """May a run come to the location?"""
        return location in self._states

    def at(self, location: Location) -> State:
        """The intervals of live variables there; a variable without one may have any value."""
        return self._states.get(location, self._empty)

    def of(self, location: Location, var: Var) -> Interval | None:
        """The interval of an integer variable there."""
        return self.at(location).get(var) if isinstance(var.type, IntType) else None

    def range(self, location: Location, e: Expr) -> Interval | None:
        """The interval of an expression's value at a location; None if it is no integer."""
        return self._bounds.of(e, self.at(location)) if isinstance(e.type, IntType) else None

    def wraps(self, location: Location, e: Expr) -> bool:
        """May the exact result of an integer operator or cast not fit its type?

        Only the outermost operator is meant: its operands are taken with their wrapped values.
        """
        if not isinstance(e.type, IntType):
            return False
        exact = self._bounds.exact(e, self.at(location))
        return exact is None or not interval.inside(exact, interval.of_type(e.type))


def intervals(
    program: Program,
    partition: Partition,
    effects: ModRef,
    live: Liveness,
    wanted: frozenset[Var] | None = None,
) -> Intervals:
    """Find bounds for the scalar integer variables of a program. With `wanted`, the analysis is
    sparse: it looks at these only, and takes it that all others may hold anything."""
    return Intervals(program, partition, effects, live, wanted)
