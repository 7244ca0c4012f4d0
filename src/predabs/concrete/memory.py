"""Memory as objects in a flat address space, each access checked byte by byte.

Soundness duty: an access succeeds only if all its bytes lie in one object that is live (and may
be written, for a write), or in memory of the environment if there is any; everything else raises
`Failure` with a text that says what happened.
Addresses are the same in every run. Objects stand 16 bytes aligned with gaps that grow with their
size, so that an access a little out of bounds does not hit a neighbour; addresses are not used
again before the address space has been used up once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from enum import Enum
from typing import Any

from ..ir.address_space import FIRST_FUNCTION, FIRST_OBJECT, NULL_PAGE, end_of_objects
from .codec import Codec, StructError
from .environment import EnvironmentMemory
from .outcome import Failure, Overrun

MOST_BYTES = 1 << 29
_ALIGNMENT = 16
_KEPT_DEAD = 10_000
_KEPT_NEAR = 100_000


class ObjectKind(Enum):
    """What an object is, which decides how it may end."""

    GLOBAL = "global"
    LITERAL = "string literal"
    STACK = "stack"
    HEAP = "heap"

    __hash__ = object.__hash__


class ByteObject:
    """A piece of memory: bytes at an address. `data` is emptied when it ends. See `shadow_memory`
    for the marks in `shadow`."""

    __slots__ = ("base", "data", "kind", "live", "name", "shadow", "size")

    def __init__(self, base: int, data: bytearray, kind: ObjectKind, name: str) -> None:
        self.base = base
        self.size = len(data)
        self.data = data
        self.kind = kind
        self.name = name
        self.live = True
        self.shadow: bytearray | None = None


class ByteMemory:
    """All objects of a run, by address. Where none of them can lie, the memory of the environment
    is, in a run that has one: outside of [FIRST_FUNCTION, _top)."""

    def __init__(self, bits: int, environment: EnvironmentMemory | None = None) -> None:
        self._mask = (1 << bits) - 1
        self._environment = environment
        self._top = end_of_objects(bits)
        self._bases: list[int] = []
        self._objects: list[ByteObject] = []
        self._near: dict[int, ByteObject] = {}  # objects found lately, by 16 bytes of addresses
        self._next = FIRST_OBJECT
        self._limit = self._top
        self._bytes = 0
        self._dead = 0

    # --- objects begin and end ------------------------------------------------------------------

    def allocate(self, size: int, kind: ObjectKind, name: str) -> ByteObject:
        """A fresh object full of zeros."""
        made = ByteObject(self.reserve(size), bytearray(size), kind, name)
        if self._bases and made.base < self._bases[-1]:
            index = bisect_right(self._bases, made.base)
            self._bases.insert(index, made.base)
            self._objects.insert(index, made)
        else:
            self._bases.append(made.base)
            self._objects.append(made)
        return made

    def reserve(self, size: int) -> int:
        """The address of the next object, which has this size."""
        if self._bytes + size > MOST_BYTES:
            raise Overrun(f"an object of {size} bytes is more memory than the interpreter gives")
        room = self._room(size)
        if self._next + room > self._limit:
            self._seek(room)
        address = self._next
        self._next += room
        self._bytes += size
        return address

    def _room(self, size: int) -> int:
        """The bytes that an object takes with the gap behind it."""
        return (size + 64 + min(size, self._top >> 12) + _ALIGNMENT - 1) & -_ALIGNMENT

    def _seek(self, room: int) -> None:
        """Go on in the next gap between living objects that is wide enough."""
        self._forget_dead()
        ends = [o.base + self._room(o.size) for o in self._objects]
        gaps = list(zip([FIRST_OBJECT, *ends], [*self._bases, self._top], strict=True))
        later = bisect_right(self._bases, self._next)
        for start, limit in gaps[later:] + gaps[:later]:
            if start + room <= limit:
                self._next, self._limit = start, limit
                return
        raise Overrun("the address space is used up")

    def end(self, dying: ByteObject) -> None:
        """The object is gone: any further access to it is a fault."""
        dying.live = False
        dying.data.clear()
        self._bytes -= dying.size
        self._dead += 1
        if self._dead > _KEPT_DEAD + len(self._bases) // 2:
            self._forget_dead()

    def end_all(self, dying: list[ByteObject]) -> None:
        """The stack objects of a frame are gone."""
        for item in dying:
            self.end(item)

    def _forget_dead(self) -> None:
        """Forget the ended objects: their addresses then lie outside any object."""
        self._objects = [o for o in self._objects if o.live]
        self._bases = [o.base for o in self._objects]
        self._near.clear()
        self._dead = 0

    def free(self, address: int) -> None:
        """End a heap object, given by its address; nothing happens for null, nor for memory of the
        environment, which is not ours."""
        if (found := self.freed(address)) is not None:
            self.end(found)

    def freed(self, address: int) -> ByteObject | None:
        """The object that a free of this address ends; None if nothing happens."""
        if address == 0 or self.outside(address, 1) is not None:
            return None
        found = self._at(address)
        if found is None or address > found.base + found.size:
            raise Failure(f"free of {_shown_address(address)}, where no object is")
        if found.kind is not ObjectKind.HEAP:
            raise Failure(f"free of {found.name}, which is not on the heap")
        if not found.live:
            raise Failure(f"second free of {found.name}")
        if address != found.base:
            inside = count_of(address - found.base)
            raise Failure(f"free of an address {inside} inside {found.name}")
        return found

    def living(self) -> list[ByteObject]:
        """The objects that have not ended, by address."""
        return [item for item in self._objects if item.live]

    def object_at(self, address: int) -> ByteObject | None:
        """The live object that an address points into, or just behind."""
        found = self._at(address)
        if found is None or not found.live or address > found.base + found.size:
            return None
        return found

    @property
    def lowest(self) -> int:
        """No object lies below."""
        return FIRST_OBJECT

    # --- access ---------------------------------------------------------------------------------

    def _at(self, address: int) -> ByteObject | None:
        """The last object, live or not, that starts at or before the address."""
        index = bisect_right(self._bases, address) - 1
        return self._objects[index] if index >= 0 else None

    def find(self, address: int, size: int, verb: str) -> ByteObject:
        """The object that has all `size` bytes from the address on; `verb` is read or write."""
        found = self._near.get(address // _ALIGNMENT)
        if found is None or not found.live:
            found = self._at(address)
            if found is None:
                raise Failure(self._complaint(address & self._mask, size, verb))
            if len(self._near) > _KEPT_NEAR:
                self._near.clear()
            self._near[address // _ALIGNMENT] = found
        if (
            found.live
            and address + size <= found.base + found.size
            and (verb != "write" or found.kind is not ObjectKind.LITERAL)
        ):
            return found
        raise Failure(self._complaint(address & self._mask, size, verb))

    def _complaint(self, address: int, size: int, verb: str) -> str:
        """Why these bytes cannot be read or written."""
        what = f"{verb} of {count_of(size)}"
        if address < NULL_PAGE:
            return f"{what} at {_shown_address(address)}"
        index = bisect_right(self._bases, address)
        before = self._objects[index - 1] if index > 0 else None
        after = self._objects[index] if index < len(self._objects) else None
        if before is not None and address - before.base >= self._room(before.size):
            before = None
        if before is not None and not before.live:
            how = "which ended with its function"
            if before.kind is ObjectKind.HEAP:
                how = "which was freed" if before.name.startswith("the ") else "which has ended"
            return f"{what} in {before.name}, {how}"
        if before is not None and address < before.base + before.size:
            if address + size <= before.base + before.size:
                return f"{what} in a string literal"
        elif after is not None and after.base - address <= _ALIGNMENT:
            where = f"offset {address - after.base}, size {after.size}"
            return f"{what} before the start of {after.name} ({where})"
        if before is not None:
            where = f"offset {address - before.base}, size {before.size}"
            return f"{what} past the end of {before.name} ({where})"
        where = "where no data is" if address < FIRST_OBJECT else "outside any object"
        return f"{what} at {_shown_address(address)}, {where}"

    def near(self, address: int) -> ByteObject | None:
        """The object, live or not, that the address lies in or in the gap behind."""
        found = self._at(address)
        if found is None or address - found.base >= self._room(found.size):
            return None
        return found

    def size_at(self, address: int) -> int:
        """The size of the object that the address points into, or just behind."""
        found = self._at(address)
        if found is None or not found.live or address > found.base + found.size:
            raise Failure(self._complaint(address, 1, "size").replace("size of 1 byte", "size", 1))
        return found.size

    def end_at(self, address: int) -> int | None:
        """Where the live object ends that has a byte at the address."""
        found = self._at(address)
        if found is None or not found.live or address >= found.base + found.size:
            return None
        return found.base + found.size

    def is_beyond(self, address: int) -> bool:
        """Does it lie where only the environment's addresses are, accessible or not?"""
        return self._environment is not None and self._top <= address & self._mask

    def outside(self, address: int, size: int) -> EnvironmentMemory | None:
        """The memory of the environment, if all these bytes lie in it."""
        if FIRST_FUNCTION <= address < self._top:
            return None
        memory = self._environment
        return memory if memory is not None and memory.has(address, size) else None

    def read(self, address: int, size: int) -> bytes:
        if size == 0:
            return b""
        if (outside := self.outside(address, size)) is not None:
            return outside.read(address, size)
        found = self.find(address, size, "read")
        start = address - found.base
        return bytes(found.data[start : start + size])

    def write(self, address: int, data: bytes) -> None:
        if not data:
            return
        if (outside := self.outside(address, len(data))) is not None:
            outside.write(address, data)
        else:
            found = self.find(address, len(data), "write")
            start = address - found.base
            found.data[start : start + len(data)] = data

    def fill(self, address: int, byte: int, size: int) -> None:
        if size and size <= MOST_BYTES and self.outside(address, size) is not None:
            self.write(address, bytes((byte & 255,)) * size)
        elif size:
            found = self.find(address, size, "write")
            start = address - found.base
            found.data[start : start + size] = bytes((byte & 255,)) * size

    def copy(self, address: int, source: int, size: int) -> None:
        self.write(address, self.read(source, size))

    def string(self, address: int, most: int | None = None) -> bytes:
        """The bytes up to the terminating zero, and at most `most`."""
        if most == 0:
            return b""
        if (outside := self.outside(address, 1)) is not None:
            return outside.string(address, most)
        found = self.find(address, 1, "read")
        start = address - found.base
        end = found.data.find(0, start)
        if most is not None and (end < 0 or end - start > most) and start + most <= found.size:
            end = start + most
        if end < 0:
            self.find(found.base + found.size, 1, "read")
        return bytes(found.data[start:end])

    # --- scalars, for generated code ------------------------------------------------------------

    def loader(self, codec: Codec) -> Callable[[int], Any]:
        """A function that reads such a scalar at an address; it remembers the last object."""
        find, read, size, outside = self.find, codec.read, codec.size, self.outside
        low, high, data = 1, 0, bytearray()
        first, top = FIRST_FUNCTION, self._top

        def load(address: int) -> Any:
            nonlocal low, high, data
            if low <= address <= high:
                try:
                    return read(data, address - low)[0]
                except StructError:
                    pass  # the object has ended and lost its bytes: `find` says so
            if not first <= address < top and (memory := outside(address, size)) is not None:
                return memory.load(codec, address)
            found = find(address, size, "read")
            low, high, data = found.base, found.base + found.size - size, found.data
            return read(data, address - low)[0]

        return load

    def storer(self, codec: Codec) -> Callable[[int, Any], None]:
        """A function that writes such a scalar at an address."""
        find, write, size, outside = self.find, codec.write, codec.size, self.outside
        low, high, data = 1, 0, bytearray()
        first, top = FIRST_FUNCTION, self._top

        def store(address: int, value: Any) -> None:
            nonlocal low, high, data
            if low <= address <= high:
                try:
                    return write(data, address - low, value)
                except StructError:
                    pass
            if not first <= address < top and (memory := outside(address, size)) is not None:
                stored = bytearray(size)
                write(stored, 0, value)
                return memory.write(address, stored, codec.marks)
            found = find(address, size, "write")
            low, high, data = found.base, found.base + found.size - size, found.data
            return write(data, address - low, value)

        return store

    def load_bits(self, address: int, bit: int, width: int) -> int:
        """The bit-field of `width` bits from bit `bit` after the address on, unsigned."""
        first, last = bit // 8, (bit + width - 1) // 8
        if (outside := self.outside(address + first, last - first + 1)) is not None:
            data = bytearray(outside.read(address + first, last - first + 1))
            return get_bits(data, -first, bit, width)
        found = self.find(address + first, last - first + 1, "read")
        return get_bits(found.data, address - found.base, bit, width)

    def store_bits(self, address: int, bit: int, width: int, value: int) -> None:
        first, last = bit // 8, (bit + width - 1) // 8
        if (outside := self.outside(address + first, last - first + 1)) is not None:
            data = bytearray(outside.read(address + first, last - first + 1))
            set_bits(data, -first, bit, width, value)
            outside.write(address + first, data)
        else:
            found = self.find(address + first, last - first + 1, "write")
            set_bits(found.data, address - found.base, bit, width, value)


def get_bits(data: bytearray, offset: int, bit: int, width: int) -> int:
    """Bits of a byte string, counted from the lowest bit of byte `offset` on.

    >>> get_bits(bytearray([0b10110000, 0b00000001]), 0, 4, 5)
    27
    """
    first, last = offset + bit // 8, offset + (bit + width - 1) // 8
    whole = int.from_bytes(data[first : last + 1], "little")
    return whole >> bit % 8 & (1 << width) - 1


def set_bits(data: bytearray, offset: int, bit: int, width: int, value: int) -> None:
    """Change these bits and no others."""
    first, last = offset + bit // 8, offset + (bit + width - 1) // 8
    mask = (1 << width) - 1 << bit % 8
    whole = int.from_bytes(data[first : last + 1], "little")
    whole = whole & ~mask | value << bit % 8 & mask
    data[first : last + 1] = whole.to_bytes(last - first + 1, "little")


def count_of(count: int) -> str:
    """A number of bytes in words."""
    return "1 byte" if count == 1 else f"{count} bytes"


def _shown_address(address: int) -> str:
    if address == 0:
        return "null"
    return f"address {address:#x}" + (", near null" if address < NULL_PAGE else "")
