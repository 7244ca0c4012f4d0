"""A condition of C about the storage at the entry of blocks, with the storage that it reads."""

from __future__ import annotations

from ..errors import UnsupportedFeature
from ..ir.expr import Expr
from ..records import dataclass
from ..smt.term import Term, symbols
from .environment import Environment, Formulas, Key
from .integer_encoding import NeedsBitVectors


@dataclass(frozen=True, slots=True)
class EntryCondition:
    """A term over the symbols of an entry, and the keys of those."""

    term: Term
    keys: frozenset[Key]


def entry_condition(formulas: Formulas, expr: Expr) -> EntryCondition | None:
    """The condition at the entry of any block; None if formulas do not have the storage that it
    speaks of, or cannot say it."""
    try:
        term = formulas.encoder(Environment("")).condition(expr)
    except (UnsupportedFeature, NeedsBitVectors):
        return None
    origins = (formulas.origins.get(symbol) for symbol in symbols([term]))
    keys = (origin[1] for origin in origins if origin is not None)
    return EntryCondition(term, frozenset(key for key in keys if key is not None))
