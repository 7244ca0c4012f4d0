"""The arithmetic of the IR in unbounded integers, exactly as `ir.arith` defines it.

A result is wrapped into its type only where the intervals of the operands cannot exclude that it
leaves it: so `x + 1 < n` stays linear and readable where x is known to be small. Bit operations
with constants, and those whose operands share no bits, are sums, quotients and remainders. If an
operand has only a few values, the cases are told apart. All else (products and quotients of
variables, other bit operations, floating point) raises `NeedsBitVectors`.

>>> from ..ir.types import INT as C_INT
>>> x, one = BoundedTerm(build.symbol("x", INT), 0, 100), _constant(1)
>>> print(IntegerEncoding().binary(Op.ADD, C_INT, x, one, C_INT).term)
(+ x 1)
>>> mask = _constant(7)
>>> print(IntegerEncoding().binary(Op.AND, C_INT, x, mask, C_INT).term)
(mod x 8)
"""

from __future__ import annotations

from ..ir import arith
from ..ir.expr import Op, UnaryOp
from ..ir.types import VOID, BoolType, FloatType, IntType, PointerType, Type
from ..smt import build
from ..smt.term import BOOL, INT, Sort, Term
from .encoding import BoundedTerm, value_range

_MOST_RUNS = 4  # of ones in a constant that is combined with a number bit by bit
_MOST_CASES = 8  # of the values of one operand
_MOST_CONSTANTS = 64  # the same if the other operand is a constant, so that each case is one


class NeedsBitVectors(Exception):
    """There is no exact integer term; the text says for what."""


