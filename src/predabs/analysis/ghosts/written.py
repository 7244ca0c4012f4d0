"""Ghost flags: has a place in memory been written?

A place of which it is asked has a flag if the pointer can only lead to these bytes of one object,
and there is never more than one such object: a variable whose address is taken, a member of a
record that is allocated once. Soundness duty: a flag is 1 only while all bytes of the place have
been written. A write that may go elsewhere sets no flag; one that may copy bytes which were not
written resets the flags of all that it may touch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...ir import make
from ...ir.cfa import Edge, ExternPointers, Program
from ...ir.def_use import op_target
from ...ir.expr import Const, Expr, Initialised, Lvalue, Var
from ...ir.ops import Alloc, Assign, Assume, Call, Copy, Fill, Havoc, Source
from ...ir.types import CBOOL, PointerType, is_scalar, size_of
from ...ir.walk import subterms
from ...records import dataclass
from ..points_to.objects import Allocated, Object, Target, Variable
from ..points_to.offsets import at, overlap
from ..points_to.sets import PointsTo
from .numbers import object_name


@dataclass(frozen=True, slots=True)
class _Bytes:
    """So many bytes of an object, from an offset on."""

    object: Object
    offset: int
    size: int


class WrittenFlags:
    """The flags of one program; `single` says that there is never more than one such object."""

    def __init__(
        self, program: Program, points_to: PointsTo, single: Callable[[Object], bool]
    ) -> None:
        self._points_to = points_to
        self._single = single
        self._bits = program.data_model.pointer_bits
        self._flags: dict[_Bytes, Var] = {}
        self._params = frozenset(p for f in program.functions.values() for p in f.params)
        if program.extern_pointers is ExternPointers.ANY:
            return  # a pointer from outside may lead to any place
        for function in program.functions.values():
            for edge in function.edges:
                for term in subterms(edge.op.cond) if isinstance(edge.op, Assume) else ():
                    if isinstance(term, Initialised) and (place := self._place(term.pointer)):
                        self._flags.setdefault(place, Var(_name(place), CBOOL))

    def condition(self, question: Initialised) -> Expr | None:
        """What the flag of the place says, if it has one."""
        place = self._place(question.pointer)
        if place is None or place not in self._flags:
            return None
        return make.equal(self._flags[place], _flag_value(True))

    def globals(self) -> Iterator[Assign]:
        """The flags with their first values: a global is written, and all else comes later."""
        for flag in self._flags.values():
            yield Assign(flag, _flag_value(True))

    def after(self, edge: Edge) -> Iterator[Assign]:
        """What an operation does to the flags."""
        made = Allocated(edge) if isinstance(edge.op, Alloc) else None
        for place, flag in self._flags.items():
            if made is not None and place.object == made:
                assert isinstance(edge.op, Alloc)
                yield Assign(flag, _flag_value(edge.op.zeroed))
            elif (new := self._written(edge, place)) is not None:
                yield Assign(flag, new)

    def _place(self, pointer: Expr) -> _Bytes | None:
        targets = self._points_to.targets(pointer)
        if len(targets) != 1:
            return None
        (target,) = targets
        found, offset = target.object, target.offset
        if offset is None or not isinstance(found, Variable | Allocated) or not self._single(found):
            return None
        if isinstance(found, Variable) and found.var in self._params:
            return None  # what is passed may be a record with bytes that were not written
        assert isinstance(pointer.type, PointerType)
        return _Bytes(found, offset, size_of(pointer.type.target))

    def _written(self, edge: Edge, place: _Bytes) -> Expr | None:
        """The new value of a flag, None if that is the old one."""
        match edge.op:
            case Fill(pointer, _, Const(size, _)):
                surely = _covers(self._points_to.targets(pointer), size, place)
                return _flag_value(True) if surely else None
            case Copy(pointer, _, _):
                touched = any(t.object == place.object for t in self._points_to.targets(pointer))
                return _flag_value(False) if touched else None
        target = op_target(edge.op)
        if target is None:
            return None
        size = size_of(target.type)
        reached = self._points_to.reached(target)
        if not any(_overlaps(one, size, place) for one in reached):
            return None
        surely = _covers(reached, size, place)
        match edge.op:
            case Havoc(_, Source.UNINITIALIZED):
                return _flag_value(False)
            case Assign(_, value) if isinstance(value, Lvalue) and not self._is_register(value):
                pointer = make.address_of(value, PointerType(value.type, self._bits))
                source = self._place(pointer) if surely and is_scalar(value.type) else None
                return _flag_value(False) if source is None else self._flag_of(source)
            case Call() if not is_scalar(target.type):
                return _flag_value(False)
        return _flag_value(True) if surely else None

    def _flag_of(self, place: _Bytes) -> Expr:
        return self._flags.get(place, _flag_value(False))

    def _is_register(self, lvalue: Lvalue) -> bool:
        """Is it a variable that only its name reaches? Of those only written ones are stored."""
        return isinstance(lvalue, Var) and self._points_to.address_taken.scalar_variable(lvalue)


def _flag_value(written: bool) -> Const:
    return make.const(int(written), CBOOL)


def _overlaps(one: Target, size: int, place: _Bytes) -> bool:
    return one.object == place.object and overlap(one.offsets, size, at(place.offset), place.size)


def _covers(reached: frozenset[Target], size: int, place: _Bytes) -> bool:
    """Does a write that is no fault certainly write all bytes of the place?"""
    if len(reached) != 1:
        return False
    (one,) = reached
    if one.object != place.object or one.offset is None:
        return False
    return one.offset <= place.offset and place.offset + place.size <= one.offset + size


def _name(place: _Bytes) -> str:
    name = str(place.object).replace("::", ".")
    if isinstance(place.object, Allocated):
        name = object_name(place.object)
    return f"{name}.{place.offset}.{place.size}.written"
