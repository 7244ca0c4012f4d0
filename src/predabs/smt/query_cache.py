"""A cache of what queries to solvers have found, so that they are not asked again.

`Statistics.cached` counts the questions that this spares: as many as it took the first time.

>>> statistics = Statistics()
>>> found: QueryCache[str, bool] = QueryCache(statistics)
>>> def ask() -> bool:
...     statistics.calls += 3  # as solvers do
...     return True
>>> found.get("x < y"), found.make("x < y", ask), found.get("x < y")
(None, True, True)
>>> statistics.calls, statistics.cached
(3, 3)

Soundness duty: an answer is for its key, so a key has all that the answer depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from .solver import Statistics

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class QueryCache(Generic[K, V]):
    """Answers by key, with the number of questions that each of them took."""

    __slots__ = ("_answers", "_statistics")

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics
        self._answers: dict[K, tuple[V, int]] = {}

    def get(self, key: K) -> V | None:
        """What was found; None if it was not asked yet."""
        known = self._answers.get(key)
        if known is None:
            return None
        self._statistics.cached += known[1]
        return known[0]

    def make(self, key: K, ask: Callable[[], V]) -> V:
        """Ask, and keep the answer."""
        before = self._statistics.calls
        answer = ask()
        self._answers[key] = answer, self._statistics.calls - before
        return answer

    def forget(self, unwanted: Callable[[K], bool]) -> None:
        """Drop the answers whose keys are not wanted any more."""
        for key in [key for key in self._answers if unwanted(key)]:
            del self._answers[key]
