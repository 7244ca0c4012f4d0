"""A survey of all accesses of a program: what partition of its storage they force.

Soundness duty: every access to memory that a run can make, by a scalar lvalue or as a block of
bytes, is entered into the cells.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.cfa import Edge, ExternPointers, Program
from ...ir.def_use import op_target
from ...ir.expr import Deref, Expr, Field, Index, Lvalue, Var
from ...ir.ops import Assign, Call, Copy, Fill, Havoc, Return
from ...ir.types import FloatType, IntType, PointerType, RecordType, Type, is_scalar, size_of
from ...ir.walk import reads
from ..points_to.access_paths import AccessPath, Displacement, extent_of
from ..points_to.objects import UNKNOWN, Object, Target
from ..points_to.offsets import Extent, aligned, at, progression
from ..points_to.sets import PointsTo
from .cells import AccessCells, BlockCut, BlockOperation
from .record_scalars import RecordScalars
from .views import EVERYTHING, Views

# a record with more scalars than this is copied by its pieces only
_MOST_LEAVES = 64


class AccessSurvey:
    """The cells, block operations and scalar members of a program.

    Members of a record are no scalar variables after all if the record is copied in other pieces;
    then they become cells.
    """

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self.program = program
        self.points_to = points_to
        self.access_paths = points_to.access_paths
        self.record_scalars = RecordScalars(program.records, program.data_model)
        self._demoted: set[Object] = set()
        self._apart = program.extern_pointers is not ExternPointers.ANY
        self.views = Views(program, points_to.address_taken.parts)
        self.cells = AccessCells(points_to, self._apart)
        self.blocks: dict[object, BlockOperation] = {}
        self._members: dict[Var, dict[Lvalue, Var]] = {}
        self._accessed: dict[Var, dict[Lvalue, None]] = {}  # members that are variables so far
        self.scalar_cells: dict[Object, dict[int, Var]] = {}  # by their offsets
        self.in_memory: dict[Lvalue, int] = {}  # scalar lvalues, with their cells
        self._scan()
        self.cells.settle()
        while conflicts := (self.cells.conflicts | self._split_bitfields()) - self._demoted:
            self._demote(conflicts)
            self.cells.settle()

    def _demote(self, objects: set[Object]) -> None:
        """The members of these records become cells."""
        self._demoted |= objects
        for object_ in objects:
            self.scalar_cells.pop(object_, None)
            self.cells.without_scalars(object_)
        for var in [var for var in self._members if self.points_to.variable(var) in objects]:
            self._members[var] = {}
            for lvalue in self._accessed.pop(var, ()):
                self._access(lvalue)

    # --- collecting -------------------------------------------------------------------------------

    def _scan(self) -> None:
        done: set[Lvalue] = set()
        for lvalue in self._accesses():
            if lvalue not in done:
                done.add(lvalue)
                self._access(lvalue)
        for item in self.program.globals:
            for assign in item.init:
                self._assign(assign)
        for function in self.program.functions.values():
            for edge in function.edges:
                self._block_of(edge)

    def _accesses(self) -> Iterator[Lvalue]:
        for item in self.program.globals:
            for assign in item.init:
                yield assign.target
                yield from reads(assign.value)
        for function in self.program.functions.values():
            yield from function.params
            for edge in function.edges:
                yield from self.access_paths.read_by(edge.op)
                target = op_target(edge.op)
                if target is not None:
                    yield target

    def _access(self, lvalue: Lvalue) -> None:
        """Note a scalar access; others are blocks of bytes."""
        if not is_scalar(lvalue.type):
            self._touch(lvalue)
            return
        if self.scalar(lvalue) is not None:
            if not isinstance(lvalue, Var) and isinstance(root := _root(lvalue), Var):
                self._accessed.setdefault(root, {})[lvalue] = None
        else:
            path = self.access_paths.accessed(lvalue)
            targets = self.points_to.reached_by(path)
            view = self.views.of(lvalue)
            cell = self.cells.access(targets, path.size, lvalue.type, view, partly=path.bitfield)
            if cell is not None:
                self.in_memory[lvalue] = cell

    def scalar(self, lvalue: Lvalue) -> Var | None:
        """The scalar variable that a scalar lvalue is, if it is one."""
        if isinstance(lvalue, Var):
            return lvalue if self.points_to.address_taken.scalar_variable(lvalue) else None
        root: Expr = lvalue
        while isinstance(root, Field):
            root = root.base
        if not isinstance(root, Var):
            return None
        return self._declare(root).get(lvalue)

    def _declare(self, var: Var) -> dict[Lvalue, Var]:
        """The scalar members of a record variable, by their lvalues."""
        members = self._members.get(var)
        if members is not None:
            return members
        members = self._members[var] = {}
        object_ = self.points_to.variable(var)
        if (
            not isinstance(var.type, RecordType)
            or var.name in self.points_to.address_taken.variables
            or object_ in self._demoted
        ):
            return members
        copied_by_name = self.record_scalars.all(var, _MOST_LEAVES) is not None
        for leaf in self.record_scalars.members(var):
            path = self.access_paths.accessed(leaf)
            if path.bitfield and not copied_by_name:
                continue  # only copies by name can copy parts of bytes
            name = f"{var.name}.{_member_names(leaf)}"
            if name in self.points_to.address_taken.declared:
                continue
            members[leaf] = Var(name, leaf.type)
            if not path.bitfield:
                offset = path.displacement.constant
                self.cells.scalar(object_, offset, path.size)
                self.scalar_cells.setdefault(object_, {})[offset] = members[leaf]
        return members

    def _touch(self, lvalue: Lvalue) -> None:
        """Declare the members of the variable that an lvalue is a part of."""
        root = _root(lvalue)
        if isinstance(root, Var):
            self._declare(root)

    # --- blocks of bytes --------------------------------------------------------------------------

    def _block_of(self, edge: Edge) -> None:
        op = edge.op
        match op:
            case Assign():
                self._assign(op)
            case Havoc(target, _, _) if not is_scalar(target.type):
                self._record_block(target, None)
            case Fill(pointer, _, size):
                self._block(op, self.points_to.targets(pointer), None, size)
            case Copy(pointer, source, size):
                sources = self.points_to.targets(source)
                self._block(op, self.points_to.targets(pointer), sources, size)
            case Call():
                self._call(edge, op)

    def _block(
        self,
        op: Fill | Copy,
        target: frozenset[Target],
        source: frozenset[Target] | None,
        size: Expr,
    ) -> None:
        if op not in self.blocks:
            extent = extent_of(size, self.access_paths)
            block = BlockOperation(
                target, source, extent, (BlockCut(progression(0, 1, extent.size), 1),)
            )
            self.blocks[op] = block
            self.cells.block(block)

    def _assign(self, op: Assign) -> None:
        if not is_scalar(op.target.type):
            self._record_block(op.target, op.value)

    def _record_block(self, target: Lvalue, source: Expr | None) -> None:
        """All bytes of a record (or array) are copied, or become anything."""
        key = (target, source)
        if key in self.blocks:
            return
        sides: list[Lvalue] = [target]
        sources = None
        if source is not None:
            assert isinstance(source, Var | Deref | Field | Index)
            sides.append(source)
            sources = self.points_to.reached(source)
            for side in sides:
                for leaf in self.record_scalars.all(side, _MOST_LEAVES) or ():
                    self._access(leaf)
        for side in sides:
            self._touch(side)
        extent = Extent(size_of(target.type), 1)
        targets = self.points_to.reached(target)
        wild = any(t.object == UNKNOWN for t in targets)
        block = BlockOperation(targets, sources, extent, self._cover(target) if wild else ())
        self.blocks[key] = block
        self.cells.block(block)

    def _cover(self, lvalue: Lvalue) -> tuple[BlockCut, ...]:
        """Cuts that make up a record: its scalars as they are, all other bytes one by one."""
        start, size = self.access_paths.accessed(lvalue).displacement.constant, size_of(lvalue.type)
        cuts: list[BlockCut] = []
        free = set(range(size))
        for leaf in self.record_scalars.all(lvalue, _MOST_LEAVES) or ():
            path = self.access_paths.accessed(leaf)
            if not path.bitfield:
                first = path.displacement.constant - start
                cuts.append(BlockCut(at(first), path.size))
                free.difference_update(range(first, first + path.size))
        if not cuts:
            return (BlockCut(progression(0, 1, size), 1),)
        return (*cuts, *(BlockCut(at(offset), 1) for offset in sorted(free)))

    def _call(self, edge: Edge, call: Call) -> None:
        """Records that are passed and returned by value."""
        for name in self.points_to.call_targets(edge):
            function = self.program.functions.get(name)
            if function is None:
                if call.target is not None and not is_scalar(call.target.type):
                    self._record_block(call.target, None)
                continue
            for param, arg in zip(function.params, call.args, strict=False):
                if param.type is arg.type and not is_scalar(param.type):
                    self._record_block(param, arg)
            if call.target is not None and not is_scalar(call.target.type):
                for value in self._returned(name):
                    if value.type is call.target.type:
                        self._record_block(call.target, value)

    def _returned(self, name: str) -> Iterator[Expr]:
        for edge in self.program.functions[name].edges:
            if isinstance(edge.op, Return) and edge.op.value is not None:
                yield edge.op.value

    def _split_bitfields(self) -> set[Object]:
        """The records kept as scalars whose bit-fields are not all copied by copies by name."""
        found: set[Object] = set()
        for key in self.blocks:
            if not isinstance(key, tuple):
                continue
            sides = [side for side in key if side is not None]
            if all(self.leaves(side) is not None for side in sides):
                continue
            for root in map(_root, sides):
                if isinstance(root, Var) and any(
                    self.access_paths.accessed(leaf).bitfield for leaf in self._declare(root)
                ):
                    found.add(self.points_to.variable(root))
        return found

    def classes(self, lvalue: Lvalue) -> set[int]:
        """The classes of cells that a scalar lvalue may touch."""
        path = self.access_paths.accessed(lvalue)
        targets = self.points_to.reached_by(path)
        return self.cells.classes(targets, path.size, self.views.of(lvalue))

    def _holds_all(self, leaf: Lvalue) -> bool:
        """Does a read or write of the scalar copy all that others see of its bytes?"""
        if len(self.classes(leaf)) > 1:
            return False
        path = self.access_paths.accessed(leaf)
        filled = not path.bitfield and _fills(leaf.type)
        for target in self.points_to.reached_by(path):
            if target.object == UNKNOWN and not filled:
                return False
            for key, node in self.cells.touched(target, path.size):
                same = key[1] == path.size and aligned(key[0], target.offsets, path.size)
                if not self.cells.bytewise(node) and not same:
                    return False
                if not filled and any(map(_fills, self.cells.types(node))):
                    return False
        return True

    def leaves(self, lvalue: Lvalue) -> tuple[Lvalue, ...] | None:
        """The scalar lvalues that a copy of the record copies, or None (see `Partition.leaves`)."""
        leaves = self.record_scalars.all(lvalue, _MOST_LEAVES)
        if leaves is None:
            return None
        extents: set[int] = set()
        for leaf in leaves:
            if self.scalar(leaf) is None and not self._holds_all(leaf):
                return None
            path = self.access_paths.accessed(leaf)
            first = path.displacement.constant
            extents.update(range(first, first + path.size))
        whole = self.access_paths.accessed(lvalue)
        first = whole.displacement.constant
        gaps = set(range(first, first + whole.size)) - extents
        for gap in gaps:
            byte = AccessPath(whole.root, Displacement(gap, whole.displacement.spreads), 1, False)
            if self.cells.classes(self.points_to.reached_by(byte), 1, EVERYTHING):
                return None
        return leaves


def _fills(type_: Type) -> bool:
    """Do the bits of a value fill its bytes? Not those of a _Bool, bit-field or long double."""
    return isinstance(type_, PointerType | IntType | FloatType) and type_.bits == 8 * size_of(type_)


def _root(lvalue: Lvalue) -> Expr:
    """The variable or dereference that an lvalue is a part of."""
    root: Expr = lvalue
    while isinstance(root, Field | Index):
        root = root.base
    return root


def _member_names(lvalue: Lvalue) -> str:
    """The names of the members that lead to an lvalue, with dots."""
    names: list[str] = []
    here: Expr = lvalue
    while isinstance(here, Field):
        names.append(here.name)
        here = here.base
    return ".".join(reversed(names))
