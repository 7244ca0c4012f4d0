"""Ada's arithmetic on numbers of the IR (Ada RM 4.5.3 to 4.5.6): values and checks.

A `Value` has bounds that it is known to keep, so that a check that cannot fail leaves no trace.
Soundness duty: a condition that says 'this overflows' is exact, because it is a bound on one
operand or is computed with so many bits that nothing wraps; the value is only used where it fails.
"""

from __future__ import annotations

from ...ir import make
from ...ir.arith import divide
from ...ir.expr import FALSE, Const, Expr, Op, UnaryOp
from ...ir.types import IntType
from ...records import dataclass
from .types import Base


@dataclass(frozen=True, slots=True)
class Value:
    """A number of the IR between two bounds."""

    expr: Expr
    low: int
    high: int

    @property
    def type(self) -> IntType:
        assert isinstance(self.expr.type, IntType)
        return self.expr.type


def constant(value: int, ir: IntType) -> Value:
    return Value(make.const(value, ir), value, value)


def outside(value: Value, low: int, high: int) -> Expr:
    """The condition that a value is not between two bounds."""
    if low > high:
        return make.truth(True)
    parts = []
    if value.low < low:
        parts.append(
            make.truth(True)
            if low > value.type.high
            else make.less(value.expr, make.const(low, value.type))
        )
    if value.high > high:
        parts.append(
            make.truth(True)
            if high < value.type.low
            else make.less(make.const(high, value.type), value.expr)
        )
    return make.disj(parts) if parts else FALSE


def _corners(op: Op, left: Value, right: Value) -> tuple[int, int]:
    match op:
        case Op.ADD:
            return left.low + right.low, left.high + right.high
        case Op.SUB:
            return left.low - right.high, left.high - right.low
    products = [one * two for one in (left.low, left.high) for two in (right.low, right.high)]
    return min(products), max(products)


def signed(op: Op, base: Base, left: Value, right: Value) -> tuple[Value, Expr]:
    """`+`, `-` or `*` of a signed type: the value, and when it overflows."""
    low, high = _corners(op, left, right)
    value = Value(make.binary(op, left.expr, right.expr), max(low, base.low), min(high, base.high))
    if base.low <= low and high <= base.high:
        return value, FALSE
    return value, _overflows(op, base, left, right)


def _overflows(op: Op, base: Base, left: Value, right: Value) -> Expr:
    one, two = left.expr, right.expr
    match op, one, two:
        case Op.ADD, Const(number, _), _:
            return outside(right, base.low - number, base.high - number)
        case Op.ADD, _, Const(number, _):
            return outside(left, base.low - number, base.high - number)
        case Op.SUB, Const(number, _), _:
            return outside(right, number - base.high, number - base.low)
        case Op.SUB, _, Const(number, _):
            return outside(left, base.low + number, base.high + number)
        case Op.MUL, Const(number, _), _ if number:
            return _product_outside(base, right, number)
        case Op.MUL, _, Const(number, _) if number:
            return _product_outside(base, left, number)
    bits = 2 * base.ir.bits if op is Op.MUL else base.ir.bits + 1
    wide = IntType(bits, True)
    exact = make.binary(op, make.cast(one, wide), make.cast(two, wide))
    return outside(Value(exact, *_corners(op, left, right)), base.low, base.high)


def _product_outside(base: Base, value: Value, factor: int) -> Expr:
    ends = divide(base.low, factor), divide(base.high, factor)
    return outside(value, min(ends), max(ends))


def modular(op: Op, base: Base, left: Value, right: Value) -> Value:
    """`+`, `-` or `*` of a modular type: it wraps around at the modulus."""
    modulus = base.modulus
    if modulus == 1 << base.ir.bits:
        return Value(make.binary(op, left.expr, right.expr), 0, base.high)
    wide = IntType(2 * base.ir.bits, False)
    one, two = make.cast(left.expr, wide), make.cast(right.expr, wide)
    if op is Op.SUB:
        one = make.binary(Op.ADD, one, make.const(modulus, wide))
    result = make.binary(Op.REM, make.binary(op, one, two), make.const(modulus, wide))
    return Value(make.cast(result, base.ir), 0, base.high)


def negated(base: Base, value: Value) -> tuple[Value, Expr]:
    """The value of `-x` of a signed type, and when it overflows."""
    bad = outside(value, -base.high, base.high)
    low, high = -value.high, min(-value.low, base.high)
    return Value(make.unary(UnaryOp.NEG, value.expr), low, high), bad


def absolute(base: Base, value: Value) -> tuple[Value, Expr]:
    """The value of `abs x` of a signed type, and when it overflows."""
    if value.low >= 0:
        return value, FALSE
    minus, bad = negated(base, value)
    negative = make.less(value.expr, make.const(0, value.type))
    found = make.ite(negative, minus.expr, value.expr)
    return Value(found, 0, min(base.high, max(abs(value.low), abs(value.high)))), bad


def quotient(base: Base, left: Value, right: Value) -> tuple[Value, Expr]:
    """The value of `x / y` where y is not zero, and when it overflows."""
    largest = max(abs(left.low), abs(left.high))
    low = 0 if left.low >= 0 and right.low >= 0 else -largest
    value = Value(
        make.binary(Op.DIV, left.expr, right.expr), max(low, base.low), min(largest, base.high)
    )
    if left.low > base.low or not right.low <= -1 <= right.high or not base.ir.signed:
        return value, FALSE
    least = make.equal(left.expr, make.const(base.low, left.type))
    minus_one = make.equal(right.expr, make.const(-1, right.type))
    return value, make.conj((least, minus_one))


def rest(left: Value, right: Value) -> Value:
    """`x rem y` where y is not zero: it has the sign of x."""
    largest = max(abs(right.low), abs(right.high)) - 1
    low = 0 if left.low >= 0 else -min(largest, abs(left.low))
    high = 0 if left.high <= 0 else min(largest, left.high)
    return Value(make.binary(Op.REM, left.expr, right.expr), low, high)


def modulo(left: Value, right: Value) -> Value:
    """`x mod y` where y is not zero: it has the sign of y."""
    remainder = rest(left, right)
    if left.low >= 0 and right.low >= 0:
        return remainder
    zero = make.const(0, left.type)
    other_sign = make.disj(
        (
            make.conj((make.less(remainder.expr, zero), make.less(zero, right.expr))),
            make.conj((make.less(zero, remainder.expr), make.less(right.expr, zero))),
        )
    )
    moved = make.binary(Op.ADD, remainder.expr, right.expr)
    low = 0 if right.low >= 0 else right.low + 1 if right.low < 0 else 0
    high = 0 if right.high <= 0 else right.high - 1
    return Value(make.ite(other_sign, moved, remainder.expr), low, high)
