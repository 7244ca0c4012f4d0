"""Who has the next time slice, and how long? It follows a plan (`plan`), and knows of no processes.

An engine that gives up leaves its time to the others. With several lanes, so many engines run at
the same time: a lane that is free takes the next slot of the plan that an engine is free for, and
slots are longer by the number of lanes.

>>> from .plan import Features, slices_of
>>> schedule = Schedule(("lazy", "slam"), slices_of(Features(), lanes=2), lanes=2)
>>> first, second = schedule.next(100.0, set()), schedule.next(100.0, {"bounded"})
>>> (first.name, first.look, first.seconds), (second.name, second.seconds)
(('bounded', True, 1.5), ('lazy', 40.0))
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...records import dataclass
from .plan import ANYONE, PROVERS, Slice

_AIMS = {
    "kinduction": "induction over loop rounds",
    "cells": "any cell of an array, any node of the heap",
    "explicit": "states told apart by values",
    "fuzz": "sequences of events",
    "numpred": "predicates and numbers that prove it",
    "recheck": "invariants of an earlier check",
    "smg": "shapes of lists that prove it",
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A time slice of an engine: so many seconds, or (None) all that are left. A `look` of the
    bounded engine is short, and may be shorter."""

    name: str
    aim: str
    seconds: float | None
    look: bool = False


@dataclass(frozen=True, slots=True)
class _Turn:
    """A time slice of the first of these that is free and has not given up."""

    given: Slice
    names: tuple[str, ...]


class Schedule:
    """The slots that are still to come."""

    def __init__(self, provers: Sequence[str], slices: Sequence[Slice], lanes: int) -> None:
        self._provers = tuple(provers)
        self._lanes = lanes
        self._over: set[str] = set()  # those that have given up
        self._whole: float | None = None  # the seconds that are shared out
        groups = {PROVERS: (*provers, "bounded"), ANYONE: ("bounded", *provers)}
        self._turns = [
            _Turn(piece, groups.get(piece.who, (piece.who,)))
            for piece in slices
            if piece.who in groups or piece.who in groups[ANYONE]
        ]
        self._running: dict[str, _Turn] = {}  # by engine: the turn that it has

    def next(self, left: float, running: Collection[str]) -> Slot | None:
        """The next slot, with so many seconds left, of an engine that is not running; None if
        there is none now."""
        for number, turn in enumerate(self._turns):
            for name in turn.names:
                if name not in self._over and name not in running:
                    del self._turns[number]
                    self._running[name] = turn
                    seconds = self._seconds(name, turn.given, left)
                    return Slot(name, _aim(name, turn.given), seconds, turn.given.look)
        return None

    def _seconds(self, name: str, given: Slice, left: float) -> float | None:
        """All the time that is left if the slice is the last, or if no engine has to wait."""
        if given.look and given.seconds is not None:
            return min(given.seconds, given.share * left)
        if given.share == 0.0 or self._is_alone(name):
            return None
        if given.seconds is not None:
            return min(given.seconds, given.share * left)
        if self._whole is None or (self._lanes > 1 and left > self._whole):
            self._whole = left  # the first estimate, of a machine that is busy, may be too low
        return min(given.share * self._whole * self._lanes, left)

    def _is_alone(self, name: str) -> bool:
        """Does no engine wait for this one? With one lane, provers alternate with the bounded
        engine, and lazy and slam with numpred too."""
        engines = {"bounded", *self._provers}
        if self._lanes > 1:
            return len(engines - self._over) <= self._lanes
        others = engines - {name} if name == "bounded" else engines & {"bounded", "numpred"}
        return others - {name} <= self._over

    def give_up(self, name: str) -> None:
        """The engine has given up. If it has a turn, the next of those that it is for takes it."""
        self._over.add(name)
        turn = self._running.pop(name, None)
        if turn is not None:
            behind = turn.names[turn.names.index(name) + 1 :]
            self._turns.insert(0, _Turn(turn.given, behind))

    def end(self, name: str) -> None:
        """The engine's turn is over, and it may have another one."""
        self._running.pop(name, None)


def _aim(name: str, given: Slice) -> str:
    if name == "bounded":
        return "shallow bugs, short loops" if given.look else "deep bugs, long loops"
    return _AIMS.get(name, "predicates that prove it")
