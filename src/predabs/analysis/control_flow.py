"""Control flow with call stacks: the transitions that leave a configuration [HJMS02, section 5.1].

Calls through pointers go to the functions that the points-to analysis allows, and, if the pointer
may come from outside, to a function of the environment, which returns any value and changes nothing
else. Soundness duty: every step of a run is one of the transitions; where they cannot show it (a
recursive call) there is a transition of kind LIMIT, whose operations say under which condition.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Edge, Function, Program
from ..ir.configuration import CallStack, Configuration, Transition, TransitionKind
from ..ir.expr import Expr, FunctionAddress, Lvalue
from ..ir.ops import Assign, Assume, Call, Error, Halt, Havoc, Operation, Return, Source
from ..ir.types import PointerType, RecordType, Type, VoidType
from .points_to.sets import PointsTo


class ControlFlow:
    """The transitions of a program, made when they are asked for."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self.program = program
        self._points_to = points_to
        self._transitions: dict[Configuration, tuple[Transition, ...]] = {}

    @property
    def entry(self) -> Configuration:
        return Configuration(self.program.functions[self.program.entry].entry, None)

    def transitions(self, configuration: Configuration) -> tuple[Transition, ...]:
        """All that can happen next, in source order."""
        known = self._transitions.get(configuration)
        if known is None:
            function = self.program.functions[configuration.location.function]
            found: list[Transition] = []
            for edge in function.outgoing[configuration.location]:
                try:
                    found += self._along(configuration, edge)
                except UnsupportedFeature as problem:
                    raise UnsupportedFeature(f"{edge.coord}: {problem}") from None
            known = self._transitions[configuration] = tuple(found)
        return known

    def callees(self, edge: Edge) -> tuple[str, ...]:
        """The functions with a body that a call may enter."""
        names = self._points_to.call_targets(edge)
        return tuple(name for name in names if name in self.program.functions)

    def _along(self, configuration: Configuration, edge: Edge) -> Iterator[Transition]:
        match edge.op:
            case Error(_, text):
                yield Transition(edge, configuration, None, TransitionKind.ERROR, (), text)
            case Halt():
                return
            case Call() as call:
                yield from self._call(configuration, edge, call)
            case Return(value):
                yield from self._return(configuration, edge, value)
            case op:
                yield Transition(
                    edge,
                    configuration,
                    Configuration(edge.dst, configuration.stack),
                    TransitionKind.STEP,
                    (op,),
                )

    def _is_limit(self, configuration: Configuration, name: str) -> bool:
        """Can a call of a function with a body not be followed?"""
        return configuration.active(name)

    def _return(
        self, configuration: Configuration, edge: Edge, value: Expr | None
    ) -> Iterator[Transition]:
        if configuration.stack is not None:
            yield _leave(configuration, configuration.stack, edge, value)

    def _call(self, configuration: Configuration, edge: Edge, call: Call) -> Iterator[Transition]:
        direct = isinstance(call.callee, FunctionAddress)
        names = self._points_to.call_targets(edge)
        others: list[Operation] = []
        for name in sorted(names):
            chosen: list[Operation] = []
            if not direct:
                is_it = make.equal(call.callee, _address(name, call.callee.type))
                chosen.append(Assume(is_it))
                others.append(Assume(make.negate(is_it)))
            function = self.program.functions.get(name)
            if function is None:
                chosen += _unknown_result(call.target, name)
                after = Configuration(edge.dst, configuration.stack)
                yield Transition(edge, configuration, after, TransitionKind.STEP, tuple(chosen))
            elif self._is_limit(configuration, name):
                text = f"a recursive call of {name}"
                yield Transition(
                    edge, configuration, None, TransitionKind.LIMIT, tuple(chosen), text, name
                )
            else:
                chosen += _bind(call, function)
                inside = Configuration(function.entry, CallStack(edge, configuration.stack))
                yield Transition(edge, configuration, inside, TransitionKind.STEP, tuple(chosen))
        if not direct and self._points_to.may_be_unknown(edge):
            others += _unknown_result(call.target, "*")
            after = Configuration(edge.dst, configuration.stack)
            yield Transition(edge, configuration, after, TransitionKind.STEP, tuple(others))


def _address(name: str, type_: Type) -> FunctionAddress:
    assert isinstance(type_, PointerType)
    return FunctionAddress(name, type_)


def _unknown_result(target: Lvalue | None, name: str) -> list[Operation]:
    if target is None or isinstance(target.type, VoidType):
        return []
    return [Havoc(target, Source.EXTERN, name)]


def _bind(call: Call, function: Function) -> list[Operation]:
    """The parameters take the arguments; nothing that an argument reads is a parameter, because
    the function is not active."""
    ops: list[Operation] = []
    for number, param in enumerate(function.params):
        if number < len(call.args):
            ops.append(Assign(param, converted(call.args[number], param.type)))
        else:
            ops.append(Havoc(param, Source.UNINITIALIZED, param.short))
    return ops


def _leave(
    configuration: Configuration, stack: CallStack, edge: Edge, value: Expr | None
) -> Transition:
    call = stack.call.op
    assert isinstance(call, Call)
    ops: tuple[Operation, ...] = ()
    if call.target is not None and not isinstance(call.target.type, VoidType):
        if value is None:
            ops = (Havoc(call.target, Source.UNINITIALIZED, "no result"),)
        else:
            ops = (Assign(call.target, converted(value, call.target.type)),)
    return Transition(
        edge, configuration, Configuration(stack.call.dst, stack.below), TransitionKind.STEP, ops
    )


def converted(value: Expr, type_: Type) -> Expr:
    """An argument or result; the types differ only in calls through pointers."""
    if value.type is type_:
        return value
    if isinstance(value.type, RecordType) or isinstance(type_, RecordType):
        raise UnsupportedFeature(f"a {value.type} is passed as a {type_}")
    return make.cast(value, type_)
