"""Execute one path symbolically: the condition that each of its edges adds.

Calls are followed into and out of as `ir.path` says. Soundness duty: a run follows the path if and
only if it satisfies all the conditions, save that a number which the symbolic state does not
compute (floating point) is any number; what cannot be expressed raises `SymbolicLimit`.
"""

from __future__ import annotations

from collections.abc import Callable

from ..concrete.storage_layout import VariableLayout
from ..encode import bitvector_encoding as encode
from ..errors import InternalError
from ..ir.cfa import Coord, Edge, Function, Location, Program
from ..ir.expr import Expr, FunctionAddress, Lvalue, Var
from ..ir.ops import Call, Error, Halt, Return, Source
from ..ir.types import RecordType, Type, VoidType, size_of
from ..records import dataclass
from ..smt import build
from ..smt.term import FALSE, TRUE, Term
from ..symbolic.callees import OUTSIDE, FunctionPointers
from ..symbolic.environment_addresses import EnvironmentAddresses
from ..symbolic.execute import SymbolicFrame, SymbolicMachine
from ..symbolic.memory import AccessTarget, SymbolicObject
from ..symbolic.state import Guard, SymbolicState
from ..symbolic.symbolic_input import EnvironmentAccess, SymbolicInput
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

    def __init__(self, program: Program, limit: Callable[[Guard, Term, str, Coord], None]) -> None:
        self._program = program
        self._layout = VariableLayout(program)
        self._machine = SymbolicMachine(program, self._layout, limit, complete=True)
        self._functions = FunctionPointers(program, self._layout)
        self._callers: list[_Caller] = []
        self._machine.outer_locals = lambda: [caller.locals for caller in self._callers]
        self._steps = 0
        function = program.functions[program.entry]
        self._state = self._machine.start()
        self._frame = self._machine.enter(self._state, function, ())
        for number, param in enumerate(function.params):
            self._machine.parameter(self._state, self._frame, param, number)
        self._location: Location | None = function.entry
        self._start = self._state.guard

    @property
    def taken(self) -> list[SymbolicInput]:
        """The inputs so far."""
        return self._machine.taken

    @property
    def accesses(self) -> list[EnvironmentAccess]:
        """The accesses to memory of the environment so far."""
        return self._machine.accesses

    @property
    def environment(self) -> EnvironmentAddresses:
        return self._machine.environment

    @property
    def doubts(self) -> list[Term]:
        """Conditions under which the path may be followed by no run, because a number is left open
        or a pointer from outside is a function of the program."""
        return [build.and_(guard.term, cond) for guard, cond in self._machine.doubts]

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
        self._machine.coord = edge.coord
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
        if isinstance(call.callee, FunctionAddress):
            name: str | None = call.callee.name
            results: list[tuple[Term, str]] = [(TRUE, call.callee.name)]
        else:
            callee = values.value(call.callee)
            name = self._entered(edge, after)
            results = []
            if name is not None:
                self._choose(values, call, callee, name)
            elif after is not None:
                results = self._without_body(values, call, callee)
        function = None if name is None else self._program.functions.get(name)
        if function is not None:
            self._enter(values, edge, call, function)
        elif call.target is not None:
            if not results and after is None:
                raise SymbolicLimit("the path ends in a call through a pointer")
            if not results:
                return  # no run comes here
            self._machine.result_from_outside(
                self._state, self._frame, call.target, results, edge.coord, self._order
            )

    def _entered(self, edge: Edge, after: Edge | None) -> str | None:
        """The function that the path enters after a call through a pointer; None if it is called
        and has no body, or is one of the environment."""
        if after is None:
            return None
        inside = self._program.functions.get(after.src.function)
        enters = inside is not None and after.src is inside.entry
        if after.src is edge.dst:
            if enters:
                raise SymbolicLimit(
                    "it cannot be told whether the path enters the function that is called"
                )
            return None
        if not enters:
            raise InternalError(f"no path: {after.src} after a call to {edge.dst}")
        return after.src.function

    def _choose(self, values: SymbolicValues, call: Call, callee: Term, name: str) -> None:
        """The path enters this function."""
        values.require(build.eq(callee, self._functions.address(name)))
        space = self._state.memory.space
        found = self._functions.callees(call.callee, callee, space) if space.apart else None
        if found is not None and found.undecided is not FALSE:
            self._machine.doubt(self._state.guard, found.undecided)

    def _without_body(
        self, values: SymbolicValues, call: Call, callee: Term
    ) -> list[tuple[Term, str]]:
        """The functions that the path may have called without entering any; each with its
        condition."""
        found = self._functions.callees(call.callee, callee, self._state.memory.space)
        functions = self._program.functions
        if found is None:
            results: list[tuple[Term, str]] = [
                (build.eq(callee, self._functions.address(name)), name)
                for name in self._layout.functions
                if name not in functions
            ]
        else:
            results = [(cond, name) for cond, name in found.named if name not in functions]
            results += [(found.outside, OUTSIDE)] * (found.outside is not FALSE)
        values.require(build.or_(*(cond for cond, _ in results)))
        return results

    def _enter(self, outer: SymbolicValues, edge: Edge, call: Call, function: Function) -> None:
        args = [self._argument(outer, arg) for arg in call.args]
        state = self._state
        self._callers.append(_Caller(edge, self._frame, state.locals, state.stack))
        self._frame = self._machine.enter(state, function, self._order)
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
