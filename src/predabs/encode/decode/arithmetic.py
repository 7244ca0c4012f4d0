"""Products, quotients, remainders and bits of numbers as expressions.

Soundness duty: the expression has the value, for all integers that its operands may be.
"""

from __future__ import annotations

from ...ir import arith, make
from ...ir.expr import Op as IrOp
from ...ir.types import INT, IntType
from ...smt.term import Op
from ..encoding import value_range
from .sums import Integer, Sum, exact, wide


def bits_of(number: Integer, mask: int) -> Integer:
    """Some of the bits of a number in two's complement; the highest of any number is its sign."""
    type_ = number.expr.type
    if not isinstance(type_, IntType) or type_.bits < INT.bits or mask > type_.high:
        type_ = wide(min(number.low, 0), max(number.high, mask))
    masked = make.binary(IrOp.AND, number.as_type(type_), make.const(mask, type_))
    return Integer(masked, 0, mask)


def product(left: Integer, right: Integer) -> Integer:
    ends = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
    low, high = min(ends), max(ends)
    type_ = wide(min(low, left.low, right.low), max(high, left.high, right.high))
    return Integer(make.binary(IrOp.MUL, left.as_type(type_), right.as_type(type_)), low, high)


def divided(op: IrOp, number: Integer, divisor: int) -> Integer:
    """C's quotient or remainder by a constant."""
    type_ = number.expr.type
    low, high = value_range(type_)
    if (
        not isinstance(type_, IntType)
        or type_.bits < INT.bits
        or not low <= divisor <= high
        or divisor == -1
    ):
        most = max(abs(number.low), abs(number.high), abs(divisor))
        type_ = wide(-most, most)
    made = make.binary(op, number.as_type(type_), make.const(divisor, type_))
    if op is IrOp.DIV:
        ends = [arith.divide(end, divisor) for end in (number.low, number.high)]
        return Integer(made, min(ends), max(ends))
    most = abs(divisor) - 1
    return Integer(made, max(-most, min(0, number.low)), min(most, max(0, number.high)))


def euclid(op: Op, number: Integer, divisor: int) -> Integer:
    """Euclid's quotient or remainder by a constant."""
    if number.low >= 0:
        return divided(IrOp.DIV if op is Op.DIV else IrOp.REM, number, divisor)
    if divisor < 0:
        positive = euclid(op, number, -divisor)
        return positive if op is Op.MOD else exact(Sum(((-1, positive),)))
    bits = divisor.bit_length() - 1
    if divisor == 1 << bits:
        if op is Op.MOD:
            return bits_of(number, divisor - 1)
        type_ = number.expr.type
        if not isinstance(type_, IntType) or type_.bits < max(bits + 1, INT.bits):
            type_ = wide(min(number.low, -divisor), max(number.high, divisor))
        shifted = make.binary(IrOp.SHR, number.as_type(type_), make.const(bits, INT))
        return Integer(shifted, number.low >> bits, number.high >> bits)
    type_ = wide(min(number.low - divisor, -divisor), max(number.high + divisor, divisor))
    by, value = make.const(divisor, type_), number.as_type(type_)
    rest = make.binary(IrOp.REM, value, by)
    rest = make.binary(IrOp.REM, make.binary(IrOp.ADD, rest, by), by)
    if op is Op.MOD:
        return Integer(rest, 0, divisor - 1)
    whole = make.binary(IrOp.DIV, make.binary(IrOp.SUB, value, rest), by)
    return Integer(whole, number.low // divisor, number.high // divisor)
