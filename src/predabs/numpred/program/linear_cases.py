"""Numbers as linear forms, by cases: what integer expressions of C come down to.

A case says: where its condition holds, the number is `linear` plus something from `low` to `high`,
divided by `divisor`.
(The linear forms are those of `domains/linear`.)
A value is a list of cases of which one at least applies in each state, with the right number; so a
condition may hold too often, but no state is left out. While a sum is built, numbers count modulo
the size of their type, so that only what is compared, converted to a wider type or stored has to be
told apart by how often it wrapped around (`settled`).

>>> from ...domains.linear import variable
>>> from ...ir.types import UCHAR
>>> one_more = plus(exactly(variable("x")), exactly(constant(1)))
>>> for case in settled(one_more, UCHAR, lambda name: (0, 255)) or ():
...     print(case.condition, "?", case.linear)
-x <= 1 & x <= 254 ? x + 1
-x <= -255 & x <= 510 ? x - 255
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd, lcm
from typing import TypeAlias

from ...domains.linear import Linear, at_most, constant, equal
from ...ir.expr import Op
from ...ir.types import IntType
from ...records import dataclass, replace
from ..domain.formula import (
    FALSE,
    TRUE,
    And,
    Compare,
    Formula,
    Or,
    children_first,
    compare,
    conj,
    disj,
    negate,
)

MOST_WRAPS = 3  # times that a number may wrap around, each a case of its own
_MOST_CASES = 6
_MOST_PAIRS = 16


@dataclass(frozen=True, slots=True)
class LinearCase:
    """Where the condition holds, the number times `divisor` lies in `linear + low .. linear + high`
    (a quotient times its divisor is as near to the dividend as that)."""

    condition: Formula
    linear: Linear
    low: int = 0
    high: int = 0
    divisor: int = 1

    @property
    def exact(self) -> bool:
        return self.low == self.high and self.divisor == 1

    def scaled(self, factor: int) -> tuple[Linear, int, int]:
        """What the number times the divisor lies between, times a factor: form, low and high."""
        low, high = sorted((factor * self.low, factor * self.high))
        return factor * self.linear, low, high


Value: TypeAlias = tuple[LinearCase, ...]
Ranges: TypeAlias = Callable[[str], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Truth:
    """Of a condition: a formula that holds wherever it is true, and one wherever it is false."""

    holds: Formula
    fails: Formula

    def both(self, other: Truth) -> Truth:
        """What two descriptions of one condition say together."""
        return Truth(conj(self.holds, other.holds), conj(self.fails, other.fails))

    @property
    def surely(self) -> Formula:
        """Where it holds only if the condition is true."""
        return _complement(self.fails)

    @property
    def never(self) -> Formula:
        """Where it holds only if the condition is false."""
        return _complement(self.holds)


OPEN = Truth(TRUE, TRUE)


def _complement(formula: Formula) -> Formula:
    """The negation, with an equation for two inequalities that come to one."""
    made: dict[Formula, Formula] = {}
    for node in children_first(negate(formula)):
        match node:
            case And(parts):
                new = conj(*(made[part] for part in parts))
                made[node] = _with_equations(new) if isinstance(new, And) else new
            case Or(parts):
                made[node] = disj(*(made[part] for part in parts))
            case _:
                made[node] = node
    return next(reversed(made.values()))


def _with_equations(formula: And) -> Formula:
    forms = {p.constraint.linear: p for p in formula.parts if isinstance(p, Compare)}
    parts: list[Formula] = []
    for part in formula.parts:
        linear = part.constraint.linear if isinstance(part, Compare) else None
        paired = linear is not None and -linear in forms
        parts.append(compare(equal(linear, 0)) if linear is not None and paired else part)
    return conj(*parts)


def exactly(linear: Linear) -> Value:
    return (LinearCase(TRUE, linear),)


def between(low: int, high: int) -> Value:
    """Any number from low to high."""
    return (LinearCase(TRUE, constant(low), 0, high - low),)


def constant_of(value: Value) -> int | None:
    """The number, if it is always the same."""
    if len(value) == 1 and value[0].exact and not value[0].linear.coefficients:
        return value[0].linear.constant + value[0].low
    return None


def plus(one: Value, two: Value) -> Value:
    return tuple(_sum(a, b, 1) for a in one for b in two)


def _sum(one: LinearCase, two: LinearCase, factor: int) -> LinearCase:
    """The first number plus the other times a factor."""
    divisor = lcm(one.divisor, two.divisor)
    left, low, high = one.scaled(divisor // one.divisor)
    right, least, most = two.scaled(factor * divisor // two.divisor)
    both = conj(one.condition, two.condition)
    return LinearCase(both, left + right, low + least, high + most, divisor)


def times(value: Value, factor: int) -> Value:
    return tuple(
        _shortened(LinearCase(case.condition, *case.scaled(factor), case.divisor)) for case in value
    )


def _shortened(case: LinearCase) -> LinearCase:
    """The same with a smaller divisor, if there is one: `n / 2 * 2` is n or n - 1."""
    common = gcd(case.divisor, *(factor for _, factor in case.linear.coefficients))
    if common == 1:
        return case
    low, high = case.linear.constant + case.low, case.linear.constant + case.high
    linear = Linear(tuple((name, n // common) for name, n in case.linear.coefficients), 0)
    divisor = case.divisor // common
    return LinearCase(case.condition, linear, -(-low // common), high // common, divisor)


def chosen(truth: Truth, then: Value, other: Value) -> Value:
    """`cond ? then : other`"""
    return (
        *(replace(case, condition=conj(truth.holds, case.condition)) for case in then),
        *(replace(case, condition=conj(truth.fails, case.condition)) for case in other),
    )


def few(value: Value) -> Value | None:
    """The value without cases that never apply; None if there are too many."""
    found = tuple(case for case in value if case.condition is not FALSE)
    return found if len(found) <= _MOST_CASES else None


def settled(value: Value, type_: IntType, ranges: Ranges) -> Value | None:
    """The numbers themselves instead of numbers modulo the type's size, given the ranges of the
    variables; None if there are too many cases."""
    size = type_.high - type_.low + 1
    found: list[LinearCase] = []
    for case in value:
        least, most = range_of(case, ranges)
        first, last = (least - type_.low) // size, (most - type_.low) // size
        if last - first >= MOST_WRAPS or (last > first and not case.exact):
            return None
        for wrap in range(first, last + 1):
            linear = case.linear - wrap * size * case.divisor
            condition = case.condition
            if last > first:
                exact = linear + case.low
                inside = (at_most(type_.low, exact), at_most(exact, type_.high))
                condition = conj(condition, *map(compare, inside))
            found.append(replace(case, condition=condition, linear=linear))
    return few(tuple(found))


def range_of(case: LinearCase, ranges: Ranges) -> tuple[int, int]:
    """The least and the largest number of a case."""
    least, most = _bounds(case.linear, ranges)
    return -(-(least + case.low) // case.divisor), (most + case.high) // case.divisor


def _bounds(linear: Linear, ranges: Ranges) -> tuple[int, int]:
    least = most = linear.constant
    for name, factor in linear.coefficients:
        low, high = ranges(name)
        least += factor * (low if factor > 0 else high)
        most += factor * (high if factor > 0 else low)
    return least, most


# -- comparisons -----------------------------------------------------------------------------------


def compared(op: Op, left: Value, right: Value) -> Truth:
    """The truth of `==`, `<` or `<=` between numbers."""
    return _any_pair(left, right, lambda difference: _compared(op, difference))


def congruent(left: Value, right: Value, bits: int, ranges: Ranges) -> Truth:
    """Whether two numbers are equal modulo 2 ** bits."""

    def truth(difference: LinearCase) -> Truth:
        least, most = range_of(difference, ranges)
        first, last = -(-least >> bits), most >> bits
        if last - first >= MOST_WRAPS:
            return OPEN
        size = difference.divisor << bits
        moved = [difference.linear - wrap * size for wrap in range(first, last + 1)]
        found = [_compared(Op.EQ, replace(difference, linear=linear)) for linear in moved]
        return Truth(disj(*(one.holds for one in found)), conj(*(one.fails for one in found)))

    return _any_pair(left, right, truth)


def _any_pair(left: Value, right: Value, truth: Callable[[LinearCase], Truth]) -> Truth:
    """The truth of a condition on the difference, in each pair of cases."""
    if len(left) * len(right) > _MOST_PAIRS:
        return OPEN
    holds, fails = [], []
    for one in left:
        for two in right:
            difference = _sum(one, two, -1)
            found = truth(difference)
            holds.append(conj(difference.condition, found.holds))
            fails.append(conj(difference.condition, found.fails))
    return Truth(disj(*holds), disj(*fails))


def _compared(op: Op, number: LinearCase) -> Truth:
    """Of `n == 0`, `n < 0` or `n <= 0`."""
    low, high = number.linear + number.low, number.linear + number.high
    unit = number.divisor
    if op is not Op.EQ:
        limit = -1 if op is Op.LT else 0
        return Truth(
            compare(at_most(low, limit * unit)), compare(at_most((limit + 1) * unit, high))
        )
    if number.exact:
        same = equal(low, 0)
        return Truth(compare(same), disj(*map(compare, same.negation())))
    fails = disj(compare(at_most(low, -unit)), compare(at_most(unit, high)))
    return Truth(conj(compare(at_most(low, 0)), compare(at_most(0, high))), fails)
