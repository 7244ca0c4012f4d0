"""Execute one path symbolically: the condition that each of its edges adds.

Calls are followed into and out of as `ir.path` says. Soundness duty: a run follows the path if and
only if it satisfies all the conditions, save that a number which the symbolic state does not
compute (floating point) is any number; what cannot be expressed raises `SymbolicLimit`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..concrete.storage_layout import VariableLayout
from ..encode import bitvector_encoding as encode
from ..errors import InternalError
from ..ir.cfa import Coord, Edge, Function, Location, Program
from ..ir.expr import Expr, FunctionAddress, Lvalue, Var
from ..ir.ops import Call, Error, Halt, Return, Source
from ..ir.types import RecordType, Type, VoidType, size_of
from ..smt import bitvectors, build
from ..smt.term import Term, Value
from ..symbolic.execute import SymbolicFrame, SymbolicInput, SymbolicMachine
from ..symbolic.memory import AccessTarget, SymbolicObject
from ..symbolic.pointers import cases
from ..symbolic.state import SymbolicState
from ..symbolic.values import SymbolicLimit, SymbolicValues


@dataclass(frozen=True, slots=True)
class _Caller:
    """A call that is under way, and what its caller goes on with."""

    call: Edge
    frame: SymbolicFrame
    locals: dict[Var, Term]
    stack: tuple[SymbolicObject, ...]


class PathExecutor:
    """Follows one path, edge by edge. `limit` is called with conditions under which the path
    continues in a way that the formulas do not express."""

    def __init__(self, program: Program, limit: Callable[[Term, str, Coord], None]) -> None:
        self._program = program
        self._layout = VariableLayout(program)
        self._machine = SymbolicMachine(program, self._layout, limit)
        self._callers: list[_Caller] = []
        self._steps = 0
        function = program.functions[program.entry]
        self._state = self._machine.start()
        self._frame = self._machine.enter(self._state, function)
        for number, param in enumerate(function.params):
            self._machine.parameter(self._state, self._frame, param, number)
        self._location: Location | None = function.entry
        self._start = self._state.guard

    @property
    def taken(self) -> list[SymbolicInput]:
        """The inputs so far."""
        return self._machine.taken

    def beginning(self) -> Term:
        """What must hold before the first edge."""
        return self._start.term

    def follow(self, edge: Edge, after: Edge | None) -> Term:
        """Take the edge, which `after` follows; the condition for that."""
        if edge.src is not self._location:
            raise InternalError(f"no path: {edge.src} after {self._location}")
        self._steps += 1
        before = self._state.guard
        self._location = edge.dst
        self._step(edge, after)
        return self._state.guard.since(before)

    def _step(self, edge: Edge, after: Edge | None) -> None:
        values = self._values()
        match edge.op:
            case Error():
                self._location = None
            case Halt(_, status):
                if status is not None:
                    values.value(status)
                self._location = None
            case Call() as call:
                self._call(values, edge, call, after)
            case Return(value):
                self._return(values, value, edge.coord)
            case op:
                self._machine.step(self._state, self._frame, op, edge.coord, self._order)

    @property
    def _order(self) -> tuple[int, int]:
        return (2, self._steps)

    def _values(self) -> SymbolicValues:
        return self._machine.values(self._state, self._frame)

    # --- calls ------------------------------------------------------------------------------------

    def _call(self, values: SymbolicValues, edge: Edge, call: Call, after: Edge | None) -> None:
        name = self._callee(values, edge, call, after)
        function = None if name is None else self._program.functions.get(name)
        if function is not None:
            self._enter(values, edge, call, function)
        elif call.target is not None:
            if name is None:
                raise SymbolicLimit("the path ends in a call through a pointer")
            self._machine.havoc(
                self._state,
                self._frame,
                call.target,
                Source.EXTERN,
                name,
                edge.coord,
                self._order,
            )

    def _callee(
        self, values: SymbolicValues, edge: Edge, call: Call, after: Edge | None
    ) -> str | None:
        """The function that the path calls; None if it has no body and its result is not used."""
        if isinstance(call.callee, FunctionAddress):
            return call.callee.name
        callee = values.value(call.callee)
        if after is None:
            return None
        functions = self._program.functions
        inside = functions.get(after.src.function)
        if after.src is not edge.dst:
            if inside is None or after.src is not inside.entry:
                raise InternalError(f"no path: {after.src} after a call to {edge.dst}")
            values.require(build.eq(callee, self._address(inside.name)))
            return inside.name
        if inside is not None and after.src is inside.entry:
            raise SymbolicLimit(
                "it cannot be told whether the path enters the function that is called"
            )
        known = cases(callee)
        reached = None if known is None else {case.base for case in known}
        names = [
            name
            for name, address in self._layout.functions.items()
            if name not in functions and (reached is None or address in reached)
        ]
        values.require(build.or_(*(build.eq(callee, self._address(name)) for name in names)))
        if call.target is not None and len(names) > 1:
            raise SymbolicLimit("a call through a pointer to several functions without a body")
        return names[0] if len(names) == 1 else None

    def _address(self, name: str) -> Value:
        return bitvectors.bits(self._layout.functions[name], self._layout.bits)

    def _enter(self, outer: SymbolicValues, edge: Edge, call: Call, function: Function) -> None:
        args = [self._argument(outer, arg) for arg in call.args]
        state = self._state
        self._callers.append(_Caller(edge, self._frame, state.locals, state.stack))
        self._frame = self._machine.enter(state, function)
        state.locals, state.stack = {}, ()
        inner = self._values()
        for number, param in enumerate(function.params):
            if number >= len(args):
                self._machine.havoc(
                    state,
                    self._frame,
                    param,
                    Source.UNINITIALIZED,
                    param.short,
                    edge.coord,
                    self._order,
                )
                continue
            arg, type_ = args[number], call.args[number].type
            if isinstance(arg, list):
                if param.type is not type_:
                    raise SymbolicLimit("a record is passed as something else")
                if size := size_of(type_):
                    self._machine.copy_block(state, inner.whole(param), arg, size)
            else:
                inner.store(param, _converted(arg, type_, param.type))
        self._location = function.entry

    def _argument(self, values: SymbolicValues, arg: Expr) -> Term | list[AccessTarget]:
        if isinstance(arg.type, RecordType):
            assert isinstance(arg, Lvalue)
            return values.whole(arg)
        return values.value(arg)

    def _return(self, inner: SymbolicValues, value: Expr | None, coord: Coord) -> None:
        result = None if value is None else self._argument(inner, value)
        if not self._callers:
            self._location = None  # the program ends
            return
        state, frame = self._state, self._frame
        caller = self._callers.pop()
        call = caller.call.op
        assert isinstance(call, Call)
        self._frame, self._location = caller.frame, caller.call.dst
        state.locals = caller.locals
        self._take_result(state, call.target, result, value, coord)
        self._machine.leave(state, frame)
        state.stack = caller.stack

    def _take_result(
        self,
        state: SymbolicState,
        target: Lvalue | None,
        result: Term | list[AccessTarget] | None,
        value: Expr | None,
        coord: Coord,
    ) -> None:
        """While the frame of the callee is still there: a returned record may lie in it."""
        if target is None or isinstance(target.type, VoidType):
            return
        outer = self._values()
        if result is None or value is None:
            self._machine.havoc(
                state,
                self._frame,
                target,
                Source.UNINITIALIZED,
                "no result",
                coord,
                self._order,
            )
        elif isinstance(result, list):
            if target.type is not value.type:
                raise SymbolicLimit("a record is returned as something else")
            if size := size_of(value.type):
                self._machine.copy_block(state, outer.whole(target), result, size)
        else:
            outer.store(target, _converted(result, value.type, target.type))


def _converted(term: Term, source: Type, target: Type) -> Term:
    """An argument or result; the types differ only in calls through pointers."""
    if source is target:
        return term
    made = None if isinstance(target, RecordType) else encode.cast(term, source, target)
    if made is None:
        raise SymbolicLimit(f"a {source} is passed as a {target}")
    return made
