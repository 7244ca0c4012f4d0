"""Bounds of ghosts: an index that is bound lies inside of its array, or in its interval.

Soundness duty: a bound holds of a ghost at each of its bindings, and of some value if it has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...ir import make
from ...ir.cfa import Edge
from ...ir.expr import Expr, Var
from ...ir.types import IntType
from ...records import dataclass
from ..facts import ProgramFacts
from .distinguished import Binding


@dataclass(frozen=True, slots=True)
class GhostBounds:
    """`ghosts` are those of variables, `lengths` tell for a ghost at an edge how many values its
    index has there, if that is known."""

    facts: ProgramFacts
    ghosts: Mapping[Expr, Var]
    bindings: Mapping[Edge, Mapping[Var, Binding]]
    lengths: Mapping[tuple[Edge, Var], set[int]]

    def all(self) -> Iterator[Expr]:
        """What holds of the ghosts."""
        bound = dict.fromkeys(ghost for _, ghost in self.lengths)
        for ghost in bound:
            if isinstance(ghost.type, IntType):
                yield from self._of(ghost, ghost.type)

    def _of(self, ghost: Var, type_: IntType) -> Iterator[Expr]:
        known = [
            min(lengths, default=None)
            for (_, bound), lengths in self.lengths.items()
            if bound is ghost
        ]
        numbers = [length for length in known if length is not None]
        if numbers and len(numbers) == len(known):
            yield make.less_equal(make.const(0, type_), ghost)
            if 0 < max(numbers) <= type_.high:
                yield make.less(ghost, make.const(max(numbers), type_))
        else:
            yield from self._in_interval(ghost, type_)

    def _in_interval(self, ghost: Var, type_: IntType) -> Iterator[Expr]:
        """The hull of the intervals of what it is bound to."""
        known = [
            self.facts.interval(edge.src, var)
            for edge, bindings in self.bindings.items()
            for var, mine in self.ghosts.items()
            if mine is ghost and ghost in bindings and isinstance(var, Var)
        ]
        bounds = [interval for interval in known if interval is not None]
        if known and len(bounds) == len(known):
            low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
            if type_.low <= low <= high <= type_.high:
                yield make.less_equal(make.const(low, type_), ghost)
                yield make.less_equal(ghost, make.const(high, type_))