class IntegerEncoding:
    """Integers; see `Encoding`."""

    name = "int"

    def sort(self, type_: Type) -> Sort:
        if isinstance(type_, BoolType):
            return BOOL
        if isinstance(type_, FloatType):
            raise NeedsBitVectors("a floating-point number")
        return INT

    def constant(self, value: int, type_: Type) -> BoundedTerm:
        if isinstance(type_, BoolType):
            return BoundedTerm(build.boolean(bool(value)), 0, 1)
        return _constant(value)

    def bounded(self, term: Term, type_: Type, low: int, high: int) -> BoundedTerm:
        return BoundedTerm(term, low, high) if low < high else _constant(low)

    def within(self, term: Term, low: int, high: int, type_: Type) -> Term:
        return build.and_(build.le(build.integer(low), term), build.le(term, build.integer(high)))

    def unary(self, op: UnaryOp, type_: Type, arg: BoundedTerm) -> BoundedTerm:
        negative = BoundedTerm(build.neg(arg.term), -arg.high, -arg.low, arg.zeros)
        if op is UnaryOp.INVERT:
            negative = plus(negative, _constant(-1))
        return wrap(negative, type_)

    def binary(
        self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm, amount: Type
    ) -> BoundedTerm:
        a, b = left.constant, right.constant
        if a is not None and b is not None and not (op in (Op.DIV, Op.REM) and b == 0):
            assert isinstance(type_, IntType)
            return _constant(arith.binary(op, type_, a, b))
        if op in (Op.SHL, Op.SHR):
            assert isinstance(type_, IntType)
            right = _remainder(right, type_.bits)
        try:
            return self._linear(op, type_, left, right)
        except NeedsBitVectors:
            cases = self._cases(op, type_, left, right, amount)
            if cases is None:
                raise
            return cases

    def _linear(self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        match op:
            case Op.ADD:
                return wrap(plus(left, right), type_)
            case Op.SUB:
                minus = BoundedTerm(build.neg(right.term), -right.high, -right.low, right.zeros)
                return wrap(plus(left, minus), type_)
            case Op.MUL:
                return wrap(times(left, right), type_)
            case Op.DIV | Op.REM:
                return wrap(_divide(op, left, right), type_)
            case Op.SHL | Op.SHR:
                return _shift(op, type_, left, right)
            case Op.AND | Op.OR | Op.XOR:
                return wrap(_bitwise(op, left, right), type_)
        raise NeedsBitVectors(op.value)

    def _cases(
        self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm, amount: Type
    ) -> BoundedTerm | None:
        """The result for each value of the operand that has fewer; None if those are too many."""
        split, other = right, left
        if right.constant is not None or 0 < left.high - left.low < right.high - right.low:
            split, other = left, right
        most = _MOST_CASES if other.constant is None else _MOST_CONSTANTS
        if split.high - split.low >= most:
            return None
        result: BoundedTerm | None = None
        for value in range(split.low, split.high + 1):
            case = _constant(value)
            operands = (case, right) if split is left else (left, case)
            found = self.binary(op, type_, *operands, amount)
            is_it = build.eq(split.term, case.term)
            result = found if result is None else self.choice(is_it, found, result)
        return result

    def compare(self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm) -> Term:
        if op is Op.EQ:
            return build.eq(left.term, right.term)
        return (build.lt if op is Op.LT else build.le)(left.term, right.term)

    def cast(self, arg: BoundedTerm, source: Type, target: Type) -> BoundedTerm:
        if isinstance(source, FloatType) or isinstance(target, FloatType):
            raise NeedsBitVectors("a floating-point number")
        if isinstance(source, BoolType):
            one = BoundedTerm(build.ite(arg.term, build.integer(1), build.integer(0)), 0, 1)
            return wrap(one, target)
        return wrap(arg, target)

    def advance(
        self, base: BoundedTerm, index: BoundedTerm, type_: Type, size: int, bits: int
    ) -> BoundedTerm:
        return wrap(plus(base, times(index, _constant(size))), PointerType(VOID, bits))

    def choice(self, cond: Term, then: BoundedTerm, other: BoundedTerm) -> BoundedTerm:
        return BoundedTerm(
            build.ite(cond, then.term, other.term),
            min(then.low, other.low),
            max(then.high, other.high),
            min(then.zeros, other.zeros),
        )


def wrap(number: BoundedTerm, type_: Type) -> BoundedTerm:
    """The value of the type that is congruent to the number."""
    low, high = value_range(type_)
    if low <= number.low and number.high <= high:
        return number
    assert isinstance(type_, IntType | PointerType)
    size = 1 << type_.bits
    zeros = min(number.zeros, type_.bits)
    rounds = (number.low - low) // size
    if rounds == (number.high - low) // size:  # all values are wrapped alike
        shift = -rounds * size
        return BoundedTerm(
            build.add(number.term, build.integer(shift)),
            number.low + shift,
            number.high + shift,
            zeros,
        )
    if low - size <= number.low and number.high <= high + size:
        term = number.term
        result = term
        if number.high > high:
            below = build.add(term, build.integer(-size))
            result = build.ite(build.lt(build.integer(high), term), below, result)
        if number.low < low:
            above = build.add(term, build.integer(size))
            result = build.ite(build.lt(term, build.integer(low)), above, result)
        return BoundedTerm(result, low, high, zeros)
    offset = build.integer(-low)
    inside = build.mod(build.add(number.term, offset), build.integer(size))
    return BoundedTerm(build.add(inside, build.integer(low)), low, high, zeros)


def _constant(value: int) -> BoundedTerm:
    zeros = (value & -value).bit_length() - 1 if value else 128
    return BoundedTerm(build.integer(value), value, value, zeros)


def plus(left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
    return BoundedTerm(
        build.add(left.term, right.term),
        left.low + right.low,
        left.high + right.high,
        min(left.zeros, right.zeros),
    )


def _minus(left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
    return plus(left, times(_constant(-1), right))


def times(left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
    if left.constant is None and right.constant is None:
        raise NeedsBitVectors("a product of variables")
    ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    term = build.mul(left.term, right.term)
    return BoundedTerm(term, min(ends), max(ends), left.zeros + right.zeros)


def _divide(op: Op, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
    """C's quotient or remainder by a constant, out of Euclid's."""
    divisor = right.constant
    if divisor is None:
        raise NeedsBitVectors("a division by a variable")
    if divisor == 0:
        return _constant(0)  # it has no value; whoever asks for one has excluded this
    by = build.integer(divisor)
    if left.low >= 0:
        quotient = build.div(left.term, by)
    else:
        below = build.neg(build.div(build.neg(left.term), by))
        if left.high <= 0:
            quotient = below
        else:
            at_least = build.le(build.integer(0), left.term)
            quotient = build.ite(at_least, build.div(left.term, by), below)
    ends = [arith.divide(left.low, divisor), arith.divide(left.high, divisor)]
    whole = BoundedTerm(quotient, min(ends), max(ends))
    if op is Op.DIV:
        return whole
    rest = _minus(left, times(right, whole))
    most = abs(divisor) - 1
    low = 0 if left.low >= 0 else max(-most, left.low)
    high = 0 if left.high <= 0 else min(most, left.high)
    return BoundedTerm(rest.term, low, high)


def _shift(op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
    if right.constant is None:
        raise NeedsBitVectors("a shift by a variable")
    if op is Op.SHL:
        return wrap(times(left, _constant(1 << right.constant)), type_)
    return _floor(left, right.constant)


def _remainder(number: BoundedTerm, size: int) -> BoundedTerm:
    """How far a number of `size` bits is shifted: `ir.arith` counts modulo its width."""
    if number.constant is not None:
        return _constant(number.constant % size)
    if number.low >= 0 and number.high < size:
        return number
    return BoundedTerm(build.mod(number.term, build.integer(size)), 0, size - 1)


def _floor(number: BoundedTerm, bits: int) -> BoundedTerm:
    """Without its lowest bits: towards minus infinity, as Euclid does for a positive divisor."""
    if bits == 0:
        return number
    return BoundedTerm(
        build.div(number.term, build.integer(1 << bits)),
        number.low >> bits,
        number.high >> bits,
        max(0, number.zeros - bits),
    )


def _low_bits(number: BoundedTerm, bits: int) -> BoundedTerm:
    """Its lowest bits, as a number from 0 on."""
    size = 1 << bits
    if number.low >= 0 and number.high < size:
        return number
    if number.zeros >= bits:
        return _constant(0)
    return BoundedTerm(build.mod(number.term, build.integer(size)), 0, size - 1, number.zeros)


def _bitwise(op: Op, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
    """The two as numbers with endlessly many bits, a negative one with ones in front: then
    a | b = a + b - (a & b) and a ^ b = a + b - 2 (a & b)."""
    both = _and(left, right)
    if op is Op.AND:
        return both
    taken = both if op is Op.OR else times(_constant(2), both)
    total = _minus(plus(left, right), taken)
    low, high = _bit_limits(left, right)
    zeros = min(left.zeros, right.zeros)
    return BoundedTerm(total.term, max(low, total.low), min(high, total.high), zeros)


def _bit_limits(left: BoundedTerm, right: BoundedTerm) -> tuple[int, int]:
    """Numbers with as many bits as the operands."""
    ends = (left.low, left.high, right.low, right.high)
    size = 1 << max((end if end >= 0 else ~end).bit_length() for end in ends)
    return (-size if min(ends) < 0 else 0), size - 1


def _and(left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
    if left.constant is not None:
        left, right = right, left
    if right.constant is not None:
        return _masked(left, right.constant)
    for one, two in ((left, right), (right, left)):
        if one.low >= 0 and one.high < 1 << two.zeros:
            return _constant(0)  # no bit in common
        if one.low >= 0 and one.high <= 1:
            odd = build.eq(_low_bits(two, 1).term, build.integer(1))
            return BoundedTerm(build.ite(odd, one.term, build.integer(0)), 0, 1)
    raise NeedsBitVectors("a bit operation on variables")


def _masked(number: BoundedTerm, mask: int) -> BoundedTerm:
    """The bits where the mask has ones, run by run of ones."""
    result = _constant(0)
    runs = 0
    bit = 0
    while mask >> bit:
        if not mask >> bit & 1:
            bit += 1
            continue
        runs += 1
        if runs > _MOST_RUNS:
            raise NeedsBitVectors("a bit operation with a scattered constant")
        if mask >> bit == -1:  # ones without end
            return plus(result, _minus(number, _low_bits(number, bit)))
        end = bit
        while mask >> end & 1:
            end += 1
        run = _minus(_low_bits(number, end), _low_bits(number, bit))
        low, high = max(run.low, 0), min(run.high, (1 << end) - (1 << bit))
        result = plus(result, BoundedTerm(run.term, low, high, bit))
        bit = end
    return result
