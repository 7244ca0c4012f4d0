"""What one operation reads and writes, in slots: scalar variables and memory regions.

Soundness duty: every slot that the operation itself may read or write is named; what a called
function does is not (see `modref`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from ..ir.cfa import Edge
from ..ir.def_use import op_target, op_values
from ..ir.expr import Deref, Expr, Field, Index, Lvalue, Var
from ..ir.ops import Alloc, Copy, Fill, Operation, Print
from ..ir.types import PointerType, VoidType, is_scalar
from ..ir.walk import reads
from ..records import dataclass
from .memory.partition import Partition, RegionId, Scalar, Storage
from .points_to.objects import UNKNOWN, Allocated

Slot: TypeAlias = Var | RegionId


@dataclass(frozen=True, slots=True)
class Effects:
    """Slots that may be read, may be written, and certainly are written as a whole."""

    reads: frozenset[Slot]
    writes: frozenset[Slot]
    kills: frozenset[Slot]


def slot_of(storage: Storage) -> Slot:
    return storage.var if isinstance(storage, Scalar) else storage.region


class Slots:
    """Finds the effects of the operations of a program."""

    def __init__(self, partition: Partition) -> None:
        self.partition = partition
        self._effects: dict[Edge, Effects] = {}
        self._values: dict[Expr, frozenset[Slot]] = {}
        self._targets: dict[Lvalue, frozenset[Slot]] = {}

    def effects(self, edge: Edge) -> Effects:
        """What the edge's operation does by itself."""
        known = self._effects.get(edge)
        if known is None:
            written = self._written(edge)
            known = self._effects[edge] = Effects(
                frozenset(self._read(edge.op)), frozenset(written), self._killed(edge.op)
            )
        return known

    def of_value(self, expr: Expr) -> frozenset[Slot]:
        """What evaluating an expression (or a record) reads."""
        known = self._values.get(expr)
        if known is None:
            known = self._values[expr] = frozenset(self._touched(reads(expr)))
        return known

    def of_target(self, lvalue: Lvalue) -> frozenset[Slot]:
        """What storing into an lvalue writes."""
        known = self._targets.get(lvalue)
        if known is None:
            known = frozenset(map(slot_of, self.partition.touched(lvalue)))
            self._targets[lvalue] = known
        return known

    def of_address(self, lvalue: Lvalue) -> frozenset[Slot]:
        """What computing the address of an lvalue reads: its pointer and indices."""
        found: set[Slot] = set()
        here: Expr = lvalue
        while not isinstance(here, Var):
            match here:
                case Deref(pointer, _):
                    return frozenset(found | self.of_value(pointer))
                case Index(base, index, _):
                    found |= self.of_value(index)
                    here = base
                case Field(base, _, _):
                    here = base
                case _:
                    break
        return frozenset(found)

    def _touched(self, lvalues: Iterable[Lvalue]) -> set[Slot]:
        return {
            slot_of(storage)
            for lvalue in lvalues
            if not isinstance(lvalue.type, VoidType)  # bytes behind a pointer: see `_read`
            for storage in self.partition.touched(lvalue)
        }

    def _read(self, op: Operation) -> set[Slot]:
        found = self._touched(self.partition.points_to.access_paths.read_by(op))
        match op:
            case Copy(_, source, _):
                targets = self.partition.points_to.targets(source)
                if any(target.object == UNKNOWN for target in targets):
                    found.update(map(slot_of, self.partition.touched_through(source)))
                for piece in self.partition.pieces(op):
                    if piece.source is not None:
                        found.add(slot_of(piece.source))
            case Print():
                for value in op_values(op):
                    if isinstance(value.type, PointerType):  # it may be a string
                        found.update(map(slot_of, self.partition.touched_through(value)))
        return found

    def _written(self, edge: Edge) -> set[Slot]:
        op = edge.op
        found: set[Slot] = set()
        target = op_target(op)
        if target is not None:
            found |= self.of_target(target)
        match op:
            case Fill() | Copy():
                found.update(slot_of(piece.target) for piece in self.partition.pieces(op))
            case Print() if (buffer := op.buffer()) is not None:
                # a `Havoc` before it has forgotten all this; the interpreter writes it here, also
                # in a slice
                found.update(map(slot_of, self.partition.touched_through(buffer)))
            case Alloc():
                cells = self.partition.cells(Allocated(edge))
                found.update(slot_of(cell.storage) for cell in cells)
        return found

    def _killed(self, op: Operation) -> frozenset[Slot]:
        target = op_target(op)
        if target is None:
            return frozenset()
        if is_scalar(target.type):
            storage = self.partition.storage(target)
            return frozenset((storage.var,)) if isinstance(storage, Scalar) else frozenset()
        slots = map(slot_of, self.partition.touched(target))
        return frozenset(slot for slot in slots if isinstance(slot, Var))
