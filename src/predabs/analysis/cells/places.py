"""Where an access to memory lies: a base, indices with their strides, and an offset in bytes.

Soundness duty: the address of the access is that of the base, plus each index times its stride,
plus the offset, modulo the size of the address space (no modulo where only arrays with names are
indexed: leaving one of these is a fault).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import make
from ...ir.expr import AddressOf, Cast, Const, Deref, Expr, Field, Index, Lvalue, PointerAdd, Var
from ...ir.types import ArrayType, IntType, PointerType, Record, RecordType, size_of
from ...records import dataclass

WIDE = IntType(64, True)  # the type in which indices are compared


@dataclass(frozen=True, slots=True)
class Step:
    """An index, as a wide number, and how many bytes lie between one element and the next."""

    index: Expr
    stride: int


@dataclass(frozen=True, slots=True)
class Place:
    """What is accessed: the base is a variable itself, or what a pointer (an expression of pointer
    type) points to. `direct` if no pointer arithmetic is involved, which may wrap around."""

    base: Expr
    is_variable: bool
    steps: tuple[Step, ...]
    offset: int
    direct: bool

    @property
    def shape(self) -> tuple[tuple[int, ...], int]:
        """What two places must have in common to be compared index by index."""
        return tuple(step.stride for step in self.steps), self.offset


def wide(index: Expr) -> Expr:
    """An index as a wide number."""
    return make.cast(index, WIDE)


def place_of(lvalue: Lvalue, records: Mapping[str, Record]) -> Place | None:
    """The place of an lvalue; None for a bit-field."""
    steps: list[Step] = []
    offset, direct = 0, True
    here: Expr = lvalue
    while True:
        match here:
            case Field(base, name, _):
                assert isinstance(base.type, RecordType)
                member = records[base.type.tag].member(name)
                if member.bitfield:
                    return None
                offset += member.offset
                here = base
            case Index(base, index, type_):
                steps.append(Step(wide(index), size_of(type_)))
                here = base
            case Deref(pointer, _):
                here = pointer
                while True:
                    match here:
                        case PointerAdd(inner, index, PointerType(target, _)):
                            steps.append(Step(wide(index), size_of(target)))
                            direct = False
                            here = inner
                        case Cast(inner, PointerType()) if isinstance(inner.type, PointerType):
                            here = inner
                        case _:
                            break
                if isinstance(here, AddressOf):
                    here = here.target
                    continue
                return _made(here, False, steps, offset, direct)
            case Var():
                return _made(here, True, steps, offset, direct)
            case _:
                return None


def _made(base: Expr, variable: bool, steps: list[Step], offset: int, direct: bool) -> Place:
    kept = []
    for step in steps:
        if isinstance(step.index, Const):
            offset += step.index.value * step.stride
        elif step.stride:
            kept.append(step)
    kept.sort(key=lambda step: -step.stride)
    return Place(base, variable, tuple(kept), offset, direct)


def element_type(var: Var) -> ArrayType | None:
    """The type of a variable that is an array."""
    return var.type if isinstance(var.type, ArrayType) else None
