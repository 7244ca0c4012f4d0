"""Which plain variables are live: whose present value a run may still use.

Soundness duty: if the value of a plain variable at a location can influence any later step of a
run, the variable is live there. A function's globals live on in its callers; all calls of one
function are taken together.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..ir.cfa import Edge, Function, Location, Program
from ..ir.expr import Var
from ..ir.ops import Call
from ..ir.order import location_graph, reverse_postorder
from .effects import Slot
from .modref import ModRef


class Liveness:
    """The result; sets of variables are kept as bits of numbers."""

    def __init__(self, program: Program, effects: ModRef) -> None:
        self._program = program
        self._effects = effects
        self._numbers: dict[Var, int] = {}
        self._variables: list[Var] = []
        self._globals = 0
        self._live: dict[Location, int] = {}
        self._uses: dict[Edge, int] = {}
        self._kills: dict[Edge, int] = {}
        callers: dict[str, list[Edge]] = {name: [] for name in program.functions}
        for function in program.functions.values():
            for edge in function.edges:
                own = effects.slots.effects(edge)
                self._uses[edge], self._kills[edge] = self._bits(own.reads), self._bits(own.kills)
                if isinstance(edge.op, Call):
                    for callee in effects.callees(edge):
                        callers[callee].append(edge)
        self._orders = {
            name: list(reversed(reverse_postorder(location_graph(function), function.entry)))
            for name, function in program.functions.items()
        }
        self._solve(callers)

    def _bits(self, slots: frozenset[Slot]) -> int:
        bits = 0
        for slot in slots:
            if isinstance(slot, Var):
                number = self._numbers.get(slot)
                if number is None:
                    number = self._numbers[slot] = len(self._variables)
                    self._variables.append(slot)
                    if not slot.function:
                        self._globals |= 1 << number
                bits |= 1 << number
        return bits

    def _solve(self, callers: Mapping[str, list[Edge]]) -> None:
        functions = self._program.functions
        waiting = dict.fromkeys(functions)
        while waiting:
            name, _ = waiting.popitem()
            function = functions[name]
            at_entry = self._live.get(function.entry, 0)
            changed_calls = self._solve_function(function)
            for callee, after in changed_calls.items():
                exit_ = functions[callee].exit
                old = self._live.get(exit_, 0)
                if after & ~old:
                    self._live[exit_] = old | after
                    waiting[callee] = None
            if self._live.get(function.entry, 0) != at_entry:
                waiting.update((edge.src.function, None) for edge in callers[name])

    def _solve_function(self, function: Function) -> dict[str, int]:
        """Solve one function; gives the globals that are live after its calls, by callee."""
        live, outgoing = self._live, function.outgoing
        order = self._orders[function.name]
        changed = True
        while changed:
            changed = False
            for location in order:
                bits = live.get(location, 0)
                for edge in outgoing[location]:
                    bits |= self._before(edge, live.get(edge.dst, 0))
                if bits != live.get(location, 0):
                    live[location] = bits
                    changed = True
        after: dict[str, int] = {}
        for edge in function.edges:
            if isinstance(edge.op, Call):
                passed = live.get(edge.dst, 0) & ~self._kills[edge] & self._globals
                for callee in self._effects.callees(edge):
                    after[callee] = after.get(callee, 0) | passed
        return after

    def _before(self, edge: Edge, after: int) -> int:
        bits = after & ~self._kills[edge]
        if isinstance(edge.op, Call):
            callees = self._effects.callees(edge)
            if callees and not self._effects.may_leave(edge):
                bits &= ~self._globals  # those that survive are live at the callees' entries
            for callee in callees:
                entry = self._program.functions[callee].entry
                bits |= self._live.get(entry, 0) & self._globals
        return bits | self._uses[edge]

    def at(self, location: Location) -> frozenset[Var]:
        """The plain variables that are live at the location."""
        bits = self._live.get(location, 0)
        found = []
        while bits:
            lowest = bits & -bits
            found.append(self._variables[lowest.bit_length() - 1])
            bits ^= lowest
        return frozenset(found)


def liveness(program: Program, effects: ModRef) -> Liveness:
    """Find the live variables of all locations."""
    return Liveness(program, effects)
