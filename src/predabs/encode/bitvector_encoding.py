"""The arithmetic of the IR in bit-vectors, exactly as `ir.arith` defines it.

Integers and pointers are bit-vectors of their width, conditions are Booleans. A floating-point
value is the vector of its IEEE bits (a long double: those of the nearest double); operations on
constants are computed, all others are the caller's business: it makes up a fresh value, which is
sound for proofs and is put right by the replay of a bug.
"""

from __future__ import annotations

import struct
from functools import lru_cache

from ..concrete.numbers import float_quotient, int_to_single, to_integer, to_single
from ..errors import InternalError
from ..ir.expr import Op
from ..ir.types import BoolType, FloatType, IntType, PointerType, Type
from ..smt import bitvectors, build
from ..smt.term import BOOL, BitVecSort, Sort, Term, Value


@lru_cache(1 << 12)
def width(type_: Type) -> int:
    """The bits that a scalar value takes in a formula."""
    match type_:
        case IntType(bits, _) | PointerType(_, bits):
            return bits
        case FloatType(bits, _):
            return min(bits, 64)
    raise InternalError(f"{type_} is no scalar type")


@lru_cache(1 << 12)
def sort(type_: Type) -> Sort:
    return BOOL if isinstance(type_, BoolType) else BitVecSort(width(type_))


def constant(value: int, type_: Type) -> Term:
    if isinstance(type_, BoolType):
        return build.boolean(bool(value))
    return bitvectors.bits(value, width(type_))


def signed(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.signed


def arithmetic(op: Op, type_: Type, left: Term, right: Term) -> Term:
    """`left op right` of integers; a shift amount has the width of `left` already."""
    sign = signed(type_)
    match op:
        case Op.ADD:
            return bitvectors.add(left, right)
        case Op.SUB:
            return bitvectors.sub(left, right)
        case Op.MUL:
            return bitvectors.mul(left, right)
        case Op.DIV:
            return bitvectors.sdiv(left, right) if sign else bitvectors.udiv(left, right)
        case Op.REM:
            return bitvectors.srem(left, right) if sign else bitvectors.urem(left, right)
        case Op.AND:
            return bitvectors.and_(left, right)
        case Op.OR:
            return bitvectors.or_(left, right)
        case Op.XOR:
            return bitvectors.xor(left, right)
        case Op.SHL:
            return bitvectors.shl(left, _amount(right))
        case Op.SHR:
            amount = _amount(right)
            return bitvectors.ashr(left, amount) if sign else bitvectors.lshr(left, amount)
    return compare(op, type_, left, right)


def _amount(right: Term) -> Term:
    """A shift counts modulo the width."""
    bits = bitvectors.width_of(right)
    if bits & (bits - 1) == 0:
        return bitvectors.and_(right, bitvectors.bits(bits - 1, bits))
    return bitvectors.urem(right, bitvectors.bits(bits, bits))


def compare(op: Op, type_: Type, left: Term, right: Term) -> Term:
    """EQ, LT or LE of two integers, pointers or conditions."""
    if op is Op.EQ:
        return build.eq(left, right)
    if signed(type_):
        return bitvectors.slt(left, right) if op is Op.LT else bitvectors.sle(left, right)
    return bitvectors.ult(left, right) if op is Op.LT else bitvectors.ule(left, right)


def resize(term: Term, sign: bool, bits: int) -> Term:
    """Cut or extend to `bits` bits."""
    have = bitvectors.width_of(term)
    if bits < have:
        return bitvectors.extract(term, bits - 1, 0)
    if bits == have:
        return term
    return (bitvectors.sign_extend if sign else bitvectors.zero_extend)(term, bits - have)


def cast(term: Term, source: Type, target: Type) -> Term | None:
    """C's conversion; None for one between numbers that only a run can compute."""
    if isinstance(source, BoolType):
        one, zero = constant(1, target), constant(0, target)
        if isinstance(target, FloatType):
            one, zero = float_bits(1.0, target), float_bits(0.0, target)
        return build.ite(term, one, zero)
    if not isinstance(source, FloatType) and not isinstance(target, FloatType):
        return resize(term, signed(source), width(target))
    if source is target:
        return term
    if not isinstance(term, Value):
        return None
    if isinstance(source, FloatType):
        number = float_value(term, source)
        if isinstance(target, FloatType):
            return float_bits(number, target)
        assert isinstance(target, IntType | PointerType)
        return constant(to_integer(number, target), target)
    assert isinstance(target, FloatType) and isinstance(source, IntType | PointerType)
    whole = source.wrap(term.value)
    return float_bits(int_to_single(whole) if target.bits == 32 else float(whole), target)


# --- floating-point constants ---------------------------------------------------------------------


def float_bits(number: float, type_: FloatType) -> Value:
    """The constant, rounded to its type."""
    if type_.bits == 32:
        return bitvectors.bits(int.from_bytes(struct.pack("<f", to_single(number)), "little"), 32)
    return bitvectors.bits(int.from_bytes(struct.pack("<d", number), "little"), 64)


def float_value(term: Value, type_: FloatType) -> float:
    data = term.value.to_bytes(4 if type_.bits == 32 else 8, "little")
    (number,) = struct.unpack("<f" if type_.bits == 32 else "<d", data)
    return float(number)


def float_arithmetic(op: Op, type_: FloatType, left: Term, right: Term) -> Term | None:
    """`left op right` for constants, None otherwise."""
    if not isinstance(left, Value) or not isinstance(right, Value):
        return None
    a, b = float_value(left, type_), float_value(right, type_)
    match op:
        case Op.ADD:
            return float_bits(a + b, type_)
        case Op.SUB:
            return float_bits(a - b, type_)
        case Op.MUL:
            return float_bits(a * b, type_)
        case Op.DIV:
            return float_bits(float_quotient(a, b), type_)
        case Op.EQ:
            return build.boolean(a == b)
        case Op.LT:
            return build.boolean(a < b)
        case Op.LE:
            return build.boolean(a <= b)
    raise InternalError(f"{op.value} on floating-point numbers")
