"""What conditions say about symbols that they compare. Soundness duty: no model is lost."""

from __future__ import annotations

from math import inf
from typing import Any

from ..ir import float_intervals
from ..ir.float_intervals import FloatArithmetic, FloatInterval, arithmetic
from ..ir.ieee754 import Format
from .interval_shapes import Shape
from .term import FP_COMPARE, App, Op, Symbol, Term, Value


class Narrowing:
    """What conditions say about symbols that they compare."""

    def __init__(
        self,
        number: dict[Term, int],
        shapes: dict[Term, Shape],
        values: list[Any],
        box: list[Any],
        symbols: list[Symbol],
    ) -> None:
        self._number, self._shapes, self._values, self.box = number, shapes, values, box
        self._place = {symbol: place for place, symbol in enumerate(symbols)}

    def assume(self, root: Term, wanted: bool) -> bool:
        """The condition has this truth value; False if it cannot."""
        pending = [(root, wanted)]
        while pending:
            term, truth = pending.pop()
            if isinstance(term, Symbol):
                place = self._place[term]
                if self.box[place] == (not truth):
                    return False
                self.box[place] = int(truth)
            if not isinstance(term, App):
                continue
            op, args = term.op, term.args
            if op is Op.NOT:
                pending.append((args[0], not truth))
            elif op in (Op.AND, Op.OR):
                if truth is (op is Op.AND):
                    pending += [(arg, truth) for arg in args]
                else:  # one of them: which, if there is only one left
                    left = [arg for arg in args if self._values[self._number[arg]] != (not truth)]
                    if len(left) == 1:
                        pending.append((left[0], truth))
            elif op in FP_COMPARE and not self._compared(term, truth):
                return False
        return True

    def _compared(self, term: App, truth: bool) -> bool:
        exponent, precision = (param for param in term.params if isinstance(param, int))
        numbers = arithmetic(Format(exponent, precision))
        left, right = term.args
        one, two = self._interval(left, numbers), self._interval(right, numbers)
        match term.op, truth:
            case Op.FP_EQ, True:
                return self._meet(left, (two[0], two[1], False)) and self._meet(
                    right, (one[0], one[1], False)
                )
            case Op.FP_LT | Op.FP_LE, True:
                strict = term.op is Op.FP_LT
                high = numbers.below(two[1]) if strict else two[1]
                low = numbers.above(one[0]) if strict else one[0]
                return self._meet(left, (-inf, high, False)) and self._meet(
                    right, (low, inf, False)
                )
            case Op.FP_LT | Op.FP_LE, False if not one[2] and not two[2]:
                strict = term.op is Op.FP_LE
                low = numbers.above(two[0]) if strict else two[0]
                high = numbers.below(one[1]) if strict else one[1]
                return self._meet(left, (low, inf, False)) and self._meet(
                    right, (-inf, high, False)
                )
        return True

    def _interval(self, term: Term, numbers: FloatArithmetic) -> FloatInterval:
        value = self._values[self._number[term]]
        if self._shapes[term].form is None:
            return numbers.of_bits(*value)
        bounds: FloatInterval = value
        return bounds

    def _meet(self, term: Term, bounds: FloatInterval) -> bool:
        """The number lies in an interval."""
        while True:
            match term:
                case Symbol() if self._shapes[term].form is not None:
                    place = self._place[term]
                    self.box[place] = float_intervals.meet(self.box[place], bounds)
                    return not float_intervals.is_empty(self.box[place])
                case App(Op.BV_XOR, (arg, Value()) | (Value(), arg)) if (
                    self._shapes[term].form is not None and self._shapes[arg].form is not None
                ):
                    term, bounds = arg, float_intervals.negate(bounds)
                case App(Op.FP_CONVERT, (arg,), (exponent, precision, _, more, digits)) if _wider(
                    exponent, precision, more, digits
                ):
                    term = arg  # exact: the same number
                case _:
                    return True


def _wider(exponent: Any, precision: Any, more: Any, digits: Any) -> bool:
    return bool(exponent <= more and precision <= digits)
