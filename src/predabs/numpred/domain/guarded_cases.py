"""Guarded cases: what a condition makes of a numeric element, as a function of the predicates.

For each valuation of the predicates, NEX and MTNDD hold one numeric element, and what a condition
leaves of it depends on nothing else. So the answer for a numeric element alone, with any
predicates, serves for all values that have it, and is computed once. Soundness duty: a state of the
numeric element where the condition holds is in one of the pairs, and the BDDs of the pairs are
disjoint.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeAlias, TypeVar

from ...bdd import Function
from ...domains.linear import Constraint
from ...domains.memo import MemoTable
from ...domains.numeric_domain import NumericDomain
from .diagram_walk import Steps, run
from .formula import Formula
from .vocabulary import Guarded, Vocabulary

N = TypeVar("N", bound=Hashable)
Pairs: TypeAlias = tuple[tuple[Function, N], ...]


class GuardedCases(Generic[N]):
    """The cases so far, by condition and numeric element."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        numeric_domain: NumericDomain[N],
        assumed: Callable[[tuple[Constraint, ...]], MemoTable[N, N]],
    ) -> None:
        self._vocabulary = vocabulary
        self._numeric_domain = numeric_domain
        self._assumed = assumed
        self._tables: dict[Formula, MemoTable[N, Pairs[N]]] = {}

    def of(self, condition: Formula) -> MemoTable[N, Pairs[N]]:
        """The guarded cases of each numeric element."""
        known = self._tables.get(condition)
        if known is None:
            ready = self._vocabulary.guarded(condition)
            known = MemoTable(lambda element: run(self._narrowed(element, ready)))
            self._tables[condition] = known
        return known

    def _narrowed(self, element: N, condition: Guarded) -> Steps[Pairs[N]]:
        if condition.constraints:
            element = self._assumed(condition.constraints)[element]
        if self._numeric_domain.is_bot(element) or not condition.guard.satisfiable():
            return ()
        pairs: Pairs[N] = ((condition.guard, element),)
        for options in condition.splits:
            found: list[tuple[Function, N]] = []
            for guard, below in pairs:
                for option in options:
                    inside = yield self._narrowed(below, option)
                    found += [(guard & where, left) for where, left in inside]
            pairs = self._disjoint(found)
        return pairs

    def _disjoint(self, pairs: Iterable[tuple[Function, N]]) -> Pairs[N]:
        """Pairs that may overlap, with joined elements where they do."""
        done: list[tuple[Function, N]] = []
        for guard, element in pairs:
            rest = guard
            after: list[tuple[Function, N]] = []
            for other, own in done:
                common = rest & other
                if not common.satisfiable():
                    after.append((other, own))
                    continue
                after.append((common, self._numeric_domain.join(own, element)))
                if common != other:
                    after.append((other & ~common, own))
                rest = rest & ~common
            if rest.satisfiable():
                after.append((rest, element))
            done = after
        return tuple(done)
