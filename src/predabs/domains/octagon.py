"""Octagons: bounds of `x`, `x + y` and `x - y` over the integers [Min06; GC10, table 2].

`meet`, `is_bot` and `leq` are exact over the integers, `join` is the best octagon. Assignments of
`c`, `x + c` and `-x + c` and assumptions of the domain's own constraints are exact; other linear
forms are taken apart into bounds of variables and of pairs.

A value is a product of blocks: variables that are related only through their own bounds are in
different blocks (`octagon_blocks`), so a block is as large as a group of variables that are
related.

>>> from .linear import at_most, equal, variable
>>> domain, x, y = OctagonDomain(), variable("x"), variable("y")
>>> print(domain.alpha([at_most(x + y, 5), at_most(x, y)]))
{x <= 2, x - y <= 0, x + y <= 5}
>>> low, high = [equal(x, 0), equal(y, 3)], [equal(x, 1), equal(y, 4)]
>>> print(domain.join(domain.alpha(low), domain.alpha(high)))
{x - y == -3, x <= 1, -x <= 0}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import inf
from typing import Final

from ..records import dataclass
from . import octagon_matrix as matrix
from .linear import (
    FALSE,
    Comparison,
    Constraint,
    Linear,
    Variable,
    constant,
    equal,
    normal,
    variable,
)
from .numeric_domain import NO_BOUNDS, Bounds, assign_all, assume_all, entails, narrow_unbounded
from .octagon_blocks import (
    VariableBlock,
    below,
    constraints_of,
    gather,
    names_of,
    renamed,
    signed_indices,
    sizes,
    split,
    upper_bound,
    without,
)


@dataclass(frozen=True, slots=True)
class Octagon:
    """Blocks without a common variable, sorted by their first one; None is no point at all."""

    blocks: tuple[VariableBlock, ...] | None

    def __str__(self) -> str:
        if self.blocks is None:
            return "{false}"
        return "{" + ", ".join(str(c) for b in self.blocks for c in constraints_of(b)) + "}"


_TOP: Final = Octagon(())
_BOTTOM: Final = Octagon(None)


class OctagonDomain:
    """Octagons as a `numeric_domain.NumericDomain`."""

    @property
    def name(self) -> str:
        return "octagon"

    def top(self) -> Octagon:
        return _TOP

    def bottom(self) -> Octagon:
        return _BOTTOM

    def alpha(self, constraints: Iterable[Constraint]) -> Octagon:
        return assume_all(self, _TOP, constraints)

    def gamma(self, value: Octagon) -> tuple[Constraint, ...]:
        if value.blocks is None:
            return (FALSE,)
        return tuple(c for block in value.blocks for c in constraints_of(block))

    def exact(self, constraint: Constraint) -> bool:
        factors = constraint.linear.coefficients
        return len(factors) <= 2 and all(abs(factor) == 1 for _, factor in factors)

    def is_top(self, value: Octagon) -> bool:
        return value == _TOP

    def is_bot(self, value: Octagon) -> bool:
        return value.blocks is None

    def leq(self, left: Octagon, right: Octagon) -> bool:
        if left.blocks is None or right.blocks is None:
            return left.blocks is None
        return all(
            below(gather(left.blocks, block.names), block.rows)
            for block in without(right.blocks, left.blocks)
        )

    def meet(self, left: Octagon, right: Octagon) -> Octagon:
        if left.blocks is None or right.blocks is None:
            return _BOTTOM
        other = Octagon(without(right.blocks, left.blocks))
        return assume_all(self, left, self.gamma(other))

    def join(self, left: Octagon, right: Octagon) -> Octagon:
        if left.blocks is None or right.blocks is None:
            return right if left.blocks is None else left
        ours, theirs = without(left.blocks, right.blocks), without(right.blocks, left.blocks)
        names = tuple(sorted(names_of(ours) & names_of(theirs)))
        rows = tuple(
            tuple(map(max, a, b))
            for a, b in zip(gather(ours, names), gather(theirs, names), strict=True)
        )
        return _value(without(left.blocks, ours), split(names, rows))

    def widen(self, old: Octagon, new: Octagon) -> Octagon:
        """Entries that grow are given up and the rest is closed again.

        Closing brings entries back that follow from others, so by itself this need not end. It
        does because each result but `old` itself is less by `_measure`. Where closing does not come
        to that, only the constraints of `old` that still hold are kept; then nothing on the
        variables of broken ones; and at last nothing on any variable of a block that grew.
        """
        if old.blocks is None or new.blocks is None:
            return new if old.blocks is None else old
        ours = without(old.blocks, new.blocks)
        names = tuple(sorted(names_of(ours)))
        rows, grown = gather(ours, names), gather(new.blocks, names)
        if below(grown, rows):
            return old
        kept = matrix.close(
            [
                [x if y <= x else inf for x, y in zip(a, b, strict=True)]
                for a, b in zip(rows, grown, strict=True)
            ]
        )
        assert kept is not None, "a part of the entries has all points of the whole"
        result = _value(without(old.blocks, ours), split(names, kept))
        before = _measure(old)
        if _measure(result) < before:
            return result
        halves = [half for constraint in self.gamma(old) for half in constraint.halves()]
        broken = {half for half in halves if not entails(self, new, half)}
        for found in (
            self.alpha(half for half in halves if half not in broken),
            self.forget(result, {name for half in broken for name in half.variables}),
        ):
            if _measure(found) < before:
                return found
        return self.forget(result, names)

    def narrow(self, old: Octagon, new: Octagon) -> Octagon:
        return narrow_unbounded(self, old, new)

    def assume(self, value: Octagon, constraint: Constraint) -> Octagon:
        for half in constraint.halves():
            if self.exact(half):
                value = _assume_own(value, half.linear)
            else:
                for part in _parts(half.linear):
                    value = self._assume_part(value, half.linear, part)
        return value

    def _assume_part(self, value: Octagon, linear: Linear, part: Linear) -> Octagon:
        """`part <= -rest` for the least value of the rest of `linear <= 0`."""
        least, _ = self.bounds(value, linear - part)
        if least is None or value.blocks is None:
            return value
        return _assume_own(value, normal(part + least, Comparison.AT_MOST).linear)

    def assign(self, value: Octagon, target: Variable, source: Linear | None) -> Octagon:
        if value.blocks is None or source is None:
            return self.forget(value, [target])
        factor = source.coefficient(target)
        if len(source.coefficients) == 1 and abs(factor) == 1:
            return _move(value.blocks, target, factor, source.constant)
        if not factor:
            return self._define(self.forget(value, [target]), target, source)
        used = self.variables(value).union(source.variables)
        fresh = target + "'"
        while fresh in used:
            fresh += "'"
        defined = self._define(value, fresh, source)
        return self.rename(self.forget(defined, [target]), {fresh: target})

    def _define(self, value: Octagon, target: Variable, source: Linear) -> Octagon:
        """`assume(target == source)` for a target that is not constrained."""
        form = variable(target)
        definition = equal(form, source)
        if self.exact(definition):
            return self.assume(value, definition)
        result = value
        others = [sign * variable(name) for name in source.variables for sign in (1, -1)]
        for other in (constant(0), *others):
            low, high = self.bounds(value, source + other)
            known_low, known_high = self.bounds(result, form + other)
            if high is not None and (known_high is None or high < known_high):
                result = _assume_own(result, form + other - high)
            if low is not None and (known_low is None or low > known_low):
                result = _assume_own(result, -form - other + low)
        return result

    def assume_all(self, value: Octagon, constraints: Iterable[Constraint]) -> Octagon:
        return assume_all(self, value, constraints)

    def assign_all(self, value: Octagon, updates: Mapping[Variable, Linear | None]) -> Octagon:
        return assign_all(self, value, updates)

    def forget(self, value: Octagon, variables: Iterable[Variable]) -> Octagon:
        gone = frozenset(variables)
        if value.blocks is None:
            return value
        touched = [block for block in value.blocks if not gone.isdisjoint(block.names)]
        parts: list[VariableBlock] = []
        for block in touched:
            left = [k for k, name in enumerate(block.names) if name not in gone]
            names = tuple(block.names[k] for k in left)
            parts += split(names, matrix.chosen(block.rows, left))
        return _value(without(value.blocks, touched), parts) if touched else value

    def rename(self, value: Octagon, names: Mapping[Variable, Variable]) -> Octagon:
        if value.blocks is None:
            return value
        return _value((), [renamed(block, names) for block in value.blocks])

    def bounds(self, value: Octagon, linear: Linear) -> Bounds:
        if value.blocks is None:
            return NO_BOUNDS
        known = [
            block for block in value.blocks if not set(linear.variables).isdisjoint(block.names)
        ]
        rows = gather(known, linear.variables)
        factors = [factor for _, factor in linear.coefficients]
        high = upper_bound(rows, factors)
        low = upper_bound(rows, [-factor for factor in factors])
        return (
            None if low == inf else linear.constant - int(low),
            None if high == inf else linear.constant + int(high),
        )

    def variables(self, value: Octagon) -> frozenset[Variable]:
        return frozenset(names_of(value.blocks or ()))


def _value(blocks: Iterable[VariableBlock], others: Iterable[VariableBlock]) -> Octagon:
    return Octagon(tuple(sorted((*blocks, *others), key=lambda block: block.names)))


def _assume_own(value: Octagon, linear: Linear) -> Octagon:
    """`linear <= 0` for a sum of at most two variables with the factors 1 and -1."""
    if value.blocks is None:
        return value
    bound = -linear.constant
    if not linear.coefficients:
        return value if bound >= 0 else _BOTTOM
    touched = [block for block in value.blocks if not set(linear.variables).isdisjoint(block.names)]
    limit = bound if len(linear.coefficients) == 2 else 2 * bound
    first, second = signed_indices(linear, linear.variables)
    if gather(touched, linear.variables)[first][second ^ 1] <= limit:
        return value
    names = tuple(sorted(names_of(touched) | set(linear.variables)))
    first, second = signed_indices(linear, names)
    rows = matrix.add(gather(touched, names), first, second ^ 1, limit)
    if rows is None:
        return _BOTTOM
    return _value(without(value.blocks, touched), split(names, rows))


def _move(blocks: tuple[VariableBlock, ...], target: Variable, sign: int, offset: int) -> Octagon:
    new = [
        VariableBlock(b.names, matrix.assigned(b.rows, b.names.index(target), sign, offset))
        if target in b.names
        else b
        for b in blocks
    ]
    return Octagon(tuple(new))


def _parts(linear: Linear) -> list[Linear]:
    """The variables and the pairs in a sum that an octagon may bound, with their factors."""
    pairs = linear.coefficients
    found = [Linear((pair,)) for pair in pairs]
    for (name, factor), (other, own) in combinations(pairs, 2):
        times = min(abs(factor), abs(own))
        signed = ((name, times if factor > 0 else -times), (other, times if own > 0 else -times))
        found.append(Linear(signed))
    return found


def _measure(value: Octagon) -> tuple[int, ...]:
    """Of equations, bounds of variables, entries that say more than those, and constraints."""
    return tuple(map(sum, zip((0, 0, 0, 0), *map(sizes, value.blocks or ()), strict=True)))
