"""Convex polyhedra: any linear constraints (PK of [GC10, table 2]), by the library ppl.

A value is a polyhedron over the rationals, so the lattice laws hold as they stand: `meet` and `leq`
are exact there, `join` is the best. Integers come in where constraints do (they are tightened, see
`linear`), where bounds go out (they are rounded), and where equations have no integer solution; a
polyhedron without an integer point need not be found empty otherwise. Widening is the standard
one of [CH78], as Halbwachs defined it (H79 in ppl).

A value is a product of parts: variables that no constraint relates are in different parts, and
what two values have in common takes no part in a join. The description of a polyhedron may be
exponential in its dimension, so no part has more than `MOST` variables: where a larger one would be
needed, `assume`, `assign` and `meet` keep the bounds of each variable, and `join` and `widen` go
group by group.

>>> from .linear import equal, variable
>>> domain, x, y = PolyhedraDomain(), variable("x"), variable("y")
>>> first = domain.alpha([equal(x, 0), equal(y, 0)])
>>> both = domain.join(first, domain.alpha([equal(x, 2), equal(y, 6)]))
>>> print(both, domain.widen(first, both))
{3*x - y == 0, x <= 2, -x <= 0} {3*x - y == 0, -x <= 0}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Final

from ..records import dataclass
from .linear import (
    FALSE,
    Comparison,
    Constraint,
    Linear,
    Variable,
    at_most,
    equal,
    normal,
    variable,
)
from .numeric_domain import NO_BOUNDS, Bounds, assign_all, assume_all, narrow_unbounded
from .polyhedra_parts import Part, expression, product, restrict, split, supremum
from .ppl_library import ppl

MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Polyhedron:
    """Parts without a common variable, sorted by their first one; None is no point at all."""

    parts: tuple[Part, ...] | None

    def __str__(self) -> str:
        if self.parts is None:
            return "{false}"
        return "{" + ", ".join(str(c) for part in self.parts for c in part.constraints) + "}"


_TOP: Final = Polyhedron(())
_BOTTOM: Final = Polyhedron(None)


class PolyhedraDomain:
    """Convex polyhedra as a `numeric_domain.NumericDomain`."""

    @property
    def name(self) -> str:
        return "polyhedra"

    def top(self) -> Polyhedron:
        return _TOP

    def bottom(self) -> Polyhedron:
        return _BOTTOM

    def alpha(self, constraints: Iterable[Constraint]) -> Polyhedron:
        return assume_all(self, _TOP, constraints)

    def gamma(self, value: Polyhedron) -> tuple[Constraint, ...]:
        if value.parts is None:
            return (FALSE,)
        return tuple(c for part in value.parts for c in part.constraints)

    def exact(self, constraint: Constraint) -> bool:
        return len(constraint.linear.coefficients) <= MOST

    def is_top(self, value: Polyhedron) -> bool:
        return value == _TOP

    def is_bot(self, value: Polyhedron) -> bool:
        return value.parts is None

    def leq(self, left: Polyhedron, right: Polyhedron) -> bool:
        if left.parts is None or right.parts is None:
            return left.parts is None
        needed = _without(right.parts, left.parts)
        return all(_satisfies(left.parts, c) for part in needed for c in part.constraints)

    def meet(self, left: Polyhedron, right: Polyhedron) -> Polyhedron:
        if left.parts is None or right.parts is None:
            return _BOTTOM
        for part in _without(right.parts, left.parts):
            left = self._assume(left, part.constraints, part.names)
        return left

    def join(self, left: Polyhedron, right: Polyhedron) -> Polyhedron:
        if left.parts is None or right.parts is None:
            return right if left.parts is None else left
        ours, theirs = _without(left.parts, right.parts), _without(right.parts, left.parts)
        common = _names(ours) & _names(theirs)
        ours, theirs = _only(ours, common), _only(theirs, common)
        found = [part for part in left.parts if part in right.parts]
        for names in _groups(ours, theirs):
            first, second = _touching(ours, names), _touching(theirs, names)
            if len(names) > MOST:
                found += _kept(first, second)
                continue
            shape = product(first, names)
            shape.poly_hull_assign(product(second, names))
            found += split(shape, names) or ()
        return _value(found)

    def widen(self, old: Polyhedron, new: Polyhedron) -> Polyhedron:
        """H79 on what is not common; for groups that are too large, the constraints that hold."""
        if old.parts is None or new.parts is None:
            return new if old.parts is None else old
        if self.leq(new, old):
            return old
        grown = self.join(old, new).parts or ()
        ours, theirs = _without(old.parts, grown), _without(grown, old.parts)
        found = [part for part in old.parts if part in grown]
        for names in _groups(ours, theirs):
            first, second = _touching(ours, names), _touching(theirs, names)
            if len(names) > MOST:
                found += _kept(first, second)
                continue
            shape = product(second, names)
            shape.H79_widening_assign(product(first, names))
            found += split(shape, names) or ()
        return _value(found)

    def narrow(self, old: Polyhedron, new: Polyhedron) -> Polyhedron:
        return narrow_unbounded(self, old, new)

    def assume(self, value: Polyhedron, constraint: Constraint) -> Polyhedron:
        return self._assume(value, (constraint,), constraint.variables)

    def _assume(
        self, value: Polyhedron, constraints: Sequence[Constraint], variables: Iterable[Variable]
    ) -> Polyhedron:
        """Constraints with no other variables than those."""
        if value.parts is None:
            return value
        touched = _touching(value.parts, variables)
        names = tuple(sorted(_names(touched).union(variables)))
        if len(names) > MOST:
            return self._assume_bounds(value, constraints)
        shape = product(touched, names)
        restrict(shape, constraints, names)
        found = split(shape, names)
        return _BOTTOM if found is None else _value((*_without(value.parts, touched), *found))

    def _assume_bounds(self, value: Polyhedron, constraints: Iterable[Constraint]) -> Polyhedron:
        """What each constraint says about each variable alone, given the bounds of the others."""
        for half in (half for constraint in constraints for half in constraint.halves()):
            for name, factor in half.linear.coefficients:
                own = Linear(((name, factor),))
                least, _ = self.bounds(value, half.linear - own)
                if least is not None:
                    value = self.assume(value, normal(own + least, Comparison.AT_MOST))
        return value

    def assign(self, value: Polyhedron, target: Variable, source: Linear | None) -> Polyhedron:
        if value.parts is None or source is None:
            return self.forget(value, [target])
        if not source.coefficient(target):
            return self.assume(self.forget(value, [target]), equal(variable(target), source))
        touched = _touching(value.parts, source.variables)
        names = tuple(sorted(_names(touched).union(source.variables)))
        if len(names) > MOST:
            return self._between(value, target, self.bounds(value, source))
        shape = product(touched, names)
        shape.affine_image(ppl.Variable(names.index(target)), expression(source, names))
        return _value((*_without(value.parts, touched), *(split(shape, names) or ())))

    def _between(self, value: Polyhedron, target: Variable, bounds: Bounds) -> Polyhedron:
        """The target between the bounds and nothing else known of it."""
        low, high = bounds
        value = self.forget(value, [target])
        if low is not None:
            value = self.assume(value, at_most(low, variable(target)))
        return value if high is None else self.assume(value, at_most(variable(target), high))

    def assume_all(self, value: Polyhedron, constraints: Iterable[Constraint]) -> Polyhedron:
        return assume_all(self, value, constraints)

    def assign_all(
        self, value: Polyhedron, updates: Mapping[Variable, Linear | None]
    ) -> Polyhedron:
        return assign_all(self, value, updates)

    def forget(self, value: Polyhedron, variables: Iterable[Variable]) -> Polyhedron:
        if value.parts is None:
            return value
        return _value(_only(value.parts, _names(value.parts).difference(variables)))

    def rename(self, value: Polyhedron, names: Mapping[Variable, Variable]) -> Polyhedron:
        if value.parts is None:
            return value
        found: list[Part] = []
        for part in value.parts:
            new = tuple(sorted(names.get(name, name) for name in part.names))
            shape = ppl.C_Polyhedron(len(new), "universe")
            moved = [Constraint(c.linear.renamed(names), c.relation) for c in part.constraints]
            restrict(shape, moved, new)
            found += split(shape, new) or ()
        return _value(found)

    def bounds(self, value: Polyhedron, linear: Linear) -> Bounds:
        if value.parts is None:
            return NO_BOUNDS
        high, low = _suprema(value.parts, linear), _suprema(value.parts, -linear)
        # in each part the form is a whole number at each integer point
        return (
            None if low is None else linear.constant - sum(map(floor, low)),
            None if high is None else linear.constant + sum(map(floor, high)),
        )

    def variables(self, value: Polyhedron) -> frozenset[Variable]:
        return frozenset(_names(value.parts or ()))


def _without(parts: Iterable[Part], others: Iterable[Part]) -> tuple[Part, ...]:
    known = {part.names: part.constraints for part in others}
    return tuple(part for part in parts if known.get(part.names) != part.constraints)


def _names(parts: Iterable[Part]) -> set[Variable]:
    return {name for part in parts for name in part.names}


def _value(parts: Iterable[Part]) -> Polyhedron:
    return Polyhedron(tuple(sorted(parts, key=lambda part: part.names)))


def _touching(parts: Iterable[Part], variables: Iterable[Variable]) -> tuple[Part, ...]:
    wanted = frozenset(variables)
    return tuple(part for part in parts if not wanted.isdisjoint(part.names))


def _only(parts: Iterable[Part], kept: set[Variable]) -> tuple[Part, ...]:
    """Without the variables that are not kept."""
    found: list[Part] = []
    for part in parts:
        gone = [k for k, name in enumerate(part.names) if name not in kept]
        if not gone:
            found.append(part)
            continue
        shape = product([part], part.names)
        for k in gone:
            shape.unconstrain(ppl.Variable(k))
        found += split(shape, part.names) or ()
    return tuple(found)


def _groups(ours: Sequence[Part], theirs: Sequence[Part]) -> list[tuple[Variable, ...]]:
    """All variables if they are few, else those that parts relate, directly or through others."""
    everything = _names((*ours, *theirs))
    if len(everything) <= MOST:
        return [tuple(sorted(everything))]
    groups: list[set[Variable]] = []
    for part in (*ours, *theirs):
        near = [group for group in groups if not group.isdisjoint(part.names)]
        groups = [group for group in groups if group not in near]
        groups.append(set(part.names).union(*near))
    return [tuple(sorted(group)) for group in groups]


def _kept(ours: Sequence[Part], theirs: Sequence[Part]) -> list[Part]:
    """Our constraints that hold in theirs too, and their bounds of single variables that hold in
    ours, so that no part grows."""
    alone = [
        h
        for part in theirs
        for c in part.constraints
        if len(c.variables) == 1
        for h in c.halves()
        if _satisfies(ours, h)
    ]
    found: list[Part] = []
    for part in ours:
        shape = ppl.C_Polyhedron(len(part.names), "universe")
        halves = [half for c in part.constraints for half in c.halves()]
        restrict(shape, [half for half in halves if _satisfies(theirs, half)], part.names)
        restrict(shape, [half for half in alone if half.variables[0] in part.names], part.names)
        found += split(shape, part.names) or ()
    return found


def _suprema(parts: Sequence[Part], linear: Linear) -> list[Fraction] | None:
    """The least upper bounds of the parts of a form, one for each part; None if one has none."""
    left = dict(linear.coefficients)
    found = []
    for part in _touching(parts, linear.variables):
        own = tuple((name, left.pop(name)) for name in part.names if name in left)
        bound = supremum(part, Linear(own))
        if bound is None:
            return None
        found.append(bound)
    return None if left else found


def _satisfies(parts: Sequence[Part], constraint: Constraint) -> bool:
    """Does the constraint hold at all rational points?"""
    for half in constraint.halves():
        found = _suprema(parts, half.linear)
        if found is None or sum(found) + half.linear.constant > 0:
            return False
    return True
