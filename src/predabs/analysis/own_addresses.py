"""Which pointer variables certainly hold an address of an object of the program, or null.

A forward analysis over all functions together: of a parameter all calls count, of a call's result
all returns. Soundness duty: whenever a run comes to a location, a variable that its state has holds
an address that was computed from that of a variable, a function or an allocated object by pointer
arithmetic alone, or null where the state allows it. Other variables may hold anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from ..ir.cfa import Edge, Location, Program
from ..ir.def_use import op_target
from ..ir.expr import (
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Expr,
    FunctionAddress,
    Ite,
    Not,
    Op,
    PointerAdd,
    Var,
)
from ..ir.ops import Alloc, Assign, Assume, Call, Error, Halt, Return
from ..ir.types import PointerType
from ..ir.walk import root_of

State: TypeAlias = Mapping[Var, bool]  # of a variable: may it be null?

_NOTHING: State = MappingProxyType({})


def is_own(pointer: Expr, state: State) -> bool | None:
    """May a pointer be null that is else an address of the program's; None if it is any value. A
    sum with null is no address."""
    moved = False
    while True:
        match pointer:
            case Var():
                null = state.get(pointer)
                return None if null and moved else null
            case Const(0, _):
                return None if moved else True
            case FunctionAddress():
                return False
            case AddressOf(target, _):
                root = root_of(target)
                if isinstance(root, Var):
                    return False
                pointer, moved = root.pointer, True
            case PointerAdd(base, _, _):
                pointer, moved = base, True
            case Cast(arg, _) if isinstance(arg.type, PointerType):
                pointer = arg
            case Ite(_, then, other, _):
                one, two = is_own(then, state), is_own(other, state)
                if one is None or two is None or (moved and (one or two)):
                    return None
                return one or two
            case _:
                return None


class OwnAddresses:
    """The analysis of one program. `scalar` says whether only its name reaches a variable,
    `callees` which functions a call may reach."""

    def __init__(
        self,
        program: Program,
        scalar: Callable[[Var], bool],
        callees: Callable[[Edge], tuple[str, ...]],
    ) -> None:
        self._program = program
        self._scalar = scalar
        self._callees = callees
        self.states: dict[Location, State] = {}
        self._results: dict[str, tuple[bool | None]] = {}  # of functions that can return
        self._callers: dict[str, dict[Edge, None]] = {}
        self._todo: list[Location] = []
        if program.entry in program.functions:
            self._flow(program.functions[program.entry].entry, _NOTHING)
        while self._todo:
            here = self._todo.pop()
            for edge in program.functions[here.function].outgoing.get(here, ()):
                self._follow(edge, self.states[here])

    def _flow(self, where: Location, state: State) -> None:
        """A run may come to a location in this state."""
        before = self.states.get(where)
        joined = state if before is None else _joined(before, state)
        if before is None or joined != before:
            self.states[where] = joined
            self._todo.append(where)

    def _follow(self, edge: Edge, state: State) -> None:
        match edge.op:
            case Error() | Halt():
                return
            case Return(value):
                self._returns(edge.src.function, None if value is None else is_own(value, state))
            case Assume(cond):
                self._flow(edge.dst, _assumed(cond, state))
            case Call():
                self._call(edge, edge.op, state)
            case Assign(_, value):
                self._set(edge, state, is_own(value, state))
            case Alloc():
                self._set(edge, state, False)
            case _:
                self._set(edge, state, None)

    def _set(self, edge: Edge, state: State, value: bool | None) -> None:
        """The operation gives its target an address, or any value."""
        target = op_target(edge.op)
        if isinstance(target, Var):
            new = {var: null for var, null in state.items() if var is not target}
            tracked = isinstance(target.type, PointerType) and target.function
            if value is not None and tracked and self._scalar(target):
                new[target] = value
            state = new
        self._flow(edge.dst, state)

    def _call(self, edge: Edge, op: Call, state: State) -> None:
        reached = self._callees(edge)
        results: list[bool | None] = []
        for name in reached:
            callee = self._program.functions.get(name)
            if callee is None:
                results.append(None)
                continue
            self._callers.setdefault(name, {})[edge] = None
            passed: dict[Var, bool] = {}
            for param, arg in zip(callee.params, op.args, strict=False):
                null = is_own(arg, state)
                if null is not None and param.type is arg.type and self._scalar(param):
                    passed[param] = null
            self._flow(callee.entry, passed)
            if name in self._results:
                results.append(self._results[name][0])
        if not isinstance(op.callee, FunctionAddress):
            results.append(None)
        if results:
            known = [null for null in results if null is not None]
            self._set(edge, state, any(known) if len(known) == len(results) else None)

    def _returns(self, name: str, value: bool | None) -> None:
        if name in self._results:
            (before,) = self._results[name]
            value = None if value is None or before is None else value or before
            if value is before:
                return
        self._results[name] = (value,)
        self._todo += [edge.src for edge in self._callers.get(name, ())]


def _joined(one: State, two: State) -> State:
    return {var: null or two[var] for var, null in one.items() if var in two}


def _assumed(cond: Expr, state: State) -> State:
    """A variable that is not equal to null is not null."""
    for part in cond.args if isinstance(cond, And) else (cond,):
        match part:
            case Not(Binary(Op.EQ, Var() as var, Const(0, _), _)) if state.get(var):
                state = {**state, var: False}
            case Not(Binary(Op.EQ, Const(0, _), Var() as var, _)) if state.get(var):
                state = {**state, var: False}
    return state
