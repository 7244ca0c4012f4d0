"""The floating point of the IR as terms over bits, exactly as `ir.ieee754` defines it.

A value is the vector of its IEEE bits; a long double has 79 of them, as its first digit, which x86
stores, follows from the others (`in_memory`, `from_memory`). An operation
without a formula is the caller's business: it makes up a fresh value, which is sound for proofs
and is put right by the replay of a bug.
"""

from __future__ import annotations

from ..errors import InternalError
from ..ir import float_text, ieee754
from ..ir.expr import DIRECTED, FloatConst, Op, UnaryOp
from ..ir.ieee754 import EXTENDED, Format, Rounding, format_of
from ..ir.types import FloatType, IntType, PointerType, Type
from ..smt import bitvectors, build, floats
from ..smt.term import Op as TermOp
from ..smt.term import Term, Value

# the operators of the IR and of terms; `decode.floating_point` reads them the other way
ARITHMETIC = {
    Op.ADD: TermOp.FP_ADD,
    Op.SUB: TermOp.FP_SUB,
    Op.MUL: TermOp.FP_MUL,
    Op.DIV: TermOp.FP_DIV,
}
_MODES = {"UP": Rounding.RTP, "DOWN": Rounding.RTN, "ZERO": Rounding.RTZ}
DIRECTIONS = {
    op: (ARITHMETIC[Op[op.name.partition("_")[0]]], _MODES[op.name.partition("_")[2]])
    for op in DIRECTED
}
ROOTS = {
    UnaryOp.SQRT: Rounding.RNE,
    UnaryOp.SQRT_UP: Rounding.RTP,
    UnaryOp.SQRT_DOWN: Rounding.RTN,
    UnaryOp.SQRT_ZERO: Rounding.RTZ,
}
INTEGRAL = {
    UnaryOp.FLOOR: Rounding.RTN,
    UnaryOp.CEIL: Rounding.RTP,
    UnaryOp.TRUNC: Rounding.RTZ,
    UnaryOp.ROUND: Rounding.RNA,
    UnaryOp.RINT: Rounding.RNE,
}


def constant(const: FloatConst) -> Value:
    form = format_of(const.type)
    return floats.constant(form, float_text.parse(const.hex, form))


def integer(value: int, type_: FloatType) -> Value:
    """The number that is this small integer."""
    form = format_of(type_)
    return floats.constant(form, ieee754.from_integer(form, value))


def unary(op: UnaryOp, type_: FloatType, arg: Term) -> Term | None:
    """None for what only the C library computes."""
    form = format_of(type_)
    match op:
        case UnaryOp.NEG:
            return floats.neg(form, arg)
        case UnaryOp.ABS:
            return floats.absolute(form, arg)
        case UnaryOp.SQRT | UnaryOp.SQRT_UP | UnaryOp.SQRT_DOWN | UnaryOp.SQRT_ZERO:
            return floats.sqrt(form, arg, ROOTS[op])
        case UnaryOp.NEXT_UP:
            return floats.next_up(form, arg)
        case UnaryOp.NEXT_DOWN:
            return floats.next_down(form, arg)
        case UnaryOp.INVERT:
            raise InternalError("~ on floating-point numbers")
    mode = INTEGRAL.get(op)
    return None if mode is None else floats.integral(form, arg, mode)


def binary(op: Op, type_: FloatType, left: Term, right: Term) -> Term | None:
    """Arithmetic or a comparison; None for a remainder, unless of constants, and for what only the
    C library computes."""
    form = format_of(type_)
    if op in ARITHMETIC:
        return floats.arithmetic(ARITHMETIC[op], form, left, right)
    if op in DIRECTIONS:
        operator, mode = DIRECTIONS[op]
        return floats.arithmetic(operator, form, left, right, mode)
    match op:
        case Op.EQ:
            return floats.equal(form, left, right)
        case Op.LT:
            return floats.less(form, left, right)
        case Op.LE:
            return floats.less_equal(form, left, right)
        case Op.COPYSIGN:
            return floats.copy_sign(form, left, right)
        case Op.FMOD | Op.REMAINDER:
            if not isinstance(left, Value) or not isinstance(right, Value):
                return None
            compute = ieee754.fmod if op is Op.FMOD else ieee754.remainder
            return floats.constant(form, compute(form, left.value, right.value))
        case Op.POW | Op.ATAN2 | Op.HYPOT:
            return None
    raise InternalError(f"{op.value} on floating-point numbers")


def cast(term: Term, source: Type, target: Type) -> Term:
    """A conversion from or to floating point, of numbers."""
    if isinstance(source, FloatType):
        if isinstance(target, FloatType):
            return floats.convert(format_of(source), format_of(target), term)
        assert isinstance(target, IntType | PointerType)
        return _to_integer(term, format_of(source), target)
    assert isinstance(target, FloatType)
    return floats.from_integer(
        format_of(target), term, isinstance(source, IntType) and source.signed
    )


def _to_integer(term: Term, form: Format, target: IntType | PointerType) -> Term:
    """As `concrete.numbers.to_integer`, also out of range."""
    signed = isinstance(target, IntType) and target.signed
    if target.bits > 64:
        return bitvectors.extract(
            floats.to_signed(form, term, target.bits + (not signed)), target.bits - 1, 0
        )
    if target.bits < 32 or (target.bits == 32 and signed):
        short = floats.to_signed(form, term, 32)
        return bitvectors.extract(short, target.bits - 1, 0)
    whole = floats.to_signed(form, term, 64)
    if target.bits < 64:
        return bitvectors.extract(whole, target.bits - 1, 0)
    if signed:
        return whole
    half = floats.constant(form, ieee754.from_integer(form, 1 << 63))
    above = floats.to_signed(form, floats.arithmetic(TermOp.FP_SUB, form, term, half), 64)
    high = bitvectors.xor(above, bitvectors.bits(1 << 63, 64))
    return build.ite(floats.less_equal(form, half, term), high, whole)


# --- in memory ------------------------------------------------------------------------------------


def in_memory(term: Term, type_: Type) -> Term:
    """The bits of a scalar as they lie in memory: a long double has its first digit there."""
    if not isinstance(type_, FloatType) or format_of(type_) is not EXTENDED:
        return term
    head, tail = bitvectors.extract(term, 78, 63), bitvectors.extract(term, 62, 0)
    field = bitvectors.extract(term, 77, 63)
    normal = build.not_(build.eq(field, bitvectors.bits(0, 15)))
    first = build.ite(normal, bitvectors.bits(1, 1), bitvectors.bits(0, 1))
    return bitvectors.concat(bitvectors.concat(head, first), tail)


def from_memory(term: Term, type_: Type) -> Term:
    """The value of a scalar from its bits in memory, the lowest first."""
    if not isinstance(type_, FloatType) or format_of(type_) is not EXTENDED:
        return term
    return bitvectors.concat(bitvectors.extract(term, 79, 64), bitvectors.extract(term, 62, 0))
