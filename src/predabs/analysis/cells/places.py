"""Where an access to memory lies: a base, indices with their strides, and an offset in bytes.

Soundness duty: the address of the access is that of the base, plus each index times its stride,
plus the offset, modulo the size of the address space (no modulo where only arrays with names are
indexed: leaving one of these is a fault).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...ir import make
from ...ir.cfa import Location, Program
from ...ir.def_use import op_target
from ...ir.expr import (
    AddressOf,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    Index,
    Lvalue,
    Op,
    PointerAdd,
    Var,
)
from ...ir.ops import Assign
from ...ir.types import IntType, PointerType, Record, RecordType, size_of
from ...ir.walk import variables
from ...records import dataclass

WIDE = IntType(64, True)  # the type in which indices are compared


@dataclass(frozen=True, slots=True)
class Step:
    """An index, as a wide number, and how many bytes lie between one element and the next. At
    `most` so many elements have addresses that are computed without wrap-around, if not all."""

    index: Expr
    stride: int
    most: int | None = None


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


def unwidened(index: Expr) -> Expr:
    """An index before it was made wide."""
    return index.arg if isinstance(index, Cast) and index.type is WIDE else index


def core(index: Expr) -> Expr:
    """An index without its widening."""
    while isinstance(index, Cast) and isinstance(index.arg.type, IntType):
        index = index.arg
    return index


def place_of(
    lvalue: Lvalue, records: Mapping[str, Record], constants: Mapping[Var, int]
) -> Place | None:
    """The place of an lvalue; None for a bit-field. `constants` are variables that are always
    constant: the bounds of arrays, which rows are multiplied with."""
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
                            steps.append(_scaled(index, size_of(target), constants))
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


def _scaled(index: Expr, size: int, constants: Mapping[Var, int]) -> Step:
    """A step by `i` rows, if the index is `i * length`."""
    match index:
        case Binary(Op.MUL, inner, length, IntType() as type_):
            count = _constant(length, constants)
            if count is not None and count > 0:
                return Step(wide(inner), size * count, (type_.high + 1) // count)
    return Step(wide(index), size)


def _constant(e: Expr, constants: Mapping[Var, int]) -> int | None:
    """The value of a product of constants, unless it is too large for its type."""
    match e:
        case Const(value, IntType()):
            return value
        case Var() if e in constants:
            return constants[e]
        case Cast(arg, IntType() as type_):
            inner = _constant(arg, constants)
            return inner if inner is not None and type_.low <= inner <= type_.high else None
        case Binary(Op.MUL, left, right, IntType() as type_):
            one, other = _constant(left, constants), _constant(right, constants)
            if one is None or other is None or not type_.low <= one * other <= type_.high:
                return None
            return one * other
    return None


def array_bounds(
    program: Program, interval: Callable[[Location, Var], tuple[int, int] | None]
) -> dict[Var, int]:
    """The bounds of arrays of variable length that are constants. Such a variable is assigned where
    its array is declared, before the array can be used, and nowhere else."""
    values: dict[Var, list[int | None]] = {}
    for function in program.functions.values():
        for edge in function.edges:
            target = op_target(edge.op)
            if isinstance(target, Var) and "#bound" in target.short:
                known = None
                if isinstance(edge.op, Assign):
                    value, here = edge.op.value, {}
                    for var in variables(value):
                        bounds = interval(edge.src, var)
                        if bounds is not None and bounds[0] == bounds[1]:
                            here[var] = bounds[0]
                    known = _constant(value, here)
                values.setdefault(target, []).append(known)
    return {var: v[0] for var, v in values.items() if len(v) == 1 and v[0] is not None}


def _made(base: Expr, variable: bool, steps: list[Step], offset: int, direct: bool) -> Place:
    kept = []
    for step in steps:
        if isinstance(step.index, Const):
            if step.most is not None and not 0 <= step.index.value < step.most:
                kept.append(step)
                continue
            offset += step.index.value * step.stride
        elif step.stride:
            kept.append(step)
    kept.sort(key=lambda step: -step.stride)
    return Place(base, variable, tuple(kept), offset, direct)
