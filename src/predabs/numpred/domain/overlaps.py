"""Disjoint diagrams, each with a number value: which of them does another diagram meet?

A tree of unions, so that a question costs what is found times the height, and not a look at every
pair. Duty: `of` gives each part of the diagram that lies in one of the pairs, with its number.

>>> from ...bdd import Manager
>>> manager = Manager(16)
>>> p, q = map(manager.var, manager.add_variables(2))
>>> pairs = Overlaps(manager, {"one": p & q, "two": p & ~q})
>>> [number for _, number in pairs.of(q)], pairs.all == p
(['one'], True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from ...bdd import Function, Manager

N = TypeVar("N")


class Overlaps(Generic[N]):
    """The tree: the levels from the pairs up to the union of all."""

    def __init__(self, manager: Manager, pairs: Mapping[N, Function]) -> None:
        self._numbers = list(pairs)
        self._levels = [list(pairs.values()) or [manager.false]]
        while len(level := self._levels[-1]) > 1:
            above = [level[i] | level[i + 1] for i in range(0, len(level) - 1, 2)]
            self._levels.append(above + level[2 * len(above) :])

    @property
    def all(self) -> Function:
        """The union of the diagrams."""
        return self._levels[-1][0]

    def of(self, guard: Function) -> Iterator[tuple[Function, N]]:
        """The parts of a diagram that lie in the pairs, in their order."""
        levels = self._levels
        stack = [(len(levels) - 1, 0, guard)]
        while stack:
            height, index, rest = stack.pop()
            rest = rest & levels[height][index]
            if not rest.satisfiable():
                continue
            if not height:
                yield rest, self._numbers[index]
                continue
            below = 2 * index
            if below + 1 < len(levels[height - 1]):
                stack.append((height - 1, below + 1, rest))
            stack.append((height - 1, below, rest))
