"""What an earlier check has found about pairs of conditions: values that they never have together.

The abstraction of an unchanged statement asks the same questions again. A pair is known by the
terms that solvers see (`query_keys`), whatever procedure or program it comes from.

Soundness duty: none. A value that is said to be excluded is asked about again; one that is not said
to be is taken for possible, as if no solver had excluded it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...predicates.single_literal_cubes import Excluded
from ...records import dataclass, field
from ...smt.term import Term
from .query_keys import digest

_LETTERS = 24  # of a key: one that is met by chance costs precision alone
_BITS = {(False, False): 1, (False, True): 2, (True, False): 4, (True, True): 8}


@dataclass(slots=True)
class KnownPairs:
    """The pairs from `before`, and those of this check."""

    before: Mapping[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)

    def key(self, encoding: str, terms: Sequence[Term], facts: Sequence[Term]) -> str:
        return digest((encoding,), [*terms, None, *facts])[:_LETTERS]

    def candidates(self, key: str) -> Excluded | None:
        """The values that may be excluded; None if nothing is known."""
        mask = self.before.get(key)
        if mask is None:
            return None
        return frozenset(pair for pair, bit in _BITS.items() if mask & bit)

    def keep(self, key: str, excluded: Excluded) -> None:
        self.used[key] = sum(_BITS[pair] for pair in excluded)
