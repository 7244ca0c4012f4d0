"""The bytes of one object, as terms.

Cells of one to sixteen bytes lie side by side at constant offsets, never overlapping; what no cell
covers is still as it was in the beginning, or when it was last written in bulk (`overlay`). A large
object that was accessed at an offset which is not constant is one array term instead.

Soundness duty: whatever mixture of sizes reads and writes it, a byte read is the byte last written
there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from ..concrete.memory import ObjectKind
from ..records import dataclass, field
from ..smt import bitvectors, build
from ..smt.term import FALSE, ArraySort, BitVecSort, Symbol, Term
from .pointers import stride

_WIDEST = 16


class Initial:
    """What an object holds before it is written: zeros, or inputs that are named when first read.

    The names are shared by all states, so that two reads of one unwritten byte agree; they are
    entered in `named`, and in `unwritten` if the program should have written the bytes.
    """

    def __init__(
        self,
        name: str | None,
        address_bits: int,
        named: set[Term] | None = None,
        unwritten: set[Term] | None = None,
    ) -> None:
        self.name = name  # None: all bytes are zero
        self._named: set[Term] = set() if named is None else named
        self._unwritten: set[Term] = set() if unwritten is None else unwritten
        self.address_bits = address_bits
        self._address = BitVecSort(address_bits)
        self._pieces: dict[int, Symbol] = {}
        self._array: Symbol | None = None

    def read(self, offset: int, size: int) -> Term:
        if self.name is None:
            return bitvectors.bits(0, 8 * size)
        if self._array is not None:
            parts = (
                self.element(bitvectors.bits(offset + i, self.address_bits)) for i in range(size)
            )
            return join(list(parts))
        piece = self._pieces.get(offset)
        if piece is not None and bitvectors.width_of(piece) == 8 * size:
            return piece
        if any(self._covering(offset + i) is not None for i in range(size)):
            return join([self._byte(offset + i) for i in range(size)])
        return self._new(offset, size)

    def same(self, other: Initial | Overlay) -> bool:
        """Are the bytes those of the other one?"""
        return self is other or (self.name is None and other.name is None)

    def element(self, at: Term) -> Term:
        """The byte at an offset that is not constant."""
        return build.select(self.array(), at)

    def array(self) -> Term:
        """All bytes, as an array of bytes by offset; those named before are part of it."""
        if self.name is None:
            return build.const_array(self._address, bitvectors.bits(0, 8))
        if self._array is None:
            self._array = Symbol(f"{self.name}[]", ArraySort(self._address, BitVecSort(8)))
            self._unwritten.add(self._array)
        array: Term = self._array
        for start, piece in self._pieces.items():
            for i in range(bitvectors.width_of(piece) // 8):
                byte = bitvectors.extract(piece, 8 * i + 7, 8 * i)
                array = build.store(array, bitvectors.bits(start + i, self.address_bits), byte)
        return array

    def read_pieces(self, size: int) -> list[tuple[int, Term]]:
        """The parts of the first `size` bytes that were read, with their terms."""
        if self.name is None:
            return []
        pieces: list[tuple[int, Term]] = [(at, p) for at, p in self._pieces.items() if at < size]
        if self._array is not None:
            array = self.array()
            bits = self.address_bits
            pieces += [
                (at, build.select(array, bitvectors.bits(at, bits)))
                for at in range(size)
                if self._covering(at) is None
            ]
        return pieces

    def _covering(self, offset: int) -> tuple[int, Symbol] | None:
        for start in range(offset, offset - _WIDEST, -1):
            piece = self._pieces.get(start)
            if piece is not None:
                return (start, piece) if start + bitvectors.width_of(piece) // 8 > offset else None
        return None

    def _byte(self, offset: int) -> Term:
        found = self._covering(offset)
        if found is None:
            return self._new(offset, 1)
        start, piece = found
        low = 8 * (offset - start)
        return bitvectors.extract(piece, low + 7, low)

    def _new(self, offset: int, size: int) -> Symbol:
        piece = Symbol(f"{self.name}@{offset}", BitVecSort(8 * size))
        self._pieces[offset] = piece
        self._named.add(piece)
        self._unwritten.add(piece)
        return piece


class Overlay(ABC):
    """What an object holds after it was written in bulk: see `overlay`."""

    name = "written in bulk"
    address_bits: int
    depth: int  # how many of them lie upon each other

    def read(self, offset: int, size: int) -> Term:
        return self.read_at(bitvectors.bits(offset, self.address_bits), size)

    @abstractmethod
    def read_at(self, offset: Term, size: int) -> Term:
        """The bytes from an offset on that need not be constant."""

    @abstractmethod
    def below(self) -> Iterator[Content]:
        """What it lies upon."""

    @abstractmethod
    def written(self) -> Iterator[Term]:
        """The values that it puts there."""

    def same(self, other: Initial | Overlay) -> bool:
        return self is other


@dataclass(slots=True)
class Content:
    """The state of an object. `owner` is the state that may change it; others copy it first."""

    initial: Initial | Overlay
    owner: object
    freed: Term
    cells: dict[int, Term] = field(default_factory=dict)
    array: Term | None = None  # then cells is empty
    absent: Term = FALSE  # the run has not made the object: it was made on another path

    def copy(self, owner: object) -> Content:
        return Content(self.initial, owner, self.freed, dict(self.cells), self.array, self.absent)

    # --- constant offsets ---

    def read(self, offset: int, size: int) -> Term:
        """The bytes from `offset` on as one vector, the first byte lowest."""
        if self.array is not None:
            bits = self.initial.address_bits
            return join(
                [build.select(self.array, bitvectors.bits(offset + i, bits)) for i in range(size)]
            )
        cell = self.cells.get(offset)
        if cell is not None and bitvectors.width_of(cell) == 8 * size:
            return cell
        pieces = list(self._pieces(offset, size))
        if len(pieces) == 1 and pieces[0] is None:
            return self.initial.read(offset, size)
        parts = []
        at = offset
        for piece in pieces:
            part = self.initial.read(at, 1) if piece is None else piece
            parts.append(part)
            at += bitvectors.width_of(part) // 8
        return join(parts)

    def _pieces(self, offset: int, size: int) -> Iterator[Term | None]:
        """What makes up a range: parts of cells, and None for each byte that was never written
        (one None if that is all of them)."""
        found = [self._covering(at) for at in range(offset, offset + size)]
        if all(cell is None for cell in found):
            yield None
            return
        at = offset
        while at < offset + size:
            cell = found[at - offset]
            if cell is None:
                yield None
                at += 1
                continue
            start, term = cell
            end = min(start + bitvectors.width_of(term) // 8, offset + size)
            yield bitvectors.extract(term, 8 * (end - start) - 1, 8 * (at - start))
            at = end

    def _covering(self, offset: int) -> tuple[int, Term] | None:
        for start in range(offset, offset - _WIDEST, -1):
            cell = self.cells.get(start)
            if cell is not None:
                return (start, cell) if start + bitvectors.width_of(cell) // 8 > offset else None
        return None

    def write(self, offset: int, size: int, value: Term) -> None:
        if self.array is not None:
            bits = self.initial.address_bits
            for i in range(size):
                byte = bitvectors.extract(value, 8 * i + 7, 8 * i)
                self.array = build.store(self.array, bitvectors.bits(offset + i, bits), byte)
            return
        old = self.cells.get(offset)
        if old is None or bitvectors.width_of(old) != 8 * size:
            self._make_room(offset, size)
            if size > _WIDEST:
                for start in range(0, size, 8):
                    part = min(8, size - start)
                    low = 8 * start
                    piece = bitvectors.extract(value, low + 8 * part - 1, low)
                    self.cells[offset + start] = piece
                return
        self.cells[offset] = value

    def _make_room(self, offset: int, size: int) -> None:
        """Remove the cells in a range; what sticks out of it stays."""
        for start in range(max(0, offset - _WIDEST + 1), offset + size):
            cell = self.cells.get(start)
            if cell is None:
                continue
            end = start + bitvectors.width_of(cell) // 8
            if end <= offset:
                continue
            del self.cells[start]
            if start < offset:
                self.cells[start] = bitvectors.extract(cell, 8 * (offset - start) - 1, 0)
            if end > offset + size:
                low = 8 * (offset + size - start)
                top = 8 * (end - start) - 1
                self.cells[offset + size] = bitvectors.extract(cell, top, low)

    # --- other offsets ---

    def to_array(self) -> None:
        """Go over to one array term, where there is nothing below that has none."""
        if self.array is None and isinstance(self.initial, Initial):
            array = self.initial.array()
            bits = self.initial.address_bits
            for start, cell in sorted(self.cells.items()):
                for i in range(bitvectors.width_of(cell) // 8):
                    byte = bitvectors.extract(cell, 8 * i + 7, 8 * i)
                    array = build.store(array, bitvectors.bits(start + i, bits), byte)
            self.array = array
            self.cells = {}

    def read_at(self, offset: Term, size: int) -> Term:
        """Like `read`, after `to_array`."""
        if self.array is None:
            return self._read_over(offset, size)
        return join([build.select(self.array, _plus(offset, i)) for i in range(size)])

    def _read_over(self, offset: Term, size: int) -> Term:
        """Cells that lie on something that was written in bulk."""
        assert isinstance(self.initial, Overlay)
        whole = all(is_whole(offset, start, cell, size) for start, cell in self.cells.items())
        if not whole and size > 1:
            return join([self._read_over(_plus(offset, i), 1) for i in range(size)])
        found = self.initial.read_at(offset, size)
        for start, cell in self.cells.items():
            width = bitvectors.width_of(cell) // 8
            past = _plus(offset, -start)
            if width == size:
                here, part = build.eq(past, bitvectors.bits(0, bitvectors.width_of(past))), cell
            else:
                here = bitvectors.ult(past, bitvectors.bits(width, bitvectors.width_of(past)))
                part = byte_of(cell, past)
            found = build.ite(here, part, found)
        return found

    def write_at(self, offset: Term, size: int, value: Term) -> None:
        assert self.array is not None
        for i in range(size):
            byte = bitvectors.extract(value, 8 * i + 7, 8 * i)
            self.array = build.store(self.array, _plus(offset, i), byte)


def join(parts: list[Term]) -> Term:
    """One vector from parts, the first lowest."""
    whole = parts[0]
    for part in parts[1:]:
        whole = bitvectors.concat(part, whole)
    return whole


def is_whole(offset: Term, start: int, cell: Term, size: int) -> bool:
    """Is an access all of the cell or no part of it?"""
    step = stride(_plus(offset, -start))
    return bitvectors.width_of(cell) == 8 * size and step % size == 0


def byte_of(value: Term, at: Term) -> Term:
    """The byte with a number that need not be constant, of those that the value has."""
    width = bitvectors.width_of(value)
    if width == 8:
        return value
    more = width - bitvectors.width_of(at)
    place = bitvectors.zero_extend(at, more) if more > 0 else bitvectors.extract(at, width - 1, 0)
    shifted = bitvectors.lshr(value, bitvectors.mul(place, bitvectors.bits(8, width)))
    return bitvectors.extract(shifted, 7, 0)


def inserted(old: Term, bits: Term, shift: int) -> Term:
    """The vector with some of its bits replaced."""
    width, count = bitvectors.width_of(old), bitvectors.width_of(bits)
    parts = bits
    if shift:
        parts = bitvectors.concat(parts, bitvectors.extract(old, shift - 1, 0))
    if shift + count < width:
        parts = bitvectors.concat(bitvectors.extract(old, width - 1, shift + count), parts)
    return parts


def _plus(offset: Term, more: int) -> Term:
    return bitvectors.add(offset, bitvectors.bits(more, bitvectors.width_of(offset)))


def merge(cond: Term, then: Content, other: Content, owner: object) -> Content:
    """The content that is `then` where `cond` holds, else `other`."""
    merged = Content(then.initial, owner, build.ite(cond, then.freed, other.freed))
    merged.absent = build.ite(cond, then.absent, other.absent)
    same_origin = then.initial.same(other.initial)
    if then.array is not None or other.array is not None or not same_origin:
        then, other = then.copy(owner), other.copy(owner)
        then.to_array()
        other.to_array()
        assert then.array is not None and other.array is not None
        merged.array = build.ite(cond, then.array, other.array)
        return merged
    for offset, cell in then.cells.items():
        size = bitvectors.width_of(cell) // 8
        merged.cells[offset] = build.ite(cond, cell, other.read(offset, size))
    for offset, cell in other.cells.items():
        twin = then.cells.get(offset)
        if twin is None or twin.sort is not cell.sort:
            size = bitvectors.width_of(cell) // 8
            merged.write(offset, size, build.ite(cond, then.read(offset, size), cell))
    return merged


def made_if(cond: Term, content: Content, owner: object, kind: ObjectKind) -> Content:
    """The content of an object that was made only where `cond` holds. Of one that is not on the
    heap nobody asks that."""
    if kind is ObjectKind.HEAP:
        content = content.copy(owner)
        content.absent = build.or_(content.absent, build.not_(cond))
    return content
