"""Transfer functions: what an operation makes of the intervals before it.

Soundness duty: if the variables lie in their intervals before the operation, they do after it; None
only if the operation cannot be passed. Of a call, what its callees may return is given.
"""

from __future__ import annotations

from ...ir.cfa import Edge, Function, Location, Program
from ...ir.expr import Deref, Expr, Field, Index, Var
from ...ir.ops import Assign, Assume, Call, Error, Halt, Return
from ...ir.types import FloatType, IntType, Type, is_scalar
from ...records import dataclass
from ..control_flow import ControlFlow
from ..effects import Slot
from ..liveness import Liveness
from ..memory.partition import Partition, Scalar
from ..modref import ModRef
from . import interval
from .bounds import Bounds
from .interval import Interval
from .required_arguments import is_not_zero, required_parameters
from .state import State, StateSpace


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What holds when a function returns: for the globals that it may write, and for its result
    (None: any value). Compared by identity."""

    state: State
    result: Interval | None

    def join(self, other: Summary) -> Summary:
        """What holds in both; `self` if `other` says no less."""
        state, result = self.state.join(other.state), None
        if self.result is not None and other.result is not None:
            result = interval.join(self.result, other.result)
        same = state is self.state and result == self.result
        return self if same else Summary(state, result)


class Transfer:
    """The operations of one program; of others than the `wanted` variables nothing is found out."""

    def __init__(
        self,
        program: Program,
        partition: Partition,
        effects: ModRef,
        live: Liveness,
        wanted: frozenset[Var] | None = None,
    ) -> None:
        self._program = program
        self._partition = partition
        self._effects = effects
        self._live = live
        self._wanted = -1 if wanted is None else effects.mask(frozenset[Slot](wanted))
        self._matters: dict[Edge, bool] = {}
        self._scalars: dict[Expr, Var | None] = {}
        self._entered: dict[str, tuple[int, list[tuple[int, Var, IntType | FloatType]]]] = {}
        self._leaving: dict[Edge, bool] = {}
        self._written: dict[Edge, int] = {}
        self._required: dict[str, tuple[int, ...]] = {}
        self.bounds = Bounds(self._scalar)
        self.slots = effects.slots
        self.flow = ControlFlow(program, partition.points_to)
        self.empty = StateSpace(effects.numbers, effects.variables).empty

    def kept(self, state: State, location: Location) -> State:
        """Only the live variables."""
        return state.without(~(self._live.bits(location) & self._wanted))

    def initial(self) -> State:
        """The scalar globals in the initial states."""
        state = self.empty
        for item in self._program.globals:
            if item.external:
                continue
            for slot in self._effects.slots.of_target(item.var):
                if isinstance(slot, Var) and isinstance(slot.type, IntType | FloatType):
                    state = state.updated(slot, (0, 0))
            for assign in item.init:
                state = self._assigned(state, assign.target, self.bounds.of(assign.value, {}))
        return state

    def _assigned(self, state: State, target: Expr, value: Interval | None) -> State:
        """The state after an assignment; what it wrote is not in the state before."""
        var = self._scalar(target)
        if var is None or value is None:
            return state
        if isinstance(var.type, IntType) or (
            isinstance(var.type, FloatType) and var.type is target.type
        ):
            return state.updated(var, value)
        return state

    def after(self, edge: Edge, state: State) -> State | None:
        """The state after an operation that is no call."""
        op = edge.op
        if self._wanted != -1 and not self._has_a_say(edge):
            return state
        match op:
            case Error() | Halt():
                return self.empty
            case Assume(cond):
                return self.bounds.assume(cond, state)
        found = state.without(self._written_by(edge))
        if isinstance(op, Assign):
            found = self._assigned(found, op.target, self.bounds.of(op.value, state))
        return found

    def _has_a_say(self, edge: Edge) -> bool:
        """May an operation that is no call bound a wanted variable, change it or end a run?"""
        known = self._matters.get(edge)
        if known is None:
            own = self._effects.slots.effects(edge)
            touched = own.reads if isinstance(edge.op, Assume) else own.writes
            known = isinstance(edge.op, Error | Halt) or bool(
                self._effects.mask(touched) & self._wanted
            )
            self._matters[edge] = known
        return known

    # --- calls ------------------------------------------------------------------------------------

    def callees(self, edge: Edge) -> tuple[str, ...]:
        """The functions with a body that a call may reach."""
        return self._effects.callees(edge)

    def passed(self, call: Call, callee: Function, state: State) -> State:
        """The state at a callee's entry after a call."""
        gone, params = self._entry(callee)
        found = state.without(gone)
        for number, var, type_ in params:
            if number < len(call.args):
                arg = call.args[number]
                value = self.bounds.of(arg, state)
                if value is None:
                    continue
                if isinstance(type_, IntType) and isinstance(arg.type, IntType):
                    found = found.updated(var, interval.wrapped(type_, value))
                elif arg.type is type_:
                    found = found.updated(var, value)
        return found

    def _entry(self, function: Function) -> tuple[int, list[tuple[int, Var, IntType | FloatType]]]:
        """Which variables do not matter at a function's entry, and which parameters do."""
        known = self._entered.get(function.name)
        if known is None:
            name = function.name
            live = self._live.bits(function.entry) & self._wanted
            used = self._effects.read_variables(name) | self._effects.written_variables(name)
            params = [
                (number, var, var.type)
                for number, param in enumerate(function.params)
                if (var := self._scalar(param)) is not None
                and isinstance(var.type, IntType | FloatType)
                and live >> self._effects.numbers.get(var, len(self._effects.numbers)) & 1
            ]
            known = self._entered[name] = ~(used & live), params
        return known

    def returned(self, function: Function, op: Return, state: State) -> Summary:
        """The globals and the result, as the caller gets them."""
        result = None
        type_ = function.type.result
        if op.value is not None and (
            op.value.type is type_
            or (isinstance(type_, IntType) and isinstance(op.value.type, IntType))
        ):
            result = self.bounds.of(op.value, state)
        return Summary(state.without(~self._effects.written_variables(function.name)), result)

    def after_call(
        self, edge: Edge, call: Call, state: State, summaries: dict[str, Summary]
    ) -> State | None:
        """The state after a call of functions that return so; the others do not return."""
        leaves = self._leaving.get(edge)
        if leaves is None:
            leaves = self._leaving[edge] = self._effects.may_leave(edge)
        callees = self.callees(edge)
        if len(callees) == 1 and not leaves:
            returning = self.required(call, callees[0], state)
            if returning is None:
                return None
            state = returning
        var = None if call.target is None else self._scalar(call.target)
        found = state if leaves else None
        results: list[Interval | None] = [None] if leaves else []
        forgotten, forgetting = 0, False
        for name, summary in summaries.items():
            results.append(summary.result)
            written = self._effects.written_variables(name)
            if summary.state.present:
                end = state.without(written).overridden(summary.state)
                found = end if found is None else found.join(end)
            else:  # nothing is known of what they write: all such callees at once
                forgotten, forgetting = forgotten | written, True
        if forgetting:
            end = state.without(forgotten)
            found = end if found is None else found.join(end)
        if found is None:
            return None
        found = found.without(self._written_by(edge))
        if var is not None and self._is_number(var.type, summaries):
            values = [value for value in results if value is not None]
            if isinstance(var.type, IntType):
                values = [interval.wrapped(var.type, value) for value in values]
            if len(values) == len(results):
                low, high = min(low for low, _ in values), max(high for _, high in values)
                found = found.updated(var, (low, high))
        return found

    def required(self, call: Call, callee: str, state: State) -> State | None:
        """The state before a call that returns; None if none does."""
        function = self._program.functions[callee]
        places = self._required.get(callee)
        if places is None:
            places = self._required[callee] = required_parameters(function, self.slots)
        for place in places:
            cond = is_not_zero(call, place)
            if cond is not None:
                after = self.bounds.assume(cond, state)
                if after is None:
                    return None
                state = after
        return state

    def _is_number(self, type_: Type, callees: dict[str, Summary]) -> bool:
        """Is it the type of results as they are, or an integer type that they are wrapped into?"""
        results = {self._program.functions[name].type.result for name in callees}
        if isinstance(type_, IntType):
            return all(isinstance(result, IntType) for result in results)
        return isinstance(type_, FloatType) and results <= {type_}

    # --- storage ----------------------------------------------------------------------------------

    def _written_by(self, edge: Edge) -> int:
        """The variables that an operation itself may write."""
        known = self._written.get(edge)
        if known is None:
            known = self._effects.mask(self._effects.slots.effects(edge).writes)
            self._written[edge] = known
        return known

    def _scalar(self, e: Expr) -> Var | None:
        """The scalar variable that an lvalue is, if it is one."""
        if e in self._scalars:
            return self._scalars[e]
        found = None
        if isinstance(e, Var | Deref | Field | Index) and is_scalar(e.type):
            storage = self._partition.storage(e)
            found = storage.var if isinstance(storage, Scalar) else None
        self._scalars[e] = found
        return found
