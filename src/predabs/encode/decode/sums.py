"""Sums of expressions: exactly, in a type wide enough, or modulo the range of a type.

Soundness duty: the expression has the value of the sum of its parts, or of the value of the type
that is congruent to it. A pointer plus a distance stays a pointer.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.expr import Const, Expr, UnaryOp
from ...ir.expr import Op as IrOp
from ...ir.types import CHAR, INT, IntType, PointerType, Type, VoidType, size_of
from ...records import dataclass

_WIDTHS = (32, 64, 128)  # of the signed types in which numbers are added


@dataclass(frozen=True, slots=True)
class Integer:
    """An expression, and the mathematical integers that it may be."""

    expr: Expr
    low: int
    high: int

    def as_type(self, type_: IntType | PointerType) -> Expr:
        return make.cast(self.expr, type_)


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of a constant and of expressions, each times a factor that is not 0."""

    parts: Sequence[tuple[int, Integer]]
    constant: int = 0

    @property
    def low(self) -> int:
        return self.constant + sum(min(f * p.low, f * p.high) for f, p in self.parts)

    @property
    def high(self) -> int:
        return self.constant + sum(max(f * p.low, f * p.high) for f, p in self.parts)

    def ordered(self) -> Sum:
        """What is added comes before what is subtracted."""
        return Sum(tuple(sorted(self.parts, key=lambda item: item[0] < 0)), self.constant)


def wide(low: int, high: int) -> IntType:
    """The smallest of the usual signed types with these values."""
    for bits in _WIDTHS:
        type_ = IntType(bits, True)
        if type_.low <= low and high <= type_.high:
            return type_
    raise UnsupportedFeature("numbers that are too large for an expression")


def constant(value: int) -> Integer:
    return Integer(make.const(value, wide(value, value)), value, value)


def exact(sum_: Sum) -> Integer:
    """The sum, computed where nothing on the way leaves the type."""
    match sum_:
        case Sum((), value):
            return constant(value)
        case Sum(((1, part),), 0):
            return part
    low, high = sum_.low, sum_.high
    ends = [sum_.constant, low, high]
    ends += [f * end for f, p in sum_.parts for end in (p.low, p.high)]
    # every sum of some of the parts lies between the sums of what is negative and what is positive
    least = sum(min(0, f * p.low, f * p.high) for f, p in sum_.parts) + min(0, sum_.constant)
    most = sum(max(0, f * p.low, f * p.high) for f, p in sum_.parts) + max(0, sum_.constant)
    sides = [end for _, p in sum_.parts for end in (p.low, p.high)]
    factors = [f for f, _ in sum_.parts]
    type_ = wide(min(least, *ends, *sides, *factors), max(most, *ends, *sides, *factors))
    common = {part.expr.type for _, part in sum_.parts}
    if len(common) == 1:
        (own,) = common
        if isinstance(own, IntType) and own.bits >= 32 and own.low <= least and most <= own.high:
            type_ = own  # a type of which all values are may be unsigned
    return Integer(_added(sum_.ordered(), type_), low, high)


def modular(sum_: Sum, type_: IntType) -> Expr:
    """The value of the type that is congruent to the sum."""
    if type_.bits < INT.bits:  # C computes in int, and converts
        try:
            return make.cast(exact(sum_).expr, type_)
        except UnsupportedFeature:
            return make.cast(_added(sum_.ordered(), IntType(128, True)), type_)
    return _added(sum_.ordered(), type_)


def _added(sum_: Sum, type_: IntType) -> Expr:
    result: Expr | None = None
    for factor, part in sum_.parts:
        expr = part.as_type(type_)
        scaled = make.binary(IrOp.MUL, make.const(abs(factor), type_), expr)
        if result is None:
            if factor < 0 and sum_.constant > 0:
                result = make.binary(IrOp.SUB, make.const(sum_.constant, type_), scaled)
                sum_ = Sum(sum_.parts)
            else:
                result = make.unary(UnaryOp.NEG, scaled) if factor < 0 else scaled
        else:
            result = make.binary(IrOp.SUB if factor < 0 else IrOp.ADD, result, scaled)
    if result is None:
        return make.const(sum_.constant, type_)
    if sum_.constant < 0:
        return make.binary(IrOp.SUB, result, make.const(-sum_.constant, type_))
    return make.binary(IrOp.ADD, result, make.const(sum_.constant, type_))


def pointer_sum(sum_: Sum, bits: int) -> Expr | None:
    """The address that is congruent to the sum, if it is a pointer and a distance from it."""
    pointers = [
        number
        for number, (factor, part) in enumerate(sum_.parts)
        if factor == 1 and isinstance(part.expr.type, PointerType) and part.expr.type.bits == bits
    ]
    if len(pointers) != 1:
        return None
    pointer = sum_.parts[pointers[0]][1].expr
    rest = [item for number, item in enumerate(sum_.parts) if number != pointers[0]]
    type_ = pointer.type
    assert isinstance(type_, PointerType)
    size = 0 if isinstance(type_.target, VoidType) else size_of(type_.target)
    if not size or sum_.constant % size or any(factor % size for factor, _ in rest):
        pointer, size = make.cast(pointer, PointerType(CHAR, bits)), 1
    scaled = Sum(tuple((factor // size, part) for factor, part in rest), sum_.constant // size)
    if not scaled.parts:
        fits = INT.low <= scaled.constant <= INT.high
        index: Expr = make.const(scaled.constant, INT if fits else IntType(bits, True))
    else:
        try:
            index = exact(scaled).expr
        except UnsupportedFeature:
            index = modular(scaled, IntType(bits, True))
    if not isinstance(index.type, IntType) or index.type.bits > bits:
        index = modular(scaled, IntType(bits, True))
    return make.pointer_add(pointer, index)


def common_type(exprs: Sequence[Expr], *, pointers: bool) -> Type:
    """A type of their width in which bits of several types meet: signed only if all are."""
    types = [expr.type for expr in exprs if not isinstance(expr, Const)]
    types = types or [expr.type for expr in exprs]
    found = next((t for t in types if isinstance(t, PointerType)), None)
    if found is not None and pointers:
        return found
    if isinstance(found, PointerType):
        return IntType(found.bits, False)
    first = types[0]
    assert isinstance(first, IntType)
    return IntType(first.bits, all(isinstance(t, IntType) and t.signed for t in types))
