"""Precision: which predicates are tracked at which location.

A predicate belongs to one location, to all of its function or to the whole program, as `scope`
says. [HJMS02] keeps them by node of the tree; by location, all nodes of a location share them, so
that a node can cover another one whatever path found the predicate first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..ir.cfa import Location
from ..records import dataclass, field


@dataclass(slots=True)
class Precision:
    """Grows while an analysis goes on; its value at a location is a set of predicates' numbers."""

    scope: str  # location, function or global
    _by_scope: dict[object, dict[int, None]] = field(default_factory=dict)
    _places: dict[object, Location] = field(default_factory=dict)  # one of each scope

    def at(self, location: Location) -> frozenset[int]:
        return frozenset(self._by_scope.get(self._scope_of(location), ()))

    def add(self, location: Location, number: int) -> bool:
        """Track a predicate there; whether that is new."""
        scope = self._scope_of(location)
        tracked = self._by_scope.setdefault(scope, {})
        self._places.setdefault(scope, location)
        new = number not in tracked
        tracked[number] = None
        return new

    def adopt(self, other: Precision, renumber: Callable[[int], int | None]) -> None:
        """Track what another precision of the same scope does, by other numbers (None: it cannot be
        said any more)."""
        for location, theirs in other:
            number = renumber(theirs)
            if number is not None:
                self.add(location, number)

    def __iter__(self) -> Iterator[tuple[Location, int]]:
        """All predicates, each with a location of its scope."""
        for scope, numbers in self._by_scope.items():
            for number in numbers:
                yield self._places[scope], number

    def _scope_of(self, location: Location) -> object:
        match self.scope:
            case "location":
                return location
            case "function":
                return location.function
        return None

    def tracked(self) -> Iterator[tuple[object, int]]:
        """Every predicate with where it is tracked: a location, the name of a function, or (None)
        everywhere."""
        for scope, numbers in self._by_scope.items():
            for number in numbers:
                yield scope, number

    @property
    def largest(self) -> int:
        """How many predicates are tracked in one scope at most."""
        return max(map(len, self._by_scope.values()), default=0)
