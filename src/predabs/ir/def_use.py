"""Definitions and uses: the lvalues that an operation writes, and the terms and lvalues it reads.

Soundness duty: no lvalue that an operation reads or writes is left out (bytes behind a pointer
count as `*(void *)pointer`).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, assert_never

from .expr import Deref, Expr, Lvalue
from .ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    Fill,
    Free,
    Halt,
    Havoc,
    Operation,
    Print,
    Return,
    Skip,
    Sweep,
)
from .types import VOID, PointerType
from .walk import as_lvalue, operands, reads_of

_WITH_TARGET = (Assign, Havoc, Call, Alloc, Sweep, Print)

# every analysis asks each operation: a table is the fastest
_VALUES: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Skip: lambda op: (),
    Havoc: lambda op: (),
    Error: lambda op: (),
    Assign: lambda op: (op.value,),
    Assume: lambda op: (op.cond,),
    Call: lambda op: (op.callee, *op.args),
    Return: lambda op: () if op.value is None else (op.value,),
    Halt: lambda op: () if op.status is None else (op.status,),
    Alloc: lambda op: (op.size,),
    Free: lambda op: (op.pointer,),
    Fill: attrgetter("pointer", "byte", "size"),
    Copy: attrgetter("pointer", "source", "size"),
    Sweep: attrgetter("value", "count"),
    Print: attrgetter("args"),
}


def op_target(op: Operation) -> Lvalue | None:
    """The lvalue that gets the operation's result, if there is one."""
    return op.target if isinstance(op, _WITH_TARGET) else None


def op_values(op: Operation) -> tuple[Expr, ...]:
    """The expressions that the operation evaluates, without its target."""
    return _VALUES[type(op)](op)


def op_reads(op: Operation) -> tuple[Lvalue, ...]:
    """The lvalues that the operation itself reads; not those that a called function reads.

    `*(void *)p` stands for bytes from p on: those that are copied, and strings that are printed.
    """
    values = list(op_values(op))
    target = op_target(op)
    if target is not None:
        values.extend(operands(target))
    if isinstance(op, Copy):
        values.append(Deref(op.source, VOID))
    elif isinstance(op, Print):
        pointers = [arg for arg in op.args if isinstance(arg.type, PointerType)]
        values.extend(Deref(pointer, VOID) for pointer in pointers)
    return reads_of(values)


def op_writes(op: Operation) -> tuple[Lvalue, ...]:
    """The lvalues that the operation itself writes; not those that a called function writes.

    `*(void *)p` stands for bytes from p on: those that are filled, copied to, or freed.
    """
    target = op_target(op)
    if target is not None:
        return (target,)
    if isinstance(op, Fill | Copy | Free):
        return (Deref(op.pointer, VOID),)
    return ()


def map_op(op: Operation, f: Callable[[Expr], Expr]) -> Operation:
    """The operation with `f` applied to its target and to each expression that it evaluates.

    `f` keeps types, and gives an lvalue for the target. The same object if nothing changes.
    """
    target = op_target(op)
    values = op_values(op)
    new_target = None if target is None else as_lvalue(f(target))
    new = tuple(f(value) for value in values)
    if target is new_target and all(a is b for a, b in zip(values, new, strict=True)):
        return op
    match op:
        case Assign():
            return Assign(_required(new_target), new[0])
        case Havoc(_, source, name):  # an extent, which has no effect, is left out
            return Havoc(_required(new_target), source, name)
        case Alloc(_, _, kind, zeroed, reuse):
            return Alloc(_required(new_target), new[0], kind, zeroed, reuse)
        case Call():
            return Call(new_target, new[0], new[1:])
        case Sweep(_, _, index, _, stride):
            return Sweep(_required(new_target), new[0], index, new[1], stride)
        case Print(_, function, _):
            return Print(new_target, function, new)
        case Assume(_, promised):
            return Assume(new[0], promised)
        case Return():
            return Return(new[0])
        case Halt(text, _):
            return Halt(text, new[0])
        case Free():
            return Free(new[0])
        case Fill():
            return Fill(*new)
        case Copy():
            return Copy(*new)
        case Skip() | Error():
            return op
    assert_never(op)


def _required(target: Lvalue | None) -> Lvalue:
    assert target is not None  # these operations always have one
    return target
