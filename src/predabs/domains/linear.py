"""Linear forms and linear constraints over integer variables: what the numeric domains speak of.

Constraints are made by `at_most` and `equal`, in a normal form in which constraints that differ
only by a factor are equal: the coefficients have no common divisor, the constant is rounded inwards
(integer tightening: `2x <= 5` is `x <= 2`), and the first coefficient of an equation is positive.
Variables are names, nothing else; sums of solver terms are in `smt/linear_terms`. Soundness duty: a
constraint and its normal form have the same integer solutions.

>>> x, y = variable("x"), variable("y")
>>> str(at_most(2 * x, 5)), str(equal(4 * y, 2 * x - 6)), str(equal(2 * x, 1))
('x <= 2', 'x - 2*y == 3', 'false')
>>> [str(part) for part in equal(x, y).negation()]
['x - y <= -1', '-x + y <= -1']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from math import gcd
from typing import Final

from ..records import dataclass

Variable = str
Point = Mapping[Variable, int]


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of `constant` and of each variable times its coefficient.

    The coefficients are sorted by variable and none is zero; `combination` makes it so.
    """

    coefficients: tuple[tuple[Variable, int], ...]
    constant: int = 0

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(name for name, _ in self.coefficients)

    def coefficient(self, name: Variable) -> int:
        return next((factor for other, factor in self.coefficients if other == name), 0)

    def at(self, point: Point) -> int:
        """The value at a point, which must have all variables."""
        return self.constant + sum(factor * point[name] for name, factor in self.coefficients)

    def renamed(self, names: Mapping[Variable, Variable]) -> Linear:
        """With other variables at once; one that `names` does not have stays."""
        pairs = ((names.get(name, name), factor) for name, factor in self.coefficients)
        return combination(pairs, self.constant)

    def replaced(self, name: Variable, by: Linear) -> Linear:
        """With a form in the place of a variable."""
        factor = self.coefficient(name)
        return self - Linear(((name, factor),)) + factor * by if factor else self

    def __add__(self, other: Linear | int) -> Linear:
        if isinstance(other, int):
            return Linear(self.coefficients, self.constant + other)
        pairs = (*self.coefficients, *other.coefficients)
        return combination(pairs, self.constant + other.constant)

    def __sub__(self, other: Linear | int) -> Linear:
        return self + -other

    def __neg__(self) -> Linear:
        return -1 * self

    def __rmul__(self, factor: int) -> Linear:
        if not factor:
            return Linear(())
        pairs = tuple((name, factor * old) for name, old in self.coefficients)
        return Linear(pairs, factor * self.constant)

    def __str__(self) -> str:
        if not self.coefficients:
            return str(self.constant)
        text = _sum(self.coefficients)
        if not self.constant:
            return text
        return f"{text} {'-' if self.constant < 0 else '+'} {abs(self.constant)}"


def combination(pairs: Iterable[tuple[Variable, int]], constant: int = 0) -> Linear:
    """The sum of the constant and of all pairs, in any order, with repetitions."""
    factors: dict[Variable, int] = {}
    for name, factor in pairs:
        factors[name] = factors.get(name, 0) + factor
    kept = sorted((name, factor) for name, factor in factors.items() if factor)
    return Linear(tuple(kept), constant)


def variable(name: Variable) -> Linear:
    """The form that is just this variable."""
    return Linear(((name, 1),))


def constant(value: int) -> Linear:
    """The form without variables."""
    return Linear((), value)


def _sum(coefficients: tuple[tuple[Variable, int], ...]) -> str:
    parts: list[str] = []
    for name, factor in coefficients:
        text = name if abs(factor) == 1 else f"{abs(factor)}*{name}"
        if parts:
            parts.append(f" {'-' if factor < 0 else '+'} {text}")
        else:
            parts.append(f"-{text}" if factor < 0 else text)
    return "".join(parts)


class Comparison(Enum):
    """How a linear form stands to zero."""

    AT_MOST = "<="
    EQUAL = "=="


@dataclass(frozen=True, slots=True)
class Constraint:
    """`linear <= 0` or `linear == 0` over the integers, in normal form."""

    linear: Linear
    relation: Comparison = Comparison.AT_MOST

    @property
    def variables(self) -> tuple[Variable, ...]:
        return self.linear.variables

    def holds(self, point: Point) -> bool:
        value = self.linear.at(point)
        return value <= 0 if self.relation is Comparison.AT_MOST else value == 0

    def negation(self) -> tuple[Constraint, ...]:
        """Constraints one of which holds exactly where this one does not: one, or two for `==`."""
        if self.relation is Comparison.AT_MOST:
            return (above_zero(self.linear),)
        return (above_zero(-self.linear), above_zero(self.linear))

    def halves(self) -> tuple[Constraint, ...]:
        """The same as a conjunction of `<=` only."""
        if self.relation is Comparison.AT_MOST:
            return (self,)
        return (Constraint(self.linear), Constraint(-self.linear))

    def renamed(self, names: Mapping[Variable, Variable]) -> Constraint:
        return normal(self.linear.renamed(names), self.relation)

    def __str__(self) -> str:
        if self in (TRUE, FALSE):
            return "true" if self == TRUE else "false"
        return f"{_sum(self.linear.coefficients)} {self.relation.value} {-self.linear.constant}"


TRUE: Final = Constraint(Linear((), 0))
FALSE: Final = Constraint(Linear((), 1))


def normal(linear: Linear, relation: Comparison) -> Constraint:
    """The normal form of `linear <= 0` or `linear == 0`."""
    divisor = gcd(*(factor for _, factor in linear.coefficients))
    if not divisor:
        true = linear.constant <= 0 if relation is Comparison.AT_MOST else linear.constant == 0
        return TRUE if true else FALSE
    if relation is Comparison.EQUAL:
        if linear.constant % divisor:
            return FALSE
        if linear.coefficients[0][1] < 0:
            divisor = -divisor
    if divisor == 1:
        return Constraint(linear, relation)
    pairs = tuple((name, factor // divisor) for name, factor in linear.coefficients)
    return Constraint(Linear(pairs, -(-linear.constant // divisor)), relation)


def above_zero(linear: Linear) -> Constraint:
    """`linear > 0`, which over the integers is `1 - linear <= 0`."""
    return normal(-linear + 1, Comparison.AT_MOST)


def at_most(left: Linear | int, right: Linear | int) -> Constraint:
    """`left <= right`"""
    return normal(_difference(left, right), Comparison.AT_MOST)


def equal(left: Linear | int, right: Linear | int) -> Constraint:
    """`left == right`"""
    return normal(_difference(left, right), Comparison.EQUAL)


def _difference(left: Linear | int, right: Linear | int) -> Linear:
    return (constant(left) if isinstance(left, int) else left) - right
