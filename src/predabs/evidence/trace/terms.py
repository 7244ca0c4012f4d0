"""Terms and operations as the source would have them: implicit conversions that keep the value, and
those to `void *`, are left out; null pointers are NULL, and characters stand as such."""

from __future__ import annotations

from ...ir.cfa import whose_life
from ...ir.def_use import map_op
from ...ir.expr import (
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    Index,
    Ite,
    Not,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    Var,
)
from ...ir.ops import Assign, Operation
from ...ir.types import CHAR, IntType, PointerType, Type, VoidType
from ...ir.walk import as_lvalue, fold
from .values import character


class SourceTerms:
    """Remembers what it has rewritten."""

    def __init__(self) -> None:
        self._known: dict[Expr, Expr] = {}

    def operation(self, op: Operation) -> Operation:
        shown = map_op(op, self.term)
        match shown:
            case Assign(target, Const() as value) if target.type is CHAR:
                return Assign(target, _as_character(value, target))
        return shown

    def term(self, e: Expr) -> Expr:
        found = self._known.get(e)
        if found is None:
            found = self._known[e] = fold(e, _readable)
        return found


def _readable(e: Expr, new: tuple[Expr, ...]) -> Expr:
    """The term with new parts. Types are not kept: this is for printing only."""
    match e:
        case Const(0, PointerType() as type_):
            return Var("NULL", type_)
        case Cast(arg, type_):
            return new[0] if _is_implicit(arg.type, type_) else Cast(new[0], type_)
        case Unary(op, _, type_):
            return Unary(op, new[0], type_)
        case Binary(op, _, _, type_):
            left, right = new
            if op.is_comparison:
                left, right = _as_character(left, right), _as_character(right, left)
            return Binary(op, left, right, type_)
        case PointerAdd(_, _, type_):
            return PointerAdd(new[0], new[1], type_)
        case PointerDiff(_, _, type_):
            return PointerDiff(new[0], new[1], type_)
        case Deref(pointer, _) if (variable := whose_life(pointer)) is not None:
            return variable
        case Deref(_, type_):
            return Deref(new[0], type_)
        case Field(_, name, type_):
            return Field(as_lvalue(new[0]), name, type_)
        case Index(_, _, type_):
            return Index(as_lvalue(new[0]), new[1], type_)
        case AddressOf(target, PointerType(pointed, bits) as type_):
            plain = PointerType(target.type, bits) if isinstance(pointed, VoidType) else type_
            return AddressOf(as_lvalue(new[0]), plain)
        case Not():
            return Not(new[0])
        case And():
            return And(new)
        case Or():
            return Or(new)
        case Ite(_, _, _, type_):
            return Ite(new[0], new[1], new[2], type_)
    return e


def _is_implicit(old: Type, new: Type) -> bool:
    match old, new:
        case IntType(), IntType():
            return new.low <= old.low and old.high <= new.high
        case PointerType(), PointerType(VoidType(), _):
            return True
    return False


def _as_character(e: Expr, other: Expr) -> Expr:
    """A number that a character is compared with."""
    if isinstance(e, Const) and isinstance(other.type, IntType) and other.type.bits == 8:
        text = character(e.value)
        if text is not None:
            return Var(text, e.type)
    return e
