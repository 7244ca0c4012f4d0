"""Two encodings of the IR's numbers behind one interface: bit-vectors, and integers.

A `BoundedTerm` is a term with the range of its value. `BitVectorEncoding` is always exact; the
other one, `IntegerEncoding`, raises `NeedsBitVectors` where it has no exact term, and then the
whole formula has to be built again with `BitVectorEncoding`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from ..errors import UnsupportedFeature
from ..ir.expr import Op, UnaryOp
from ..ir.types import VOID, BoolType, FloatType, IntType, PointerType, Type
from ..records import dataclass
from ..smt import bitvectors, build
from ..smt.term import TRUE, Sort, Term
from . import bitvector_encoding as bv
from . import float_encoding


@dataclass(frozen=True, slots=True)
class BoundedTerm:
    """A scalar: its value lies in low .. high and is a multiple of 2 ** zeros. For a condition only
    the term counts."""

    term: Term
    low: int
    high: int
    zeros: int = 0

    @property
    def constant(self) -> int | None:
        return self.low if self.low == self.high else None


def common(values: Sequence[BoundedTerm]) -> BoundedTerm:
    """One term of which several branches know something; where they meet, what all of them know."""
    low, high = min(value.low for value in values), max(value.high for value in values)
    return BoundedTerm(values[0].term, low, high, min(value.zeros for value in values))


class Encoding(Protocol):
    """Builds terms for the operations of C."""

    @property
    def name(self) -> str: ...

    def sort(self, type_: Type) -> Sort:
        """The sort of a value of the type."""

    def constant(self, value: int, type_: Type) -> BoundedTerm: ...

    def bounded(self, term: Term, type_: Type, low: int, high: int) -> BoundedTerm:
        """A term whose value lies in low .. high, which is stated elsewhere."""

    def within(self, term: Term, low: int, high: int, type_: Type) -> Term:
        """The condition that the value of a term lies in low .. high, a part of its type's range;
        true if the sort of the term says so."""

    def unary(self, op: UnaryOp, type_: Type, arg: BoundedTerm) -> BoundedTerm: ...

    def binary(
        self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm, amount: Type
    ) -> BoundedTerm:
        """Arithmetic in a type; `amount` is the type of the right operand (of a shift)."""

    def compare(self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm) -> Term: ...

    def cast(self, arg: BoundedTerm, source: Type, target: Type) -> BoundedTerm: ...

    def advance(
        self, base: BoundedTerm, index: BoundedTerm, type_: Type, size: int, bits: int
    ) -> BoundedTerm:
        """The address of `bits` bits that is `index` (of the type) times `size` behind `base`."""

    def choice(self, cond: Term, then: BoundedTerm, other: BoundedTerm) -> BoundedTerm: ...


@lru_cache(1 << 12)
def value_range(type_: Type) -> tuple[int, int]:
    """The smallest and the largest value, of an address too; (0, 0) if it has no such."""
    match type_:
        case IntType():
            return type_.low, type_.high
        case PointerType(_, bits):
            return 0, (1 << bits) - 1
    return 0, 0


class BitVectorEncoding:
    """Bit-vectors: `encode_bv`."""

    name = "bv"

    def sort(self, type_: Type) -> Sort:
        return bv.sort(type_)

    def constant(self, value: int, type_: Type) -> BoundedTerm:
        return _constant(value, type_)

    def bounded(self, term: Term, type_: Type, low: int, high: int) -> BoundedTerm:
        return BoundedTerm(term, low, high)

    def within(self, term: Term, low: int, high: int, type_: Type) -> Term:
        least, most = value_range(type_)
        parts = []
        if low > least:
            parts.append(bv.compare(Op.LE, type_, bv.constant(low, type_), term))
        if high < most:
            parts.append(bv.compare(Op.LE, type_, term, bv.constant(high, type_)))
        return build.and_(*parts) if parts else TRUE

    def unary(self, op: UnaryOp, type_: Type, arg: BoundedTerm) -> BoundedTerm:
        if isinstance(type_, FloatType):
            return self._float(float_encoding.unary(op, type_, arg.term), op, type_)
        term = bitvectors.neg(arg.term) if op is UnaryOp.NEG else bitvectors.not_(arg.term)
        return self._number(term, type_)

    def binary(
        self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm, amount: Type
    ) -> BoundedTerm:
        if isinstance(type_, FloatType):
            return self._float(float_encoding.binary(op, type_, left.term, right.term), op, type_)
        other = right.term
        if op in (Op.SHL, Op.SHR):
            other = _amount(other, bv.signed(amount), bv.width(type_))
        return self._number(bv.arithmetic(op, type_, left.term, other), type_)

    def compare(self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm) -> Term:
        if isinstance(type_, FloatType):
            return self._float(
                float_encoding.binary(op, type_, left.term, right.term), op, type_
            ).term
        return bv.compare(op, type_, left.term, right.term)

    def cast(self, arg: BoundedTerm, source: Type, target: Type) -> BoundedTerm:
        return self._number(bv.cast(arg.term, source, target), target)

    def advance(
        self, base: BoundedTerm, index: BoundedTerm, type_: Type, size: int, bits: int
    ) -> BoundedTerm:
        position = bv.resize(index.term, bv.signed(type_), bits)
        distance = bitvectors.mul(position, bitvectors.bits(size, bits))
        return self._number(bitvectors.add(base.term, distance), PointerType(VOID, bits))

    def choice(self, cond: Term, then: BoundedTerm, other: BoundedTerm) -> BoundedTerm:
        low, high = min(then.low, other.low), max(then.high, other.high)
        return BoundedTerm(build.ite(cond, then.term, other.term), low, high)

    def _float(self, term: Term | None, op: Op | UnaryOp, type_: Type) -> BoundedTerm:
        if term is None:
            raise UnsupportedFeature(f"{op.value} of floating-point numbers has no formula")
        return self._number(term, type_)

    def _number(self, term: Term, type_: Type) -> BoundedTerm:
        low, high = (0, 0) if isinstance(type_, BoolType) else value_range(type_)
        return BoundedTerm(term, low, high)


@lru_cache(1 << 14)
def _constant(value: int, type_: Type) -> BoundedTerm:
    return BoundedTerm(bv.constant(value, type_), value, value)


def _amount(term: Term, sign: bool, bits: int) -> Term:
    """How far a number of `bits` bits is shifted: the amount modulo the width, as `ir.arith` has
    it. Cutting an amount is harmless only if the width is a power of two."""
    if bits & (bits - 1) == 0:
        return bv.resize(term, sign, bits)
    wide = max(bitvectors.width_of(term), bits) + 2
    rest = bitvectors.srem(bv.resize(term, sign, wide), bitvectors.bits(bits, wide))
    negative = bitvectors.slt(rest, bitvectors.bits(0, wide))
    inside = build.ite(negative, bitvectors.add(rest, bitvectors.bits(bits, wide)), rest)
    return bv.resize(inside, False, bits)
