"""Faults that an access shows by itself: a null pointer, an index outside an array of known length.

Soundness duty: see `faults`. What a pointer leads to is not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import make
from ..ir.cfa import Edge, Program
from ..ir.expr import Cast, Deref, Expr, Field, FunctionAddress, Index, PointerAdd
from ..ir.ops import Call, Copy, Fill
from ..ir.types import ArrayType, IntType, PointerType, RecordType
from .faults import Fault, shown


def null(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """An access through a null pointer."""
    if isinstance(term, Deref) and accessed:
        yield Fault(is_null(term.pointer), f"null pointer {shown(term.pointer)} dereferenced")


def null_argument(program: Program, edge: Edge) -> Iterator[Fault]:
    """A null function pointer that is called, or a null pointer to bytes that are used."""
    match edge.op:
        case Call(_, callee, _) if not isinstance(callee, FunctionAddress):
            yield Fault(is_null(callee), f"null function pointer {shown(callee)} called")
        case Fill(pointer, _, size):
            yield _null_block(pointer, size)
        case Copy(pointer, source, size):
            yield _null_block(pointer, size)
            yield _null_block(source, size)


def is_null(pointer: Expr) -> Expr:
    """`p[1]` goes wrong where p is null, whatever the sum is; a sum with another pointer is not
    null, save where addresses wrap around."""
    base = pointer
    while isinstance(base.type, PointerType):
        pointer = base
        match base:
            case PointerAdd(inner, _, _) | Cast(inner, _):
                base = inner
            case _:
                break
    assert isinstance(pointer.type, PointerType)
    return make.equal(pointer, make.const(0, pointer.type))


def _null_block(pointer: Expr, size: Expr) -> Fault:
    cond = make.conj((make.as_condition(size), is_null(pointer)))
    return Fault(cond, f"null pointer {shown(pointer)} given to a memory function")


def accessed_bounds(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """An element outside of its array is read or written."""
    if accessed:
        yield from bounds(program, term, accessed)


def bounds(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """An element outside an array whose length is known; of an address, one beyond is allowed.

    An array of at most one element at the end of a struct may stand for a longer one.
    """
    if not isinstance(term, Index) or is_open_ended(program, term.base):
        return
    array, type_ = term.base.type, term.index.type
    assert isinstance(array, ArrayType) and isinstance(type_, IntType)
    bad = [make.less(term.index, make.const(0, type_))] if type_.signed else []
    last = array.length - 1 if accessed else array.length
    if last < type_.high:
        bad.append(make.less(make.const(last, type_), term.index))
    text = f"index {shown(term.index)} out of the bounds of {shown(term.base)}[{array.length}]"
    yield Fault(make.disj(bad), text)


def is_open_ended(program: Program, array: Expr) -> bool:
    assert isinstance(array.type, ArrayType)
    if array.type.length > 1 or not isinstance(array, Field):
        return array.type.length == 0
    owner = array.base.type
    assert isinstance(owner, RecordType)
    return program.records[owner.tag].members[-1].name == array.name
