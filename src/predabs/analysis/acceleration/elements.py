"""Elements of arrays that a loop goes along, in the terms of one round.

Soundness duty: `is_apart` and `is_elsewhere` only if the two lvalues share no byte: for the same
values of the counters, or for any.
"""

from __future__ import annotations

from collections.abc import Collection

from ...ir.cfa import Program
from ...ir.expr import (
    AddressOf,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    Index,
    Initialised,
    NoLeak,
    ObjectSize,
    Op,
    PointerAdd,
    ValidAccess,
    ValidFree,
    Var,
)
from ...ir.types import FloatType, IntType, PointerType, RecordType, size_of
from ...ir.walk import children, subterms, variables
from ...records import dataclass

_OF_MEMORY = Deref | Field | Index | ValidAccess | ValidFree | Initialised | NoLeak | ObjectSize


@dataclass(frozen=True, slots=True)
class MovingIndex:
    """An index that changes from round to round, and the size of what it counts, in bytes."""

    index: Expr
    size: int


@dataclass(frozen=True, slots=True)
class Element:
    """A scalar in memory. `root` is the variable that it is part of, None if it is behind a
    pointer; `moving` has the index that changes, if there is one."""

    lvalue: Expr
    root: Var | None
    moving: tuple[MovingIndex, ...]
    is_number: bool

    def is_apart(self, other: Element, program: Program) -> bool:
        """Are they different parts of memory in all rounds, of both?"""
        if self.is_elsewhere(other):
            return True
        match self.lvalue, other.lvalue:
            case Field(base, name, _), Field(same, another, _) if base is same:
                assert isinstance(base.type, RecordType)
                whole = size_of(base.type)
                moved = (*self.moving, *other.moving)
                return (
                    name != another
                    and not program.records[base.type.tag].union
                    and all(item.size >= whole for item in moved)
                )
        return False

    def is_elsewhere(self, other: Element) -> bool:
        """Are they parts of different variables?"""
        return self.root is not None and other.root is not None and self.root is not other.root


def element(program: Program, lvalue: Expr, steps: Collection[Var]) -> Element | None:
    """The lvalue as an element whose address moves with at most one index; None if it is no such
    thing."""
    indices: list[MovingIndex] = []
    at = lvalue
    while isinstance(at, Field | Index):
        if isinstance(at, Index):
            indices.append(MovingIndex(at.index, size_of(at.type)))
        at = at.base
    root = at if isinstance(at, Var) else None
    if isinstance(at, Deref):
        found = _pointer(at.pointer)
        if found is None:
            return None
        indices += found
    elif root is None or root is lvalue:
        return None
    if not all(is_plain(item.index) for item in indices):
        return None
    moving = [item for item in indices if any(var in steps for var in variables(item.index))]
    if len(moving) > 1 or _is_bit_field(program, lvalue):
        return None
    return Element(lvalue, root, tuple(moving), _is_number(lvalue, moving))


def _pointer(pointer: Expr) -> list[MovingIndex] | None:
    """The indices in a pointer that else does not change."""
    indices: list[MovingIndex] = []
    while True:
        match pointer:
            case PointerAdd(base, index, type_):
                indices.append(MovingIndex(index, size_of(type_.target)))
                pointer = base
            case Cast(base, PointerType()) if isinstance(base.type, PointerType):
                pointer = base
            case AddressOf(target, _):
                while isinstance(target, Field | Index):
                    if isinstance(target, Index):
                        indices.append(MovingIndex(target.index, size_of(target.type)))
                    target = target.base
                return indices if isinstance(target, Var) else None
            case Var():
                return indices
            case _:
                return None


def _is_number(lvalue: Expr, moving: list[MovingIndex]) -> bool:
    """Does it hold a number that fills its bytes, and do its neighbours not overlap it?"""
    match lvalue.type:
        case IntType(bits, _):
            fills = bits == 8 * size_of(lvalue.type) and bits in (8, 16, 32, 64)
        case FloatType(bits, _):
            fills = bits in (32, 64)
        case _:
            return False
    return fills and all(item.size >= size_of(lvalue.type) for item in moving)


def _is_bit_field(program: Program, lvalue: Expr) -> bool:
    if not isinstance(lvalue, Field):
        return False
    assert isinstance(lvalue.base.type, RecordType)
    return program.records[lvalue.base.type.tag].member(lvalue.name).bitfield


def read_elements(program: Program, value: Expr, steps: Collection[Var]) -> list[Element] | None:
    """The elements that a value is made from; None if it is made from something else in memory, or
    may have no value."""
    found: list[Element] = []
    todo = [value]
    while todo:
        term = todo.pop()
        if isinstance(term, Deref | Field | Index):
            read = element(program, term, steps)
            if read is None:
                return None
            found.append(read)
        elif isinstance(term, _OF_MEMORY | AddressOf) or _may_fault(term):
            return None
        else:
            todo += children(term)
    return found


def is_plain(term: Expr) -> bool:
    """Is its value a number that follows from variables alone? What lies in memory could lie
    elsewhere in the next round."""
    return not any(isinstance(part, _OF_MEMORY) or _may_fault(part) for part in subterms(term))


def _may_fault(term: Expr) -> bool:
    """Could it have no value? Then a run would end there."""
    return (
        isinstance(term, Binary)
        and term.op in (Op.DIV, Op.REM)
        and isinstance(term.type, IntType)
        and not (isinstance(term.right, Const) and term.right.value not in (0, -1))
    )
