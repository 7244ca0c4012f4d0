"""What one operation of a program does, as operations on the variables of the scalar program.

Soundness duty: whatever values memory has outside of the cells, the operations may do to variables
and cells what the operation does to them, unless it faults.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.expr import (
    FALSE,
    TRUE,
    Const,
    Expr,
    FunctionAddress,
    Lvalue,
    Op,
    Var,
)
from ...ir.ops import (
    Alloc,
    AllocKind,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    Fill,
    Free,
    Halt,
    Havoc,
    Operation,
    Print,
    Return,
    Skip,
    Source,
    Sweep,
)
from ...ir.types import (
    CHAR,
    FloatType,
    IntType,
    PointerType,
    Type,
    is_scalar,
    size_of,
)
from ...records import dataclass
from ..effects import Slot
from ..memory.partition import RegionId
from ..points_to.objects import Allocated
from .bags import Bag
from .distinguished import Cell, Node, Single, number_type
from .places import WIDE, Place, unwidened, wide
from .reads import CellValues
from .scalar_variables import FLAG, ONE, ZERO, zero


@dataclass(frozen=True, slots=True)
class _Replaced:
    """An element of a bag that is written, with the value that it had."""

    bag: Bag
    index: Expr
    sure: Expr
    old: Var


class CellOperations(CellValues):
    """Translates one edge."""

    def run(self) -> list[Operation]:
        """The operations, one after the other."""
        variables = self._variables
        sums, cursors, bags = variables.sums, variables.cursors, variables.bags
        self._ops += sums.before(self._edge, self._known, self._held, self._anything)
        self._ops += bags.before(self._edge)
        before, moved = cursors.before(self._edge, self._anything)
        self._ops += before
        self._do(self._edge.op)
        self._ops += sums.after(self._edge, self._held)
        self._ops += cursors.after(self._edge, moved, self._cells.cells, self._anything)
        self._ops += bags.after(self._edge, self._known, self._held)
        for var, ghost in self._cells.once.get(self._edge, ()):
            self._ops.append(Assume(make.equal(self._variables.scalar(var), ghost)))
        return self._ops or [Skip()]

    def _do(self, op: Operation) -> None:
        ops = self._ops
        match op:
            case Skip():
                pass
            case Assign(target, value) if is_scalar(target.type):
                new = self.value(value)
                self._bind()
                self._write(target, new)
            case Havoc(target, source, name) if is_scalar(target.type):
                self._havoc(target, source, name)
            case Assume(cond, promised):
                new = self.value(cond)
                self._bind()
                ops.append(Assume(new, promised))
            case Call():
                self._call(op)
            case Return(value):
                if value is not None and not is_scalar(value.type):
                    raise UnsupportedFeature(f"{self._edge.coord}: a record is returned")
                result = None if value is None else self.value(value)
                self._bind()
                ops.append(Return(result))
            case Alloc():
                self._alloc(op)
            case Free(pointer):
                self._free(pointer)
            case Error():
                flags = self._cells.flags
                ops.append(Assume(make.conj(make.equal(flag, ONE) for flag in flags)))
                # so that the slice keeps them
                for ghost in (*self._variables.sums.ghosts, *self._variables.bags.ghosts):
                    ops.append(Assume(make.equal(self._anything(ghost.type), ghost)))
                ops.append(op)
            case Halt(text):
                ops.append(Halt(text, None))
            case Print(target):
                if target is not None:
                    self._havoc(target, Source.UNKNOWN, "printed")
            case Fill(pointer, byte, size):
                self._fill(pointer, byte, size)
            case Assign() | Havoc() | Copy() | Sweep():
                self._forget()
            case _:
                assert_never(op)

    def _held(self, lvalue: Lvalue) -> Expr:
        """What a variable, or an access that is known, holds."""
        if self._accesses.region(lvalue) is None:
            return self._variables.scalar(lvalue)
        return self._temporary(lvalue)

    def _bind(self) -> None:
        """Remember whether ghosts are what they are bound to."""
        for binding in self._cells.bindings.get(self._edge, ()):
            met = make.equal(binding.value, binding.ghost)
            if binding.sure is not TRUE:
                met = make.disj((make.negate(self.value(binding.sure)), met))
            self._ops.append(Assign(binding.flag, make.cast(met, FLAG)))

    # --- writes -----------------------------------------------------------------------------------

    def _write(self, target: Lvalue, value: Expr) -> None:
        region = self._accesses.region(target)
        if region is None:
            var = self._variables.scalar(target)
            self._ops.append(Assign(var, make.cast(value, var.type)))
            return
        temporary = self._temporary(target)
        self._place(target)
        self._not_null(target)
        replaced = self._replaced(target)
        self._ops.append(Assign(temporary, make.cast(value, temporary.type)))
        self._through(target, region, temporary)
        self._replace(replaced, temporary)

    def _place(self, target: Lvalue) -> None:
        """Evaluate what leads to a place, before anything is written."""
        place = self._accesses.place(target)
        for part in () if place is None else (place.base, *(s.index for s in place.steps)):
            if place is not None and not (place.is_variable and part is place.base):
                self._operand(part)

    def _through(self, target: Lvalue, region: RegionId, temporary: Var) -> None:
        """Write what a temporary holds to the cells that it is written to."""
        for cell, hit in self._hits(target, region):
            content = make.cast(temporary, cell.var.type)
            new = make.ite(hit.cond, content, cell.var)
            if hit.sure is not TRUE:
                new = make.ite(hit.sure, new, self._anything(cell.var.type))
            self._ops.append(Assign(cell.var, new))
        for (stored, address), flag in self._variables.stored.items():
            if stored is region:
                same = make.equal(make.cast(temporary, address.type), address)
                self._ops.append(Assign(flag, make.ite(same, ONE, flag)))

    def _havoc(self, target: Lvalue, source: Source, name: str) -> None:
        region = self._accesses.region(target)
        type_ = number_type(target.type)
        if region is None:
            var = self._variables.scalar(target)
            self._ops.append(Havoc(var, source, name))
            self._outside(target, var)
            return
        temporary = self._temporary(target)
        self._place(target)
        self._not_null(target)
        assert temporary.type is type_
        replaced = self._replaced(target)
        self._ops.append(Havoc(temporary, source, name))
        self._outside(target, temporary)
        self._through(target, region, temporary)
        self._replace(replaced, temporary)

    def _replaced(self, target: Lvalue) -> list[_Replaced]:
        """What is replaced in bags by a write: what is there before it."""
        found = []
        for bag, element in self._variables.bags.written(target):
            old = self._anything(bag.array.element)
            self._ops.append(Assign(old, make.cast(self.value(target), old.type)))
            index, sure = self._operand(element.index), self._operand(element.sure)
            found.append(_Replaced(bag, index, sure, old))
        return found

    def _replace(self, replaced: list[_Replaced], new: Var) -> None:
        for item in replaced:
            content = make.cast(new, item.old.type)
            self._ops += self._variables.bags.replaced(
                item.bag, item.index, item.sure, item.old, content
            )

    def _outside(self, target: Lvalue, var: Var) -> None:
        """A pointer from outside is not that of an object of the program."""
        if isinstance(target.type, PointerType) and self._variables.apart:
            for node in self._cells.nodes:
                self._ops.append(Assume(make.not_equal(var, node.address)))

    def _forget(self) -> None:
        """All that the operation writes may hold anything."""
        self._forget_slots(self._facts.modref.effects(self._edge).writes)

    def _forget_slots(self, slots: Iterable[Slot], but: frozenset[Cell] = frozenset()) -> None:
        for slot in sorted(slots, key=str):
            if isinstance(slot, Var):
                var = self._variables.variable(slot)
                self._ops.append(Havoc(var, Source.UNKNOWN, slot.short))
                continue
            for cell in self._variables.all_cells():
                if cell.region is slot and cell not in but:
                    self._ops.append(Havoc(cell.var, Source.UNKNOWN, cell.var.name))
            for (stored, _), flag in self._variables.stored.items():
                if stored is slot:
                    self._ops.append(Assign(flag, ONE))

    def _fill(self, pointer: Expr, byte: Expr, size: Expr) -> None:
        """Cells inside of what is filled hold that byte, those outside what they held."""
        assert isinstance(pointer.type, PointerType)
        first = make.deref(make.cast(pointer, PointerType(CHAR, pointer.type.bits)))
        place = self._accesses.place(first)
        new: dict[Cell, Expr] = {}
        for cell in self._cells.cells:
            inside = None if place is None else self._distance(first, place, cell)
            if inside is not None:
                new[cell] = self._filled(cell, inside, byte, wide(self.value(size)))
        slots = self._facts.modref.effects(self._edge).writes
        for cell, value in new.items():  # first, as other slots may lead to them
            if cell.region in slots:
                self._ops.append(Assign(cell.var, value))
        self._forget_slots(slots, frozenset(new))

    def _distance(self, first: Lvalue, place: Place, cell: Cell) -> tuple[Expr, Expr] | None:
        """Whether what is filled begins in the cell's object, and how many bytes before the cell;
        None if that is not known."""
        narrow = all(isinstance(t, IntType) and t.bits <= 32 for t in map(_inner_type, cell.index))
        if place.steps or not narrow:
            return None
        same: Expr = TRUE
        if not place.is_variable:
            starts = self._accesses.starts(place.base)
            if starts is None:
                return None
            if not (isinstance(cell.anchor, Single) and starts <= cell.objects):
                same = make.equal(self._operand(place.base), cell.anchor.address)
        elif self._accesses.objects(first) != cell.objects:
            return FALSE, make.const(0, WIDE)
        distance: Expr = make.const(cell.offset - place.offset, WIDE)
        for index, stride in zip(cell.index, cell.strides, strict=True):
            scaled = make.binary(Op.MUL, index, make.const(stride, WIDE))
            distance = make.binary(Op.ADD, distance, scaled)
        return same, distance

    def _filled(self, cell: Cell, where: tuple[Expr, Expr], byte: Expr, size: Expr) -> Expr:
        """What a cell holds afterwards; a cell of which a part is filled may hold anything."""
        same, distance = where
        type_ = cell.var.type
        length = make.const(size_of(type_), WIDE)
        zero_ = make.const(0, WIDE)
        end = make.binary(Op.ADD, distance, length)
        inside = make.conj(
            (
                make.less_equal(zero_, size),
                make.less_equal(zero_, distance),
                make.less_equal(end, size),
            )
        )
        outside = make.conj(
            (
                make.less_equal(zero_, size),
                make.disj((make.less_equal(end, zero_), make.less_equal(size, distance))),
            )
        )
        content = _repeated(byte, type_)
        other = self._anything(type_)
        held = make.ite(outside, cell.var, other)
        held = make.ite(inside, other if content is None else content, held)
        return make.ite(same, held, cell.var)

    # --- calls and objects ------------------------------------------------------------------------

    def _call(self, op: Call) -> None:
        if not isinstance(op.callee, FunctionAddress):
            raise UnsupportedFeature(f"{self._edge.coord}: a function is called by a pointer")
        if any(not is_scalar(arg.type) for arg in op.args):
            raise UnsupportedFeature(f"{self._edge.coord}: an argument is a record")
        program = self._facts.program
        args = tuple(self.value(arg) for arg in op.args)
        self._bind()
        target = op.target
        if target is None:
            self._ops.append(Call(None, op.callee, args))
            return
        if not is_scalar(target.type):
            raise UnsupportedFeature(f"{self._edge.coord}: a record is returned")
        region = self._accesses.region(target)
        if region is None:
            self._ops.append(Call(self._variables.scalar(target), op.callee, args))
            return
        temporary = self._temporary(target)
        self._ops.append(Call(temporary, op.callee, args))
        effects = self._facts.modref
        moves = effects.slots.of_address(target)
        if op.callee.name not in program.functions or moves.isdisjoint(
            effects.writes(op.callee.name)
        ):
            self._values.clear()
            self._place(target)
            self._through(target, region, temporary)
        else:
            self._forget_slots(effects.slots.of_target(target))

    def _alloc(self, op: Alloc) -> None:
        """A fresh object: if it is a distinguished one, its cells hold anything or zero."""
        self.value(op.size)
        fresh = self._anything(self._accesses.number)
        self._ops.append(Assume(make.not_equal(fresh, self._variables.null())))
        mine = Allocated(self._edge)
        for node in self._cells.nodes:
            same = make.equal(fresh, node.address)
            if mine not in node.objects:
                continue
            live = self._variables.live(node)
            if op.kind is AllocKind.HEAP:
                self._ops.append(Assume(make.disj((make.negate(same), make.equal(live, ZERO)))))
                self._ops.append(Assign(live, make.ite(same, ONE, live)))
        for cell in self._variables.all_cells():
            if mine not in cell.objects:
                continue
            begin = zero(cell.var.type) if op.zeroed else self._anything(cell.var.type)
            if isinstance(cell.anchor, Node):
                same = make.equal(fresh, cell.anchor.address)
                self._ops.append(Assign(cell.var, make.ite(same, begin, cell.var)))
            else:
                self._ops.append(Assign(cell.anchor.address, fresh))
                self._ops.append(Assign(cell.var, begin))
        self._write(op.target, fresh)

    def _free(self, pointer: Expr) -> None:
        value = self.value(pointer)
        for node in self._cells.nodes:
            live = self._variables.live(node)
            same = make.equal(value, node.address)
            self._ops.append(Assign(live, make.ite(same, ZERO, live)))


def _inner_type(index: Expr) -> Type:
    return unwidened(index).type


def _repeated(byte: Expr, type_: Type) -> Expr | None:
    """The value all of whose bytes are this one; None if that is not known."""
    if not isinstance(byte, Const):
        return None
    if isinstance(type_, FloatType):
        return zero(type_) if byte.value % 256 == 0 else None
    assert isinstance(type_, IntType)
    count = size_of(type_)
    return make.const(type_.wrap(int.from_bytes(bytes([byte.value % 256]) * count)), type_)
