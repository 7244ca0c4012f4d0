"""Interval analysis: bounds for the scalar integer variables at each location.

Flow-sensitive inside functions, on their weak topological order with widening to the constants of
the program and two narrowing passes; between functions all calls are taken together.

Soundness duty: in every run, whenever a location is reached, each scalar variable lies in its
interval there; a location without a state is never reached.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from ...ir.cfa import Edge, Function, Location, Program
from ...ir.def_use import op_values
from ...ir.expr import Const, Deref, Expr, Field, Index, Var
from ...ir.ops import Assign, Assume, Call, Error, Halt, Return
from ...ir.order import WeakOrder, location_graph, strong_components, weak_order
from ...ir.types import IntType, is_scalar
from ...ir.walk import subterms
from ..effects import Slot
from ..liveness import Liveness
from ..memory.partition import Partition, Scalar
from ..modref import ModRef
from . import interval
from .bounds import Bounds, State, join
from .interval import Interval

_PATIENCE = 3  # how often a state may grow before it is widened to the next constant
_LAST_CONSTANT = 10  # and before it is widened to its type's bounds
_NARROWING = 2


class Intervals:
    """The result. A state maps variables to intervals; what is missing has its type's range."""

    def __init__(
        self, program: Program, partition: Partition, effects: ModRef, live: Liveness
    ) -> None:
        self._program = program
        self._partition = partition
        self._effects = effects
        self._live = live
        self._live_at: dict[Location, frozenset[Var]] = {}
        self._bounds = Bounds(self._scalar)
        self._states: dict[Location, State] = {}
        self._thresholds = _thresholds(program)
        self._entries: dict[str, State] = {}
        self._exits: dict[str, State] = {}
        self._globals: dict[str, frozenset[Slot]] = {}
        self._growth: dict[tuple[str, str], int] = {}
        self._callers: dict[str, dict[str, None]] = {name: {} for name in program.functions}
        for caller, callees in effects.calls.items():
            for callee in callees:
                self._callers[callee][caller] = None
        self._orders: dict[str, WeakOrder[Location]] = {}
        self._solve()

    # --- answers ----------------------------------------------------------------------------------

    def reachable(self, location: Location) -> bool:
        """May a run come to the location?"""
        return location in self._states

    def at(self, location: Location) -> State:
        """The intervals of live variables there; a variable without one may have any value."""
        return self._states.get(location, {})

    def range(self, location: Location, e: Expr) -> Interval | None:
        """The interval of an expression's value at a location; None if it is no integer."""
        return self._bounds.of(e, self.at(location))

    def wraps(self, location: Location, e: Expr) -> bool:
        """May the exact result of an integer operator or cast not fit its type?

        Only the outermost operator is meant: its operands are taken with their wrapped values.
        """
        if not isinstance(e.type, IntType):
            return False
        exact = self._bounds.exact(e, self.at(location))
        return exact is None or not interval.inside(exact, interval.of_type(e.type))

    # --- between functions ------------------------------------------------------------------------

    def _solve(self) -> None:
        functions = self._program.functions
        entry = functions.get(self._program.entry)
        if entry is None:
            for name in functions:
                self._entries[name] = {}
            waiting = set(functions)
        else:
            self._entries[entry.name] = self._initial()
            waiting = {entry.name}
        rank = self._ranks()
        while waiting:
            name = min(waiting, key=rank.__getitem__)  # callees first: callers need their exits
            waiting.discard(name)
            function = functions[name]
            self._solve_function(function)
            returned: State | None = None
            for edge in function.edges:
                before = self._states.get(edge.src)
                if before is None:
                    continue
                if isinstance(edge.op, Call):
                    for callee in self._effects.callees(edge):
                        passed = self._passed(edge.op, functions[callee], before)
                        if self._grow(self._entries, callee, passed):
                            waiting.add(callee)
                elif isinstance(edge.op, Return):
                    after = self._returned(function, edge.op, before)
                    returned = after if returned is None else join(returned, after)
            if returned is not None and self._grow(self._exits, name, returned):
                waiting.update(c for c in self._callers[name] if c in self._entries)

    def _ranks(self) -> dict[str, int]:
        """A number for each function, those of its callees being smaller but for recursion."""
        groups = strong_components(self._effects.calls)
        return {name: number for number, group in enumerate(groups) for name in group}

    def _grow(self, table: dict[str, State], name: str, new: State) -> bool:
        """Join a state into a table; whether that changed it."""
        old = table.get(name)
        if old is None:
            table[name] = new
            return True
        joined = join(old, new)
        if joined == old:
            return False
        key = ("entry" if table is self._entries else "exit", name)
        count = self._growth[key] = self._growth.get(key, 0) + 1
        table[name] = self._widened(old, joined, count)
        return True

    def _initial(self) -> State:
        """The scalar globals in the initial states."""
        found: dict[Var, Interval] = {}
        for item in self._program.globals:
            if item.external:
                continue
            for slot in self._effects.slots.of_target(item.var):
                if isinstance(slot, Var) and isinstance(slot.type, IntType):
                    found[slot] = (0, 0)
            for assign in item.init:
                var = self._scalar(assign.target)
                value = self._bounds.of(assign.value, {})
                if var is not None and value is not None and isinstance(var.type, IntType):
                    found[var] = value
        return found

    def _passed(self, call: Call, callee: Function, state: State) -> State:
        """The state at a callee's entry after a call."""
        concerned = self._concerned(callee.name)
        found = {var: bounds for var, bounds in state.items() if var in concerned}
        for param, arg in zip(callee.params, call.args, strict=False):
            var = self._scalar(param)
            value = self._bounds.of(arg, state)
            if var is not None and value is not None and isinstance(var.type, IntType):
                found[var] = interval.wrapped(var.type, value)
        return self._kept(found, callee.entry)

    def _returned(self, function: Function, op: Return, state: State) -> State:
        """The globals and the result, as the caller gets them."""
        writes = self._effects.writes(function.name)
        found = {var: bounds for var, bounds in state.items() if var in writes}
        if op.value is not None:
            value = self._bounds.of(op.value, state)
            if value is not None and isinstance(function.type.result, IntType):
                found[_result(function)] = value
        return found

    def _concerned(self, name: str) -> frozenset[Slot]:
        """The globals whose values a function can tell apart or change."""
        known = self._globals.get(name)
        if known is None:
            known = self._effects.reads(name) | self._effects.writes(name)
            self._globals[name] = known
        return known

    # --- inside a function ------------------------------------------------------------------------

    def _solve_function(self, function: Function) -> None:
        order = self._orders.get(function.name)
        if order is None:
            order = weak_order(location_graph(function), function.entry)
            self._orders[function.name] = order
        for location in order.order:
            self._states.pop(location, None)
        counts: dict[Location, int] = {}
        positions = {location: number for number, location in enumerate(order.order)}
        position = 0
        open_heads: list[Location] = []
        while True:
            while open_heads and position == order.ends[open_heads[-1]]:
                head = open_heads.pop()
                if self._update_head(function, head, counts):
                    position = positions[head] + 1
                    open_heads.append(head)
            if position == len(order.order):
                break
            location = order.order[position]
            position += 1
            if location in order.ends:
                self._update_head(function, location, counts)
                open_heads.append(location)
            else:
                self._set(location, self._incoming(function, location))
        for _ in range(_NARROWING if order.ends else 0):
            for location in order.order:
                self._set(location, self._narrowed(function, location))

    def _update_head(self, function: Function, head: Location, counts: dict[Location, int]) -> bool:
        """Compute a loop head's state anew, widened if need be; whether it has grown."""
        old, new = self._states.get(head), self._incoming(function, head)
        if new is None:
            return False
        if old is not None:
            new = join(old, new)
            if new == old:
                return False
            counts[head] = counts.get(head, 0) + 1
            new = self._widened(old, new, counts[head])
        self._set(head, new)
        return True

    def _set(self, location: Location, state: State | None) -> None:
        if state is None:
            self._states.pop(location, None)
        else:
            self._states[location] = self._kept(state, location)

    def _kept(self, state: State, location: Location) -> State:
        """Only the live variables."""
        live = self._live_at.get(location)
        if live is None:
            live = self._live_at[location] = self._live.at(location)
        if state.keys() <= live:
            return state
        return {var: bounds for var, bounds in state.items() if var in live}

    def _incoming(self, function: Function, location: Location) -> State | None:
        found = self._entries[function.name] if location is function.entry else None
        for edge in function.incoming[location]:
            before = self._states.get(edge.src)
            if before is None:
                continue
            after = self._after(edge, before)
            if after is not None:
                found = after if found is None else join(found, after)
        return found

    def _narrowed(self, function: Function, location: Location) -> State | None:
        old, new = self._states.get(location), self._incoming(function, location)
        if old is None or new is None:
            return None
        if old == new:
            return old
        found = dict(old)
        for var, bounds in new.items():
            before = old.get(var)
            if before != bounds:
                common = bounds if before is None else interval.meet(bounds, before)
                if common is None:
                    return None
                found[var] = common
        return found

    def _widened(self, old: State, new: State, count: int) -> State:
        """After a while, bounds that have grown go to the next constant, then to the type's."""
        if count <= _PATIENCE:
            return new
        constants = self._thresholds if count <= _LAST_CONSTANT else []
        found: dict[Var, Interval] = {}
        for var, (low, high) in new.items():
            before, type_ = old[var], _integer(var)
            if low < before[0]:
                index = bisect_right(constants, low) - 1
                low = constants[index] if index >= 0 else type_.low
            if high > before[1]:
                index = bisect_left(constants, high)
                high = constants[index] if index < len(constants) else type_.high
            found[var] = max(low, type_.low), min(high, type_.high)
        return found

    # --- operations -------------------------------------------------------------------------------

    def _after(self, edge: Edge, state: State) -> State | None:
        op = edge.op
        match op:
            case Error() | Halt():
                return {}
            case Assume(cond):
                return self._bounds.assume(cond, state)
            case Call():
                return self._after_call(edge, op, state)
        writes = self._effects.slots.effects(edge).writes
        if not writes:
            return state
        found = {var: bounds for var, bounds in state.items() if var not in writes}
        if isinstance(op, Assign):
            var = self._scalar(op.target)
            value = None if var is None else self._bounds.of(op.value, state)
            if var is not None and value is not None and isinstance(var.type, IntType):
                found[var] = value
        return found

    def _after_call(self, edge: Edge, call: Call, state: State) -> State | None:
        ends: list[State] = []
        var = None if call.target is None else self._scalar(call.target)
        if self._effects.may_leave(edge):
            ends.append(state)
        for name in self._effects.callees(edge):
            exit_ = self._exits.get(name)
            if exit_ is None:
                continue  # it has not returned so far
            writes, returned = self._effects.writes(name), _result(self._program.functions[name])
            after = {v: bounds for v, bounds in state.items() if v not in writes}
            after.update(exit_)
            result = after.pop(returned, None)
            if var is not None:
                after.pop(var, None)
                if result is not None and isinstance(var.type, IntType):
                    after[var] = interval.wrapped(var.type, result)
            ends.append(after)
        if not ends:
            return None
        found = ends[0]
        for end in ends[1:]:
            found = join(found, end)
        written = self._effects.slots.effects(edge).writes  # by the result
        kept = {v: bounds for v, bounds in found.items() if v not in written}
        if var is not None and var in found and not self._effects.may_leave(edge):
            kept[var] = found[var]
        return kept

    def _scalar(self, e: Expr) -> Var | None:
        """The scalar variable that an lvalue is, if it is one."""
        if not isinstance(e, Var | Deref | Field | Index):
            return None
        if not is_scalar(e.type):
            return None
        storage = self._partition.storage(e)
        return storage.var if isinstance(storage, Scalar) else None


def _integer(var: Var) -> IntType:
    assert isinstance(var.type, IntType)  # no other variable ever gets an interval
    return var.type


def _result(function: Function) -> Var:
    return Var(f"{function.name}::return", function.type.result)


def _thresholds(program: Program) -> list[int]:
    """The constants that the program compares with or assigns, and their neighbours."""
    found: set[int] = set()
    seen: set[Expr] = set()
    for function in program.functions.values():
        for edge in function.edges:
            if isinstance(edge.op, Assume | Assign):
                for value in op_values(edge.op):
                    for term in subterms(value):
                        if isinstance(term, Const) and term not in seen:
                            seen.add(term)
                            found.update((term.value - 1, term.value, term.value + 1))
    return sorted(found)


def intervals(program: Program, partition: Partition, effects: ModRef, live: Liveness) -> Intervals:
    """Find bounds for the scalar integer variables of a program."""
    return Intervals(program, partition, effects, live)
