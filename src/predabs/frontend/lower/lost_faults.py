"""What can go wrong in a term that the smart constructors have simplified away.

`x / y == x / y` is the constant 1, and `2147483647 + 1` a constant too, but a run that comes there
goes wrong in C. Whoever lowers such an expression evaluates the lost terms for themselves.
Soundness duty: a term that may go wrong is in the result, or among those that are named here.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import arith
from ...ir.expr import Binary, Cast, Const, Deref, Expr, Index, Op, Unary, UnaryOp
from ...ir.types import IntType, Type
from ...ir.walk import subterms

_SIGNED = frozenset([Op.ADD, Op.SUB, Op.MUL, Op.SHL])


def lost_parts(result: Expr, *parts: Expr) -> Iterator[Expr]:
    """The parts that may go wrong and that the result, built from them, does not have any more."""
    if isinstance(result, Binary) and result.left in parts and result.right in parts:
        return
    wrong = [part for part in dict.fromkeys(parts) if _may_go_wrong(part)]
    if wrong:
        inside = set(subterms(result))
        yield from (part for part in wrong if part not in inside)


def lost_operation(result: Expr, op: Op, left: Expr, right: Expr) -> Iterator[Expr]:
    """The operation itself, if it goes wrong on numbers that were folded."""
    if isinstance(result, Binary) or not isinstance(right, Const):
        return
    type_ = left.type
    if not isinstance(type_, IntType):
        return
    if isinstance(left, Const):
        wrong = _goes_wrong(op, type_, left.value, right.value)
    else:
        wrong = op is Op.SHL and type_.signed  # by 0: of a negative number, maybe
    if wrong:
        yield Binary(op, left, right, type_)


def lost_negation(arg: Expr) -> Iterator[Expr]:
    """The negation of the least number of a type, if it was folded."""
    match arg:
        case Const(value, IntType() as type_) if type_.signed and value == type_.low:
            yield Unary(UnaryOp.NEG, arg, type_)


def lost_conversion(result: Expr, arg: Expr, type_: Type) -> Iterator[Expr]:
    """The conversion itself, if it may change the value and was put together with another, or
    folded."""
    if isinstance(result, Cast) and result.arg is arg:
        return
    match arg:
        case Const(value, IntType()) if isinstance(type_, IntType) and type_.wrap(value) == value:
            return
    if may_change(arg.type, type_):
        yield Cast(arg, type_)


def may_change(source: Type, type_: Type) -> bool:
    """Are there values that a conversion between integer types changes? (One to `_Bool` compares
    with zero; to a type of one bit, as here, it truncates.)"""
    if not isinstance(source, IntType) or not isinstance(type_, IntType):
        return False
    return source.low < type_.low or type_.high < source.high


def _may_go_wrong(part: Expr) -> bool:
    return any(_can_fault(term) for term in subterms(part))


def _can_fault(term: Expr) -> bool:
    match term:
        case Deref() | Index():
            return True
        case Cast(arg, type_):
            return may_change(arg.type, type_)
        case Unary(UnaryOp.NEG, _, IntType() as type_):
            return type_.signed
        case Binary(Op.DIV | Op.REM | Op.SHL | Op.SHR, _, _, IntType()):
            return True
        case Binary(op, _, _, IntType() as type_):
            return type_.signed and op in _SIGNED
    return False


def _goes_wrong(op: Op, type_: IntType, left: int, right: int) -> bool:
    """Does it go wrong with these numbers, as one check or another says?"""
    match op:
        case Op.SHL | Op.SHR if not 0 <= right < type_.bits:
            return True
        case Op.SHL:
            return type_.signed and (left < 0 or left << right > type_.high)
        case Op.ADD:
            exact = left + right
        case Op.SUB:
            exact = left - right
        case Op.MUL:
            exact = left * right
        case Op.DIV | Op.REM:  # a division by zero is not folded
            exact = arith.divide(left, right)
        case _:
            return False
    return type_.signed and not type_.low <= exact <= type_.high
