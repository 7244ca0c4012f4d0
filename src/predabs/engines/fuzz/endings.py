"""Which inputs end runs: an event for a device that is not there, a choice that leads to abort.

A random run through a loop of events ends where the first such value is drawn, so runs would seldom
be long. A value after which runs mostly end at once is mostly drawn again; not always, as it may
matter elsewhere.

Soundness duty: none.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeAlias

from ...concrete.inputs import Inputs, TakenInput
from ...concrete.outcome import Value
from ...ir.address_space import fresh_address
from ...ir.cfa import Coord, Edge
from ...ir.ops import Source
from ...ir.types import ScalarType, Type
from ...records import dataclass

_ENOUGH = 4  # runs, before a value is judged
_TRIES = 3
_LARGE, _MOST_FILLED = 64, 1 << 14  # bytes of a record
_FILLED_SHARE = 0.4  # of the large records; the others are zero
_NUMBERS = 1 << 16, 1 << 20  # of places that no other pointer leads to

_Choice: TypeAlias = tuple[Coord | None, Value]


@dataclass(slots=True)
class _Seen:
    """How often an input had a value since it has ended a run, and how often it did."""

    taken: int = 0
    last: int = 0


class Endings:
    """What is known of the inputs that were the last of a run."""

    def __init__(self) -> None:
        self._seen: dict[_Choice, _Seen] = {}

    def note(self, taken: Sequence[TakenInput], ended: bool) -> None:
        """A run has taken these inputs, and has ended after them or was stopped."""
        if ended and taken:
            self._seen.setdefault((taken[-1].coord, taken[-1].value), _Seen()).last += 1
        for item in taken:
            seen = self._seen.get((item.coord, item.value))
            if seen is not None:
                seen.taken += 1

    def share(self, coord: Coord | None, value: Value) -> float:
        """How large the share of runs is that end after this value."""
        seen = self._seen.get((coord, value))
        return 0.0 if seen is None or seen.taken < _ENOUGH else seen.last / seen.taken


class CarefulInputs:
    """Inputs that seldom end a run; large records are zero, or pointers all over."""

    def __init__(
        self, inner: Inputs, endings: Endings, choose: random.Random, bits: int = 64
    ) -> None:
        self._bits = bits  # of a pointer
        self._inner = inner
        self._endings = endings
        self._choose = choose

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        coord = edge.coord if edge else None
        value = self._inner.scalar(source, name, type_, edge)
        for _ in range(_TRIES):
            share = self._endings.share(coord, value)
            if not share or self._choose.random() >= share:
                break
            value = self._inner.scalar(source, name, type_, edge)
        return value

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        # in a large record, any bytes would be pointers that lead nowhere
        if size <= _LARGE:
            return self._inner.memory(source, name, size, edge)
        filled = size <= _MOST_FILLED and self._choose.random() < _FILLED_SHARE
        return self._pointers(size) if filled else bytes(size)

    def _pointers(self, size: int) -> bytes:
        """Bytes that are, read as pointers, places of the environment, each another one."""
        width = self._bits // 8
        first = self._choose.randrange(*_NUMBERS)
        words = (fresh_address(self._bits, first + at) for at in range(size // width))
        return b"".join(word.to_bytes(width, "little") for word in words) + bytes(size % width)

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        return self._inner.volatile(name, held, type_, edge)
