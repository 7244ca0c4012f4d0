"""Which accesses and frees are valid in a run, and which objects of the heap are lost.

Soundness duty: an access, or a free, is valid if and only if `ByteMemory` would execute it, or the
address is one of the environment's: all that a pointer from outside leads to counts as valid. An
object is lost if no address in it, nor that just behind it, stands in memory that can be reached
from the roots; any bytes that look like such an address count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..ir.expr import Roots
from .memory import ByteMemory, ByteObject, ObjectKind
from .outcome import Failure


class Validity:
    """The questions of one run. `complaint` says what was wrong with the last that was not valid;
    `registers` gives the values of variables that have no bytes, of all frames or of globals."""

    def __init__(
        self,
        memory: ByteMemory,
        bits: int,
        registers: Callable[[bool, list[object]], Iterable[int]],
    ) -> None:
        self._memory = memory
        self._bytes = bits // 8
        self._registers = registers
        self.complaint = ""

    def access(self, address: int, size: int, writes: bool) -> bool:
        """Can these bytes be read, or written?"""
        memory = self._memory
        if not size or memory.is_beyond(address) or memory.outside(address, size) is not None:
            return True
        try:
            memory.find(address, size, "write" if writes else "read")
        except Failure as failure:
            self.complaint = str(failure)
            return False
        return True

    def free(self, address: int) -> bool:
        """Can this address be given to `free`?"""
        try:
            self._memory.freed(address)
        except Failure as failure:
            self.complaint = str(failure)
            return False
        return True

    def no_leak(self, roots: Roots, frame: list[object]) -> bool:
        """Is no object of the heap lost?"""
        heap = [item for item in self._memory.living() if item.kind is ObjectKind.HEAP]
        lost = set(heap)
        if roots is not Roots.NONE:
            lost -= self._reached(roots, frame)
        for item in heap:  # the first that was made
            if item in lost:
                self.complaint = item.name
                return False
        return True

    def _reached(self, roots: Roots, frame: list[object]) -> set[ByteObject]:
        """The objects of the heap that can be reached from the roots."""
        everything = roots is Roots.FRAMES
        todo: list[ByteObject] = []
        found: set[ByteObject] = set()

        def visit(address: int) -> None:
            made = self._memory.object_at(address)
            if made is not None and made.kind is ObjectKind.HEAP and made not in found:
                found.add(made)
                todo.append(made)

        for value in self._registers(everything, frame):
            visit(value)
        for item in self._memory.living():
            if item.kind is ObjectKind.GLOBAL or (everything and item.kind is ObjectKind.STACK):
                for address in self._words(item):
                    visit(address)
        while todo:
            for address in self._words(todo.pop()):
                visit(address)
        return found

    def _words(self, item: ByteObject) -> Iterator[int]:
        """All numbers in the object that have the size of an address."""
        data, width = bytes(item.data), self._bytes
        low = self._memory.lowest
        for at in range(len(data) - width + 1):
            word = int.from_bytes(data[at : at + width], "little")
            if word >= low:
                yield word
