"""A tape: the inputs of a run in order, from which similar runs are made.

A run with a part of a tape repeats the beginning of the run exactly. What comes behind a change is
taken by place: the same call at the same line, or the same memory of the environment, gives what it
gave before, as often as it did; all else is new. A change of one input does not shift the others.

Soundness duty: none, as the values are only inputs; a run records what it has taken.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TypeAlias

from ...concrete.inputs import Inputs, TakenInput
from ...concrete.outcome import Value
from ...ir.cfa import Coord, Edge
from ...ir.ops import Source
from ...ir.types import PointerType, ScalarType, Type
from ...records import dataclass

Tape: TypeAlias = tuple[TakenInput, ...]
_Place: TypeAlias = tuple[Source, str, Type | None, Coord | None]

_NEAR = 8.0  # inputs: how far from the end of a tape changes mostly are, on average
_LONGEST_REPEATED = 40  # inputs


@dataclass(frozen=True, slots=True)
class Mutation:
    """What a new run is given: the first inputs, and, by place, what may follow; `renewed` is one
    that comes next and gets a new value."""

    first: Tape = ()
    later: Tape = ()
    renewed: TakenInput | None = None

    @property
    def pointers(self) -> int:
        """As many pointers as it may have."""
        return sum(isinstance(item.type, PointerType) for item in (*self.first, *self.later))


def mutated(tape: Tape, choose: random.Random) -> Mutation:
    """A run that is like that of the tape: it goes on in another way, or has one other input, or
    does something twice."""
    if not tape:
        return Mutation()
    kind = choose.random()
    at = _position(len(tape), choose)
    if kind < 0.5:
        return Mutation(tape[:at])
    if kind < 0.9:
        at = min(at, len(tape) - 1)
        return Mutation(tape[:at], tape[at + 1 :], tape[at])
    start = choose.randrange(len(tape))
    end = choose.randrange(start, min(len(tape), start + _LONGEST_REPEATED))
    return Mutation(tape[: end + 1], tape[start:])


def _position(length: int, choose: random.Random) -> int:
    """A place for a change: often near the end, where the run came to something new."""
    if choose.random() < 0.5:
        return max(0, length - 1 - int(choose.expovariate(1 / _NEAR)))
    return choose.randrange(length + 1)


class TapeInputs:
    """The inputs of a mutation; `rest` gives what is left."""

    def __init__(self, mutation: Mutation, rest: Inputs) -> None:
        self._first = mutation.first
        self._taken = 0
        self._later = _by_place(mutation.later)
        self._renewed = None if mutation.renewed is None else _place(mutation.renewed)
        self._rest = rest

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        found = self._given((source, name, type_, edge.coord if edge else None))
        if isinstance(found, int | float):
            return found
        return self._rest.scalar(source, name, type_, edge)

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        found = self._given((source, name, None, edge.coord if edge else None))
        if isinstance(found, bytes) and len(found) == size:
            return found
        return self._rest.memory(source, name, size, edge)

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        return self._rest.volatile(name, held, type_, edge)

    def _given(self, place: _Place) -> Value | None:
        """The value on the tape, if there is one for this place."""
        while self._taken < len(self._first):
            item = self._first[self._taken]
            self._taken += 1
            if item.source is not Source.VOLATILE:  # they hold what the program has written
                if _place(item) == place:
                    return item.value
                self._taken = len(self._first)  # another run than that of the tape
        if place == self._renewed:
            self._renewed = None
            return None
        left = self._later.get(place)
        return left.pop() if left else None


def _place(item: TakenInput) -> _Place:
    return item.source, item.name, item.type, item.coord


def _by_place(items: Iterable[TakenInput]) -> dict[_Place, list[Value]]:
    """The values at each place, the next one last."""
    found: dict[_Place, list[Value]] = {}
    for item in reversed(tuple(items)):
        found.setdefault(_place(item), []).append(item.value)
    return found
