"""Live local variables of one function, by itself: no points-to facts are needed.

Soundness duty: a variable that is not live at a location is not read by the operations of its
function before it is written; what is read through its address is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.cfa import Edge, Function, Location
from ..ir.def_use import op_target, op_values
from ..ir.expr import Var
from ..ir.order import location_graph, reverse_postorder
from ..ir.walk import variables


class LocalLiveness:
    """The live variables at each location of a function."""

    def __init__(self, function: Function) -> None:
        edges = function.edges
        own = {edge: frozenset(var for var in _read(edge) if var.function) for edge in edges}
        live: dict[Location, frozenset[Var]] = {}
        order = reverse_postorder(location_graph(function), function.entry)[::-1]
        waiting = dict.fromkeys(order)
        while waiting:
            location = next(iter(waiting))
            del waiting[location]
            found: frozenset[Var] = frozenset()
            for edge in function.outgoing[location]:
                target = op_target(edge.op)
                after = live.get(edge.dst, frozenset())
                found |= own[edge] | (after - {target} if isinstance(target, Var) else after)
            if found != live.get(location):
                live[location] = found
                waiting.update((edge.src, None) for edge in function.incoming[location])
        self._live = live

    def at(self, location: Location) -> frozenset[Var]:
        """The variables whose value may be read from there on, in this function."""
        return self._live.get(location, frozenset())


def _read(edge: Edge) -> Iterator[Var]:
    target = op_target(edge.op)
    for value in op_values(edge.op):
        yield from variables(value)
    if target is not None and not isinstance(target, Var):
        yield from variables(target)
