"""Faults of memory: an access outside of all live objects, a wrong free, objects that are lost.

Soundness duty: see `faults`. An access to a variable by its name needs no condition, save where an
open array at its end is indexed; whatever goes through a pointer has one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import make
from ..ir.cfa import Edge, Program
from ..ir.expr import (
    Deref,
    Expr,
    Field,
    FunctionAddress,
    Index,
    Lvalue,
    NoLeak,
    ObjectSize,
    Roots,
    ValidAccess,
    ValidFree,
)
from ..ir.ops import Alloc, AllocKind, Call, Copy, Fill, Free, Halt, Operation, Return
from ..ir.types import VOID, IntType, PointerType, RecordType, size_of
from ..ir.walk import root_of
from .access_faults import is_null, is_open_ended
from .faults import Fault, shown


def invalid_access(program: Program, lvalue: Lvalue, writes: bool) -> Iterator[Fault]:
    """A whole lvalue that is read or written is not inside one live object."""
    root = root_of(lvalue)
    size = _bytes(program, lvalue)
    if size == 0 or (not isinstance(root, Deref) and not _is_open(program, lvalue)):
        return
    pointer = make.address_of(lvalue, PointerType(VOID, program.data_model.pointer_bits))
    wrong = make.negate(ValidAccess(pointer, _size(program, size), writes))
    if isinstance(root, Deref):  # a member of null is no access, wherever it would lie
        wrong = make.disj((wrong, is_null(root.pointer)))
    yield Fault(wrong, f"invalid {'write to' if writes else 'read of'} {shown(lvalue)}")


def invalid_block(program: Program, edge: Edge) -> Iterator[Fault]:
    """A block of bytes is not inside one live object, or a call leads nowhere."""
    match edge.op:
        case Fill(pointer, _, size):
            yield _block(program, pointer, size, writes=True)
        case Copy(pointer, source, size):
            yield _block(program, source, size, writes=False)
            yield _block(program, pointer, size, writes=True)
        case Call(_, callee, _) if not isinstance(callee, FunctionAddress):
            yield Fault(is_null(callee), f"null function pointer {shown(callee)} called")


def invalid_free(program: Program, edge: Edge) -> Iterator[Fault]:
    """Something is freed that is no live object of the heap."""
    if isinstance(edge.op, Free):
        pointer = edge.op.pointer
        yield Fault(make.negate(ValidFree(pointer)), f"invalid free of {shown(pointer)}")


def invalid_resize(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """The size of something is asked for that is no live object of the heap: by `realloc`."""
    if isinstance(term, ObjectSize):
        pointer = term.pointer
        yield Fault(make.negate(ValidFree(pointer)), f"invalid realloc of {shown(pointer)}")


def lost_object(program: Program, edge: Edge) -> Iterator[Fault]:
    """The run ends, and an object of the heap cannot be reached any more."""
    match _end(program, edge):
        case Return():
            yield Fault(make.negate(NoLeak(Roots.GLOBALS)), "memory is lost")
        case Halt():
            yield Fault(make.negate(NoLeak(Roots.FRAMES)), "memory is lost")


def live_object(program: Program, edge: Edge) -> Iterator[Fault]:
    """The run ends, and an object of the heap was not freed."""
    if _end(program, edge) is not None:
        yield Fault(make.negate(NoLeak(Roots.NONE)), "memory is not freed")


def _end(program: Program, edge: Edge) -> Operation | None:
    """The operation, if a real run ends with it."""
    match edge.op:
        case Return() if edge.src.function == program.entry:
            return edge.op
        case Halt() if not edge.op.undefined:
            return edge.op
    return None


def uses_heap(program: Program) -> bool:
    """Does the program allocate anything that must be freed?"""
    return any(
        isinstance(edge.op, Alloc) and edge.op.kind is AllocKind.HEAP
        for function in program.functions.values()
        for edge in function.edges
    )


def _block(program: Program, pointer: Expr, size: Expr, writes: bool) -> Fault:
    wrong = make.conj(
        (make.as_condition(size), make.negate(ValidAccess(pointer, _cast(program, size), writes)))
    )
    verb = "write to" if writes else "read of"
    return Fault(wrong, f"invalid {verb} {shown(size)} bytes at {shown(pointer)}")


def _size(program: Program, size: int) -> Expr:
    return make.const(size, IntType(program.data_model.pointer_bits, False))


def _cast(program: Program, size: Expr) -> Expr:
    return make.cast(size, IntType(program.data_model.pointer_bits, False))


def _bytes(program: Program, lvalue: Lvalue) -> int:
    """How many bytes of the lvalue are accessed, from its address on."""
    if isinstance(lvalue, Field) and isinstance(lvalue.base.type, RecordType):
        member = program.records[lvalue.base.type.tag].member(lvalue.name)
        if member.bitfield:
            assert isinstance(member.type, IntType)
            return (member.bit % 8 + member.type.bits + 7) // 8
    return size_of(lvalue.type)


def _is_open(program: Program, lvalue: Expr) -> bool:
    """Is an array indexed that may be longer than its type says?"""
    while isinstance(lvalue, Field | Index):
        if isinstance(lvalue, Index) and is_open_ended(program, lvalue.base):
            return True
        lvalue = lvalue.base
    return False
