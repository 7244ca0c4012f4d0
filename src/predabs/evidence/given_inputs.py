"""The inputs of a verdict, handed out in a run, each where it belongs.

An engine may have left out operations that no error depends on, so that a run asks for inputs that
the verdict does not give: those are zero, and for pointers there are several ways to choose.
Soundness duty: what is given is never changed, save that a null pointer or an error number may be
another pointer if that was `chosen`, and what is not given is a value that the input may have; so
each way gives a run of the program.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum

from ..concrete.codec import codec
from ..concrete.outcome import Value
from ..errors import InternalError
from ..ir.address_space import environment_ranges, fresh_address
from ..ir.cfa import Coord, Edge
from ..ir.ops import Source
from ..ir.types import FloatType, IntType, PointerType, ScalarType, Type, size_of
from ..verdict import Input


def content(item: Input) -> bytes:
    """The value of an input as it lies in memory."""
    if isinstance(item.value, bytes):
        return item.value
    if not isinstance(item.type, IntType | PointerType | FloatType):
        raise InternalError(f"the number {item.value} is given for a {item.type}")
    form = codec(item.type)
    data = bytearray(form.size)
    form.write(data, 0, item.value)
    return bytes(data)


class MissingPointers(Enum):
    """What pointers are that a verdict does not give."""

    FRESH = "each leads to a place of its own in the environment"
    CIRCULAR = "those in the environment lead to where they lie: a circular list is empty then"
    SHALLOW = "those in the environment are null"
    NULL = "all are null"


_FREE = frozenset(
    [Source.NONDET, Source.EXTERN, Source.PARAMETER, Source.LIBRARY, Source.ENVIRONMENT]
)


def leads_nowhere(value: int, type_: ScalarType) -> bool:
    """Is it a null pointer, or an error number?"""
    if not isinstance(type_, PointerType):
        return False
    return value == 0 or value > environment_ranges(type_.bits)[1][1]


class GivenInputs:
    """Hands out the inputs of a verdict. What lies in memory of the environment is found by its
    address, everything else in a queue for each place.

    A queue for each place is better than one for all: the engine may have sliced away the
    operations that take other inputs. `invented` counts the pointers that are not given, `used`
    the inputs that are. Inputs of the sources `dropped` are zero. Numbers and pointers from the
    sources that a run can be given are in `free` if they are missing here, and so are pointers that
    lead nowhere, maybe because the engine did not see that they are followed; `chosen` says what
    some of them are, by their places there. Volatile reads in `steady` give what was written.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        missing: MissingPointers = MissingPointers.NULL,
        dropped: frozenset[Source] = frozenset(),
        chosen: Mapping[int, int] | None = None,
        steady: Collection[Edge] = (),
    ) -> None:
        self._queues: dict[tuple[Source, str], dict[Coord, deque[Value]]] = {}
        self._environment: dict[int, int] = {}
        self._way = missing
        self._dropped = dropped
        self._inputs = inputs
        self._taken: set[int] | None = None
        self._number = 0
        self._chosen = chosen or {}
        self._steady = steady
        self.invented = 0
        self.used = 0
        self.free: list[tuple[ScalarType, int]] = []
        for item in inputs:
            if item.source is Source.ENVIRONMENT:
                for place, byte in enumerate(content(item), int(item.name, 0)):
                    self._environment.setdefault(place, byte)
            elif item.source not in dropped:
                by_position = self._queues.setdefault((item.source, item.name), {})
                by_position.setdefault(item.coord, deque()).append(item.value)

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        if source is Source.ENVIRONMENT:
            form = codec(type_)
            data = self._initial(name, form.size)
            found: Value | None = None if data is None else form.read(data, 0)[0]
        else:
            found = self._next(source, name, edge, whole=not isinstance(type_, FloatType))
        self.used += found is not None
        match found:
            case None:
                value = self._missing(source, name, type_)
                if source in _FREE and not isinstance(type_, FloatType):
                    value = self._choose(type_, value)
                return value
            case int(number) if leads_nowhere(number, type_):
                return self._choose(type_, number)
            case bytes(data) if isinstance(type_, FloatType):
                form = codec(type_)
                return float(form.read(data.ljust(form.size, b"\0"), 0)[0])
            case bytes(data):
                return int.from_bytes(data, "little")
            case number:
                return number

    def _choose(self, type_: ScalarType, value: int) -> int:
        value = self._chosen.get(len(self.free), value)
        self.free.append((type_, value))
        return value

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        if source is Source.ENVIRONMENT:
            return self._initial(name, size) or bytes(size)
        match self._next(source, name, edge):
            case None:
                return bytes(size)
            case bytes(data):
                return data[:size].ljust(size, b"\0")
            case number:
                return int(number).to_bytes(max(size, 16), "little", signed=number < 0)[:size]

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        value = None if edge in self._steady else self._next(Source.VOLATILE, name, edge)
        fits = isinstance(value, bytes) == isinstance(held, bytes)
        return held if value is None or not fits else value

    def _next(
        self, source: Source, name: str, edge: Edge | None, whole: bool = False
    ) -> Value | None:
        """The next input of the place; what is no integer is not given where a `whole` number is
        asked for (a library function may write one, which the engine left out, and give another).
        """
        by_position = self._queues.get((source, name), {})
        if edge is None:  # asked once, before the first step
            queue = next(iter(by_position.values()), None)
        else:
            queue = by_position.get(edge.coord)
        if queue and whole and isinstance(queue[0], float):
            return None
        return queue.popleft() if queue else None

    def _initial(self, name: str, size: int) -> bytes | None:
        """What the environment holds at an address, if anything is given there."""
        start, given = int(name, 0), self._environment
        if not any(place in given for place in range(start, start + size)):
            return None
        return bytes(given.get(place, 0) for place in range(start, start + size))

    # --- what is not given ------------------------------------------------------------------------

    def _missing(self, source: Source, name: str, type_: ScalarType) -> int:
        if not isinstance(type_, PointerType) or source in self._dropped:
            return 0
        self.invented += 1
        match self._way:
            case MissingPointers.NULL:
                return 0
            case MissingPointers.SHALLOW if source is Source.ENVIRONMENT:
                return 0
            case MissingPointers.CIRCULAR if source is Source.ENVIRONMENT:
                return int(name, 0)
        return self._fresh_address(type_.bits)

    def _fresh_address(self, bits: int) -> int:
        """An address that is far from all that are given."""
        if self._taken is None:
            _, (first, last) = environment_ranges(bits)
            self._near = fresh_address(bits, 1) - fresh_address(bits, 0)
            given = [n for item in self._inputs for n in _numbers(item, bits)]
            self._taken = {n // self._near for n in given if first <= n <= last}
        while True:
            made = fresh_address(bits, self._number)
            self._number += 1
            part = made // self._near
            if self._taken.isdisjoint((part - 1, part, part + 1)) or self._number > _MOST_SKIPPED:
                return made


_MOST_SKIPPED = 10_000


def _numbers(item: Input, bits: int) -> Iterator[int]:
    """All numbers in an input that may be addresses, where it lies included."""
    if item.source is Source.ENVIRONMENT:
        yield int(item.name, 0)
    yield from words_of(item, bits)


def words_of(item: Input, bits: int) -> Iterator[int]:
    """The numbers in an input that are as wide as addresses."""
    size = bits // 8
    if isinstance(item.value, bytes):
        for at in range(0, len(item.value) - size + 1, size):
            yield int.from_bytes(item.value[at : at + size], "little")
    elif isinstance(item.value, int) and size_of(item.type) == size:
        yield item.value & (1 << bits) - 1
