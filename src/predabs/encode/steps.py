"""What one edge does to an environment: the condition that it adds, and the storage after it.

Soundness duty: every run that takes the edge satisfies the condition and has that storage; where
the effect has no term, what it may touch holds anything, and `exact` is no longer true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from ..analysis.effects import slot_of
from ..analysis.memory.partition import NOTHING, BlockPiece, InRegion, Scalar, Storage
from ..analysis.points_to.objects import Allocated
from ..analysis.points_to.offsets import Offsets
from ..errors import UnsupportedFeature
from ..ir.cfa import Edge
from ..ir.expr import FunctionAddress, Lvalue, Op
from ..ir.ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    Fill,
    Free,
    Halt,
    Havoc,
    Print,
    Return,
    Skip,
    Sweep,
)
from ..ir.types import UCHAR, FloatType, IntType, PointerType, RecordType, Type, size_of
from ..records import dataclass, field, replace
from ..smt import bitvectors, build
from ..smt.term import BitVecSort, Term
from .encoding import BoundedTerm, value_range
from .environment import Environment, Formulas
from .expressions import Encoder, below_top
from .integer_encoding import NeedsBitVectors

_MOST_PIECES = 256
_GAP = 16  # between allocated objects


@dataclass(slots=True)
class EdgeStep:
    """One edge is executed, in the environment of runs that are at its source."""

    formulas: Formulas
    edge: Edge
    environment: Environment
    guard: list[Term] = field(default_factory=list)
    exact: bool = True

    def run(self) -> None:
        here = self.formulas.localization
        if here is not None and here.ignores(self.edge):
            self.exact = False
            return
        try:
            self._run()
        except UnsupportedFeature as problem:
            raise UnsupportedFeature(f"{self.edge.coord}: {problem}") from None

    def _run(self) -> None:
        encoder = self.formulas.encoder(self.environment, self.edge.src, program_text=True)
        match self.edge.op:
            case Skip() | Return() | Error() | Halt() | Free():
                pass
            case Assume(cond):
                self.guard.append(encoder.condition(cond))
            case Assign(target, value):
                if isinstance(target.type, RecordType):
                    assert isinstance(value, Lvalue)
                    self._record(target, value, encoder)
                else:
                    self._store(target, encoder.value(value), encoder)
            case Havoc(target, _, name):
                self._havoc(target, name, encoder)
            case Print(printed, function, _):
                if printed is not None:
                    self._havoc(printed, function, encoder)
            case Call(result, callee, _):
                functions = self.formulas.partition.program.functions
                if not isinstance(callee, FunctionAddress) or callee.name in functions:
                    raise UnsupportedFeature("a call of a function is no part of a block")
                if result is not None:
                    self._havoc(result, callee.name, encoder)
            case Alloc() as op:
                self._alloc(op, encoder)
            case Fill() | Copy() as op:
                self._bytes(op, encoder)
            case Sweep():
                raise UnsupportedFeature("many elements are written at once")
            case op:
                assert_never(op)
        self.guard.append(encoder.requires)
        self.exact = self.exact and encoder.exact

    def _store(self, target: Lvalue, value: BoundedTerm, encoder: Encoder) -> None:
        encoder.locate(target)
        self.environment = self.formulas.store(self.environment, target, value, encoder)

    # --- unknown values ---------------------------------------------------------------------------

    def _havoc(self, target: Lvalue, name: str, encoder: Encoder) -> None:
        if _is_scalar(target.type):
            self._store(target, self.formulas.fresh(name, target.type), encoder)
            return
        partition = self.formulas.partition
        encoder.locate(target)
        leaves = partition.leaves(target)
        if leaves is not None:
            for leaf in leaves:
                self._store(leaf, self.formulas.fresh(name, leaf.type), encoder)
            return
        pieces = partition.record_pieces(target, None)
        size = size_of(target.type)
        placed = _pieces_at(pieces, size)
        if placed is None:
            self._forget(pieces)
            return
        start = encoder.accessed(target)
        for piece, offset in placed:
            self._put(piece, start, offset, None)

    def _forget(self, pieces: Iterable[BlockPiece]) -> None:
        """All that the pieces may touch holds anything."""
        self.exact = False
        for piece in pieces:
            self._any(piece.target)

    def _any(self, storage: Storage) -> None:
        formulas = self.formulas
        if isinstance(storage, Scalar):
            value = formulas.fresh(storage.var.name, storage.var.type)
            self.environment = formulas.put(self.environment, storage.var, value)
        elif self._is_kept(storage):
            symbol = formulas.fresh_like(str(storage.region), formulas.region_sort(storage.region))
            self.environment = self.environment.put(storage.region, BoundedTerm(symbol, 0, 0))

    def _is_kept(self, storage: Storage) -> bool:
        """Does anybody look at what is written there?"""
        return storage != InRegion(NOTHING) and self.formulas.tracks(slot_of(storage))

    # --- records and blocks of bytes --------------------------------------------------------------

    def _record(self, target: Lvalue, source: Lvalue, encoder: Encoder) -> None:
        if size_of(target.type) == 0:
            return
        partition = self.formulas.partition
        encoder.locate(target)
        encoder.locate(source)
        here, there = partition.leaves(source), partition.leaves(target)
        if here is not None and there is not None:
            values = [encoder.value(leaf) for leaf in here]
            for leaf, value in zip(there, values, strict=True):
                self._store(leaf, value, encoder)
            return
        pieces = partition.record_pieces(target, source)
        placed = _pieces_at(pieces, size_of(target.type))
        if placed is None:
            self._forget(pieces)
        else:
            self._copy_pieces(placed, encoder.accessed(target), encoder.accessed(source))

    def _bytes(self, op: Fill | Copy, encoder: Encoder) -> None:
        pieces = self.formulas.partition.pieces(op)
        start = encoder.value(op.pointer)
        source = encoder.value(op.source) if isinstance(op, Copy) else None
        size = encoder.value(op.size).constant
        placed = None if size is None else _pieces_at(pieces, size)
        if placed is None:
            self._forget(pieces)
        elif source is not None:
            self._copy_pieces(placed, start, source)
        else:
            assert isinstance(op, Fill)
            byte = self.formulas.encoding.cast(encoder.value(op.byte), op.byte.type, UCHAR)
            for piece, offset in placed:
                self._put(piece, start, offset, byte)

    def _put(
        self, piece: BlockPiece, start: BoundedTerm, offset: int, byte: BoundedTerm | None
    ) -> None:
        """A piece at an offset is filled with a byte, or holds anything."""
        formulas, storage = self.formulas, piece.target
        if not self._is_kept(storage):
            return
        type_ = self._type(storage)
        if byte is None:
            if type_ is not None:
                self._write(storage, start, offset, formulas.fresh("any", type_))
            else:
                self._vectors()
                word: Term = formulas.fresh_like("any", BitVecSort(8 * piece.size))
                self._write_bits(storage, start, offset, piece.size, word)
            return
        if type_ is not None and not isinstance(type_, FloatType):
            self._write(storage, start, offset, self._repeated(byte, type_))
        else:
            self._vectors()
            word = byte.term
            for _ in range(piece.size - 1):
                word = bitvectors.concat(byte.term, word)
            self._write_bits(storage, start, offset, piece.size, word)

    def _repeated(self, byte: BoundedTerm, type_: Type) -> BoundedTerm:
        encoding = self.formulas.encoding
        bits = 8 * size_of(type_)
        wide = IntType(bits, False)
        ones = encoding.constant(int.from_bytes(b"\x01" * (bits // 8), "little"), wide)
        word = encoding.binary(Op.MUL, wide, encoding.cast(byte, UCHAR, wide), ones, wide)
        return encoding.cast(word, wide, type_)

    def _copy_pieces(
        self, placed: Sequence[tuple[BlockPiece, int]], target: BoundedTerm, source: BoundedTerm
    ) -> None:
        """Copy pieces; all are read before the first is written."""
        before = self.environment
        for piece, offset in placed:
            origin = piece.source
            if not self._is_kept(piece.target):
                continue
            if origin is None or not self._is_kept(origin):
                self.exact = False  # bytes that nobody has written or tracks, or a fault
                self._any(piece.target)
                continue
            mine, yours = self._type(piece.target), self._type(origin)
            if mine is not None and mine is yours:
                value = self._read(before, origin, source, offset, mine)
                self._write(piece.target, target, offset, value)
            else:
                self._vectors()
                word = self._read_bits(before, origin, source, offset, piece.size)
                self._write_bits(piece.target, target, offset, piece.size, word)

    def _vectors(self) -> None:
        if self.formulas.encoding.name == "int":
            raise NeedsBitVectors("bytes of numbers")

    def _type(self, storage: Storage) -> Type | None:
        if isinstance(storage, Scalar):
            return storage.var.type
        return self.formulas.partition.region(storage.region).unit

    def _at(self, start: BoundedTerm, offset: int) -> BoundedTerm:
        """The address of a byte that is accessed; see `Encoder.accessed`."""
        formulas = self.formulas
        word = IntType(formulas.pointer.bits, False)
        start = below_top(start, offset + 1, word.bits)
        distance = formulas.encoding.constant(offset, word)
        return formulas.encoding.advance(start, distance, word, 1, word.bits)

    def _read(
        self, before: Environment, storage: Storage, start: BoundedTerm, offset: int, type_: Type
    ) -> BoundedTerm:
        if isinstance(storage, Scalar):
            return self.formulas.get(before, storage.var)
        return self.formulas.cell(before, storage.region, type_, self._at(start, offset))

    def _read_bits(
        self, before: Environment, storage: Storage, start: BoundedTerm, offset: int, size: int
    ) -> Term:
        if isinstance(storage, Scalar):
            word = self.formulas.get(before, storage.var).term
            return bitvectors.zero_extend(word, 8 * size - bitvectors.width_of(word))
        return self.formulas.bytes_at(before, storage.region, self._at(start, offset), size)

    def _write(self, storage: Storage, start: BoundedTerm, offset: int, value: BoundedTerm) -> None:
        if isinstance(storage, Scalar):
            self.environment = self.formulas.put(self.environment, storage.var, value)
            return
        array = self.formulas.get(self.environment, storage.region).term
        at = self._at(start, offset).term
        stored = BoundedTerm(build.store(array, at, value.term), 0, 0)
        self.environment = self.environment.put(storage.region, stored)

    def _write_bits(
        self, storage: Storage, start: BoundedTerm, offset: int, size: int, word: Term
    ) -> None:
        formulas = self.formulas
        if isinstance(storage, Scalar):
            type_ = storage.var.type
            width = bitvectors.width_of(formulas.get(self.environment, storage.var).term)
            value = formulas.encoding.bounded(
                bitvectors.extract(word, width - 1, 0), type_, *value_range(type_)
            )
            self.environment = self.formulas.put(self.environment, storage.var, value)
            return
        self.environment = formulas.with_bytes(
            self.environment, storage.region, self._at(start, offset), size, word
        )

    # --- new objects ------------------------------------------------------------------------------

    def _alloc(self, op: Alloc, encoder: Encoder) -> None:
        """The object lies where the heap ends; what it holds was never written, so it is anything
        if it need not be zero."""
        formulas, encoding = self.formulas, self.formulas.encoding
        address_type, high = IntType(formulas.pointer.bits, False), formulas.addresses.heap[1]
        most = (1 << (address_type.bits - 1)) - 1
        size = encoder.value(op.size)
        if size.high > most:  # whoever made the operation sees to it that this is no more
            self.guard.append(
                encoding.compare(Op.LE, address_type, size, self._address_constant(most))
            )
            size = _below(size, most)
        start = self._room(op, size)
        room = encoding.binary(
            Op.ADD, address_type, size, self._address_constant(_GAP), address_type
        )
        # the object and the gap lie in the heap, so no sum wraps around
        end = encoding.advance(
            _below(start, high - size.high - _GAP),
            replace(room, high=size.high + _GAP),
            address_type,
            1,
            address_type.bits,
        )
        end = replace(
            end, low=start.low + size.low + _GAP, high=min(high, start.high + size.high + _GAP)
        )
        self.environment = replace(self.environment, heap=end)
        if op.zeroed:
            self._zero(start, size.constant)
        self._store(op.target, start, encoder)

    def _room(self, op: Alloc, size: BoundedTerm) -> BoundedTerm:
        """Where a new object lies: where the heap ends, if it has room there with the gap behind.

        If it has none, and nothing has ended yet, then all that lives has no room, which does not
        happen: it is one of the assumptions. If something may have ended, the object may lie where
        that was, so it may have any address.
        """
        formulas, encoding = self.formulas, self.formulas.encoding
        address_type, (low, high) = IntType(formulas.pointer.bits, False), formulas.addresses.heap
        start = formulas.heap_end(self.environment)
        if start.high + size.high + _GAP <= high:
            return start
        last = encoding.binary(
            Op.SUB, address_type, self._address_constant(high - _GAP), size, address_type
        )
        fits = encoding.compare(Op.LE, address_type, start, last)
        if op.reuse:
            self.exact = False
            found = formulas.fresh_between_bounds("new", formulas.pointer, (low, high))
            same = encoding.compare(Op.EQ, address_type, found, start)
            self.guard.append(build.implies(fits, same))
            start, fits = found, encoding.compare(Op.LE, address_type, found, last)
        self.guard.append(fits)
        return _below(start, high - size.low - _GAP)

    def _address_constant(self, value: int) -> BoundedTerm:
        return self.formulas.encoding.constant(value, IntType(self.formulas.pointer.bits, False))

    def _zero(self, start: BoundedTerm, size: int | None) -> None:
        cells = self.formulas.partition.cells(Allocated(self.edge))
        pieces = [BlockPiece(cell.offsets, cell.size, cell.storage, None) for cell in cells]
        placed = None if size is None else _pieces_at(pieces, size)
        if placed is None:
            self.exact = False
            return
        zero = self.formulas.encoding.constant(0, UCHAR)
        for piece, offset in placed:
            self._put(piece, start, offset, zero)


def _below(number: BoundedTerm, most: int) -> BoundedTerm:
    """The term, which is at most `most`."""
    return replace(number, high=max(number.low, min(number.high, most)))


def _is_scalar(type_: Type) -> bool:
    return isinstance(type_, IntType | PointerType | FloatType)


def _pieces_at(pieces: Iterable[BlockPiece], size: int) -> list[tuple[BlockPiece, int]] | None:
    """The pieces of a block of so many bytes, with their offsets; None if they are too many, one
    lies in the block only in part, or it is not known where one lies."""
    found: list[tuple[BlockPiece, int]] = []
    for piece in pieces:
        if piece.offsets is None:
            return None
        for offset in _offsets(piece.offsets, size):
            if offset + piece.size > size or len(found) == _MOST_PIECES:
                return None
            found.append((piece, offset))
    return found


def _offsets(offsets: Offsets, size: int) -> range:
    if offsets.step == 0:
        return range(offsets.first, offsets.first + 1)
    if offsets.count is None:
        return range(offsets.first, size, offsets.step)
    return range(offsets.first, offsets.first + offsets.step * offsets.count, offsets.step)
