"""NEX, [GC10, section 5.2]: a set of NEXPoint pairs that are a function from predicates to
numbers.

The conditions of [GC10] hold of every value: no pair is empty (C1), the numeric elements differ
(C2), and the BDDs are disjoint (C3). So for each valuation of the predicates there is at most
one numeric element, and a value can say `(p & 0 <= x <= 3) | (!p & 1 <= x <= 5)`.

`NEXJoin` as [GC10, figure 8] prints it leaves the rest of one value in two of its branches, and
then C3 fails; here each pair is cut against the pairs of the other side one by one, and what is
left of either side is added once.

A condition is assumed for each valuation by itself: what it makes of a numeric element, as a
function of the predicates, is computed once for all pairs and rounds (`guarded_cases`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic

from ...bdd import Function, Manager
from ...domains.linear import Constraint
from ...domains.numeric_domain import NumericDomain
from .apply import N, Structure
from .counters import Counters, Operation, timed
from .formula import Formula, Predicate
from .guarded_cases import GuardedCases
from .reduction import Reducer
from .transformers import Choices, Numeric
from .vocabulary import Vocabulary


class Nex(Generic[N]):
    """The pairs by their numeric elements; their order is the same in each run and does not matter
    for equality."""

    __slots__ = ("_hash", "table")

    def __init__(self, table: Mapping[N, Function]) -> None:
        self.table = table
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Nex) and self.table == other.table)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.table.items()))
        return self._hash

    @property
    def pairs(self) -> list[tuple[Function, N]]:
        return [(guard, element) for element, guard in self.table.items()]

    def without(self, other: Nex[N]) -> dict[N, Function]:
        """The pairs that the other does not have."""
        known = other.table
        return {n: guard for n, guard in self.table.items() if known.get(n) != guard}


class Overlaps(Generic[N]):
    """Disjoint pairs as a tree of unions of their BDDs, so that the pairs that another BDD meets
    are found in time proportional to their number times the height of the tree.

    Soundness duty: `of` gives each part of a BDD that lies in one of the pairs, with its element.

    >>> manager = Manager(16)
    >>> p, q = map(manager.var, manager.add_variables(2))
    >>> pairs = Overlaps(manager, {"one": p & q, "two": p & ~q})
    >>> [element for _, element in pairs.of(q)], pairs.all == p
    (['one'], True)
    """

    def __init__(self, manager: Manager, pairs: Mapping[N, Function]) -> None:
        self._elements = list(pairs)
        self._levels = [list(pairs.values()) or [manager.false]]
        while len(level := self._levels[-1]) > 1:
            above = [level[i] | level[i + 1] for i in range(0, len(level) - 1, 2)]
            self._levels.append(above + level[2 * len(above) :])

    @property
    def all(self) -> Function:
        """The union of the BDDs."""
        return self._levels[-1][0]

    def of(self, guard: Function) -> Iterator[tuple[Function, N]]:
        """The parts of a BDD that lie in the pairs, in their order."""
        levels = self._levels
        stack = [(len(levels) - 1, 0, guard)]
        while stack:
            height, index, rest = stack.pop()
            rest = rest & levels[height][index]
            if not rest.satisfiable():
                continue
            if not height:
                yield rest, self._elements[index]
                continue
            below = 2 * index
            if below + 1 < len(levels[height - 1]):
                stack.append((height - 1, below + 1, rest))
            stack.append((height - 1, below, rest))


class NexStructure(Structure[Nex[N], N]):
    """Functions from predicates to numbers, as sets; see `numpred_domain.NumPredDom` for the
    duties."""

    name = "nex"

    def __init__(
        self,
        vocabulary: Vocabulary,
        numeric_domain: NumericDomain[N],
        counters: Counters | None = None,
    ) -> None:
        super().__init__(vocabulary, numeric_domain, counters)
        self._manager = vocabulary.manager
        self._reducer = Reducer(vocabulary, numeric_domain, self.counters.look)
        self._bot: Nex[N] = Nex({})
        self._top = Nex({numeric_domain.top(): vocabulary.manager.true})
        self._guarded_cases = GuardedCases(vocabulary, numeric_domain, self.assumed)

    @property
    def top(self) -> Nex[N]:
        return self._top

    @property
    def bot(self) -> Nex[N]:
        return self._bot

    def norm(self, pairs: Iterable[tuple[Function, N]]) -> Nex[N]:
        """[GC10, figure 7]: from disjoint BDDs (C3) to C1 and C2, in linear time by a table."""
        merged: dict[N, Function] = {}
        more: dict[N, list[Function]] = {}
        for guard, element in pairs:
            if guard.satisfiable() and not self.numeric_domain.is_bot(element):
                if element in merged:
                    more.setdefault(element, [merged[element]]).append(guard)
                else:
                    merged[element] = guard
        for element, guards in more.items():
            self.counters.look()
            merged[element] = self._manager.disjunction(guards)
        return Nex(merged)

    def is_top(self, value: Nex[N]) -> bool:
        return value == self._top

    def is_bot(self, value: Nex[N]) -> bool:
        return not value.table

    @timed(Operation.LEQ)
    def leq(self, left: Nex[N], right: Nex[N]) -> bool:
        ours = left.without(right)
        if not ours:
            return True
        others = Overlaps(self._manager, right.without(left))  # no other pair meets ours
        for element, guard in ours.items():
            self.counters.look()
            if (guard & ~others.all).satisfiable():
                return False
            if not all(self.numeric_domain.leq(element, above) for _, above in others.of(guard)):
                return False
        return True

    @timed(Operation.MEET)
    def meet(self, left: Nex[N], right: Nex[N]) -> Nex[N]:
        return self._common(left, right, self.numeric_domain.meet)

    @timed(Operation.NARROW)
    def narrow(self, old: Nex[N], new: Nex[N]) -> Nex[N]:
        return self._common(old, new, self.numeric_domain.narrow)

    def _common(self, left: Nex[N], right: Nex[N], combine: Callable[[N, N], N]) -> Nex[N]:
        """Both elements combined where there are two."""
        ours = left.without(right)
        found = [(guard, combine(n, n)) for n, guard in left.table.items() if n not in ours]
        others = Overlaps(self._manager, right.without(left))
        for element, guard in ours.items():
            self.counters.look()
            found += [(part, combine(element, below)) for part, below in others.of(guard)]
        return self.norm(found)

    @timed(Operation.JOIN)
    def join(self, left: Nex[N], right: Nex[N]) -> Nex[N]:
        return self._merge(left, right, self.numeric_domain.join)

    @timed(Operation.WIDEN)
    def widen(self, old: Nex[N], new: Nex[N]) -> Nex[N]:
        return self._merge(old, new, self.numeric_domain.widen)

    def _merge(self, left: Nex[N], right: Nex[N], combine: Callable[[N, N], N]) -> Nex[N]:
        """NEXJoin and NEXWiden: for each valuation both elements combined, or the only one."""
        if left == right or not right.table:
            return left
        if not left.table:
            return right
        ours = left.without(right)
        # a pair that both have meets nothing else on either side
        merged = [(guard, n) for n, guard in left.table.items() if n not in ours]
        theirs = right.without(left)
        others = Overlaps(self._manager, theirs)
        meeting: list[Function] = []
        met: set[N] = set()
        for element, guard in ours.items():
            self.counters.look()
            found = list(others.of(guard))
            if not found:
                merged.append((guard, element))
                continue
            meeting.append(guard)
            for part, above in found:
                met.add(above)
                merged.append((part, element if element == above else combine(element, above)))
            merged.append((guard & ~others.all, element))
        covered = self._manager.disjunction(meeting)
        for element, guard in theirs.items():
            merged.append((guard & ~covered if element in met else guard, element))
        return self.norm(merged)

    def restrict(self, value: Nex[N], guard: Function, parts: tuple[Constraint, ...]) -> Nex[N]:
        assumed = self.assumed(parts)
        return self.norm(
            (common, assumed[element])
            for element, own in value.table.items()
            if (common := own & guard).satisfiable()
        )

    def _restricted(self, value: Nex[N], condition: Formula) -> Nex[N]:
        """For each valuation a condition depends on its element alone, so the pairs do not mix."""
        guard = self.vocabulary.guarded(condition).guard
        cases = self._guarded_cases.of(condition)
        found: list[tuple[Function, N]] = []
        for element, own in value.table.items():
            common = own & guard
            if common.satisfiable():
                self.counters.look()
                found += [(common & where, below) for where, below in cases[element]]
        return self.norm(found)

    def _choose(self, value: Nex[N], choices: Choices) -> Nex[N]:
        return self._image(value, self._relation(choices), choices)

    @timed(Operation.EXISTS)
    def _image(self, value: Nex[N], relation: Formula, choices: Choices) -> Nex[N]:
        """The relational product, for each numeric element and what the relation makes of it."""
        manager, unprimed = self._manager, self.vocabulary.unprimed
        gone = manager.variable_set(self.vocabulary.bdd_variables(choices.predicates))
        cases = self._guarded_cases.of(relation)
        images: list[tuple[Function, N]] = []
        for element, guard in value.table.items():
            self.counters.look()
            images += [
                (unprimed(manager.product(guard, where, gone)), below)
                for where, below in cases[element]
            ]
        return self._union(images)

    @timed(Operation.EXISTS)
    def exists(self, predicates: Iterable[Predicate], value: Nex[N]) -> Nex[N]:
        gone = self.vocabulary.bdd_variables(predicates)
        table = value.table.items()
        return self._union((self._manager.exists(guard, gone), element) for element, guard in table)

    def unprime(self, value: Nex[N]) -> Nex[N]:
        unprimed = self.vocabulary.unprimed
        return self._union((unprimed(guard), element) for element, guard in value.table.items())

    def _union(self, pairs: Iterable[tuple[Function, N]]) -> Nex[N]:
        """The join of pairs that may overlap; those that do not are put together at once."""
        rest = self.norm(pairs).table
        parts: list[Nex[N]] = []
        while rest:
            apart: dict[N, Function] = {}
            overlapping: dict[N, Function] = {}
            seen = self._manager.false
            for element, guard in rest.items():
                self.counters.look()
                if (seen & guard).satisfiable():
                    overlapping[element] = guard
                else:
                    apart[element] = guard
                    seen = seen | guard
            parts.append(Nex(apart))
            rest = overlapping
            if len(apart) < len(overlapping):  # most of them overlap: do not look at all again
                parts += [Nex({element: guard}) for element, guard in overlapping.items()]
                break
        while len(parts) > 1:
            pairwise = [
                self._merge(parts[i], parts[i + 1], self.numeric_domain.join)
                for i in range(0, len(parts) - 1, 2)
            ]
            parts = pairwise + parts[2 * len(pairwise) :]
        return parts[0] if parts else self._bot

    @timed(Operation.REDUCE)
    def reduce(self, value: Nex[N]) -> Nex[N]:
        return self.norm(
            (part, below)
            for element, guard in value.table.items()
            for below, part in self._reducer.pieces(guard, element).items()
        )

    @timed(Operation.POST_N)
    def alpha_post_n(self, value: Nex[N], transformer: Numeric) -> Nex[N]:
        assigned = self.assigned(transformer)
        return self.norm((guard, assigned[element]) for element, guard in value.table.items())

    def pieces(self, value: Nex[N]) -> Iterable[tuple[Function, N]]:
        return value.pairs
