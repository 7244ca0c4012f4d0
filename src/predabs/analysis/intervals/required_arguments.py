"""Functions that return only if an argument is not zero, such as a program's own `assume`.

Soundness duty: if a call of the function returns, the value that it was given for each of the
parameters named here was not zero.
"""

from __future__ import annotations

from ...ir import make
from ...ir.cfa import Edge, Function
from ...ir.expr import Cast, Expr, Var
from ...ir.ops import Assume, Call
from ...ir.types import BoolType, IntType
from ..effects import Slots

_MOST_EDGES = 40  # of such a function


def required_parameters(function: Function, slots: Slots) -> tuple[int, ...]:
    """The places of these parameters."""
    if len(function.edges) > _MOST_EDGES:
        return ()
    return tuple(
        place
        for place, param in enumerate(function.params)
        if isinstance(param.type, IntType) and _is_required(function, param, slots)
    )


def _is_required(function: Function, param: Var, slots: Slots) -> bool:
    """Does each way to the exit pass a test of it, and does nothing write it?"""
    if param not in slots.of_target(param):
        return False  # it is no scalar variable: others may know its address
    assert isinstance(param.type, IntType)
    wanted = make.negate(make.equal(param, make.const(0, param.type)))
    if not any(_tests(edge, wanted) for edge in function.edges):
        return False
    seen, waiting = {function.entry}, [function.entry]
    for location in waiting:  # grows
        for edge in function.outgoing[location]:
            if param in slots.effects(edge).writes:
                return False
            if edge.dst not in seen and not _tests(edge, wanted):
                seen.add(edge.dst)
                waiting.append(edge.dst)
    return function.exit not in seen


def _tests(edge: Edge, wanted: Expr) -> bool:
    return isinstance(edge.op, Assume) and edge.op.cond is wanted


def is_not_zero(call: Call, place: int) -> Expr | None:
    """That an argument of a call is not zero, as a condition."""
    if place >= len(call.args):
        return None
    arg = call.args[place]
    while isinstance(arg, Cast) and isinstance(arg.arg.type, BoolType | IntType):
        if isinstance(arg.arg.type, BoolType):
            return arg.arg
        if not (isinstance(arg.type, IntType) and arg.type.bits >= arg.arg.type.bits):
            break
        arg = arg.arg
    if not isinstance(arg.type, IntType):
        return None
    return make.negate(make.equal(arg, make.const(0, arg.type)))
