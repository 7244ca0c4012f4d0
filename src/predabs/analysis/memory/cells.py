"""The cells of memory: which accesses share bytes, and which must therefore share a memory region.

A cell is a piece of an object (at one offset, or at a progression of them) that is accessed as a
whole. Cells that may have a byte in common, and all cells that one lvalue may denote, belong to
one class. Operations on blocks of bytes (copies of records, memcpy, memset) are cut into pieces:
the cells of what they write decide the pieces.

Soundness duty: two accesses that may touch the same byte are in one class, and in a class with
`bytes` unset all cells have the same size and are the same or apart.
"""

from __future__ import annotations

from ...ir.types import Type
from ...records import dataclass, field
from ..points_to.objects import UNKNOWN, FunctionObject, Object, Target
from ..points_to.offsets import (
    ANY,
    ByteRange,
    ByteRangeIndex,
    Extent,
    Offsets,
    aligned,
    at,
    distance,
    progression,
    total,
)
from ..points_to.sets import PointsTo
from .views import EVERYTHING, View

# an object with more cells is seen as a whole; with fewer, if they are not at constant offsets
_MOST_CELLS = 2048
_MOST_SPREAD_CELLS = 48
_WHOLE: ByteRange = (ANY, 1)
# A block with more pieces is taken as single bytes, with all cells that it touches in one class.
# Where its size is not known, pieces may beget pieces without end: items that move up in a queue.
# So is one that may lie in very many places.
_MOST_CUTS = 1024
_MOST_PLACES = 32
_MOST_OPEN_CUTS = 64


@dataclass(frozen=True, slots=True)
class BlockCut:
    """A piece of a block: how far behind the start of the block, and how many bytes."""

    offsets: Offsets
    size: int


@dataclass(slots=True, eq=False)
class BlockOperation:
    """An operation on `extent` bytes from each of the starts on; `source` is None for a fill.

    `cover` has cuts that make up the whole block. The dictionaries map each cut to the number of
    its class on that side.
    """

    target: frozenset[Target]
    source: frozenset[Target] | None
    extent: Extent
    cover: tuple[BlockCut, ...]
    target_cuts: dict[BlockCut, int] = field(default_factory=dict)
    source_cuts: dict[BlockCut, int] = field(default_factory=dict)


