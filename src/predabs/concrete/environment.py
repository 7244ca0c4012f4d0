"""Memory of the environment: what pointers from outside lead to, made when it is first used.

A byte that is read before the program has written it is an input; so is a pointer that is found
there. Soundness duty: the initial content of a byte is asked for once and never changes, no object
of the program lies here, and no access succeeds at null, near it, or among the error numbers in the
last page of the address space. A scalar is read as what it was written as (a member of a record, or
a kind of scalar: `analysis.memory.views`), or the run ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from ..ir.address_space import FIRST_FUNCTION, FIRST_OBJECT, NULL_PAGE, environment_ranges
from ..ir.types import FunctionType, IntType, PointerType, ScalarType, Type
from ..records import dataclass
from .codec import Codec
from .outcome import Failure, Overrun

_PAGE = 256
_MOST_PAGES = 1 << 19
_LONGEST = 1 << 24  # bytes of one access

InitialContent: TypeAlias = Callable[[int, int, ScalarType | None], bytes]
"""Gives the bytes at an address: their number, and the type they are read at if that is known."""


class _Page:
    """Bytes of the environment; `known` has a one for each that was read or written, `marks` says
    as what it was written, if it was."""

    __slots__ = ("data", "known", "marks")

    def __init__(self) -> None:
        self.data = bytearray(_PAGE)
        self.known = bytearray(_PAGE)
        self.marks = [0] * _PAGE


@dataclass(slots=True)
class EnvironmentUse:
    """What a run has used of the environment: the first address and the number of bytes of each
    piece of memory, in order, and each address that was called, with the type of the result."""

    touched: tuple[tuple[int, int], ...] = ()
    called: tuple[tuple[int, Type | None], ...] = ()


class EnvironmentMemory:
    """The bytes of the environment that a run has used so far."""

    def __init__(self, bits: int, initial: InitialContent) -> None:
        (_, self._last_low), (self._first, self._last) = environment_ranges(bits)
        self._bits = bits
        self._initial = initial
        self._pages: dict[int, _Page] = {}
        self._lowest = FIRST_FUNCTION  # where memory in the low range begins
        self._numbers: set[int] = set()  # low ones that were inputs
        self.asked = 0  # how often initial content was asked for
        self._called: dict[tuple[int, Type | None], None] = {}

    # --- which addresses lie here -----------------------------------------------------------------

    def take(self, value: int, type_: ScalarType) -> None:
        """An input has this value: what does it say about the environment? A pointer leads here,
        or nowhere."""
        match type_:
            case PointerType(target, _):
                objects = FIRST_OBJECT if isinstance(target, FunctionType) else FIRST_FUNCTION
                self.take_pointer(value, objects)
            case IntType(bits, _) if bits == self._bits and 0 < value < FIRST_FUNCTION:
                self._numbers.add(value)

    def take_pointer(self, value: int, objects: int = FIRST_OBJECT) -> None:
        """A pointer is an input; from `objects` on are those of the program."""
        if objects <= value < self._first:
            raise Failure(f"a pointer from outside ({value:#x}) leads to an object of the program")
        self.take_low(value)

    def take_low(self, value: int) -> None:
        """A number is a pointer, or may be one: if it is low, memory lies there."""
        if 0 < value < FIRST_FUNCTION:
            self._lowest = min(self._lowest, max(1, value - NULL_PAGE))

    def as_pointer(self, value: int) -> int:
        """A low number is made a pointer: if it is an input, it is a pointer from outside."""
        if value in self._numbers:
            self.take_low(value)
        return value

    def has(self, address: int, size: int) -> bool:
        """Whether all of these bytes are memory of the environment."""
        end = address + size - 1
        return (address >= self._first and end <= self._last) or (
            address >= self._lowest and end <= self._last_low
        )

    def called(self, address: int, result: Type | None) -> None:
        """The function of the environment at this address is called."""
        self._called[address, result] = None

    def use(self) -> EnvironmentUse:
        return EnvironmentUse(tuple(self._touched()), tuple(self._called))

    def _touched(self) -> Iterator[tuple[int, int]]:
        start = end = 0
        for number in sorted(self._pages):
            known = self._pages[number].known
            at = known.find(1)
            while at >= 0:
                stop = known.find(0, at)
                stop = _PAGE if stop < 0 else stop
                if number * _PAGE + at != end:
                    if end > start:
                        yield start, end - start
                    start = number * _PAGE + at
                end = number * _PAGE + stop
                at = known.find(1, stop)
        if end > start:
            yield start, end - start

    # --- access, at addresses that lie here -------------------------------------------------------

    def load(self, codec: Codec, address: int) -> Any:
        """Read a scalar; if none of its bytes is known, its initial value is one of its type."""
        offset = address % _PAGE
        page = self._page(address // _PAGE)
        if codec.marks:
            self._check(address, codec.marks)
        if offset + codec.size > _PAGE:
            return codec.read(self.read(address, codec.size), 0)[0]
        known = page.known[offset : offset + codec.size]
        if not any(known):
            self._ask(address, codec.size, codec.type)
        elif 0 in known:
            self._decide(address, codec.size)
        return codec.read(page.data, offset)[0]

    def read(self, address: int, size: int) -> bytes:
        self._decide(address, size)
        return b"".join(
            bytes(page.data[start:stop]) for page, start, stop in self._parts(address, size)
        )

    def _check(self, address: int, marks: tuple[int, ...]) -> None:
        """Are these bytes read as what they were written as? If not, the run is none that is
        followed: as what memory of the environment is accessed is an assumption."""
        done = 0
        for page, start, stop in self._parts(address, len(marks)):
            for mark, wanted in zip(page.marks[start:stop], marks[done:], strict=False):
                if mark and mark != wanted:
                    raise Failure(
                        f"{address:#x} in the environment is read as something else than it was "
                        "written as"
                    )
            done += stop - start

    def write(self, address: int, data: bytes | bytearray, marks: tuple[int, ...] = ()) -> None:
        """Write bytes; the marks say as what."""
        done = 0
        marks = marks or (0,) * len(data)
        for page, start, stop in self._parts(address, len(data)):
            page.data[start:stop] = data[done : done + stop - start]
            page.known[start:stop] = b"\1" * (stop - start)
            page.marks[start:stop] = marks[done : done + stop - start]
            done += stop - start

    def string(self, address: int, most: int | None) -> bytes:
        """The bytes up to the terminating zero, and at most `most`."""
        found = bytearray()
        while most is None or len(found) < most:
            if not self.has(address + len(found), 1):
                raise Failure(f"read of a string at {address:#x} that does not end")
            byte = self.read(address + len(found), 1)
            if byte == b"\0":
                break
            found += byte
            if len(found) > _LONGEST:
                raise Overrun("a string of the environment is too long")
        return bytes(found)

    def _decide(self, address: int, size: int) -> None:
        """Ask for the initial content of those of these bytes that are not known."""
        known = b"".join(
            bytes(page.known[start:stop]) for page, start, stop in self._parts(address, size)
        )
        at = known.find(0)
        while at >= 0:
            stop = known.find(1, at)
            stop = size if stop < 0 else stop
            self._ask(address + at, stop - at, None)
            at = known.find(0, stop)

    def _ask(self, address: int, size: int, type_: ScalarType | None) -> None:
        self.asked += 1
        self.write(address, self._initial(address, size, type_))

    def _parts(self, address: int, size: int) -> list[tuple[_Page, int, int]]:
        """The pages that these bytes lie in, with their places there."""
        if size > _LONGEST:
            raise Overrun(f"an access to {size} bytes of the environment is too large")
        parts = []
        end = address + size
        while address < end:
            number, start = divmod(address, _PAGE)
            stop = min(_PAGE, start + end - address)
            parts.append((self._page(number), start, stop))
            address += stop - start
        return parts

    def _page(self, number: int) -> _Page:
        found = self._pages.get(number)
        if found is None:
            if len(self._pages) >= _MOST_PAGES:
                raise Overrun("too much memory of the environment is used")
            found = self._pages[number] = _Page()
        return found
