"""Conditions that cannot all hold in one state: which of them are reason enough.

Soundness duty: an answer only if a solver has said that no state satisfies all the conditions in it
(in which the facts that `Formulas` knows hold). A condition that has no formula tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..encode.environment import Environment
from ..encode.integer_encoding import NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir.expr import Expr
from ..smt import build
from ..smt.cores import minimise
from ..smt.solver import Solver, Unsat
from ..smt.term import Term
from .cube import Logic

_CHECKS = 40  # to make one answer smaller


class Contradictions:
    """Asks the logics in their order: the first that can express a condition of the question at all
    gets those that it can express."""

    def __init__(self, logics: Sequence[Logic], seconds: Callable[[], float | None]) -> None:
        self._logics = logics
        self._seconds = seconds
        self._solvers: list[Solver] = [logic.solver.fresh() for logic in logics]
        self._asserted: list[set[Term]] = [set() for _ in logics]
        self._terms: list[dict[Expr, Term | None]] = [{} for _ in logics]

    def find(self, literals: Iterable[tuple[Expr, bool]]) -> frozenset[tuple[Expr, bool]] | None:
        """As few of the conditions with their values as contradict each other, or None."""
        asked = list(literals)
        for number in range(len(self._logics)):
            found = self._in(number, asked)
            if found is not None:
                return found
        return None

    def term(self, number: int, condition: Expr) -> Term | None:
        """The condition in one of the logics; None if that cannot express it."""
        terms = self._terms[number]
        if condition not in terms:
            encoder = self._logics[number].formulas.encoder(Environment(""))
            try:
                terms[condition] = encoder.condition(condition)
            except (NeedsBitVectors, UnsupportedFeature):
                terms[condition] = None
        return terms[condition]

    def _in(
        self, number: int, asked: list[tuple[Expr, bool]]
    ) -> frozenset[tuple[Expr, bool]] | None:
        terms: dict[Term, tuple[Expr, bool]] = {}
        for condition, value in asked:
            term = self.term(number, condition)
            if term is not None:
                self._assert_facts(number, term)
                terms.setdefault(term if value else build.not_(term), (condition, value))
        answer = minimise(self._solvers[number], list(terms), _CHECKS, self._seconds())
        if not isinstance(answer, Unsat):
            return None
        return frozenset(terms[term] for term in answer.core)

    def _assert_facts(self, number: int, term: Term) -> None:
        asserted = self._asserted[number]
        for fact in self._logics[number].formulas.facts([term]):
            if fact not in asserted:
                asserted.add(fact)
                self._solvers[number].add(fact)
