"""Operators on bit-vectors as expressions.

A vector is an expression of a type with as many bits; which type is free, so each operator takes
one in which the program's variables need no conversion. Soundness duty: the bits are right.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.expr import Expr, UnaryOp
from ...ir.expr import Op as IrOp
from ...ir.types import INT, IntType, PointerType
from ...smt.term import App, BitVecSort, Op, Term, Value
from .sums import common_type

_PLAIN = {
    Op.BV_ADD: IrOp.ADD,
    Op.BV_SUB: IrOp.SUB,
    Op.BV_MUL: IrOp.MUL,
    Op.BV_AND: IrOp.AND,
    Op.BV_OR: IrOp.OR,
    Op.BV_XOR: IrOp.XOR,
}
_DIVISIONS = {
    Op.BV_UDIV: (IrOp.DIV, False),
    Op.BV_SDIV: (IrOp.DIV, True),
    Op.BV_UREM: (IrOp.REM, False),
    Op.BV_SREM: (IrOp.REM, True),
}
_SHIFTS = {
    Op.BV_SHL: (IrOp.SHL, None),
    Op.BV_LSHR: (IrOp.SHR, False),
    Op.BV_ASHR: (IrOp.SHR, True),
}
_ORDERS = {
    Op.BV_ULT: (IrOp.LT, False),
    Op.BV_ULE: (IrOp.LE, False),
    Op.BV_SLT: (IrOp.LT, True),
    Op.BV_SLE: (IrOp.LE, True),
}
_USUAL = (8, 16, 32, 64)  # bits of C's types


def operands(term: App) -> tuple[Term, ...]:
    """The vectors whose expressions `vector` needs."""
    masked = _masked(term)
    return term.args if masked is None else masked[:1]


def vector(term: App, args: Sequence[Expr]) -> Expr:
    """The application of an operator to vectors with these expressions: those of `operands`."""
    op, sort = term.op, term.sort
    if op is Op.EQ:
        return _equal(term, args)
    if op in _ORDERS:
        return _ordered(*_ORDERS[op], args)
    if not isinstance(sort, BitVecSort):
        raise UnsupportedFeature(f"no expression for {op.value}")
    if op in _PLAIN:
        return _arithmetic(_PLAIN[op], args)
    if op in _DIVISIONS:
        ir, sign = _DIVISIONS[op]
        if not isinstance(term.args[1], Value) or term.args[1].value == 0:
            raise UnsupportedFeature("no expression for a division by a variable")
        return _arithmetic(ir, [signed(arg) if sign else unsigned(arg) for arg in args])
    if op in _SHIFTS:
        return _shifted(term, args)
    match op, term.params:
        case ((Op.BV_NEG | Op.BV_NOT), _):
            return _unary(UnaryOp.NEG if op is Op.BV_NEG else UnaryOp.INVERT, args[0])
        case Op.ZERO_EXTEND, (int(more),):
            # a number without a sign is one of the wider signed type, as promotions have it
            return make.cast(unsigned(args[0]), IntType(sort.width, more > 0))
        case Op.SIGN_EXTEND, _:
            return make.cast(signed(args[0]), IntType(sort.width, True))
        case Op.EXTRACT, (int(_), int(low)):
            return _part(args[0], low, sort.width)
        case Op.CONCAT, _:
            type_ = IntType(sort.width, False)
            high, below = unsigned(args[0]), unsigned(args[1])
            top = make.binary(IrOp.SHL, make.cast(high, type_), _amount(_bits(below)))
            return make.binary(IrOp.OR, top, make.cast(below, type_))
    raise UnsupportedFeature(f"no expression for {op.value}")


def alike(args: Sequence[Expr], *, pointers: bool = False) -> list[Expr]:
    """The same vectors, all of one type."""
    type_ = common_type(args, pointers=pointers)
    return [make.cast(arg, type_) for arg in args]


def signed(expr: Expr) -> Expr:
    return make.cast(expr, IntType(_bits(expr), True))


def unsigned(expr: Expr) -> Expr:
    return make.cast(expr, IntType(_bits(expr), False))


def _bits(expr: Expr) -> int:
    assert isinstance(expr.type, IntType | PointerType)
    return expr.type.bits


def _amount(bits: int) -> Expr:
    return make.const(bits, INT)


def _arithmetic(op: IrOp, args: Sequence[Expr]) -> Expr:
    """C computes in int at least, and converts."""
    left, right = alike(args)
    type_ = left.type
    if _bits(left) >= INT.bits:
        return make.binary(op, left, right)
    return make.cast(make.binary(op, make.cast(left, INT), make.cast(right, INT)), type_)


def _unary(op: UnaryOp, arg: Expr) -> Expr:
    (number,) = alike([arg])
    if _bits(number) >= INT.bits:
        return make.unary(op, number)
    return make.cast(make.unary(op, make.cast(number, INT)), number.type)


def _shifted(term: App, args: Sequence[Expr]) -> Expr:
    op, sign = _SHIFTS[term.op]
    (number,) = alike(args[:1])
    if sign is not None:
        number = signed(number) if sign else unsigned(number)
    bits = _bits(number)
    match term.args[1]:
        case Value(value, _) if value < bits:
            amount = _amount(value)
        case App(Op.BV_AND, (_, Value(mask, _)), _, _) if mask == bits - 1 and not bits & mask:
            amount = args[1]  # as the machine counts
        case _:
            raise UnsupportedFeature("no expression for a shift by a variable")
    if bits >= INT.bits:
        return make.binary(op, number, amount)
    return make.cast(make.binary(op, make.cast(number, INT), amount), number.type)


def _part(arg: Expr, low: int, width: int) -> Expr:
    """So many bits from one on."""
    if low:
        return make.cast(make.binary(IrOp.SHR, unsigned(arg), _amount(low)), IntType(width, False))
    sign = isinstance(arg.type, IntType) and arg.type.signed
    return make.cast(arg, IntType(width, sign and width in _USUAL))


def _masked(term: App) -> tuple[Term, int, int] | None:
    """For a test of some bits of a vector: the vector, the mask, and what the bits must be."""
    match term.op, term.args:
        case Op.EQ, (App(Op.EXTRACT, (inner,), (int(high), int(low)), _), Value(value, _)) if (
            low or high + 1 not in _USUAL
        ):
            return inner, (2 << high) - (1 << low), value << low
        case _:
            return None


def _equal(term: App, args: Sequence[Expr]) -> Expr:
    masked = _masked(term)
    if masked is None:
        return make.equal(*alike(args, pointers=True))
    (number,) = alike(args)
    type_ = number.type
    assert isinstance(type_, IntType)
    kept = make.binary(IrOp.AND, number, make.const(masked[1], type_))
    return make.equal(kept, make.const(masked[2], type_))


def _ordered(op: IrOp, sign: bool, args: Sequence[Expr]) -> Expr:
    if sign:
        return make.compare(op, *map(signed, args))
    type_ = common_type(args, pointers=True)
    if isinstance(type_, PointerType):
        return make.compare(op, *(make.cast(arg, type_) for arg in args))
    return make.compare(op, *map(unsigned, args))
