"""The breakpoints of one variable: the integers cut into pieces by the terms on it, as BDDs.

Where no term relates a variable to another one, its terms are true and false together as at some
integer: `x <= 3` and not `x <= 5` never. There is one valuation of the terms for each piece between
two breakpoints, so the possible valuations are a small BDD, and the variable can be eliminated or
assigned by BDD operations alone. Everything here is exact.

>>> from ...bdd import Manager
>>> from ...domains.linear import at_most, variable
>>> from .vocabulary import Vocabulary
>>> terms = NumericTerms(Vocabulary([], ["x"], Manager(16)))
>>> low, high = (terms.constraint(at_most(variable("x"), bound)) for bound in (3, 5))
>>> breakpoints = Breakpoints(terms)
>>> breakpoints.possible("x") == low.imp(high), [piece.ends for piece in breakpoints.pieces("x")]
(True, [(None, 3), (4, 5), (6, None)])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...bdd import Function, Renaming
from ...domains.linear import Comparison, Constraint, Linear, Variable, at_most, equal, variable
from ...records import dataclass
from .numeric_terms import NumericTerms
from .vocabulary import Interval


@dataclass(frozen=True, slots=True, eq=False)
class BreakpointPiece:
    """Integers between which no term changes, and the truth of the terms there."""

    ends: Interval
    cube: Function


class Breakpoints:
    """The breakpoints of variables that no term relates to another one."""

    def __init__(self, terms: NumericTerms) -> None:
        self._terms = terms
        self._manager = terms.manager
        self._pieces: dict[tuple[Variable, frozenset[int]], list[BreakpointPiece]] = {}
        self._possible: dict[Variable, tuple[int, Function]] = {}
        self._shadows: dict[int, int] = {}  # the variables of terms, until they replace the old
        self._known: dict[tuple[Variable, Interval], Function] = {}
        self._renamings: dict[frozenset[int], Renaming] = {}

    def alone(self, names: Iterable[Variable]) -> bool:
        """Whether no term relates any of them to another variable."""
        return self._terms.related.isdisjoint(names)

    def pieces(
        self, name: Variable, support: frozenset[int] | None = None
    ) -> list[BreakpointPiece]:
        """The pieces for a variable that is alone, by all its terms, or those in `support`."""
        about = self._terms.about([name])
        key = name, about if support is None else about & support
        known = self._pieces.get(key)
        if known is None:
            known = self._pieces[key] = self._cut(name, sorted(key[1]))
        return known

    def _cut(self, name: Variable, bdd_variables: list[int]) -> list[BreakpointPiece]:
        meanings: dict[int, Constraint] = {}
        lasts: set[int] = set()  # the integers after which a term changes
        for index in bdd_variables:
            (constraint,) = self._terms.meaning(index, True) or ()
            meanings[index] = constraint
            lasts.update(_lasts(constraint))
        ends: list[int | None] = [*sorted(lasts), None]
        found: list[BreakpointPiece] = []
        low: int | None = None
        for high in ends:
            inside = high if high is not None else 0 if low is None else low
            truth = {n: c.holds({name: inside}) for n, c in meanings.items()}
            found.append(BreakpointPiece((low, high), self._manager.cube(truth)))
            low = None if high is None else high + 1
        return found

    def possible(self, name: Variable) -> Function:
        """What terms on the variable may be true together."""
        pieces = self.pieces(name)
        known = self._possible.get(name)
        if known is None or known[0] != len(self._terms.about([name])):
            whole = self._manager.disjunction(piece.cube for piece in pieces)
            known = self._possible[name] = len(self._terms.about([name])), whole
        return known[1]

    # -- assignments ------------------------------------------------------------------------------

    def assigned(
        self, value: Function, updates: Mapping[Variable, Linear | None], gone: frozenset[int]
    ) -> Function:
        """The value after assignments of forms of at most one variable, all of which are alone,
        without what it said about the BDD variables in `gone`."""
        after = self._manager.true
        # terms that the value does not have would bring forth others, and these more of them
        copies = any(source is not None and source.coefficients for source in updates.values())
        support = self._manager.support(value) if copies else frozenset()
        for target, source in updates.items():
            value = value & self.possible(target)
            if source is not None:
                after = after & self._relation(target, source, support)
        old = gone | self._terms.about(updates)
        result = self._manager.product(value, after, self._manager.variable_set(old))
        return self._from_shadows(old)(result)

    def _relation(self, target: Variable, source: Linear, support: frozenset[int]) -> Function:
        """What the target's terms will be, as shadows, for each piece of the source."""
        if not source.coefficients:
            return self._shadow(target, (source.constant, source.constant))
        ((name, factor),) = source.coefficients
        parts: list[Function] = []
        for piece in self.pieces(name, support):
            ends = [None if end is None else factor * end + source.constant for end in piece.ends]
            low, high = ends if factor > 0 else reversed(ends)
            parts.append(piece.cube & self._shadow(target, (low, high)))
        return self._manager.disjunction(parts)

    def _shadow(self, target: Variable, ends: Interval) -> Function:
        """That the target lies between the ends, as shadows."""
        known = self._known.get((target, ends))
        if known is None:
            cube = self._between(variable(target), ends)
            truth = self._manager.pick(cube, self._manager.support(cube)) or {}
            for index in truth:
                if index not in self._shadows:
                    self._shadows[index] = self._manager.add_variables(1)[0]
            shadows = {self._shadows[index]: value for index, value in truth.items()}
            known = self._known[target, ends] = self._manager.cube(shadows)
        return known

    def _between(self, form: Linear, ends: Interval) -> Function:
        low, high = ends
        if low is not None and low == high:
            return self._terms.constraint(equal(form, low))
        bounds: list[Constraint] = []
        if low is not None:
            bounds.append(at_most(low, form))
        if high is not None:
            bounds.append(at_most(form, high))
        return self._manager.conjunction(map(self._terms.constraint, bounds))

    def _from_shadows(self, bdd_variables: frozenset[int]) -> Renaming:
        wanted = bdd_variables.intersection(self._shadows)
        known = self._renamings.get(wanted)
        if known is None:
            known = self._manager.renaming({self._shadows[index]: index for index in wanted})
            self._renamings[wanted] = known
        return known


def _lasts(constraint: Constraint) -> Iterable[int]:
    """The integers after which a constraint on one variable, with factor 1 or -1, changes."""
    ((_, factor),) = constraint.linear.coefficients
    bound = -constraint.linear.constant * factor
    if constraint.relation is Comparison.EQUAL:
        return bound - 1, bound
    return (bound,) if factor > 0 else (bound - 1,)
