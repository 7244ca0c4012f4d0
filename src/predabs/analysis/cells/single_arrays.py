"""Arrays of which a run has one, and the index at which an access to one of them lies.

Soundness duty: where what `Element.sure` says holds, an access that does not fault is to the
element at `index`, and to no other.
"""

from __future__ import annotations

from ...ir.expr import Expr, Lvalue, Var
from ...ir.types import IntType
from ...records import dataclass
from ..memory.partition import RegionId, Scalar
from .distinguished import Cell, Single, aligned, number_type, ranges_of, within
from .memory_accesses import MemoryAccesses
from .places import WIDE


@dataclass(frozen=True, slots=True)
class SingleArray:
    """An array, or a member of its elements: `stride` bytes lie between two of them, the first one
    begins at `offset`."""

    object: Single
    region: RegionId
    offset: int
    stride: int
    element: IntType


@dataclass(frozen=True, slots=True)
class Element:
    """An index (a wide number), which counts if `sure` holds: expressions of the program."""

    index: Expr
    sure: Expr


_ANY = Var("any index", WIDE)


def array_of(accesses: MemoryAccesses, lvalue: Lvalue) -> SingleArray | None:
    """The array whose elements an access with one index is to."""
    region, place = accesses.region(lvalue), accesses.place(lvalue)
    if region is None or place is None or len(place.steps) != 1:
        return None
    anchor, unit = accesses.anchor(lvalue), accesses.unit(region)
    if not isinstance(anchor, Single) or not isinstance(unit, IntType):
        return None
    if number_type(lvalue.type) is not unit:
        return None
    array = SingleArray(anchor, region, place.offset, place.steps[0].stride, unit)
    return None if element_of(accesses, lvalue, array) is None else array


def element_of(accesses: MemoryAccesses, lvalue: Lvalue, array: SingleArray) -> Element | None:
    """Which element of the array an access is to; None if it may be to something else."""
    place = accesses.place(lvalue)
    if accesses.region(lvalue) is not array.region or place is None:
        return None
    if number_type(lvalue.type) is not array.element:
        return None
    if accesses.objects(lvalue) != {array.object.object}:
        return None
    if not place.is_variable and accesses.starts(place.base) is None:
        return None
    shape = Cell(_ANY, array.region, array.object, (_ANY,), (array.stride,), array.offset)
    found = aligned(place, shape)
    ranges = None if found is None else ranges_of(place, (array.stride,), found, accesses.bits)
    if found is None or ranges is None:
        return None
    return Element(found[0], within(ranges))


def is_counter(accesses: MemoryAccesses, e: Expr) -> bool:
    """Is it a variable outside of memory that only operations change (no parameter)?"""
    if not isinstance(e, Var) or not isinstance(e.type, IntType) or e.type.high > WIDE.high:
        return False
    function = accesses.program.functions.get(e.function)
    passed = function is not None and e in function.params
    storage = accesses.partition.storage(e)
    return not passed and isinstance(storage, Scalar) and storage.var is e
