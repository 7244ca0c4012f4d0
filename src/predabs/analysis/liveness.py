"""Live variables: the scalar variables whose present value a run may still use.

What is live at a location is a part that holds whatever the callers do, and of what is live after
the calls of the function a part that no path from there to the end overwrites. Both are found
function by function, callees first, with the same two parts at the entries of callees: so a call
takes from its callees what they do, and not what other calls of them need. What is live after the
calls comes last, callers first.

Soundness duty: if the value of a scalar variable at a location can influence any later step of a
run, the variable is live there.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

from ..ir.cfa import Edge, Function, Location, Program
from ..ir.expr import Var
from ..ir.ops import Call
from ..ir.order import location_graph, reverse_postorder, strong_components
from .modref import ModRef, ones


class Liveness:
    """The result; sets of variables are kept as bits of numbers."""

    def __init__(self, program: Program, effects: ModRef) -> None:
        self._functions = program.functions
        self._variables = effects.variables
        self._known = frozenset(effects.variables)
        self._globals = effects.globals
        edges = [edge for function in program.functions.values() for edge in function.edges]
        own = {edge: effects.slots.effects(edge) for edge in edges}
        self._uses = {edge: effects.mask(own[edge].reads) for edge in edges}
        self._kills = {edge: effects.mask(own[edge].kills) for edge in edges}
        self._calls: dict[Edge, tuple[str, ...]] = {}
        self._leaving: set[Edge] = set()  # calls that may reach a function without a body
        self._orders: dict[str, tuple[list[Location], dict[Location, int]]] = {}
        # by location: what is live if nothing is after the function's calls, and if all globals are
        self._least: dict[Location, int] = {}
        self._most: dict[Location, int] = {}
        self._after: dict[str, int] = dict.fromkeys(program.functions, 0)  # what is after the calls
        for edge in edges:
            if isinstance(edge.op, Call) and (callees := effects.callees(edge)):
                self._calls[edge] = callees
                if effects.may_leave(edge):
                    self._leaving.add(edge)
        groups = strong_components(effects.calls)
        for group in groups:
            self._solve(group)
        for group in reversed(groups):
            self._pass_down(group)

    # --- callees first ----------------------------------------------------------------------------

    def _solve(self, group: Iterable[str]) -> None:
        """The two parts for functions that call each other."""
        functions = {name: self._functions[name] for name in group}
        callers: dict[str, dict[Location, None]] = {name: {} for name in functions}
        for function in functions.values():
            for edge in function.edges:
                for callee in self._calls.get(edge, ()):
                    if callee in callers:
                        callers[callee][edge.src] = None
        waiting: dict[str, dict[Location, None]] = {}
        for name, function in functions.items():
            waiting[name] = dict.fromkeys(self._order(function)[0])
            self._most[function.exit] = self._globals
        while waiting:
            name = next(iter(waiting))
            if self._descend(functions[name], waiting.pop(name)):
                for location in callers[name]:
                    waiting.setdefault(location.function, {})[location] = None

    def _order(self, function: Function) -> tuple[list[Location], dict[Location, int]]:
        """The locations, the last first: most come after those that they depend on."""
        known = self._orders.get(function.name)
        if known is None:
            order = reverse_postorder(location_graph(function), function.entry)
            order.reverse()
            known = order, {location: rank for rank, location in enumerate(order)}
            self._orders[function.name] = known
        return known

    def _descend(self, function: Function, changed: Iterable[Location]) -> bool:
        """Solve a function, in which these locations may have changed; whether its entry has."""
        order, ranks = self._order(function)
        least, most, incoming = self._least, self._most, function.incoming
        before = least.get(function.entry), most.get(function.entry)
        waits = {ranks[location] for location in changed if location in ranks}
        waiting = list(waits)
        heapify(waiting)
        while waiting:
            rank = heappop(waiting)
            waits.discard(rank)
            location = order[rank]
            if location is function.exit:
                continue
            bits = self._at(function, location)
            if bits == (least.get(location, 0), most.get(location, 0)):
                continue
            least[location], most[location] = bits
            for edge in incoming[location]:
                number = ranks.get(edge.src)
                if number is not None and number not in waits:
                    waits.add(number)
                    heappush(waiting, number)
        return before != (least.get(function.entry), most.get(function.entry))

    def _at(self, function: Function, location: Location) -> tuple[int, int]:
        """Both parts at a location, as far as those after it are known."""
        least = most = 0
        for edge in function.outgoing[location]:
            after_least = self._least.get(edge.dst, 0) & ~self._kills[edge]
            after_most = self._most.get(edge.dst, 0) & ~self._kills[edge]
            uses = self._uses[edge]
            for callee in self._calls.get(edge, ()):
                entry = self._functions[callee].entry
                uses |= self._least.get(entry, 0) & self._globals
                survives = self._most.get(entry, 0) & self._globals
                least |= after_least & survives
                most |= after_most & survives
            if edge in self._calls and edge not in self._leaving:
                after_least &= ~self._globals
                after_most &= ~self._globals
            least |= after_least | uses
            most |= after_most | uses
        return least, most

    # --- callers first ----------------------------------------------------------------------------

    def _pass_down(self, group: Iterable[str]) -> None:
        """What is live after calls that these functions make is live at the ends of the callees."""
        inside = set(group)
        waiting = dict.fromkeys(group)
        while waiting:
            name, _ = waiting.popitem()
            for edge in self._functions[name].edges:
                callees = self._calls.get(edge)
                if callees is None:
                    continue
                passed = self.bits(edge.dst) & self._globals & ~self._kills[edge]
                for callee in callees:
                    if passed & ~self._after[callee]:
                        self._after[callee] |= passed
                        if callee in inside:
                            waiting[callee] = None

    def at(self, location: Location) -> frozenset[Var]:
        """The scalar variables that are live at the location."""
        return frozenset(self._variables[number] for number in ones(self.bits(location)))

    def knows(self, var: Var) -> bool:
        """Is it a scalar variable, of which it is known where it is live?"""
        return var in self._known

    def bits(self, location: Location) -> int:
        """The same as bits, by the numbers of `ModRef`."""
        after = self._after.get(location.function, 0)
        return self._least.get(location, 0) | self._most.get(location, 0) & after


def liveness(program: Program, effects: ModRef) -> Liveness:
    """Find the live variables of all locations."""
    return Liveness(program, effects)
