"""Live variables: the scalar variables whose present value a run may still use.

Soundness duty: if the value of a scalar variable at a location can influence any later step of a
run, the variable is live there. A function's globals live on in its callers; all calls of one
function are taken together.
"""

from __future__ import annotations

from heapq import heappop, heappush

from ..ir.cfa import Edge, Location, Program
from ..ir.expr import Var
from ..ir.ops import Call
from ..ir.order import location_graph, reverse_postorder, strong_components
from .modref import ModRef, ones


class Liveness:
    """The result; sets of variables are kept as bits of numbers."""

    def __init__(self, program: Program, effects: ModRef) -> None:
        self._program = program
        self._called = effects.calls
        self._variables = effects.variables
        self._known = frozenset(effects.variables)
        self._globals = effects.globals
        self._live: dict[Location, int] = {}
        edges = [edge for function in program.functions.values() for edge in function.edges]
        own = {edge: effects.slots.effects(edge) for edge in edges}
        self._uses = {edge: effects.mask(own[edge].reads) for edge in edges}
        self._kills = {edge: effects.mask(own[edge].kills) for edge in edges}
        self._calls = {edge: effects.callees(edge) for edge in edges if isinstance(edge.op, Call)}
        # what is live after a call and in its callees too; the rest is live before the call itself
        self._passed = {edge: self._globals & ~self._kills[edge] for edge in self._calls}
        for edge, callees in self._calls.items():
            if callees and not effects.may_leave(edge):
                self._kills[edge] |= self._globals  # those that survive are live at the entries
        self._solve()

    def _order(self) -> list[Location]:
        """Callees before their callers, and in a function the last locations first: an order in
        which most locations come after those that they depend on."""
        functions = self._program.functions
        order: list[Location] = []
        for name in (name for group in strong_components(self._called) for name in group):
            function = functions[name]
            order += reversed(reverse_postorder(location_graph(function), function.entry))
        return order

    def _solve(self) -> None:
        """Look at all locations, and at each again when something that it depends on has
        changed."""
        functions, live = self._program.functions, self._live
        callers: dict[Location, list[Location]] = {}  # by the callee's entry
        for edge, callees in self._calls.items():
            for callee in callees:
                callers.setdefault(functions[callee].entry, []).append(edge.src)
        order = self._order()
        ranks = {location: rank for rank, location in enumerate(order)}
        waiting = list(range(len(order)))
        waits = set(waiting)
        while waiting:
            rank = heappop(waiting)
            waits.discard(rank)
            location = order[rank]
            bits = self._at(location)
            if bits == live.get(location, 0):
                continue
            live[location] = bits
            again: list[Location] = []
            changed = [location]
            while changed:
                here = changed.pop()
                again += callers.get(here, ())
                for edge in functions[here.function].incoming[here]:
                    again.append(edge.src)
                    if edge in self._calls:
                        changed += self._to_exits(edge)
            for source in again:
                number = ranks.get(source)
                if number is not None and number not in waits:
                    waits.add(number)
                    heappush(waiting, number)

    def _at(self, location: Location) -> int:
        """What is live at a location, as far as it is known what is live after it."""
        functions, live = self._program.functions, self._live
        bits = live.get(location, 0)
        for edge in functions[location.function].outgoing[location]:
            bits |= live.get(edge.dst, 0) & ~self._kills[edge] | self._uses[edge]
            for callee in self._calls.get(edge, ()):
                bits |= live.get(functions[callee].entry, 0) & self._globals
        return bits

    def _to_exits(self, call: Edge) -> list[Location]:
        """What is live after a call is live at its callees' exits; those that have changed."""
        passed = self._live.get(call.dst, 0) & self._passed[call]
        changed = []
        for callee in self._calls[call]:
            exit_ = self._program.functions[callee].exit
            old = self._live.get(exit_, 0)
            if passed & ~old:
                self._live[exit_] = old | passed
                changed.append(exit_)
        return changed

    def at(self, location: Location) -> frozenset[Var]:
        """The scalar variables that are live at the location."""
        return frozenset(self._variables[number] for number in ones(self.bits(location)))

    def knows(self, var: Var) -> bool:
        """Is it a scalar variable, of which it is known where it is live?"""
        return var in self._known

    def bits(self, location: Location) -> int:
        """The same as bits, by the numbers of `ModRef`."""
        return self._live.get(location, 0)


def liveness(program: Program, effects: ModRef) -> Liveness:
    """Find the live variables of all locations."""
    return Liveness(program, effects)
