"""Predicates alone, as an instance of the combined interface ("Predicate" of [GC10, section 6]).

A value is a decision diagram over the predicates. Numbers leave no trace but what a constraint says
about predicates on the same linear form.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...bdd import Function
from ...domains.linear import Constraint
from .apply import N, Structure
from .counters import Operation, timed
from .formula import Formula, Predicate
from .transformers import Numeric


class PredicateStructure(Structure[Function, N]):
    """BDDs over predicates; see `numpred_domain.NumPredDom` for the duties."""

    name = "predicate"

    @property
    def top(self) -> Function:
        return self.vocabulary.manager.true

    @property
    def bot(self) -> Function:
        return self.vocabulary.manager.false

    def is_top(self, value: Function) -> bool:
        return bool(value.valid())

    def is_bot(self, value: Function) -> bool:
        return not value.satisfiable()

    @timed(Operation.LEQ)
    def leq(self, left: Function, right: Function) -> bool:
        return not (left & ~right).satisfiable()

    @timed(Operation.MEET)
    def meet(self, left: Function, right: Function) -> Function:
        return left & right

    @timed(Operation.JOIN)
    def join(self, left: Function, right: Function) -> Function:
        return left | right

    @timed(Operation.WIDEN)
    def widen(self, old: Function, new: Function) -> Function:
        return old | new

    @timed(Operation.NARROW)
    def narrow(self, old: Function, new: Function) -> Function:
        return old & new

    def restrict(self, value: Function, guard: Function, parts: tuple[Constraint, ...]) -> Function:
        return value & guard

    def _restricted(self, value: Function, condition: Formula) -> Function:
        return value & self.vocabulary.guarded(condition).guard

    @timed(Operation.EXISTS)
    def exists(self, predicates: Iterable[Predicate], value: Function) -> Function:
        return self.vocabulary.manager.exists(value, self.vocabulary.bdd_variables(predicates))

    def unprime(self, value: Function) -> Function:
        return self.vocabulary.unprimed(value)

    def reduce(self, value: Function) -> Function:
        return value

    def alpha_post_n(self, value: Function, transformer: Numeric) -> Function:
        return value

    def pieces(self, value: Function) -> Iterable[tuple[Function, N]]:
        if value.satisfiable():
            yield value, self.numeric_domain.top()