class AccessCells:
    """All cells of a program, with their classes as a union-find structure.

    What unknown addresses reach is a class for each `View`, if it is `apart` from all objects; else
    one class, with all objects that have escaped.
    """

    def __init__(self, points_to: PointsTo, apart: bool) -> None:
        self._points_to = points_to
        self._apart = apart
        self._parent: list[int] = []
        self._size: list[int] = []
        self._bytes: list[bool] = []
        self._types: list[set[Type]] = []
        self.objects: dict[Object, ByteRangeIndex] = {}
        self._scalars: dict[Object, ByteRangeIndex] = {}
        self.conflicts: set[Object] = set()  # copied in other pieces than their scalar members
        self._blocks: dict[Object, list[BlockOperation]] = {}
        self._all_blocks: list[BlockOperation] = []
        self._pending: dict[BlockOperation, None] = {}
        self._collapsed: set[Object] = set()
        self._accessed: dict[tuple[frozenset[Target], int, View | None], int] = {}
        self._wild: dict[View, int] = {}  # the classes of what unknown addresses reach

    # --- classes ----------------------------------------------------------------------------------

    def _new(self, size: int) -> int:
        self._parent.append(len(self._parent))
        self._size.append(size)
        self._bytes.append(False)
        self._types.append(set())
        return len(self._parent) - 1

    def find(self, node: int) -> int:
        """The class of a cell."""
        parent = self._parent
        while (above := parent[node]) != node:
            parent[node] = parent[above]
            node = above
        return node

    @property
    def wild(self) -> dict[View, int]:
        """The classes of what unknown addresses reach."""
        return {view: self.find(node) for view, node in self._wild.items()}

    def size(self, node: int) -> int:
        """The size of the cells of a class that is not bytewise."""
        return self._size[self.find(node)]

    def classes(self, targets: frozenset[Target], size: int, view: View) -> set[int]:
        """The classes of the cells that an access may touch."""
        known = self._accessed.get((targets, size, view))
        if known is not None:
            return {self.find(known)}
        found: set[int] = set()
        for target in targets:
            if target.object == UNKNOWN:
                if view in self._wild:
                    found.add(self.find(self._wild[view]))
            elif (index := self.objects.get(target.object)) is not None:
                here = (target.offsets, size)
                if size and (node := index.nodes.get(here)) is not None:
                    found.add(self.find(node))  # what touches a cell is in its class
                else:
                    found.update(self.find(index.nodes[key]) for key in index.touching(here))
        return found

    def touched(self, target: Target, size: int) -> list[tuple[ByteRange, int]]:
        """The cells that an access may touch, but for those that only unknown addresses reach."""
        index = self.objects.get(target.object)
        if index is None:
            return []
        return [(key, index.nodes[key]) for key in index.touching((target.offsets, size))]

    def bytewise(self, node: int) -> bool:
        """Are there cells in the class that share some, but not all bytes?"""
        return self._bytes[self.find(node)]

    def types(self, node: int) -> frozenset[Type]:
        """The types that the cells of the class are read and written as."""
        return frozenset(self._types[self.find(node)])

    def _union(self, one: int, two: int) -> int:
        one, two = self.find(one), self.find(two)
        if one != two:
            self._parent[two] = one
            self._bytes[one] = self._bytes[one] or self._bytes[two]
            self._types[one] |= self._types[two]
        return one

    # --- cells ------------------------------------------------------------------------------------

    def scalar(self, object_: Object, offset: int, size: int) -> None:
        """These bytes of a variable are a variable of their own."""
        index = self._scalars.setdefault(object_, ByteRangeIndex())
        if (at(offset), size) not in index.nodes:
            index.add((at(offset), size), self._new(size))
            self._changed(object_)

    def without_scalars(self, object_: Object) -> None:
        """The bytes of a variable are no variables after all: blocks with them are cut again."""
        if self._scalars.pop(object_, None) is None:
            return
        for block in self._all_blocks:
            starts = (*block.target, *(block.source or ()))
            if any(start.object == object_ for start in starts):
                block.target_cuts.clear()
                block.source_cuts.clear()
                self._pending[block] = None

    def access(
        self,
        targets: frozenset[Target],
        size: int,
        type_: Type | None,
        view: View | None,
        *,
        partly: bool,
    ) -> int | None:
        """One access may touch any of the targets; gives its class, None if it cannot happen.

        `partly` says that not all bits of the bytes are meant.
        """
        key = (targets, size, view)
        known = self._accessed.get(key)
        if known is None:
            for target in targets:
                node = self._cell(target, size, view)
                if node is not None:
                    known = node if known is None else self._union(known, node)
            if known is not None:
                self._accessed[key] = known
        if known is not None:
            known = self.find(known)
            if type_ is not None:
                self._types[known].add(type_)
            self._bytes[known] = self._bytes[known] or partly
        return known

    def _cell(self, target: Target, size: int, view: View | None) -> int | None:
        """The cell at a target, made if it is new and joined with those that it touches."""
        if target.object == UNKNOWN:
            return None if view is None else self._wild_cell(view)
        if isinstance(target.object, FunctionObject):
            return None
        index = self.objects.setdefault(target.object, ByteRangeIndex())
        if target.object in self._collapsed:
            return index.nodes[_WHOLE]
        key = (target.offsets, size)
        node = index.nodes.get(key)
        if node is not None:
            return node
        node = self._new(size)
        offsets = target.offsets
        self._bytes[node] = not aligned(offsets, offsets, size)
        for other in index.touching(key):
            same = other[1] == size and aligned(other[0], offsets, size)
            kept = self._union(node, index.nodes[other])
            self._bytes[kept] = self._bytes[kept] or not same
        if not self._apart and self._points_to.escaped(target.object):
            for wild in self._wild.values():
                self._union(wild, node)
        index.add(key, node)
        self._changed(target.object)
        if len(index.nodes) > _MOST_CELLS or index.spread_count > _MOST_SPREAD_CELLS:
            return self._collapse(target.object)
        return node

    def _collapse(self, object_: Object) -> int:
        """See the object as one piece of bytes: that costs less than to tell its cells apart."""
        old = self.objects[object_]
        whole = self._new(1)
        for node in old.nodes.values():
            whole = self._union(whole, node)
        self._bytes[self.find(whole)] = True
        self._collapsed.add(object_)
        index = self.objects[object_] = ByteRangeIndex()
        index.add(_WHOLE, whole)
        self._changed(object_)
        return whole

    def _wild_cell(self, view: View) -> int:
        node = self._wild.get(view)
        if node is None:
            node = self._wild[view] = self._new(view.size)
            self._bytes[node] = view.bytewise
            for object_, index in self.objects.items() if not self._apart else ():
                if self._points_to.escaped(object_):
                    for cell in index.nodes.values():
                        self._union(node, cell)
        return node

    # --- blocks -----------------------------------------------------------------------------------

    @property
    def _block_view(self) -> View | None:
        """The view of a piece of a block at an unknown address: none, if that is memory of the
        environment, of which a block touches all (see `Partition.pieces`)."""
        return None if self._apart else EVERYTHING

    def block(self, block: BlockOperation) -> None:
        """Take an operation on bytes into account; it is cut when `settle` is called."""
        for target in block.target:
            self._blocks.setdefault(target.object, []).append(block)
        self._all_blocks.append(block)
        self._pending[block] = None

    def _changed(self, object_: Object) -> None:
        for block in self._blocks.get(object_, ()):
            self._pending[block] = None

    def settle(self) -> None:
        """Cut all blocks, until no new cell appears."""
        while self._pending:
            block, _ = self._pending.popitem()
            most = _MOST_OPEN_CUTS if block.extent.size is None else _MOST_CUTS
            places = len(block.target) + len(block.source or ())
            few = len(block.target_cuts) <= most and places <= _MOST_PLACES
            for cut in self._cuts(block) if few else (_single_bytes(block),):
                if cut not in block.target_cuts:
                    self._cut(block, cut)

    def _cuts(self, block: BlockOperation) -> set[BlockCut]:
        """The pieces that the cells of the target ask for."""
        cuts: set[BlockCut] = set()
        single_bytes = _single_bytes(block)
        if block.extent.size == 0:
            return cuts
        for target in block.target:
            if target.object == UNKNOWN:
                if not self._apart:
                    cuts.update(block.cover)
                continue
            for table in (self.objects, self._scalars):
                index = table.get(target.object)
                for key in list(index.nodes) if index else ():
                    found = distance(*key, target.offsets, block.extent)
                    if found is None:
                        continue
                    apart, whole = found
                    if whole and apart != ANY:
                        cuts.add(BlockCut(apart, key[1]))
                    else:
                        cuts.add(_part(key, target.offsets, block.extent) or single_bytes)
        return cuts

    def _cut(self, block: BlockOperation, cut: BlockCut) -> None:
        """Make the piece a cell on both sides."""
        for starts, cuts in (
            (block.target, block.target_cuts),
            (block.source or (), block.source_cuts),
        ):
            pieces: list[Target] = []
            scalar: int | None = None
            for start in starts:
                piece = self._piece(start, cut)
                if piece is None:
                    continue
                scalar = self._scalar_cell(piece, cut.size)
                if scalar is None:
                    pieces.append(piece)
            node = scalar if scalar is not None else self._new(cut.size)
            cuts[cut] = node
            made = self.access(frozenset(pieces), cut.size, None, self._block_view, partly=False)
            if made is not None:
                cuts[cut] = self._union(made, node)

    def _piece(self, start: Target, cut: BlockCut) -> Target | None:
        if start.object == UNKNOWN:
            return start
        offsets = total(start.offsets, cut.offsets)
        inside = self._points_to.within(start.object, offsets, cut.size)
        return None if inside is None else Target(start.object, inside)

    def _scalar_cell(self, piece: Target, size: int) -> int | None:
        """The scalar member that a piece is, if it is one."""
        index = self._scalars.get(piece.object)
        if index is None:
            return None
        key = (piece.offsets, size)
        if key in index.nodes:
            return index.nodes[key]
        if index.touching(key):
            self.conflicts.add(piece.object)
        return None


def _single_bytes(block: BlockOperation) -> BlockCut:
    """The block as bytes: this piece has a byte in common with each cell that the block touches."""
    return BlockCut(progression(0, 1, block.extent.size), 1)


def _part(key: ByteRange, start: Offsets, extent: Extent) -> BlockCut | None:
    """The part of a cell that lies in the block, if that is always the same."""
    offsets, size = key
    if offsets.step or start.step or extent.size is None:
        return None
    low = max(offsets.first - start.first, 0)
    high = min(offsets.first + size - start.first, extent.size)
    return BlockCut(at(low), high - low)
