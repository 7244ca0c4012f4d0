"""The arithmetic of the IR in bit-vectors, exactly as `ir.arith` defines it.

Integers and pointers are bit-vectors of their width, conditions are Booleans. A floating-point
value is the vector of its IEEE bits (`encode.float_encoding`).
"""

from __future__ import annotations

from functools import lru_cache

from ..errors import InternalError
from ..ir.expr import Op
from ..ir.ieee754 import format_of
from ..ir.types import BoolType, FloatType, IntType, PointerType, Type
from ..smt import bitvectors, build
from ..smt.term import BOOL, BitVecSort, Sort, Term
from . import float_encoding


@lru_cache(1 << 12)
def width(type_: Type) -> int:
    """The bits that a scalar value takes in a formula."""
    match type_:
        case IntType(bits, _) | PointerType(_, bits):
            return bits
        case FloatType():
            return format_of(type_).bits
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


def cast(term: Term, source: Type, target: Type) -> Term:
    """C's conversion."""
    if isinstance(source, BoolType):
        if isinstance(target, FloatType):
            one, zero = float_encoding.integer(1, target), float_encoding.integer(0, target)
            return build.ite(term, one, zero)
        return build.ite(term, constant(1, target), constant(0, target))
    if isinstance(source, FloatType) or isinstance(target, FloatType):
        return float_encoding.cast(term, source, target)
    return resize(term, signed(source), width(target))
