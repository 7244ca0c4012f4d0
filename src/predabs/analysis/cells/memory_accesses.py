"""The accesses of a program to memory regions: where each lies, and when it hits a cell.

Soundness duty: that of `Hit`, for all accesses that do not fault; it rests on points-to sets, which
hold up to the first fault of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...ir import make
from ...ir.cfa import Edge, ExternPointers, Program
from ...ir.def_use import op_reads, op_target
from ...ir.expr import TRUE, Expr, Lvalue, Op, Var
from ...ir.types import IntType, Type, is_scalar
from ..facts import ProgramFacts
from ..memory.partition import NOTHING, InRegion, RegionId
from ..once import AtMostOnce
from ..points_to.objects import UNKNOWN, Allocated, Object, Variable
from .distinguished import MISS, Cell, Hit, Single, index_hit, number_type
from .places import Place, Step, array_bounds, place_of


class MemoryAccesses:
    """Answers for one program."""

    def __init__(self, facts: ProgramFacts) -> None:
        self.program: Program = facts.program
        self.partition = facts.partition
        self.points_to = facts.points_to
        self.once = AtMostOnce(facts.program, facts.points_to.call_targets)
        self.bits = facts.program.data_model.pointer_bits
        self.number = IntType(self.bits, False)  # of an address
        self._apart = facts.program.extern_pointers is not ExternPointers.ANY
        self._lengths = array_bounds(facts.program, facts.interval)
        self._places: dict[Lvalue, Place | None] = {}

    def region(self, lvalue: Lvalue) -> RegionId | None:
        """The memory region of a scalar lvalue, if it is in one."""
        if not is_scalar(lvalue.type):
            return None
        storage = self.partition.storage(lvalue)
        return storage.region if isinstance(storage, InRegion) else None

    def unit(self, region: RegionId) -> Type | None:
        """The type of the cells of a region, as numbers; None if they cannot be followed."""
        unit = self.partition.region(region).unit
        if region is NOTHING or unit is None:
            return None
        return number_type(unit)

    def fits(self, type_: Type, unit: Type) -> bool:
        """Can a value of the type be converted to a cell and back?"""
        one = number_type(type_)
        match one, unit:
            case IntType(bits, _), IntType(others, _):
                return one is unit or (bits == others and bits % 8 == 0)
        return one is unit

    def place(self, lvalue: Lvalue) -> Place | None:
        """Where an access lies, in terms of the program."""
        if lvalue not in self._places:
            self._places[lvalue] = place_of(lvalue, self.program.records, self._lengths)
        return self._places[lvalue]

    def objects(self, lvalue: Lvalue) -> frozenset[Object]:
        """The objects that an access may be to."""
        return frozenset(target.object for target in self.points_to.reached(lvalue))

    def is_single(self, object_: Object) -> bool:
        """Is there at most one such object in a run, or in a call that is under way?"""
        match object_:
            case Variable():
                return True
            case Allocated(edge):
                return self.once.location(edge.src)
        return False

    def starts(self, pointer: Expr) -> frozenset[Object] | None:
        """The objects to whose first byte a pointer points; None if it may point elsewhere."""
        found = set()
        for target in self.points_to.targets(pointer):
            if target.object is UNKNOWN:
                if not self._apart:
                    return None
            elif target.offset != 0:
                return None
            else:
                found.add(target.object)
        return frozenset(found)

    def hit(self, lvalue: Lvalue, cell: Cell, value: Callable[[Expr], Expr]) -> Hit:
        """When does an access hit a cell? `value` puts expressions of the program into terms of
        numbers."""
        place = self.place(lvalue)
        objects = self.objects(lvalue)
        if objects.isdisjoint(cell.objects) and (self._apart or UNKNOWN not in objects):
            return MISS
        unit = self.unit(cell.region)
        assert unit is not None
        if place is None or not self.fits(lvalue.type, unit):
            return Hit(TRUE, make.truth(False))
        same: Expr | None = None
        if place.is_variable:
            same = TRUE
        else:
            starts = self.starts(place.base)
            if starts is not None:
                alone = isinstance(cell.anchor, Single) and starts <= cell.objects
                same = TRUE if alone else make.equal(value(place.base), cell.anchor.address)
        if same is not None:
            steps = tuple(Step(value(step.index), step.stride, step.most) for step in place.steps)
            moved = Place(place.base, place.is_variable, steps, place.offset, place.direct)
            found = index_hit(moved, cell, self.bits, same)
            if found is not None:
                return found
        return Hit(make.equal(self.address(place, value), self.cell_address(cell)), TRUE)

    def address(self, place: Place, value: Callable[[Expr], Expr]) -> Expr:
        """The address of a place as a number."""
        base = self.address_variable(place.base) if place.is_variable else value(place.base)
        return self._sum(base, [(value(s.index), s.stride) for s in place.steps], place.offset)

    def cell_address(self, cell: Cell) -> Expr:
        steps = list(zip(cell.index, cell.strides, strict=True))
        return self._sum(cell.anchor.address, steps, cell.offset)

    def _sum(self, base: Expr, steps: list[tuple[Expr, int]], offset: int) -> Expr:
        result = make.cast(base, self.number)
        for index, stride in steps:
            scaled = make.binary(
                Op.MUL, make.cast(index, self.number), make.const(stride, self.number)
            )
            result = make.binary(Op.ADD, result, scaled)
        if offset % (1 << self.bits):
            result = make.binary(Op.ADD, result, make.const(self.number.wrap(offset), self.number))
        return result

    def address_variable(self, var: Expr) -> Var:
        """The variable that holds the address of a variable of the program."""
        assert isinstance(var, Var)
        return Var(f"&{var.name.replace('::', '.')}", self.number)

    def anchor(self, lvalue: Lvalue) -> Single | frozenset[Object] | None:
        """The object that all accesses of an lvalue are to; or the allocations that make it, and
        then its base points to its first byte."""
        place = self.place(lvalue)
        objects = self.objects(lvalue) - {UNKNOWN} if self._apart else self.objects(lvalue)
        if place is None or not objects:
            return None
        if len(objects) == 1:
            (object_,) = objects
            if isinstance(object_, Variable):
                return Single(object_, self.address_variable(object_.var))
            if isinstance(object_, Allocated) and self.is_single(object_):
                return Single(object_, Var(f"&{object_}", self.number))
        if place.is_variable or not all(isinstance(o, Allocated) for o in objects):
            return None
        if self.starts(place.base) is None:
            return None
        return frozenset(objects)


def edges_of(program: Program) -> Iterator[Edge]:
    """All edges, in a fixed order."""
    for function in program.functions.values():
        yield from function.edges


def memory_reads(accesses: MemoryAccesses, edge: Edge) -> list[Lvalue]:
    """The scalar lvalues in memory that an operation itself reads."""
    return [lvalue for lvalue in op_reads(edge.op) if accesses.region(lvalue) is not None]


def memory_write(accesses: MemoryAccesses, edge: Edge) -> Lvalue | None:
    """The scalar lvalue in memory that an operation itself writes."""
    target = op_target(edge.op)
    return None if target is None or accesses.region(target) is None else target


def definitions(facts: ProgramFacts) -> dict[Var, list[Edge]]:
    """The edges that may write each scalar variable."""
    found: dict[Var, list[Edge]] = {}
    for edge in edges_of(facts.program):
        for slot in facts.modref.slots.effects(edge).writes:
            if isinstance(slot, Var):
                found.setdefault(slot, []).append(edge)
    return found
