"""The partition of a program's storage into scalar variables and memory regions, for the formulas.

A scalar that only its name reaches is a *scalar variable* of the formulas. So is a scalar member of
a record that only its name reaches, with structs and no unions on the way, and a place in memory
of which there is only one (`single_objects`). All other storage lives in *memory regions*, arrays
from addresses to cells.

Soundness duty: two accesses that may touch a common byte, in any run, are the same scalar variable
or in the same region; in a region with a unit, all accesses are to whole cells of that size which
are the same or apart, so that an address determines a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import InternalError, UnsupportedFeature
from ...ir.cfa import ExternPointers, Program
from ...ir.expr import Expr, Lvalue, Var
from ...ir.ops import Copy, Fill
from ...ir.types import VOID, FloatType, IntType, PointerType, Type, is_scalar, size_of
from ...ir.walk import reads, substitute, variables
from ..points_to.objects import UNKNOWN, Object, Target
from ..points_to.offsets import ANY, ByteRange, at, overlap
from ..points_to.sets import PointsTo
from .accesses import AccessSurvey
from .cells import BlockCut, BlockOperation
from .record_scalars import RecordScalars
from .regions import (
    NOTHING,
    BlockPiece,
    InRegion,
    MemoryRegion,
    RegionCell,
    RegionId,
    Scalar,
    Storage,
)
from .single_objects import SingleObjects, unit_of

__all__ = [
    "NOTHING",
    "BlockPiece",
    "InRegion",
    "MemoryRegion",
    "Partition",
    "RegionCell",
    "RegionId",
    "Scalar",
    "Storage",
    "in_scope",
    "lvalue_of",
    "partition",
]


class Partition:
    """The result; made by `partition`."""

    def __init__(self, program: Program, points_to: PointsTo, single: bool = True) -> None:
        self.program = program
        self.points_to = points_to
        self._survey = AccessSurvey(program, points_to)
        self._cells = self._survey.cells
        self._apart = program.extern_pointers is not ExternPointers.ANY
        self.single_lvalues: dict[Var, tuple[Lvalue, ...]] = {}
        """The scalar variables that are places in memory, with their lvalues in the program."""
        self._single: dict[int, Scalar] = {}
        self._number(SingleObjects(program, points_to) if single else None)
        self._found: dict[Lvalue, Storage] = {}
        self._object_cells: dict[Object, tuple[RegionCell, ...]] = {}
        self._object_storage: dict[Object, dict[Storage, None]] = {}

    # --- numbering --------------------------------------------------------------------------------

    def _number(self, single: SingleObjects | None) -> None:
        """Give the classes numbers that do not depend on the order in which they were found."""
        members: dict[int, list[tuple[str, Object, ByteRange]]] = {}
        for object_, index in self._cells.objects.items():
            name = str(object_)
            for (offsets, size), node in index.nodes.items():
                text = f"{name}+{offsets}:{size}"
                place = text, object_, (offsets, size)
                members.setdefault(self._cells.find(node), []).append(place)
        wild: dict[int, list[str]] = {}
        for view, class_ in self._cells.wild.items():
            wild.setdefault(class_, []).append(str(view))
            members.setdefault(class_, [])
        if single is not None:
            places = {
                class_: found[0][1:]
                for class_, found in members.items()
                if len(found) == 1 and class_ not in wild
            }
            self._find_single(single, places)
        self._regions: dict[int, RegionId] = {}
        regions = [MemoryRegion(NOTHING, None, False, (), ())]
        for class_ in sorted(members, key=lambda c: _first(members[c], wild.get(c, []))):
            if class_ in self._single:
                continue
            found = sorted(members[class_], key=lambda place: place[0])
            id_ = self._regions[class_] = RegionId(len(regions))
            objects = tuple(dict.fromkeys(object_ for _, object_, _ in found))
            texts = (*sorted(wild.get(class_, ())), *(text for text, _, _ in found))
            regions.append(MemoryRegion(id_, self._unit(class_), class_ in wild, objects, texts))
        self.regions = tuple(regions)
        self._environment: dict[Storage, None] = {
            InRegion(region.id): None for region in regions if region.unknown
        }

    def _find_single(
        self, single: SingleObjects, places: Mapping[int, tuple[Object, ByteRange]]
    ) -> None:
        """Find the classes with one place that is a scalar variable; all else of the class would be
        another place that one of its accesses may go to."""
        lvalues: dict[int, list[Lvalue]] = {}
        for lvalue, cell in self._survey.in_memory.items():
            lvalues.setdefault(self._cells.find(cell), []).append(lvalue)
        for class_, (object_, place) in places.items():
            unit = None if self._cells.bytewise(class_) else unit_of(self._cells.types(class_))
            if unit is not None and class_ in lvalues:
                var = single.scalar(object_, place, unit)
                if var is not None:
                    self._single[class_] = Scalar(var)
                    self.single_lvalues[var] = single.ordered(lvalues[class_])

    def _of_class(self, class_: int) -> Storage:
        return self._single.get(class_) or InRegion(self._regions.get(class_, NOTHING))

    def _unit(self, class_: int) -> Type | None:
        if self._cells.bytewise(class_):
            return None
        types = self._cells.types(class_)
        if len(types) == 1:
            return next(iter(types))
        if any(isinstance(type_, FloatType) for type_ in types):
            return None
        if types and all(isinstance(type_, PointerType) for type_ in types):
            return self.program.data_model.pointer(VOID)
        return IntType(8 * self._cells.size(class_), False)

    # --- answers ----------------------------------------------------------------------------------

    def region(self, region: RegionId) -> MemoryRegion:
        return self.regions[region.number]

    def storage(self, lvalue: Lvalue) -> Storage:
        """Where a scalar lvalue is kept."""
        known = self._found.get(lvalue)
        if known is None:
            known = self._found[lvalue] = self._find_storage(lvalue)
        return known

    def _find_storage(self, lvalue: Lvalue) -> Storage:
        if not is_scalar(lvalue.type):
            raise InternalError(f"a {lvalue.type} is no scalar, so it is not kept in one cell")
        var = self._survey.scalar(lvalue)
        if var is not None:
            return Scalar(var)
        classes = self._survey.classes(lvalue)
        if len(classes) > 1:
            found = f"{len(classes)} memory regions"
            raise InternalError(f"an lvalue of type {lvalue.type} lies in {found}")
        found_in = self._of_class(classes.pop()) if classes else InRegion(NOTHING)
        if (
            isinstance(found_in, Scalar)
            and unit_of(frozenset((found_in.var.type, lvalue.type))) is None
        ):
            return InRegion(NOTHING)  # beyond an array's end, which no access of the program is
        return found_in

    def single(self, lvalue: Lvalue) -> Var | None:
        """The scalar variable of a scalar lvalue that can only be one place in memory."""
        if not self._single or not is_scalar(lvalue.type):
            return None
        try:
            storage = self.storage(lvalue)
        except InternalError:
            return None
        return storage.var if isinstance(storage, Scalar) and self.is_single(storage.var) else None

    def is_single(self, var: Var) -> bool:
        """Is the scalar variable a place in memory?"""
        return var in self.single_lvalues

    def leaves(self, lvalue: Lvalue) -> tuple[Lvalue, ...] | None:
        """The scalar lvalues that a copy of the record copies, always in the same order.

        None if they are not enough or too many (unions, bytes between members that are accessed,
        scalars accessed in parts that lie in different regions): then its `pieces` tell.
        """
        return self._survey.leaves(lvalue)

    def pieces(self, op: Fill | Copy) -> tuple[BlockPiece, ...]:
        """What a memset or memcpy changes."""
        return self._pieces(self._survey.blocks[op])

    def record_pieces(self, target: Lvalue, source: Lvalue | None) -> tuple[BlockPiece, ...]:
        """What an assignment of a record (or passing, or returning it) changes; or, without a
        source, what a `Havoc` of a record or array changes.

        Bit-fields of records that are kept as scalars are not among them: these have `leaves`.
        """
        return self._pieces(self._survey.blocks[target, source])

    def _pieces(self, block: BlockOperation) -> tuple[BlockPiece, ...]:
        if self._apart and _unknown(block.target):
            return self._anything(block)
        readable = block.source is not None and not (self._apart and _unknown(block.source))
        pieces = []
        for cut, node in block.target_cuts.items():
            source = None
            if block.source is not None and readable:
                source = self._storage_of(block.source, cut, block.source_cuts[cut])
            target = self._storage_of(block.target, cut, node)
            pieces.append((cut, BlockPiece(cut.offsets, cut.size, target, source)))
        pieces.sort(key=lambda p: (p[0].offsets.first, p[0].offsets.step, p[0].size))
        return tuple(piece for _, piece in pieces)

    def _anything(self, block: BlockOperation) -> tuple[BlockPiece, ...]:
        """The pieces of a block that may lie in memory of the environment: any part of that may
        change, and whatever else the block may touch."""
        found: dict[Storage, None] = dict(self._environment)
        for cut, node in block.target_cuts.items():
            found[self._storage_of(block.target, cut, node)] = None
        return tuple(BlockPiece(None, 1, storage, None) for storage in found)

    def _storage_of(self, starts: frozenset[Target], cut: BlockCut, node: int) -> Storage:
        for start in starts:
            offset = start.offsets.first + cut.offsets.first
            var = self._survey.scalar_cells.get(start.object, {}).get(offset)
            if var is not None:
                return Scalar(var)
        return self._of_class(self._cells.find(node))

    def touched(self, lvalue: Lvalue) -> tuple[Storage, ...]:
        """All storage that a read or write of an lvalue, of whatever type, may concern."""
        if is_scalar(lvalue.type):
            return (self.storage(lvalue),)
        path = self.points_to.access_paths.accessed(lvalue)
        found = self._overlapping(self.points_to.reached_by(path), path.size)
        for leaf in self._survey.record_scalars.members(lvalue):
            var = self._survey.scalar(leaf)
            if var is not None:
                found[Scalar(var)] = None
        return tuple(found)

    def touched_through(self, pointer: Expr) -> tuple[Storage, ...]:
        """All storage in the objects that a pointer may point to."""
        targets = self.points_to.targets(pointer)
        return tuple(self._overlapping([Target(t.object, ANY) for t in targets], 1))

    def _overlapping(self, targets: Iterable[Target], size: int) -> dict[Storage, None]:
        found: dict[Storage, None] = {}
        for target in sorted(targets, key=str):
            if target.object == UNKNOWN:
                found.update(self._environment)
                continue
            if target.offsets == ANY:
                found.update(self._stored_in(target.object))
                continue
            for cell in self.cells(target.object):
                if overlap(cell.offsets, cell.size, target.offsets, size):
                    found[cell.storage] = None
        return found

    def _stored_in(self, object_: Object) -> dict[Storage, None]:
        """The storage of all parts of an object."""
        known = self._object_storage.get(object_)
        if known is None:
            known = dict.fromkeys(cell.storage for cell in self.cells(object_))
            self._object_storage[object_] = known
        return known

    def cells(self, object_: Object) -> tuple[RegionCell, ...]:
        """The parts of an object that are ever accessed, as far as bytes tell them apart.

        Bit-fields of records that are kept as scalars are not among them.
        """
        known = self._object_cells.get(object_)
        if known is not None:
            return known
        found = []
        index = self._cells.objects.get(object_)
        for (offsets, size), node in index.nodes.items() if index else ():
            found.append(RegionCell(offsets, size, self._of_class(self._cells.find(node))))
        for offset, var in self._survey.scalar_cells.get(object_, {}).items():
            found.append(RegionCell(at(offset), size_of(var.type), Scalar(var)))
        found.sort(key=lambda c: (c.offsets.first, c.offsets.step, c.size))
        known = self._object_cells[object_] = tuple(found)
        return known


def _first(members: list[tuple[str, Object, ByteRange]], views: list[str]) -> str:
    """What comes first in a class."""
    return min((*views, *(text for text, _, _ in members)), default="")


def _unknown(targets: Iterable[Target]) -> bool:
    return any(target.object == UNKNOWN for target in targets)


def partition(program: Program, points_to: PointsTo, single: bool = True) -> Partition:
    """Partition the storage of a program; with scalar variables for `single` places in memory?"""
    return Partition(program, points_to, single)


def lvalue_of(partition: Partition, var: Var) -> Lvalue:
    """The lvalue that a scalar variable of the formulas stands for: a variable of the program, the
    member of a record (`s.f`), or a single place in memory (`p->f`)."""
    if var in partition.single_lvalues:
        return partition.single_lvalues[var][0]
    declared = partition.points_to.address_taken.declared
    if var.name in declared:
        return var
    leaves = RecordScalars(partition.program.records, partition.program.data_model)
    name = var.name
    while "." in name:
        name = name.rpartition(".")[0]
        for leaf in leaves.members(declared[name]) if name in declared else ():
            if partition.storage(leaf) == Scalar(var):
                return leaf
    raise UnsupportedFeature(f"{var.name} is no variable of the program")


def in_scope(partition: Partition, expr: Expr, function: str) -> Expr:
    """The expression with lvalues of single places that the function itself has, if there are any:
    for people, and for other tools."""
    mapping: dict[Expr, Expr] = {}
    for lvalue in reads(expr):
        var = partition.single(lvalue)
        if var is not None and not _knows(function, lvalue):
            for other in partition.single_lvalues[var]:
                if other.type is lvalue.type and _knows(function, other):
                    mapping[lvalue] = other
                    break
    return substitute(expr, mapping) if mapping else expr


def _knows(function: str, lvalue: Lvalue) -> bool:
    return all(var.function in ("", function) for var in variables(lvalue))
