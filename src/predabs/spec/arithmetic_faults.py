"""Faults of arithmetic (C17, 6.5 and 6.3.1): no value, or one that the type cannot hold.

Soundness duty: see `faults`. A condition about one variable is a bound on it, so that intervals can
decide it; one about two is computed with so many bits that it is exact.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import arith, float_text, make
from ..ir.cfa import Program
from ..ir.expr import FALSE, Binary, Cast, Const, Expr, FloatConst, Op, Unary, UnaryOp
from ..ir.ieee754 import format_of, from_integer, truncated
from ..ir.types import FloatType, IntType
from .faults import Fault, shown

# The widths in which C computes. What predabs computes for itself has others (and is exact).
_WIDTHS = (32, 64, 128)
_STORED = (8, 16, *_WIDTHS)


def div_by_zero(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """An integer division or remainder by zero (floating point has a value for it)."""
    match term:
        case Binary(Op.DIV | Op.REM, _, right, IntType() as type_):
            zero = make.equal(right, make.const(0, type_))
            yield Fault(zero, f"division by zero in {shown(term)}")


def signed_overflow(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """A signed result that its type cannot hold; of a shift, only if its amount is a valid one."""
    type_ = term.type
    if isinstance(type_, IntType) and type_.signed and type_.bits in _WIDTHS:
        cond = _overflows(term, type_)
        if cond is not FALSE:
            yield Fault(cond, f"signed overflow in {shown(term)}")


def shift(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """A shift that C17, 6.5.7 leaves undefined: by a negative amount, or by the width or more; of a
    signed number to the left, if it is negative or the result does not fit."""
    match term:
        case Binary(Op.SHL | Op.SHR as op, left, amount, IntType() as type_):
            wrong = make.negate(_valid_amount(amount, type_))
            yield Fault(wrong, f"shift by a negative or too large amount in {shown(term)}")
            if op is Op.SHL and type_.signed:
                negative = make.less(left, make.const(0, type_))
                yield Fault(negative, f"shift of a negative number in {shown(term)}")
                yield Fault(_shifted_out(type_, left, amount), f"signed overflow in {shown(term)}")


def conversion(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """A conversion to an integer type that does not have the value."""
    match term:
        case Cast(arg, IntType() as type_) if isinstance(arg.type, IntType):
            if arg.type.bits in _STORED:
                cond = _not_in(arg, type_.low, type_.high)
                to = str(type_) if type_.bits in _STORED else f"a bit-field of {type_.bits} bits"
                yield Fault(cond, f"conversion of {shown(arg)} to {to} changes the value")


def float_cast_overflow(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """A floating-point number, of which an integer type does not have the whole part (C17,
    6.3.1.4), or that is none."""
    match term:
        case Cast(arg, IntType() as type_) if isinstance(arg.type, FloatType):
            wrong = make.negate(_has_whole_part(arg, arg.type, type_))
            yield Fault(wrong, f"conversion of {shown(arg)} to {type_}, which has no such value")


def _has_whole_part(number: Expr, from_: FloatType, to: IntType) -> Expr:
    """`low - 1 < number < high + 1`; not if it is NaN."""
    form = format_of(from_)
    below = from_integer(form, to.low - 1)
    if truncated(form, below) == to.low - 1:
        low = make.less(FloatConst(float_text.show(form, below), from_), number)
    else:  # the format has no number between that and `low`
        lowest = from_integer(form, to.low)
        low = make.less_equal(FloatConst(float_text.show(form, lowest), from_), number)
    above = from_integer(form, to.high + 1)  # a power of two, or infinity
    return make.conj((low, make.less(number, FloatConst(float_text.show(form, above), from_))))


def _overflows(term: Expr, type_: IntType) -> Expr:
    low, minus_one = make.const(type_.low, type_), make.const(-1, type_)
    match term:
        case Unary(UnaryOp.NEG, arg, _):
            return make.equal(arg, low)
        case Binary(Op.ADD, left, right, _):
            return _sum_overflows(type_, left, right)
        case Binary(Op.SUB, left, right, _):
            return _difference_overflows(type_, left, right)
        case Binary(Op.MUL, left, right, _):
            return _product_overflows(type_, left, right)
        case Binary(Op.DIV | Op.REM, left, right, _):
            return make.conj((make.equal(left, low), make.equal(right, minus_one)))
        case Binary(Op.SHL, left, amount, _):
            return make.conj((_valid_amount(amount, type_), _shifted_out(type_, left, amount)))
    return FALSE


def _sum_overflows(type_: IntType, left: Expr, right: Expr) -> Expr:
    match left, right:
        case Const(value, _), number:
            return _not_in(number, type_.low - value, type_.high - value)
        case number, Const(value, _):
            return _not_in(number, type_.low - value, type_.high - value)
    return _wide(type_, type_.bits + 1, Op.ADD, left, right)


def _difference_overflows(type_: IntType, left: Expr, right: Expr) -> Expr:
    match left, right:
        case Const(value, _), number:
            return _not_in(number, value - type_.high, value - type_.low)
        case number, Const(value, _):
            return _not_in(number, type_.low + value, type_.high + value)
    return _wide(type_, type_.bits + 1, Op.SUB, left, right)


def _product_overflows(type_: IntType, left: Expr, right: Expr) -> Expr:
    match left, right:
        case (Const(0, _), _) | (_, Const(0, _)):
            return FALSE
        case (Const(value, _), number) | (number, Const(value, _)):
            # division towards zero: the numbers between the two quotients are those that fit
            ends = arith.divide(type_.low, value), arith.divide(type_.high, value)
            return _not_in(number, min(ends), max(ends))
    return _wide(type_, 2 * type_.bits, Op.MUL, left, right)


def _wide(type_: IntType, bits: int, op: Op, left: Expr, right: Expr) -> Expr:
    """`left op right`, computed with so many bits that it is exact, is no value of the type."""
    wide = IntType(bits, True)
    exact = make.binary(op, make.cast(left, wide), make.cast(right, wide))
    return _not_in(exact, type_.low, type_.high)


def _not_in(number: Expr, low: int, high: int) -> Expr:
    """The number is less than `low` or greater than `high`, which its type may not have."""
    type_ = number.type
    assert isinstance(type_, IntType)
    return make.disj(
        (
            make.less(number, make.const(low, type_)) if low > type_.low else FALSE,
            make.less(make.const(high, type_), number) if high < type_.high else FALSE,
        )
    )


def _valid_amount(amount: Expr, type_: IntType) -> Expr:
    assert isinstance(amount.type, IntType)
    return make.negate(_not_in(amount, 0, type_.bits - 1))


def _shifted_out(type_: IntType, left: Expr, amount: Expr) -> Expr:
    """`left * 2**amount`, for a valid amount, is no value of the type."""
    if isinstance(left, Const):
        fits = [n for n in range(type_.bits) if type_.low <= left.value << n <= type_.high]
        return FALSE if len(fits) == type_.bits else _not_in(amount, 0, len(fits) - 1)
    ends = (make.binary(Op.SHR, make.const(end, type_), amount) for end in (type_.low, type_.high))
    low, high = ends
    return make.disj((make.less(left, low), make.less(high, left)))
