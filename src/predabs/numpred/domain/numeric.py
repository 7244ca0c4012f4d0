"""Numbers alone, as an instance of the combined interface ("Numeric" of [GC10, section 6]).

A value is one value of the numeric domain. Predicates leave no trace but their meanings, where
these are constraints on the numeric variables.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...bdd import Function
from ...domains.linear import Constraint
from .apply import N, Structure
from .counters import Operation, timed
from .formula import Predicate
from .transformers import Choices, Numeric


class NumericStructure(Structure[N, N]):
    """Values of the numeric domain; see `numpred_domain.NumPredDom` for the duties."""

    name = "numeric"

    @property
    def top(self) -> N:
        return self.numeric_domain.top()

    @property
    def bot(self) -> N:
        return self.numeric_domain.bottom()

    def is_top(self, value: N) -> bool:
        return self.numeric_domain.is_top(value)

    def is_bot(self, value: N) -> bool:
        return self.numeric_domain.is_bot(value)

    @timed(Operation.LEQ)
    def leq(self, left: N, right: N) -> bool:
        return left == right or self.numeric_domain.leq(left, right)

    @timed(Operation.MEET)
    def meet(self, left: N, right: N) -> N:
        return self.numeric_domain.meet(left, right)

    @timed(Operation.JOIN)
    def join(self, left: N, right: N) -> N:
        return self.numeric_domain.join(left, right)

    @timed(Operation.WIDEN)
    def widen(self, old: N, new: N) -> N:
        return self.numeric_domain.widen(old, new)

    @timed(Operation.NARROW)
    def narrow(self, old: N, new: N) -> N:
        return self.numeric_domain.narrow(old, new)

    def restrict(self, value: N, guard: Function, parts: tuple[Constraint, ...]) -> N:
        # a guard without any state excludes everything, whatever is known about predicates
        if not guard.satisfiable():
            return self.bot
        return self.assumed(parts)[value]

    def exists(self, predicates: Iterable[Predicate], value: N) -> N:
        return value

    def unprime(self, value: N) -> N:
        return value

    def reduce(self, value: N) -> N:
        return value

    @timed(Operation.POST_N)
    def alpha_post_n(self, value: N, transformer: Numeric) -> N:
        return self.assigned(transformer)[value]

    def _choose(self, value: N, choices: Choices) -> N:
        return value

    def pieces(self, value: N) -> Iterable[tuple[Function, N]]:
        if not self.numeric_domain.is_bot(value):
            yield self.vocabulary.manager.true, value
