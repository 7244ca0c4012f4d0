"""Between which numbers terms lie, where their sorts do not show it: noted for each, said of few.

Many terms are made that no formula keeps, so that what is known of a term becomes a formula only
when somebody asks for it.

Soundness duty: the facts about the terms inside a formula are those that were noted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.types import Type
from ..records import dataclass, field
from ..smt.term import TRUE, Term, postorder
from .encoding import Encoding


@dataclass(slots=True)
class TermBounds:
    """The bounds of terms, which are all in one encoding."""

    _bounds: dict[Term, tuple[int, int, Type]] = field(default_factory=dict)
    _facts: dict[tuple[Term, int, int, Type], Term] = field(default_factory=dict)

    def note(self, encoding: Encoding, term: Term, low: int, high: int, type_: Type) -> None:
        """The term, of the type, is between two numbers; what says nothing takes no other's
        place."""
        bounds = low, high, type_
        known = self._bounds.get(term)
        if known is None or (known != bounds and self._fact(encoding, term, *bounds) is not TRUE):
            self._bounds[term] = bounds

    def facts(self, encoding: Encoding, terms: Sequence[Term]) -> tuple[Term, ...]:
        """All facts about what occurs in the terms."""
        bounds = self._bounds
        bounded = [part for part in postorder(terms) if part in bounds]
        facts = dict.fromkeys(self._fact(encoding, part, *bounds[part]) for part in bounded)
        facts.pop(TRUE, None)
        return tuple(facts)

    def _fact(self, encoding: Encoding, term: Term, low: int, high: int, type_: Type) -> Term:
        key = term, low, high, type_
        fact = self._facts.get(key)
        if fact is None:
            fact = self._facts[key] = encoding.within(term, low, high, type_)
        return fact
