"""Smart constructors: build terms, fold constants, and keep a few normal forms.

Soundness duty: the result has the same type as the term without simplification and, wherever that
has a value, the same value; a part that could go wrong (a division by zero) may vanish together
with what used it.

>>> from .expr import Var
>>> from .types import INT
>>> x = Var("x", INT)
>>> binary(Op.ADD, const(2, INT), const(3, INT)).value
5
>>> negate(less(x, const(3, INT))) is less_equal(const(3, INT), x)
True
"""

from __future__ import annotations

from collections.abc import Iterable

from . import arith
from .expr import (
    FALSE,
    TRUE,
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    FunctionAddress,
    Index,
    Ite,
    Lvalue,
    Not,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    UnaryOp,
)
from .types import BOOL, ArrayType, FloatType, IntType, PointerType, Type, size_of


def const(value: int, type_: IntType | PointerType) -> Const:
    """The constant, wrapped into its type."""
    return Const(type_.wrap(value), type_)


def float_const(value: float, type_: FloatType) -> FloatConst:
    return FloatConst(value.hex(), type_)


def truth(value: bool) -> Const:
    return TRUE if value else FALSE


def unary(op: UnaryOp, arg: Expr) -> Expr:
    if isinstance(arg, Const) and isinstance(arg.type, IntType):
        return const(-arg.value if op is UnaryOp.NEG else ~arg.value, arg.type)
    if isinstance(arg, FloatConst) and op is UnaryOp.NEG:
        text = arg.hex
        return FloatConst(text[1:] if text.startswith("-") else f"-{text}", arg.type)
    return Unary(op, arg, arg.type)


def binary(op: Op, left: Expr, right: Expr) -> Expr:
    """`left op right` for an arithmetic operator."""
    type_ = left.type
    if isinstance(type_, IntType) and isinstance(right, Const):
        if isinstance(left, Const) and not (op in (Op.DIV, Op.REM) and right.value == 0):
            return Const(arith.binary(op, type_, left.value, right.value), type_)
        if right.value == 0 and op in (Op.ADD, Op.SUB, Op.OR, Op.XOR, Op.SHL, Op.SHR):
            return left
        if right.value == 1 and op in (Op.MUL, Op.DIV):
            return left
    if isinstance(type_, IntType) and isinstance(left, Const):
        if left.value == 0 and op in (Op.ADD, Op.OR, Op.XOR):
            return right
        if left.value == 1 and op is Op.MUL:
            return right
    return Binary(op, left, right, type_)


def compare(op: Op, left: Expr, right: Expr) -> Expr:
    """`left op right` for EQ, LT or LE."""
    if isinstance(left, Const) and isinstance(right, Const):
        return truth(arith.compare(op, left.value, right.value))
    if not isinstance(left.type, FloatType):
        if left is right:
            return truth(op is not Op.LT)
        if op is Op.EQ and isinstance(left, Const):
            left, right = right, left
        if op is Op.EQ and left.type is BOOL and isinstance(right, Const):
            return left if right.value else negate(left)
        if op is Op.EQ and isinstance(right, Const) and (test := _truth_value(left)) is not None:
            # (int)c == k, for a condition c
            return test if right.value == 1 else negate(test) if right.value == 0 else FALSE
    return Binary(op, left, right, BOOL)


def _truth_value(expr: Expr) -> Expr | None:
    """The condition c, if `expr` is c turned into a number by conversions that keep 0 and 1."""
    while isinstance(expr, Cast) and isinstance(expr.type, IntType):
        if expr.type.bits == 1 and expr.type.signed:
            return None
        if expr.arg.type is BOOL:
            return expr.arg
        expr = expr.arg
    return None


def equal(left: Expr, right: Expr) -> Expr:
    return compare(Op.EQ, left, right)


def not_equal(left: Expr, right: Expr) -> Expr:
    return negate(equal(left, right))


def less(left: Expr, right: Expr) -> Expr:
    return compare(Op.LT, left, right)


def less_equal(left: Expr, right: Expr) -> Expr:
    return compare(Op.LE, left, right)


def negate(cond: Expr) -> Expr:
    """The condition that holds when `cond` does not."""
    match cond:
        case Const(value, _):
            return truth(not value)
        case Not(arg):
            return arg
        case Binary(Op.LT, left, right, _) if not isinstance(left.type, FloatType):
            return Binary(Op.LE, right, left, BOOL)
        case Binary(Op.LE, left, right, _) if not isinstance(left.type, FloatType):
            return Binary(Op.LT, right, left, BOOL)
    return Not(cond)


def conj(args: Iterable[Expr]) -> Expr:
    """The conjunction, flat, without duplicates."""
    flat: dict[Expr, None] = {}
    for arg in args:
        if arg is FALSE:
            return FALSE
        if isinstance(arg, And):
            flat.update(dict.fromkeys(arg.args))
        elif arg is not TRUE:
            flat[arg] = None
    if len(flat) <= 1:
        return next(iter(flat), TRUE)
    if any(isinstance(arg, Not) and arg.arg in flat for arg in flat):
        return FALSE
    return And(tuple(flat))


