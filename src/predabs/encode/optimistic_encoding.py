"""Integers whose sums, differences and products are taken never to overflow: for guesses only.

What is found with this encoding (predicates) is often right for the real program too, and much
easier to find. Soundness duty: none; no verdict may rest on it.
"""

from __future__ import annotations

from ..ir.expr import Op
from ..ir.types import IntType, Type
from ..smt import build
from .encoding import BoundedTerm
from .integer_encoding import IntegerEncoding, plus, times


class OptimisticEncoding(IntegerEncoding):
    """See `Encoding`; `assumed` counts how often an overflow was ruled out without a reason."""

    def __init__(self) -> None:
        self.assumed = 0

    def _linear(self, op: Op, type_: Type, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        if not isinstance(type_, IntType):
            return super()._linear(op, type_, left, right)
        match op:
            case Op.ADD:
                return self._inside(plus(left, right), type_)
            case Op.SUB if type_.signed:
                minus = BoundedTerm(build.neg(right.term), -right.high, -right.low, right.zeros)
                return self._inside(plus(left, minus), type_)
            case Op.MUL:
                return self._inside(times(left, right), type_)
        return super()._linear(op, type_, left, right)

    def _inside(self, number: BoundedTerm, type_: IntType) -> BoundedTerm:
        if type_.low <= number.low and number.high <= type_.high:
            return number
        self.assumed += 1
        low, high = max(number.low, type_.low), min(number.high, type_.high)
        return BoundedTerm(number.term, min(low, high), max(low, high), number.zeros)
