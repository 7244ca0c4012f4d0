"""NEX, paper 003, section 5.2: a set of NEXPoint pairs that are a function from predicates to
numbers.

The conditions of the paper hold of every value: no pair is empty (C1), the number values differ
(C2), and the diagrams are disjoint (C3). So for each valuation of the predicates there is at most
one number value, and a value can say `(p & 0 <= x <= 3) | (!p & 1 <= x <= 5)`.

`NEXJoin` as figure 8 prints it leaves the rest of one value in two of its branches, and then C3
fails; here each pair is cut against the pairs of the other side one by one, and what is left of
either side is added once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeAlias

from ...bdd import Function
from ..lattice import Domain, assume_all
from ..linear import Constraint
from .apply import N, Structure
from .counters import Counters, Operation, timed
from .formula import Predicate
from .reduce import Reducer
from .transformers import Numeric
from .vocabulary import Vocabulary

Pair: TypeAlias = tuple[Function, N]


@dataclass(frozen=True, slots=True)
class Nex(Generic[N]):
    """The pairs; their order is the same in each run and does not matter for equality."""

    pairs: tuple[Pair[N], ...] = field(compare=False)
    members: frozenset[Pair[N]]

    def without(self, other: Nex[N]) -> list[Pair[N]]:
        """The pairs that the other does not have."""
        return [pair for pair in self.pairs if pair not in other.members]


def _nex(pairs: Iterable[Pair[N]]) -> Nex[N]:
    ordered = tuple(pairs)
    return Nex(ordered, frozenset(ordered))


class NexStructure(Structure[Nex[N], N]):
    """Functions from predicates to numbers, as sets; see `lattice.NumPredDom` for the duties."""

    name = "nex"

    def __init__(
        self, vocabulary: Vocabulary, numbers: Domain[N], counters: Counters | None = None
    ) -> None:
        super().__init__(vocabulary, numbers, counters)
        self._reducer = Reducer(vocabulary, numbers)
        self._bot: Nex[N] = _nex(())
        self._top = _nex([(vocabulary.manager.true, numbers.top())])

    @property
    def top(self) -> Nex[N]:
        return self._top

    @property
    def bot(self) -> Nex[N]:
        return self._bot

    def norm(self, pairs: Iterable[Pair[N]]) -> Nex[N]:
        """Figure 7: from disjoint diagrams (C3) to C1 and C2, in linear time by a table."""
        merged: dict[N, Function] = {}
        for guard, number in pairs:
            if guard.satisfiable() and not self.numbers.is_bot(number):
                known = merged.get(number)
                merged[number] = guard if known is None else known | guard
        return _nex((guard, number) for number, guard in merged.items())

    def is_top(self, value: Nex[N]) -> bool:
        return value == self._top

    def is_bot(self, value: Nex[N]) -> bool:
        return not value.pairs

    @timed(Operation.LEQ)
    def leq(self, left: Nex[N], right: Nex[N]) -> bool:
        for guard, number in left.without(right):
            rest = guard
            for other, above in right.pairs:
                common = rest & other
                if common.satisfiable():
                    if not self.numbers.leq(number, above):
                        return False
                    rest = rest & ~other
                    if not rest.satisfiable():
                        break
            if rest.satisfiable():
                return False
        return True

    @timed(Operation.MEET)
    def meet(self, left: Nex[N], right: Nex[N]) -> Nex[N]:
        return self.norm(
            (common, self.numbers.meet(number, below))
            for guard, number in left.pairs
            for other, below in right.pairs
            if (common := guard & other).satisfiable()
        )

    @timed(Operation.JOIN)
    def join(self, left: Nex[N], right: Nex[N]) -> Nex[N]:
        return self._merge(left, right, self.numbers.join)

    @timed(Operation.WIDEN)
    def widen(self, old: Nex[N], new: Nex[N]) -> Nex[N]:
        return self._merge(old, new, self.numbers.widen)

    def _merge(self, left: Nex[N], right: Nex[N], combine: Callable[[N, N], N]) -> Nex[N]:
        """NEXJoin and NEXWiden: for each valuation both numbers combined, or the only one."""
        if left == right or not right.pairs:
            return left
        if not left.pairs:
            return right
        # a pair that both have meets nothing else on either side
        merged = [pair for pair in left.pairs if pair in right.members]
        ours, ours_all = self._meeting(left.without(right), right.without(left), merged)
        theirs, _ = self._meeting(right.without(left), ours, merged)
        for guard, number in ours:
            rest = guard
            for other, above in theirs:
                common = rest & other
                if common.satisfiable():
                    merged.append((common, combine(number, above)))
                    rest = rest & ~other
                    if not rest.satisfiable():
                        break
            merged.append((rest, number))
        merged += [(other & ~ours_all, above) for other, above in theirs]
        return self.norm(merged)

    def _meeting(
        self,
        pairs: Iterable[Pair[N]],
        others: Iterable[Pair[N]],
        apart: list[Pair[N]],
    ) -> tuple[list[Pair[N]], Function]:
        """The pairs that overlap with others, and their union; those that do not go `apart`."""
        manager = self.vocabulary.manager
        covered = manager.disjunction(guard for guard, _ in others)
        meeting: list[Pair[N]] = []
        for pair in pairs:
            (meeting if (pair[0] & covered).satisfiable() else apart).append(pair)
        return meeting, manager.disjunction(guard for guard, _ in meeting)

    @timed(Operation.NARROW)
    def narrow(self, old: Nex[N], new: Nex[N]) -> Nex[N]:
        return self.norm(
            (common, self.numbers.narrow(number, below))
            for guard, number in old.pairs
            for other, below in new.pairs
            if (common := guard & other).satisfiable()
        )

    def restrict(self, value: Nex[N], guard: Function, parts: tuple[Constraint, ...]) -> Nex[N]:
        return self.norm(
            (common, assume_all(self.numbers, number, parts))
            for own, number in value.pairs
            if (common := own & guard).satisfiable()
        )

    @timed(Operation.EXISTS)
    def exists(self, predicates: Iterable[Predicate], value: Nex[N]) -> Nex[N]:
        manager = self.vocabulary.manager
        gone = self.vocabulary.numbers(predicates)
        return self._union((manager.exists(guard, gone), number) for guard, number in value.pairs)

    def unprime(self, value: Nex[N]) -> Nex[N]:
        unprimed = self.vocabulary.unprimed
        return self._union((unprimed(guard), number) for guard, number in value.pairs)

    def _union(self, pairs: Iterable[Pair[N]]) -> Nex[N]:
        """The join of pairs that may overlap; those that do not are put together at once."""
        apart: list[Pair[N]] = []
        rest: list[Pair[N]] = []
        seen = self.vocabulary.manager.false
        for pair in pairs:
            overlaps = (seen & pair[0]).satisfiable()
            (rest if overlaps else apart).append(pair)
            seen = seen | pair[0]
        union = self.norm(apart)
        for pair in rest:
            union = self._merge(union, _nex([pair]), self.numbers.join)
        return union

    @timed(Operation.REDUCE)
    def reduce(self, value: Nex[N]) -> Nex[N]:
        return self.norm(
            (part, below)
            for guard, number in value.pairs
            for below, part in self._reducer.pieces(guard, number).items()
        )

    @timed(Operation.POST_N)
    def alpha_post_n(self, value: Nex[N], transformer: Numeric) -> Nex[N]:
        return self.norm(
            (guard, self.assigned(number, transformer)) for guard, number in value.pairs
        )

    def pieces(self, value: Nex[N]) -> Iterable[Pair[N]]:
        return value.pairs
