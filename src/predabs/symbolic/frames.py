"""Pass arguments and results between the frames of symbolic execution."""

from __future__ import annotations

from collections.abc import Callable

from ..encode import bitvector_encoding as encode
from ..ir.cfa import Coord
from ..ir.expr import Expr, Lvalue
from ..ir.ops import Call, Source
from ..ir.types import RecordType, Type, size_of
from ..records import dataclass
from ..smt.term import Term
from .execute import SymbolicFrame, SymbolicMachine
from .memory import AccessTarget
from .state import SymbolicState
from .values import SymbolicValues


@dataclass(frozen=True, slots=True)
class Argument:
    """A scalar as a term, or a record by where it lies."""

    type: Type
    value: Term | list[AccessTarget]


def arguments(values: SymbolicValues, call: Call) -> list[Argument]:
    """The arguments of a call, evaluated in the caller."""
    return [
        Argument(
            arg.type,
            values.whole(arg)
            if isinstance(arg, Lvalue) and isinstance(arg.type, RecordType)
            else values.value(arg),
        )
        for arg in call.args
    ]


def bind(
    machine: SymbolicMachine,
    state: SymbolicState,
    frame: SymbolicFrame,
    args: list[Argument],
    coord: Coord,
    order: tuple[int, ...],
) -> None:
    """Give the parameters of a frame their values; a missing one holds anything."""
    values = machine.values(state, frame)
    for number, param in enumerate(frame.function.params):
        arg = args[number] if number < len(args) else None
        if arg is None or isinstance(arg.type, RecordType) != isinstance(param.type, RecordType):
            source = Source.UNINITIALIZED
            machine.havoc(state, frame, param, source, param.short, coord, order)
        elif isinstance(arg.value, list):
            machine.copy_block(state, values.whole(param), arg.value, size_of(param.type))
        else:
            term = encode.cast(arg.value, arg.type, param.type)
            if term is None:
                term = machine.fresh(param.name, encode.sort(param.type))
            values.store(param, term)


def deliver(
    machine: SymbolicMachine,
    state: SymbolicState,
    inner: SymbolicFrame,
    outer: SymbolicFrame,
    value: Expr | None,
    target: Lvalue | None,
    back: Callable[[], None],
    coord: Coord,
    order: tuple[int, ...],
) -> None:
    """Evaluate a result in the inner frame, go `back` to the outer one, and store it there."""
    fits = (
        target is not None
        and value is not None
        and (isinstance(value.type, RecordType) == isinstance(target.type, RecordType))
    )
    if target is None or value is None or not fits:
        back()
        if target is not None:
            source = Source.UNINITIALIZED
            machine.havoc(state, outer, target, source, "no result", coord, order)
    elif isinstance(value.type, RecordType):
        assert isinstance(value, Lvalue)
        lies = machine.values(state, inner).whole(value)
        # copied before the inner frame's objects end
        machine.copy_block(state, machine.values(state, outer).whole(target), lies, value.type.size)
        back()
    else:
        # through a pointer of another type, a result of another type may come
        term = encode.cast(machine.values(state, inner).value(value), value.type, target.type)
        if term is None:
            term = machine.fresh("result", encode.sort(target.type))
        back()
        machine.values(state, outer).store(target, term)
