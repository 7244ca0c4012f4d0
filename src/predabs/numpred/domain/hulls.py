"""The least and the greatest integer of each variable, for each valuation of the predicates.

For NDD over a numeric domain that relates no variables: there the join of all that goes with equal
predicates is one variable's business after the other's, and a few projections of the BDD give
it, however many paths there are. Soundness duty: each state of the value is in the result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from ...bdd import Function
from ...domains.linear import Constraint, Variable, at_most, variable
from .breakpoints import Breakpoints
from .mtndd import MtnddStructure
from .numeric_terms import NumericTerms

N = TypeVar("N", bound=Hashable)


class Hulls(Generic[N]):
    """MTNDD above BDDs over terms."""

    def __init__(
        self, terms: NumericTerms, breakpoints: Breakpoints, mtndd: MtnddStructure[N]
    ) -> None:
        self._terms = terms
        self._breakpoints = breakpoints
        self._mtndd = mtndd
        self._manager = terms.manager

    def of(self, value: Function, names: Sequence[Variable], look: Callable[[], None]) -> Function:
        """The hull of the variables, all of which are alone, where the value has no other terms."""
        whole = self._mtndd.top
        stack = [(value, names)]
        while stack:
            rest, left = stack.pop()
            look()
            if len(left) > 1:
                # each variable without the others: one half is eliminated for the other
                half = len(left) // 2
                stack.append((self.without(rest, left[half:]), left[:half]))
                stack.append((self.without(rest, left[:half]), left[half:]))
            elif left:
                whole = self._mtndd.meet(whole, self._ends(rest, left[0]))
            else:
                whole = whole & rest
        return whole

    def _hidden(self, name: Variable) -> Function:
        """The variable's terms that are no predicates."""
        size = self._mtndd.vocabulary.size
        return self._manager.variable_set(n for n in self._terms.about([name]) if n >= size)

    def without(self, value: Function, names: Sequence[Variable]) -> Function:
        """The value without what terms say about the variables, all of which are alone."""
        for name in names:
            possible = self._breakpoints.possible(name)
            value = self._manager.product(value, possible, self._hidden(name))
        return value

    def _ends(self, value: Function, name: Variable) -> Function:
        """The bounds of one variable, where the value speaks of no other."""
        manager, hidden, form = self._manager, self._hidden(name), variable(name)
        pieces = [
            (piece.ends, manager.product(value, piece.cube, hidden))
            for piece in self._breakpoints.pieces(name)
        ]
        lows: list[tuple[tuple[Constraint, ...], Function]] = []
        highs: list[tuple[tuple[Constraint, ...], Function]] = []
        seen = manager.false
        for (low, _), guard in pieces:
            lows.append((() if low is None else (at_most(low, form),), guard & ~seen))
            seen = seen | guard
        seen = manager.false
        for (_, high), guard in reversed(pieces):
            highs.append((() if high is None else (at_most(form, high),), guard & ~seen))
            seen = seen | guard
        domain = self._mtndd.numeric_domain
        parts = [
            both & self._mtndd.encode(domain.alpha((*low, *high)))
            for low, first in lows
            if first.satisfiable()
            for high, last in highs
            if (both := first & last).satisfiable()
        ]
        return manager.disjunction(parts)
