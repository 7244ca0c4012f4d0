"""What a numeric abstract domain offers: the interface of [GC10, figure 3 and section 3.3].

A domain is an object that makes and combines *values*; a value stands for a set of integer points
(one integer for each variable). Values are immutable, hashable, and know only the variables that
they constrain, so all domains work over any set of variables and unrelated ones cost nothing.

Below, `[v]` is the set of points of a value v: those where all constraints of `gamma(v)` hold.
Soundness is always inclusion: a point that can be reached concretely is in the result. What a
domain promises beyond soundness is in its own docstring.

The functions after the Protocol work for every domain and are built on its methods.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Protocol, TypeVar

from .linear import Comparison, Constraint, Linear, Variable

V = TypeVar("V", bound=Hashable)
Bounds = tuple[int | None, int | None]

# the bounds of anything at no point at all: the only ones with the lower above the upper
NO_BOUNDS: Bounds = (1, 0)

# the greatest coefficient for which `narrow_unbounded` adds a constraint
_SMALL = 64


class NumericDomain(Protocol[V]):
    """A numeric domain with values of type V; equal values stand for equal sets."""

    @property
    def name(self) -> str:
        """The word by which a user asks for it: box, octagon, polyhedra."""
        ...

    # values

    def top(self) -> V:
        """All points. It is what `alpha` makes of no constraints."""
        ...

    def bottom(self) -> V:
        """No point. It is what `alpha` makes of `FALSE`."""
        ...

    def alpha(self, constraints: Iterable[Constraint]) -> V:
        """Soundness duty: every point where all constraints hold is in [alpha(constraints)]."""
        ...

    def gamma(self, value: V) -> tuple[Constraint, ...]:
        """The constraints whose conjunction the value is: none for top, `FALSE` alone for bottom.

        They are few (none follows from the others, as far as it is cheap to see) and always the
        same for equal values, and `alpha(gamma(v)) == v`.
        """
        ...

    def exact(self, constraint: Constraint) -> bool:
        """May the constraint be stored without loss? Soundness duty: only if it holds at every
        point of [alpha([constraint])]; then also at every point of [assume(v, constraint)], unless
        the domain limits how many variables it relates (polyhedra do) and that is too many."""
        ...

    # order and lattice

    def is_top(self, value: V) -> bool:
        """Soundness duty: only if every point is in [value]."""
        ...

    def is_bot(self, value: V) -> bool:
        """Soundness duty: only if no point is in [value]."""
        ...

    def leq(self, left: V, right: V) -> bool:
        """Soundness duty: only if [left] is part of [right]. It is a partial order."""
        ...

    def meet(self, left: V, right: V) -> V:
        """Soundness duty: every point that is in both is in the result."""
        ...

    def join(self, left: V, right: V) -> V:
        """Soundness duty: every point of either is in the result. The result is above both by
        `leq`."""
        ...

    def widen(self, old: V, new: V) -> V:
        """Soundness duty: every point of either is in the result, and from any v, the values
        `v = widen(v, w)` are the same from some step on, whatever each w is. That also holds if v
        is taken through `gamma` and `alpha` between two steps."""
        ...

    def narrow(self, old: V, new: V) -> V:
        """Soundness duty: if leq(new, old), then every point of `new` is in the result, the result
        is below `old`, and `v = narrow(v, w)` with any w below v ends as in `widen`."""
        ...

    # transformers [GC10, section 3.3]

    def assume(self, value: V, constraint: Constraint) -> V:
        """Soundness duty: every point of [value] where the constraint holds is in the result."""
        ...

    def assign(self, value: V, target: Variable, source: Linear | None) -> V:
        """The target gets the source's value before; with None, any integer. Soundness duty: for
        each point of [value], the point changed so is in the result."""
        ...

    def assume_all(self, value: V, constraints: Iterable[Constraint]) -> V:
        """`assume` of a conjunction, one after the other."""
        ...

    def assign_all(self, value: V, updates: Mapping[Variable, Linear | None]) -> V:
        """Assignments at once, as in [GC10, section 3.3]: `x := y + 1` and `y := x - 1` both read
        old values. Soundness duty: for each point of [value], the point changed so is in the
        result."""
        ...

    def forget(self, value: V, variables: Iterable[Variable]) -> V:
        """Soundness duty: each point of [value], with any integers for these variables, is in the
        result."""
        ...

    def rename(self, value: V, names: Mapping[Variable, Variable]) -> V:
        """Other names at once for some variables: [result] = [value] with the names changed.

        The caller sees to it that two variables do not become one: `names` has different
        targets, and a target that is no source is not constrained by the value.
        """
        ...

    # questions

    def bounds(self, value: V, linear: Linear) -> Bounds:
        """A least and a greatest value of the form over [value], None where there is none known.

        Soundness duty: at every point of [value] the form lies between them. `NO_BOUNDS` for
        bottom.
        """
        ...

    def variables(self, value: V) -> frozenset[Variable]:
        """The variables that the value says something about."""
        ...


def entails(domain: NumericDomain[V], value: V, constraint: Constraint) -> bool:
    """Soundness duty: true only if the constraint holds at every point of [value]."""
    if domain.is_bot(value):
        return True
    low, high = domain.bounds(value, constraint.linear)
    if constraint.relation is Comparison.AT_MOST:
        return high is not None and high <= 0
    return low == 0 == high


def assume_all(domain: NumericDomain[V], value: V, constraints: Iterable[Constraint]) -> V:
    """`assume_all` by `assume`. Soundness duty: a point of [value] where all hold is in the
    result."""
    for constraint in constraints:
        value = domain.assume(value, constraint)
    return value


def assign_all(domain: NumericDomain[V], value: V, updates: Mapping[Variable, Linear | None]) -> V:
    """`assign_all` by `assign` and other names for the old values.

    Soundness duty: for each point of [value], the point changed so is in the result.
    """
    if len(updates) == 1:
        ((target, source),) = updates.items()
        return domain.assign(value, target, source)
    used = domain.variables(value).union(updates, *(s.variables for s in updates.values() if s))
    mark = "'"
    while any(target + mark in used for target in updates):
        mark += "'"
    old = {target: target + mark for target in updates}
    value = domain.rename(value, old)
    for target, source in updates.items():
        if source is not None:
            value = domain.assign(value, target, source.renamed(old))
    return domain.forget(value, old.values())


def narrow_unbounded(domain: NumericDomain[V], old: V, new: V) -> V:
    """A narrowing for all domains: add what `new` says of forms on which `old` has no bound.

    It ends: each step that changes anything bounds a form that had no bound, only forms with small
    coefficients count, and over a program's variables there are finitely many of those.
    """
    if domain.is_bot(old) or domain.is_bot(new):
        return new
    for constraint in domain.gamma(new):
        for half in constraint.halves():
            small = all(abs(factor) <= _SMALL for _, factor in half.linear.coefficients)
            if small and domain.bounds(old, half.linear)[1] is None:
                old = domain.assume(old, half)
    return old
