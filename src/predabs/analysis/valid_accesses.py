"""Which faults of memory cannot happen, as points-to sets, sizes of objects and intervals tell.

Soundness duty: a condition that is excluded holds in no run that comes to its location without a
fault before. An access is excluded from being invalid only if its pointer certainly holds an
address of the program's, and all bytes lie inside each object it may lead to, which must live as
long as the pointer does: a global, a variable of the entry function, a local whose address stays in
variables of its call and of those below, or an allocated object that nothing frees.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from ..ir.cfa import Location, Program, is_string_literal
from ..ir.expr import (
    FALSE,
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    Index,
    Lvalue,
    Not,
    Op,
    Or,
    PointerAdd,
    ValidAccess,
    ValidFree,
    Var,
)
from ..ir.ops import Alloc, AllocKind, Assign, Call, Free, Return
from ..ir.types import PointerType, RecordType, is_scalar, size_of
from ..ir.walk import root_of
from .facts import ProgramFacts
from .intervals.bounds import Bounds
from .intervals.interval import Interval
from .own_addresses import OwnAddresses, is_own
from .points_to.objects import Allocated, Object, Variable
from .points_to.sets import PointsTo

Place: TypeAlias = tuple[Object, Interval]  # an object, and the offsets in it

_MOST_EDGES = 20_000  # of a program that is looked at as a whole
_MOST_WITH_INTERVALS = 5_000


class ValidAccesses:
    """What cannot go wrong in the program of the facts."""

    def __init__(self, facts: ProgramFacts) -> None:
        self._facts = facts
        self._program = facts.program
        self._edges = sum(len(function.edges) for function in self._program.functions.values())

    def excluded(self, location: Location, cond: Expr) -> bool:
        """Can the condition of a fault certainly not hold when a run is at the location?"""
        if self._edges > _MOST_EDGES:
            return cond is FALSE
        if location not in self._own.states:
            return True  # no run comes here
        return self._never(location, cond)

    def _never(self, location: Location, cond: Expr) -> bool:
        match cond:
            case Const(0, _):
                return True
            case Or(args):
                return all(self._never(location, arg) for arg in args)
            case And(args):
                return any(self._never(location, arg) for arg in args)
            case Not(ValidAccess(pointer, size, writes)):
                return self._is_valid(location, pointer, size, writes)
            case Not(ValidFree(Const(0, _))):
                return True
            case Binary(Op.EQ, pointer, Const(0, _), _) if isinstance(pointer.type, PointerType):
                return self._is_address(location, pointer)
            case Binary(Op.LT | Op.LE as op, left, right, _):
                one, two = self._range(location, left), self._range(location, right)
                if one is None or two is None:
                    return False
                return one[0] >= two[1] if op is Op.LT else one[0] > two[1]
            case Not(Binary(Op.LT | Op.LE as op, left, right, _)):
                one, two = self._range(location, left), self._range(location, right)
                if one is None or two is None:
                    return False
                return one[1] < two[0] if op is Op.LT else one[1] <= two[0]
        return False

    @cached_property
    def _own(self) -> OwnAddresses:
        points_to = self._facts.points_to
        return OwnAddresses(
            self._program, points_to.address_taken.scalar_variable, points_to.call_targets
        )

    @cached_property
    def _types_alone(self) -> Bounds:
        return Bounds(lambda lvalue: None)

    def _range(self, location: Location, e: Expr) -> Interval | None:
        found = self._types_alone.of(e, {})
        if found is None or found[0] == found[1] or self._edges > _MOST_WITH_INTERVALS:
            return found
        return self._facts.intervals.range(location, e)

    def _is_address(self, location: Location, pointer: Expr) -> bool:
        return is_own(pointer, self._own.states[location]) is False

    # --- accesses ---------------------------------------------------------------------------------

    def _is_valid(self, location: Location, pointer: Expr, size: Expr, writes: bool) -> bool:
        if not self._is_address(location, pointer):
            return False
        places, bytes_ = self._places(location, pointer), self._range(location, size)
        if not places or bytes_ is None:
            return False
        for made, (low, high) in places:
            room = self._facts.points_to.size(made)
            if room is None or low < 0 or high + bytes_[1] > room:
                return False
            if not self._lives_on(made) or (writes and _is_literal(made)):
                return False
        return True

    def _places(self, location: Location, pointer: Expr) -> tuple[Place, ...]:
        """All that the pointer may lead to; nothing if that is not known."""
        match pointer:
            case PointerAdd(base, index, PointerType(target, _)):
                steps = self._range(location, index)
                if steps is None:
                    return ()
                return _moved(self._places(location, base), _times(steps, size_of(target)))
            case Cast(arg, _) if isinstance(arg.type, PointerType):
                return self._places(location, arg)
            case AddressOf(target, _):
                distance = self._distance(location, target)
                if distance is None:
                    return ()
                root = root_of(target)
                if isinstance(root, Var):
                    return ((self._facts.points_to.variable(root), distance),)
                return _moved(self._places(location, root.pointer), distance)
        found: list[Place] = []
        for reached in self._facts.points_to.targets(pointer):
            last = reached.offsets.last
            if last is None or not isinstance(reached.object, Variable | Allocated):
                return ()
            found.append((reached.object, (reached.offsets.first, last)))
        return tuple(found)

    def _distance(self, location: Location, lvalue: Lvalue) -> Interval | None:
        """How far an lvalue lies behind the start of its root."""
        low, high = 0, 0
        here: Expr = lvalue
        while not isinstance(here, Var | Deref):
            match here:
                case Field(base, name, _):
                    assert isinstance(base.type, RecordType)
                    offset = self._program.records[base.type.tag].member(name).offset
                    step: Interval | None = (offset, offset)
                case Index(base, index, element):
                    steps = self._range(location, index)
                    step = None if steps is None else _times(steps, size_of(element))
                case _:
                    return None
            if step is None:
                return None
            low, high, here = low + step[0], high + step[1], base
        return low, high

    # --- how long objects live --------------------------------------------------------------------

    def _lives_on(self, made: Object) -> bool:
        match made:
            case Variable(var):
                return not var.function or self._lasts(var)
            case Allocated(edge):
                assert isinstance(edge.op, Alloc)
                return edge.op.kind is AllocKind.HEAP and made not in self._freed
        return False

    def _lasts(self, var: Var) -> bool:
        entry = self._program.entry
        if var.function == entry and entry not in self._called:
            return True
        return var not in self._leaving

    @cached_property
    def _called(self) -> frozenset[str]:
        graph = self._facts.call_graph
        return frozenset(name for names in graph.values() for name in names)

    @cached_property
    def _freed(self) -> frozenset[Object]:
        points_to = self._facts.points_to
        return frozenset(
            target.object
            for function in self._program.functions.values()
            for edge in function.edges
            if isinstance(edge.op, Free)
            for target in points_to.targets(edge.op.pointer)
        )

    @cached_property
    def _leaving(self) -> frozenset[Var]:
        return leaving_variables(self._program, self._facts.points_to)


def leaving_variables(program: Program, points_to: PointsTo) -> frozenset[Var]:
    """The variables whose address is stored where it may be longer than their function runs."""
    return frozenset(
        target.object.var
        for value in _stored_values(program, points_to)
        for target in points_to.targets(value)
        if isinstance(target.object, Variable)
    )


def _stored_values(program: Program, points_to: PointsTo) -> Iterator[Expr]:
    """What is returned, or written to anything but a local that only its name reaches."""
    scalar = points_to.address_taken.scalar_variable
    for function in program.functions.values():
        for edge in function.edges:
            match edge.op:
                case Return(value) if value is not None and is_scalar(value.type):
                    yield value
                case Assign(target, value) if is_scalar(value.type):
                    if not (isinstance(target, Var) and target.function and scalar(target)):
                        yield value
                case Call(_, _, args):
                    for name in points_to.call_targets(edge):
                        callee = program.functions.get(name)
                        params = callee.params if callee is not None else ()
                        for param, arg in zip(params, args, strict=False):
                            if is_scalar(arg.type) and not scalar(param):
                                yield arg


def _is_literal(made: Object) -> bool:
    return isinstance(made, Variable) and is_string_literal(made.var)


def _times(steps: Interval, size: int) -> Interval:
    return steps[0] * size, steps[1] * size


def _moved(places: tuple[Place, ...], by: Interval) -> tuple[Place, ...]:
    return tuple((made, (low + by[0], high + by[1])) for made, (low, high) in places)
