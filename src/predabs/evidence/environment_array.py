"""Memory of the environment in a C test: one array with all that the run uses.

Addresses of the run become addresses in the array: those that lie close to each other keep their
distances, all keep their order, and their last twelve bits. Pointers that are inputs, also those
that lie in bytes, are set before main begins. Soundness duty: what a compiled run may do otherwise,
because it looks at the numbers of addresses, is told in a note.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.address_space import FIRST_FUNCTION, NULL_PAGE, end_of_objects
from ..ir.ops import Source
from ..ir.types import IntType, PointerType, Type
from ..records import dataclass
from ..verdict import Input
from .given_inputs import content, words_of
from .replay import Confirmed

_CLOSE = 1 << 16  # addresses that are not further apart keep their distance
_LARGEST = 1 << 24  # bytes of the array


@dataclass(frozen=True, slots=True)
class _Piece:
    """The addresses from `first` to `last`; they start at `at` in the array."""

    first: int
    last: int
    at: int


@dataclass(frozen=True, slots=True)
class Move:
    """At an offset in some bytes stands a pointer, which is `target` in the test."""

    offset: int
    target: str


@dataclass(frozen=True, slots=True)
class EnvironmentArray:
    """The pieces of the environment that a run uses, and the names of its functions."""

    bits: int
    pieces: tuple[_Piece, ...]
    size: int
    functions: dict[int, tuple[str, Type | None]]
    notes: tuple[str, ...]

    def moves(self, item: Input) -> Iterator[Move]:
        """The pointers in an input. Numbers that lie where the run has used memory are pointers
        too, if they are high: that is no coincidence."""
        match item.type:
            case PointerType():
                target = self._target(int(item.value)) if isinstance(item.value, int) else None
                if target is not None:
                    yield Move(0, target)
                return
            case IntType(bits, _) if bits != self.bits:
                return
        data, size = content(item), self.bits // 8
        for offset in range(0, len(data) - size + 1, size):
            number = int.from_bytes(data[offset : offset + size], "little")
            target = self._target(number) if number >= end_of_objects(self.bits) else None
            if target is not None:
                yield Move(offset, target)

    def initial(self, inputs: tuple[Input, ...]) -> Iterator[tuple[int, Input]]:
        """What lies in the array at first: the offsets, and the inputs."""
        for item in inputs:
            if item.source is Source.ENVIRONMENT:
                offset = self._offset(int(item.name, 0))
                if offset is not None:
                    yield offset, item

    def _target(self, address: int) -> str | None:
        if address in self.functions:
            return self.functions[address][0]
        offset = self._offset(address)
        return None if offset is None else f"predabs_environment + {offset}"

    def _offset(self, address: int) -> int | None:
        for piece in self.pieces:
            if piece.first <= address <= piece.last:
                return piece.at + address - piece.first
        return None


def environment_array(run: Confirmed, bits: int) -> EnvironmentArray:
    """The environment of a run; without pieces and functions if it uses none."""
    used = [(first, first + size) for first, size in run.environment.touched]
    notes: list[str] = []
    pieces: list[_Piece] = []
    size = 0
    for first, last in _clusters(sorted({*used, *_given(run, bits)})):
        if not any(first <= start <= last for start, _ in used):
            continue  # nothing lies there: the number may stay what it is
        at = size + first % NULL_PAGE
        if at + last - first > _LARGEST:
            notes.append("the run uses too much memory of the environment to build all of it")
            break
        pieces.append(_Piece(first, last, at))
        size = -(-(at + last - first + 1) // NULL_PAGE) * NULL_PAGE
    if any(piece.first < FIRST_FUNCTION for piece in pieces):
        notes.append("the run uses memory at low addresses; here it lies at others")
    functions: dict[int, tuple[str, Type | None]] = {}
    for address, result in run.environment.called:
        name, before = functions.get(address, (f"predabs_function_{len(functions)}", None))
        if address in functions and before is not result:
            notes.append(f"the function at {address:#x} is called with results of several types")
        functions[address] = name, before or result
    return EnvironmentArray(bits, tuple(pieces), size, functions, tuple(notes))


def _given(run: Confirmed, bits: int) -> Iterator[tuple[int, int]]:
    """The addresses of the environment that are given, as pointers or as numbers."""
    high, errors = end_of_objects(bits), (1 << bits) - NULL_PAGE
    for item in run.inputs:
        for number in words_of(item, bits):
            is_low = 0 < number < FIRST_FUNCTION and isinstance(item.type, PointerType)
            if is_low or high <= number < errors:
                yield number, number


def _clusters(intervals: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Join intervals that lie close to each other."""
    if not intervals:
        return
    first, last = intervals[0]
    for start, stop in intervals[1:]:
        apart = (first < FIRST_FUNCTION) is not (start < FIRST_FUNCTION)
        if apart or start - last > _CLOSE:
            yield first, last
            first, last = start, stop
        last = max(last, stop)
    yield first, last