def disj(args: Iterable[Expr]) -> Expr:
    """The disjunction, flat, without duplicates."""
    flat: dict[Expr, None] = {}
    for arg in args:
        if arg is TRUE:
            return TRUE
        if isinstance(arg, Or):
            flat.update(dict.fromkeys(arg.args))
        elif arg is not FALSE:
            flat[arg] = None
    if len(flat) <= 1:
        return next(iter(flat), FALSE)
    if any(isinstance(arg, Not) and arg.arg in flat for arg in flat):
        return TRUE
    return Or(tuple(flat))


def ite(cond: Expr, then: Expr, other: Expr) -> Expr:
    if cond is TRUE or then is other:
        return then
    if cond is FALSE:
        return other
    if then.type is BOOL:
        if isinstance(then, Const):
            return disj((cond, other)) if then is TRUE else conj((negate(cond), other))
        if isinstance(other, Const):
            return disj((negate(cond), then)) if other is TRUE else conj((cond, then))
    return Ite(cond, then, other, then.type)


def as_condition(value: Expr) -> Expr:
    """C's truth of a scalar: it is not zero."""
    match value.type:
        case IntType() | PointerType() as type_:
            return not_equal(value, Const(0, type_))
        case FloatType() as type_:
            return negate(Binary(Op.EQ, value, float_const(0.0, type_), BOOL))
    return value


def cast(arg: Expr, type_: Type) -> Expr:
    """C's conversion. To an integer of one bit it truncates: for `_Bool`, compare with 0 first."""
    source = arg.type
    if source is type_:
        return arg
    if isinstance(arg, Const):
        if isinstance(type_, IntType | PointerType):
            return const(arg.value, type_)
        if isinstance(type_, FloatType) and abs(arg.value) < 1 << 24:
            return float_const(float(arg.value), type_)
    if isinstance(arg, FunctionAddress) and isinstance(type_, PointerType):
        return FunctionAddress(arg.name, type_)
    if isinstance(arg, Cast) and isinstance(type_, IntType | PointerType):
        inner = arg.arg.type
        if isinstance(inner, IntType | PointerType) and isinstance(source, IntType | PointerType):
            if inner.bits <= source.bits and type_.bits <= inner.bits:
                return cast(arg.arg, type_)  # widened and cut again: only the low bits remain
            if type_.bits <= source.bits <= inner.bits:
                return cast(arg.arg, type_)  # cut twice
    return Cast(arg, type_)


def address_of(lvalue: Lvalue, type_: PointerType) -> Expr:
    """`&lvalue`; the address of what a pointer points to is the pointer."""
    if isinstance(lvalue, Deref):
        return cast(lvalue.pointer, type_)
    return AddressOf(lvalue, type_)


def pointer_add(pointer: Expr, index: Expr) -> Expr:
    """`pointer + index`, in elements; inside an array known by name it is an `Index` again."""
    type_ = pointer.type
    assert isinstance(type_, PointerType)
    if isinstance(index, Const) and index.value == 0:
        return pointer
    if isinstance(pointer, Const) and isinstance(index, Const):
        return const(pointer.value + index.value * size_of(type_.target), type_)
    if (
        isinstance(pointer, AddressOf)
        and isinstance(pointer.target, Index)
        and isinstance(pointer.target.index, Const)
        and pointer.target.index.value == 0
        and pointer.target.type is type_.target
    ):
        base = pointer.target.base
        return AddressOf(Index(base, index, type_.target), type_)
    return PointerAdd(pointer, index, type_)


def pointer_diff(left: Expr, right: Expr, type_: IntType) -> Expr:
    return const(0, type_) if left is right else PointerDiff(left, right, type_)


def deref(pointer: Expr) -> Lvalue:
    """`*pointer`; what the address of an lvalue points to is the lvalue, if the types agree."""
    type_ = pointer.type
    assert isinstance(type_, PointerType)
    if isinstance(pointer, AddressOf) and pointer.target.type is type_.target:
        return pointer.target
    return Deref(pointer, type_.target)


def field(base: Lvalue, name: str, type_: Type) -> Field:
    return Field(base, name, type_)


def index(base: Lvalue, position: Expr) -> Index:
    """The element of an array lvalue."""
    assert isinstance(base.type, ArrayType)
    return Index(base, position, base.type.element)


def decay(array: Lvalue, bits: int) -> Expr:
    """The pointer to the first element that an array turns into."""
    assert isinstance(array.type, ArrayType)
    diff = IntType(bits, True)
    return AddressOf(index(array, Const(0, diff)), PointerType(array.type.element, bits))
