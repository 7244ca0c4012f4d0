"""NEXPoint, [GC10, section 5.1]: one BDD over predicates and one numeric element.

A value `(p, n)` stands for `p & n`, so it can say `(p | q) & 0 <= x <= 5`, but not which numbers go
with which predicates. Everything is done on the two parts; empty pairs are all `bot`.

>>> from ...domains.box import BoxDomain
>>> from ...domains.linear import at_most, equal, variable
>>> from .formula import compare, conj, disj, literal
>>> x, y = variable("x"), variable("y")
>>> q, r = Predicate("q", equal(x, 0)), Predicate("r", equal(y, 0))
>>> domain = NexPointStructure(Vocabulary([q, r], "xy"), BoxDomain())
>>> either = domain.alpha_p(disj(literal(q), literal(r)))
>>> value = domain.meet(either, domain.alpha_n([equal(x, 3), at_most(0, y)]))
>>> print(domain.gamma(domain.reduce(value)))
!q & r & x == 3 & y == 0
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from ...bdd import Function
from ...domains.linear import Constraint
from ...domains.numeric_domain import NumericDomain
from ...records import dataclass
from .apply import N, Structure
from .counters import Counters, Operation, timed
from .formula import Predicate
from .reduction import Reducer
from .transformers import Numeric
from .vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class NexPoint(Generic[N]):
    """Predicates and numbers, each for itself."""

    guard: Function
    element: N


class NexPointStructure(Structure[NexPoint[N], N]):
    """Pairs of a BDD and a numeric element; see `numpred_domain.NumPredDom` for the duties."""

    name = "nexpoint"

    def __init__(
        self,
        vocabulary: Vocabulary,
        numeric_domain: NumericDomain[N],
        counters: Counters | None = None,
    ) -> None:
        super().__init__(vocabulary, numeric_domain, counters)
        self._reducer = Reducer(vocabulary, numeric_domain, self.counters.look)
        self._top = NexPoint(vocabulary.manager.true, numeric_domain.top())
        self._bot = NexPoint(vocabulary.manager.false, numeric_domain.bottom())

    @property
    def top(self) -> NexPoint[N]:
        return self._top

    @property
    def bot(self) -> NexPoint[N]:
        return self._bot

    def _pair(self, guard: Function, element: N) -> NexPoint[N]:
        if not guard.satisfiable() or self.numeric_domain.is_bot(element):
            return self._bot
        return NexPoint(guard, element)

    def is_top(self, value: NexPoint[N]) -> bool:
        return bool(value.guard.valid()) and self.numeric_domain.is_top(value.element)

    def is_bot(self, value: NexPoint[N]) -> bool:
        return not value.guard.satisfiable()

    @timed(Operation.LEQ)
    def leq(self, left: NexPoint[N], right: NexPoint[N]) -> bool:
        if left == right or self.is_bot(left):
            return True
        inside = not (left.guard & ~right.guard).satisfiable()
        return inside and self.numeric_domain.leq(left.element, right.element)

    @timed(Operation.MEET)
    def meet(self, left: NexPoint[N], right: NexPoint[N]) -> NexPoint[N]:
        return self._pair(
            left.guard & right.guard, self.numeric_domain.meet(left.element, right.element)
        )

    @timed(Operation.JOIN)
    def join(self, left: NexPoint[N], right: NexPoint[N]) -> NexPoint[N]:
        if left == right or self.is_bot(right):
            return left
        if self.is_bot(left):
            return right
        return NexPoint(
            left.guard | right.guard, self.numeric_domain.join(left.element, right.element)
        )

    @timed(Operation.WIDEN)
    def widen(self, old: NexPoint[N], new: NexPoint[N]) -> NexPoint[N]:
        if self.is_bot(old) or self.is_bot(new):
            return new if self.is_bot(old) else old
        return NexPoint(old.guard | new.guard, self.numeric_domain.widen(old.element, new.element))

    @timed(Operation.NARROW)
    def narrow(self, old: NexPoint[N], new: NexPoint[N]) -> NexPoint[N]:
        return self._pair(
            old.guard & new.guard, self.numeric_domain.narrow(old.element, new.element)
        )

    def restrict(
        self, value: NexPoint[N], guard: Function, parts: tuple[Constraint, ...]
    ) -> NexPoint[N]:
        guard = value.guard & guard
        if not guard.satisfiable():
            return self._bot
        return self._pair(guard, self.assumed(parts)[value.element])

    @timed(Operation.EXISTS)
    def exists(self, predicates: Iterable[Predicate], value: NexPoint[N]) -> NexPoint[N]:
        gone = self.vocabulary.bdd_variables(predicates)
        return NexPoint(self.vocabulary.manager.exists(value.guard, gone), value.element)

    def unprime(self, value: NexPoint[N]) -> NexPoint[N]:
        return NexPoint(self.vocabulary.unprimed(value.guard), value.element)

    @timed(Operation.REDUCE)
    def reduce(self, value: NexPoint[N]) -> NexPoint[N]:
        reduced = self._bot
        for element, guard in self._reducer.pieces(value.guard, value.element).items():
            reduced = self.join(reduced, self._pair(guard, element))
        return reduced

    @timed(Operation.POST_N)
    def alpha_post_n(self, value: NexPoint[N], transformer: Numeric) -> NexPoint[N]:
        return self._pair(value.guard, self.assigned(transformer)[value.element])

    def pieces(self, value: NexPoint[N]) -> Iterable[tuple[Function, N]]:
        if not self.is_bot(value):
            yield value.guard, value.element
