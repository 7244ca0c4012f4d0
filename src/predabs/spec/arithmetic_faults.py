"""Faults of arithmetic on integers: division by zero, results that a type cannot hold.

Soundness duty: see `faults`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import make
from ..ir.cfa import Program
from ..ir.expr import Binary, Expr, Op, Unary, UnaryOp
from ..ir.types import IntType
from .faults import Fault, shown


def div_by_zero(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """An integer division or remainder by zero (floating point has a value for it)."""
    match term:
        case Binary(Op.DIV | Op.REM, _, right, IntType() as type_):
            zero = make.equal(right, make.const(0, type_))
            yield Fault(zero, f"division by zero in {shown(term)}")


def signed_overflow(program: Program, term: Expr, accessed: bool) -> Iterator[Fault]:
    """A signed result that its type cannot hold; operations on constants alone were folded."""
    type_ = term.type
    if isinstance(type_, IntType) and type_.signed and 32 <= type_.bits <= 128:
        cond = _overflows(term, type_)
        if cond is not None:
            yield Fault(cond, f"signed overflow in {shown(term)}")


def _overflows(term: Expr, type_: IntType) -> Expr | None:
    low = make.const(type_.low, type_)
    match term:
        case Unary(UnaryOp.NEG, arg, _):
            return make.equal(arg, low)
        case Binary(Op.ADD | Op.SUB as op, left, right, _):
            return _outside(type_, type_.bits + 1, op, left, right)
        case Binary(Op.MUL as op, left, right, _):
            return _outside(type_, 2 * type_.bits, op, left, right)
        case Binary(Op.DIV | Op.REM, left, right, _):
            return make.conj((make.equal(left, low), make.equal(right, make.const(-1, type_))))
        case Binary(Op.SHL as op, left, amount, _):
            amount_type = amount.type
            assert isinstance(amount_type, IntType)
            too_far = [make.less(amount, make.const(0, amount_type))] if amount_type.signed else []
            if type_.bits <= amount_type.high:
                too_far.append(make.less_equal(make.const(type_.bits, amount_type), amount))
            # a type in which no shift by less than the width can overflow
            exact = make.binary(op, make.cast(left, IntType(2 * type_.bits, True)), amount)
            return make.disj((*too_far, _beyond(exact, type_)))
    return None


def _outside(type_: IntType, bits: int, op: Op, left: Expr, right: Expr) -> Expr:
    """`left op right`, computed with so many bits that it is exact, is no value of the type."""
    wide = IntType(bits, True)
    return _beyond(make.binary(op, make.cast(left, wide), make.cast(right, wide)), type_)


def _beyond(exact: Expr, type_: IntType) -> Expr:
    wide = exact.type
    assert isinstance(wide, IntType)
    return make.disj(
        (
            make.less(exact, make.const(type_.low, wide)),
            make.less(make.const(type_.high, wide), exact),
        )
    )
