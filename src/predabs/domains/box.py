"""Intervals: a least and a greatest number for each variable (BOX of [GC10, table 2]).

`meet`, `is_bot`, `leq` and `bounds` are exact over the integers, `join` and `assign` are the best
that intervals can do. A constraint of several variables narrows each of them by the bounds of the
others, until nothing changes or a few rounds are over.

>>> from .linear import at_most, equal, variable
>>> domain, x, y = BoxDomain(), variable("x"), variable("y")
>>> value = domain.alpha([at_most(0, x), at_most(x, 10), equal(y, x + 1)])
>>> print(value)
{0 <= x <= 10, 1 <= y <= 11}
>>> print(domain.assign(value, "x", 2 * x - y))
{-11 <= x <= 19, 1 <= y <= 11}
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Final

from ..records import dataclass
from .linear import FALSE, Comparison, Constraint, Linear, Variable, at_most, equal, variable
from .numeric_domain import NO_BOUNDS, Bounds, narrow_unbounded

_ROUNDS: Final = 3
_FEW: Final = 3


@dataclass(frozen=True, slots=True)
class Box:
    """The variables that have a bound, sorted, each with its bounds; None is no point at all."""

    ranges: tuple[tuple[Variable, Bounds], ...] | None

    def __str__(self) -> str:
        if self.ranges is None:
            return "{false}"
        return "{" + ", ".join(_show(name, *bounds) for name, bounds in self.ranges) + "}"


def _show(name: Variable, low: int | None, high: int | None) -> str:
    if low == high:
        return f"{name} == {low}"
    left = "" if low is None else f"{low} <= "
    return f"{left}{name}" + ("" if high is None else f" <= {high}")


_TOP: Final = Box(())
_BOTTOM: Final = Box(None)
_FREE: Final[Bounds] = (None, None)


Ranges = tuple[tuple[Variable, Bounds], ...]


def _with(ranges: Ranges, name: Variable, bounds: Bounds) -> Ranges:
    """With other bounds for one variable."""
    index = bisect_left(ranges, (name,))
    after = index + (index < len(ranges) and ranges[index][0] == name)
    own: Ranges = () if bounds == _FREE else ((name, bounds),)
    return ranges[:index] + own + ranges[after:]


def _changed(value: Box, ranges: Ranges, changes: Mapping[Variable, Bounds]) -> Box:
    """The value, which has these ranges, with other bounds for some variables."""
    if not changes:
        return value
    if len(changes) <= _FEW:
        for name, bounds in changes.items():
            ranges = _with(ranges, name, bounds)
        return Box(ranges)
    items = {**dict(ranges), **changes}.items()
    return Box(tuple(sorted(item for item in items if item[1] != _FREE)))


def _upper(ranges: Mapping[Variable, Bounds], linear: Linear) -> int | None:
    """The greatest value of the form where the variables have these bounds."""
    total = linear.constant
    for name, factor in linear.coefficients:
        bound = ranges.get(name, _FREE)[factor > 0]
        if bound is None:
            return None
        total += factor * bound
    return total


class BoxDomain:
    """Intervals as a `numeric_domain.NumericDomain`."""

    @property
    def name(self) -> str:
        return "box"

    def top(self) -> Box:
        return _TOP

    def bottom(self) -> Box:
        return _BOTTOM

    def alpha(self, constraints: Iterable[Constraint]) -> Box:
        return self.assume_all(_TOP, constraints)

    def gamma(self, value: Box) -> tuple[Constraint, ...]:
        if value.ranges is None:
            return (FALSE,)
        found: list[Constraint] = []
        for name, (low, high) in value.ranges:
            form = variable(name)
            if low is not None and low == high:
                found.append(equal(form, low))
                continue
            if low is not None:
                found.append(at_most(low, form))
            if high is not None:
                found.append(at_most(form, high))
        return tuple(found)

    def exact(self, constraint: Constraint) -> bool:
        return len(constraint.linear.coefficients) <= 1

    def is_top(self, value: Box) -> bool:
        return value == _TOP

    def is_bot(self, value: Box) -> bool:
        return value.ranges is None

    def leq(self, left: Box, right: Box) -> bool:
        if left.ranges is None or right.ranges is None:
            return left.ranges is None
        inner = dict(left.ranges)
        for name, bounds in right.ranges:
            own = inner.get(name, _FREE)
            if own != bounds and not _inside(own, bounds):
                return False
        return True

    def meet(self, left: Box, right: Box) -> Box:
        if left.ranges is None or right.ranges is None:
            return _BOTTOM
        ranges = dict(left.ranges)
        changes: dict[Variable, Bounds] = {}
        for name, bounds in right.ranges:
            own = ranges.get(name, _FREE)
            if own == bounds:
                continue
            (low, high), (least, greatest) = bounds, own
            if low is None or (least is not None and least > low):
                low = least
            if high is None or (greatest is not None and greatest < high):
                high = greatest
            if low is not None and high is not None and low > high:
                return _BOTTOM
            if (low, high) != own:
                changes[name] = (low, high)
        return _changed(left, left.ranges, changes)

    def join(self, left: Box, right: Box) -> Box:
        if left.ranges is None or right.ranges is None:
            return right if left.ranges is None else left
        others = dict(right.ranges)
        changes: dict[Variable, Bounds] = {}
        for name, bounds in left.ranges:
            other = others.get(name, _FREE)
            if other != bounds:
                (low, high), (least, greatest) = bounds, other
                both = (
                    None if low is None or least is None else min(low, least),
                    None if high is None or greatest is None else max(high, greatest),
                )
                if both != bounds:
                    changes[name] = both
        return _changed(left, left.ranges, changes)

    def widen(self, old: Box, new: Box) -> Box:
        """A bound that is not kept is given up, so there are at most two steps per variable."""
        if old.ranges is None or new.ranges is None:
            return new if old.ranges is None else old
        others = dict(new.ranges)
        changes: dict[Variable, Bounds] = {}
        for name, bounds in old.ranges:
            other = others.get(name, _FREE)
            if other != bounds:
                (low, high), (least, greatest) = bounds, other
                kept = (
                    None if low is None or least is None or least < low else low,
                    None if high is None or greatest is None or greatest > high else high,
                )
                if kept != bounds:
                    changes[name] = kept
        return _changed(old, old.ranges, changes)

    def narrow(self, old: Box, new: Box) -> Box:
        return narrow_unbounded(self, old, new)

    def assume(self, value: Box, constraint: Constraint) -> Box:
        return self.assume_all(value, (constraint,))

    def assume_all(self, value: Box, constraints: Iterable[Constraint]) -> Box:
        if value.ranges is None:
            return value
        ranges = dict(value.ranges)
        changes: dict[Variable, Bounds] = {}
        for constraint in constraints:
            if not _assume(ranges, changes, constraint):
                return _BOTTOM
        return _changed(value, value.ranges, changes)

    def assign(self, value: Box, target: Variable, source: Linear | None) -> Box:
        return self.assign_all(value, {target: source})

    def assign_all(self, value: Box, updates: Mapping[Variable, Linear | None]) -> Box:
        if value.ranges is None:
            return value
        ranges = dict(value.ranges)
        changes: dict[Variable, Bounds] = {}
        for target, source in updates.items():
            bounds = _FREE if source is None else _bounds(ranges, source)
            if ranges.get(target, _FREE) != bounds:
                changes[target] = bounds
        return _changed(value, value.ranges, changes)

    def forget(self, value: Box, variables: Iterable[Variable]) -> Box:
        if value.ranges is None:
            return value
        gone = frozenset(variables)
        return Box(tuple(item for item in value.ranges if item[0] not in gone))

    def rename(self, value: Box, names: Mapping[Variable, Variable]) -> Box:
        if value.ranges is None:
            return value
        return Box(tuple(sorted((names.get(name, name), bounds) for name, bounds in value.ranges)))

    def bounds(self, value: Box, linear: Linear) -> Bounds:
        if value.ranges is None:
            return NO_BOUNDS
        return _bounds(dict(value.ranges), linear)

    def variables(self, value: Box) -> frozenset[Variable]:
        return frozenset(name for name, _ in value.ranges or ())


def _inside(inner: Bounds, outer: Bounds) -> bool:
    (least, greatest), (low, high) = inner, outer
    if low is not None and (least is None or least < low):
        return False
    return high is None or (greatest is not None and greatest <= high)


def _bounds(ranges: Mapping[Variable, Bounds], linear: Linear) -> Bounds:
    if not linear.coefficients:
        return linear.constant, linear.constant
    below = _upper(ranges, -linear)
    return (None if below is None else -below, _upper(ranges, linear))


def _assume(
    ranges: dict[Variable, Bounds], changes: dict[Variable, Bounds], constraint: Constraint
) -> bool:
    """Change the ranges to what a constraint leaves; False if nothing is left."""
    factors = constraint.linear.coefficients
    if len(factors) == 1 and constraint.relation is Comparison.AT_MOST:
        name, factor = factors[0]
        return _cut(ranges, changes, name, factor, -constraint.linear.constant)
    halves = constraint.halves()
    for _ in range(_ROUNDS if len(factors) > 1 else 1):
        before = dict(ranges)
        for half in halves:
            if not _restrict(ranges, changes, half.linear):
                return False
        if ranges == before:
            break
    return True


def _restrict(
    ranges: dict[Variable, Bounds], changes: dict[Variable, Bounds], linear: Linear
) -> bool:
    """Keep of each variable what `linear <= 0` allows; False if nothing is left.

    A variable x with factor a has `a*x <= -rest` for the least value of the rest.
    """
    if not linear.coefficients:
        return linear.constant <= 0
    for name, factor in linear.coefficients:
        rest = Linear(tuple(pair for pair in linear.coefficients if pair[0] != name))
        most = _upper(ranges, -rest)
        if most is None:
            continue
        if not _cut(ranges, changes, name, factor, most - linear.constant):
            return False
    return True


def _cut(
    ranges: dict[Variable, Bounds],
    changes: dict[Variable, Bounds],
    name: Variable,
    factor: int,
    most: int,
) -> bool:
    """Keep what `factor * name <= most` allows; False if nothing is left."""
    low, high = ranges.get(name, _FREE)
    if factor > 0:
        bound = most // factor
        if high is not None and high <= bound:
            return True
        high = bound
    else:
        bound = -(most // -factor)
        if low is not None and low >= bound:
            return True
        low = bound
    if low is not None and high is not None and low > high:
        return False
    ranges[name] = changes[name] = (low, high)
    return True
