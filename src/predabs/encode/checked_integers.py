"""Integers of a language in which an overflow is an error of its own.

In SPARK each operation of a signed type has an overflow check before it, so what is asked about the
operation is asked about runs in which it is exact. Soundness duty: this may be used only for
programs in which every run that would overflow ends before the operation.
"""

from __future__ import annotations

from ..ir.expr import Op, UnaryOp
from ..ir.types import IntType, Type
from ..smt import build
from .encoding import BoundedTerm
from .integer_encoding import IntegerEncoding, plus, times


class CheckedIntegers(IntegerEncoding):
    """The encoding of integers without wrap-around of signed sums and products."""

    def unary(self, op: UnaryOp, type_: Type, arg: BoundedTerm) -> BoundedTerm:
        if op is UnaryOp.NEG and _is_signed(type_):
            return _minus(arg)
        return super().unary(op, type_, arg)

    def _linear(self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        if _is_signed(type_):
            match op:
                case Op.ADD:
                    return plus(left, right)
                case Op.SUB:
                    return plus(left, _minus(right))
                case Op.MUL:
                    return times(left, right)
        return super()._linear(op, type_, left, right)


def _minus(number: BoundedTerm) -> BoundedTerm:
    return BoundedTerm(build.neg(number.term), -number.high, -number.low, number.zeros)


def _is_signed(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.signed
