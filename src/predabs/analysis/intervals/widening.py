"""Widening to thresholds, the constants of the program [BCC+03, section 7.1.2], in three steps.

A state may grow a few times; then bounds that grow go to the next constant, and after some more
times to those of their type. Soundness duty: the result contains what it is made from, and no state
grows for ever.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ...ir.cfa import Program
from ...ir.def_use import op_values
from ...ir.expr import Const, Expr, FloatConst, Var
from ...ir.ops import Assign, Assume, Call
from ...ir.types import FloatType, IntType
from ...ir.walk import subterms
from . import float_bounds
from .interval import Interval
from .state import State

_PATIENCE = 3  # how often a state may grow before it is widened to the next constant
_LAST_CONSTANT = 10  # and before it is widened to its type's bounds
TOO_OFTEN = _LAST_CONSTANT + 1


class Widening:
    """Widens the states of one program."""

    def __init__(self, program: Program) -> None:
        self._thresholds, self._numbers = _thresholds(program)

    def widened(self, old: State, joined: State, count: int) -> State:
        """A state that contains `joined`, which is more than `old`: so it grew, for the `count`-th
        time."""
        if count <= _PATIENCE:
            return joined

        def widen(var: Var, before: Interval, now: Interval) -> Interval:
            assert isinstance(var.type, IntType | FloatType)  # no other ever gets an interval
            return self.bounds(var.type, before, now, count)

        return old.grown(joined, widen)

    def bounds(
        self, type_: IntType | FloatType, before: Interval, now: Interval, count: int
    ) -> Interval:
        """The same for one interval of a type."""
        if count <= _PATIENCE:
            return now
        if isinstance(type_, FloatType):
            constants: Sequence[int] = self._numbers if count <= _LAST_CONSTANT else ()
            return _widened(constants, before, now, float_bounds.ALL)
        constants = self._thresholds if count <= _LAST_CONSTANT else ()
        return _widened(constants, before, now, (type_.low, type_.high))


def _widened(
    constants: Sequence[int], before: Interval, now: Interval, limits: Interval
) -> Interval:
    low, high = now
    if low < before[0]:
        index = bisect_right(constants, low) - 1
        low = constants[index] if index >= 0 else limits[0]
    if high > before[1]:
        index = bisect_left(constants, high)
        high = constants[index] if index < len(constants) else limits[1]
    return max(low, limits[0]), min(high, limits[1])


def number_thresholds(program: Program) -> list[int]:
    """The thresholds of floating point, as ranks."""
    return _thresholds(program)[1]


def _thresholds(program: Program) -> tuple[list[int], list[int]]:
    """The constants that the program compares with or assigns, and their neighbours; those of
    floating point, of both signs, with powers of ten [BCC+03, section 7.1.2]."""
    found: set[int] = set()
    numbers: set[int] = set()
    seen: set[Expr] = set()
    for function in program.functions.values():
        for edge in function.edges:
            if isinstance(edge.op, Assume | Assign | Call):  # conditions may be passed to a call
                passed = isinstance(edge.op, Call)
                for value in op_values(edge.op):
                    for term in subterms(value):
                        if isinstance(term, Const) and term not in seen and not passed:
                            seen.add(term)
                            found.update((term.value - 1, term.value, term.value + 1))
                        elif isinstance(term, FloatConst) and term not in seen:
                            seen.add(term)
                            numbers.update(float_bounds.constant(term) or ())
    if numbers:
        numbers.update(float_bounds.rank(10.0**power) for power in range(-3, 39, 3))
        numbers.update({-place for place in numbers})
    return sorted(found), sorted(numbers)
