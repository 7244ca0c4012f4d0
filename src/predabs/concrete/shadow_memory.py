"""Which bytes of a run's objects were never written: shadow memory [NS07].

An object has a shadow while some of its bytes may hold nothing yet; all others have been written,
memory of the environment too. Soundness duty: a byte is marked if and only if the program has not
written it, nor copied a written one to it, since it was made or its variable came to life.
"""

from __future__ import annotations

from collections.abc import Callable

from .memory import ByteMemory, ByteObject

_UNWRITTEN = b"\x01"


class ShadowMemory:
    """A mark for each byte that was not written, if anybody asks for that. `complaint` says where
    the last one was that a question was about."""

    def __init__(self, memory: ByteMemory, wanted: bool) -> None:
        self._memory = memory
        self._wanted = wanted
        self.complaint = ""

    def functions(self) -> dict[str, Callable[..., object]]:
        """What generated code calls, by the names that it uses."""
        return {
            "is_written": self.is_written,
            "shadow_copy": self.copy,
            "shadow_forget": self.forget,
            "shadow_write": self.write,
        }

    def made(self, item: ByteObject) -> None:
        """The object is new, and holds nothing."""
        if self._wanted:
            item.shadow = bytearray(_UNWRITTEN * item.size)

    def write(self, address: int, size: int) -> None:
        """These bytes are written."""
        self._mark(address, bytes(size))

    def forget(self, address: int, size: int) -> None:
        """A variable with these bytes comes to life: they hold nothing."""
        self._mark(address, _UNWRITTEN * size)

    def copy(self, address: int, source: int, size: int) -> None:
        """These bytes are copied from others."""
        self._mark(address, self._marks(source, size))

    def is_written(self, address: int, size: int) -> bool:
        """Have all these bytes been written?"""
        marks = self._marks(address, size)
        if not any(marks):
            return True
        found = self._memory.object_at(address)
        assert found is not None
        at = address - found.base + marks.index(1)
        self.complaint = f"byte {at} of {found.name}"
        return False

    def _mark(self, address: int, marks: bytes) -> None:
        found = self._memory.object_at(address) if self._wanted else None
        if found is None or (found.shadow is None and not any(marks)):
            return
        if found.shadow is None:
            found.shadow = bytearray(found.size)
        start = address - found.base
        inside = marks[: found.size - start]
        found.shadow[start : start + len(inside)] = inside

    def _marks(self, address: int, size: int) -> bytes:
        """The marks of these bytes; where no object is, the access itself is wrong."""
        found = self._memory.object_at(address)
        if found is None or found.shadow is None:
            return bytes(size)
        start = address - found.base
        return bytes(found.shadow[start : start + size]).ljust(size, b"\0")
