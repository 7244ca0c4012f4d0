"""Blocks of memory that are written at once: memset, memmove, and the assignment of records.

What has no bounded description (a block of unknown size, one behind a pointer that may point
anywhere) raises `SymbolicLimit`. Soundness duty: all bytes that are copied are read before the
first is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.expr import Expr
from ..ir.ops import Copy, Fill
from ..records import dataclass
from ..smt import bitvectors, build
from ..smt.term import FALSE, Term, Value
from .content import Initial
from .memory import AccessTarget
from .state import SymbolicState
from .validity import room_for
from .values import SymbolicLimit, SymbolicValues

_WIDEST_COPY = 64
_LONGEST_FILL = 1 << 16
_LARGEST_OUTSIDE = 512
_LONGEST_UNKNOWN = 256


@dataclass(frozen=True, slots=True)
class MemoryBlocks:
    """Writes blocks in the state in which `values` evaluates; addresses have so many `bits`."""

    bits: int
    values: SymbolicValues

    @property
    def state(self) -> SymbolicState:
        return self.values.state

    def _length(self, size: Expr, most: int) -> int | None:
        """How many bytes, or None if that is not constant."""
        term = self.values.value(size)
        if not isinstance(term, Value):
            return None
        if term.value > most:
            raise SymbolicLimit("a very large block of memory is written")
        return term.value

    def write(self, op: Fill | Copy) -> None:
        """Execute the operation."""
        match op:
            case Fill(pointer, byte, size):
                self._memset(pointer, byte, size)
            case Copy(pointer, source, size):
                self._memmove(pointer, source, size)

    def _memset(self, pointer: Expr, byte: Expr, size: Expr) -> None:
        """Each byte of a block gets the same value."""
        length = self._length(size, 1 << 30)
        if length is None:
            self._fill_some(pointer, byte, self.values.value(size))
            return
        targets = self._block(pointer, length)
        if not length:
            return
        low = bitvectors.extract(self.values.value(byte), 7, 0)
        for target in targets:
            made = target.object
            whole = isinstance(target.offset, Value) and target.offset.value == 0
            zero = isinstance(low, Value) and low.value == 0
            if whole and zero and made.size == length and len(targets) == 1:
                self.state.memory.reset(made, Initial(None, self.bits))
                continue
            if made is self.state.memory.space.outside:
                self._put(target, 0, length, low, len(targets) == 1)
                continue
            if length > _LONGEST_FILL:
                raise SymbolicLimit("a very large block of memory is filled")
            for at in range(0, length, 8):
                part = min(8, length - at)
                value = low
                for _ in range(part - 1):
                    value = bitvectors.concat(low, value)
                self._put(target, at, part, value, len(targets) == 1)

    def _put(
        self,
        target: AccessTarget,
        at: int,
        size: int,
        value: Term,
        only: bool,
    ) -> None:
        offset = bitvectors.add(target.offset, bitvectors.bits(at, self.bits))
        part = AccessTarget(target.cond, target.object, offset)
        self.values.put(part, size, value, only)

    def _block(self, pointer: Expr, length: int) -> list[AccessTarget]:
        term = self.values.value(pointer)
        if not length:
            return []
        found = self.values.reach(
            term, length, "a block of memory behind a pointer that may point anywhere"
        )
        if found.unknown_object is not FALSE:
            raise SymbolicLimit("a block of memory behind a pointer that is an input")
        self.values.require(found.inside)
        return found.targets

    def _check_small(self, target: AccessTarget, size: int) -> None:
        if target.object is self.state.memory.space.outside and size > _LARGEST_OUTSIDE:
            raise SymbolicLimit("a large block of memory of the environment")

    def _memmove(self, pointer: Expr, source: Expr, size: Expr) -> None:
        """A block gets the bytes of another one, which may overlap it."""
        length = self._length(size, 1 << 24)
        if length is None:
            self._move_some(pointer, source, self.values.value(size))
        elif length:
            sources = self._block(source, length)
            self.copy(self._block(pointer, length), sources, length)

    def copy(
        self,
        targets: Sequence[AccessTarget],
        sources: Sequence[AccessTarget],
        size: int,
    ) -> None:
        """Copy bytes; all are read before the first is written."""
        if not targets or not sources:
            return  # no run comes here
        for target in targets:
            if not target.object.writable:
                raise SymbolicLimit("a string literal is overwritten")
        for block in (*targets, *sources):
            self._check_small(block, size)
        chunks = self._chunks(sources[0], size) if len(sources) == 1 else None
        if chunks is None:
            if size > _WIDEST_COPY:
                raise SymbolicLimit("a large block of memory is copied from an unknown address")
            chunks = [(0, size)]
        pieces = []
        for at, part in chunks:
            value: Term | None = None
            for source in reversed(sources):
                offset = bitvectors.add(source.offset, bitvectors.bits(at, self.bits))
                read = self.values.load(AccessTarget(source.cond, source.object, offset), part)
                value = read if value is None else build.ite(source.cond, read, value)
            assert value is not None
            pieces.append((at, part, value))
        for at, part, value in pieces:
            for target in targets:
                self._put(target, at, part, value, len(targets) == 1)

    def _chunks(self, source: AccessTarget, size: int) -> list[tuple[int, int]] | None:
        """How to divide a range so that the cells of the source stay whole."""
        if source.object is self.state.memory.space.outside:
            return _gap(0, size, 0)
        if not isinstance(source.offset, Value):
            return None
        content = self.state.memory.live(source.object)
        if content is None or content.array is not None:
            return [(at, min(8, size - at)) for at in range(0, size, 8)]
        start = source.offset.value
        chunks = []
        at = 0
        for offset, width in self.state.memory.cells(source.object):
            if offset + width <= start or offset >= start + size:
                continue
            begin, end = max(offset - start, 0), min(offset + width - start, size)
            chunks += _gap(at, begin, start)
            chunks.append((begin, end - begin))
            at = end
        return chunks + _gap(at, size, start)

    # --- blocks whose length is not constant ------------------------------------------------------

    def _fill_some(self, pointer: Expr, byte: Expr, size: Term) -> None:
        targets, most = self._some(pointer, size, writes=True)
        low = bitvectors.extract(self.values.value(byte), 7, 0)
        self._put_some(targets, [low] * most, size)

    def _move_some(self, pointer: Expr, source: Expr, size: Term) -> None:
        sources, most = self._some(source, size, writes=False)
        targets, room = self._some(pointer, size, writes=True)
        read = []
        for at in range(min(most, room)):
            value: Term = bitvectors.bits(0, 8)
            for block in sources:
                if at < self._room(block):
                    there = self._at(block, at)
                    value = build.ite(block.cond, self.values.load(there, 1), value)
            read.append(value)
        self._put_some(targets, read, size)

    def _put_some(
        self, targets: Sequence[AccessTarget], values: Sequence[Term], size: Term
    ) -> None:
        """Write the first `size` of the values."""
        for at, value in enumerate(values):
            needed = bitvectors.ult(bitvectors.bits(at, self.bits), size)
            for target in targets:
                if at < self._room(target) and target.object.writable:
                    cond = build.and_(target.cond, needed)
                    self.state.memory.store(self._at(target, at), 1, value, cond)

    def _some(self, pointer: Expr, size: Term, writes: bool) -> tuple[list[AccessTarget], int]:
        """Where the first `size` bytes behind a pointer lie, and how many these can be. The state
        goes on only where they lie in one object."""
        term = self.values.value(pointer)
        found = self.values.reach(
            term, 0, "a block of memory behind a pointer that may point anywhere"
        )
        memory = self.state.memory
        outside = any(target.object is memory.space.outside for target in found.targets)
        if outside or found.unknown_object is not FALSE:
            raise SymbolicLimit("a block of memory of the environment, of unknown size")
        none = build.eq(size, bitvectors.bits(0, self.bits))
        enough = build.or_(*(room_for(memory, target, size) for target in found.targets))
        literals = (t.cond for t in found.targets if writes and not t.object.writable)
        fits = build.and_(found.inside, enough, build.not_(build.or_(*literals)))
        self.values.require(build.or_(none, fits))
        most = max((self._room(target) for target in found.targets), default=0)
        if most > _LONGEST_UNKNOWN:
            raise SymbolicLimit("a block of memory of unknown size in a large object is written")
        return found.targets, most

    def _room(self, target: AccessTarget) -> int:
        """How many bytes there may be from a target on to the end of its object."""
        start = target.offset.value if isinstance(target.offset, Value) else 0
        return max(0, target.object.room - start)

    def _at(self, target: AccessTarget, at: int) -> AccessTarget:
        offset = bitvectors.add(target.offset, bitvectors.bits(at, self.bits))
        return AccessTarget(target.cond, target.object, offset)


def _gap(begin: int, end: int, start: int) -> list[tuple[int, int]]:
    """Pieces of a range that nothing was written to, at natural alignment."""
    pieces = []
    while begin < end:
        part = 8
        while part > 1 and ((start + begin) % part or begin + part > end):
            part //= 2
        pieces.append((begin, part))
        begin += part
    return pieces
