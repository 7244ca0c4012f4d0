"""What a condition makes of a number value, as a function of the predicates.

For each valuation of the predicates, NEX and MTNDD hold one number value, and what a condition
leaves of it depends on nothing else. So the answer for a number value alone, with any predicates,
serves for all values that have it, and is computed once. Duty: a state of the number value where
the condition holds is in one of the pairs, and the diagrams of the pairs are disjoint.
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


class Ways(Generic[N]):
    """The answers so far, by condition and number value."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        numbers: NumericDomain[N],
        assumed: Callable[[tuple[Constraint, ...]], MemoTable[N, N]],
    ) -> None:
        self._vocabulary = vocabulary
        self._numbers = numbers
        self._assumed = assumed
        self._tables: dict[Formula, MemoTable[N, Pairs[N]]] = {}

    def of(self, condition: Formula) -> MemoTable[N, Pairs[N]]:
        """The pairs for each number value."""
        known = self._tables.get(condition)
        if known is None:
            ready = self._vocabulary.guarded(condition)
            known = MemoTable(lambda number: run(self._narrowed(number, ready)))
            self._tables[condition] = known
        return known

    def _narrowed(self, number: N, condition: Guarded) -> Steps[Pairs[N]]:
        if condition.constraints:
            number = self._assumed(condition.constraints)[number]
        if self._numbers.is_bot(number) or not condition.guard.satisfiable():
            return ()
        pairs: Pairs[N] = ((condition.guard, number),)
        for options in condition.splits:
            found: list[tuple[Function, N]] = []
            for guard, below in pairs:
                for option in options:
                    inside = yield self._narrowed(below, option)
                    found += [(guard & where, left) for where, left in inside]
            pairs = self._disjoint(found)
        return pairs

    def _disjoint(self, pairs: Iterable[tuple[Function, N]]) -> Pairs[N]:
        """Pairs that may overlap, with joined numbers where they do."""
        done: list[tuple[Function, N]] = []
        for guard, number in pairs:
            rest = guard
            after: list[tuple[Function, N]] = []
            for other, own in done:
                common = rest & other
                if not common.satisfiable():
                    after.append((other, own))
                    continue
                after.append((common, self._numbers.join(own, number)))
                if common != other:
                    after.append((other & ~common, own))
                rest = rest & ~common
            if rest.satisfiable():
                after.append((rest, number))
            done = after
        return tuple(done)
