"""Distinguished cells [MG16]: places in memory whose contents a program with scalars keeps.

A *ghost* is a constant of a run that may be anything: an index, or the address of an object. A cell
is the place at an index that is an expression over ghosts, in an object that is a variable, the
only one that an allocation makes, or the one whose address is a ghost (its *anchor*).

Soundness duty: `hits` says exactly when an access that does not fault is to the cell, and `sure`
says when that can be told from indices at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ...ir import make
from ...ir.cfa import Edge
from ...ir.expr import FALSE, TRUE, Expr, Op, Var
from ...ir.types import IntType, PointerType, Type
from ...records import dataclass
from ..memory.partition import RegionId
from ..points_to.objects import Allocated, Object, Variable
from .places import WIDE, Place


@dataclass(frozen=True, slots=True)
class Single:
    """The one object that a variable is, or that an allocation makes which a run comes to at most
    once; `address` is a variable with its address."""

    object: Variable | Allocated
    address: Var


@dataclass(frozen=True, slots=True)
class Node:
    """The object of these allocations whose address is the ghost."""

    objects: frozenset[Object]
    address: Var


Anchor: TypeAlias = Single | Node


@dataclass(frozen=True, slots=True)
class Cell:
    """A place, and the variable that holds what is there."""

    var: Var
    region: RegionId
    anchor: Anchor
    index: tuple[Expr, ...]
    strides: tuple[int, ...]
    offset: int

    @property
    def objects(self) -> frozenset[Object]:
        anchor = self.anchor
        return anchor.objects if isinstance(anchor, Node) else frozenset((anchor.object,))


@dataclass(frozen=True, slots=True)
class Binding:
    """At an edge, a ghost is bound to the value of a variable, if the place that is read there is
    `sure` (an expression of the program); `flag` says whether the ghost has that value."""

    value: Var
    ghost: Var
    flag: Var
    sure: Expr


@dataclass(frozen=True, slots=True)
class Cells:
    """What was chosen for a program: the cells, which reads bind ghosts, ghosts that are the value
    which an edge gives to a variable (at most once in a run), and bounds of ghosts."""

    cells: tuple[Cell, ...]
    bindings: Mapping[Edge, tuple[Binding, ...]]
    once: Mapping[Edge, tuple[tuple[Var, Var], ...]]
    ghosts: tuple[Var, ...]
    flags: tuple[Var, ...]
    nodes: tuple[Node, ...]
    singles: tuple[Single, ...]
    bounds: tuple[Expr, ...]


def number_type(type_: Type) -> Type:
    """The type that a value has in the scalar program: pointers are numbers there."""
    return IntType(type_.bits, False) if isinstance(type_, PointerType) else type_


@dataclass(frozen=True, slots=True)
class Hit:
    """`cond`: it is the cell, provided that `sure`; else it may be the cell or not."""

    cond: Expr
    sure: Expr


MISS = Hit(FALSE, TRUE)


def aligned(place: Place, cell: Cell) -> tuple[Expr, ...] | None:
    """The indices of the access, one for each of the cell; None if they cannot be compared."""
    given = {stride: make.const(0, WIDE) for stride in cell.strides}
    found: dict[int, Expr] = dict(given)
    for step in place.steps:
        if step.stride not in found:
            return None
        found[step.stride] = make.binary(Op.ADD, found[step.stride], step.index)
    rest = place.offset - cell.offset
    for stride in cell.strides:
        count, rest = divmod(rest, stride)
        if count:
            found[stride] = make.binary(Op.ADD, found[stride], make.const(count, WIDE))
    if rest:
        return None
    return tuple(found[stride] for stride in cell.strides)


def index_hit(place: Place, cell: Cell, bits: int, same_object: Expr) -> Hit | None:
    """Does the access hit the cell, by its indices? None if they do not tell."""
    strides, wanted = cell.strides, cell.index
    if not strides:  # a constant place may be an element of an array
        strides = place.shape[0]
        if len(set(strides)) < len(strides):
            return None
        rest, counts = cell.offset - place.offset, []
        for stride in strides:
            count, rest = divmod(rest, stride)
            counts.append(make.const(count, WIDE))
        if rest:
            return MISS if not strides else None  # cells of a region are the same or apart
        indices: tuple[Expr, ...] | None = tuple(step.index for step in place.steps)
        wanted = tuple(counts)
    else:
        indices = aligned(place, cell)
    if indices is None:
        return None
    ranges = ranges_of(place, strides, indices, bits)
    if ranges is None:
        return None
    equal = [make.equal(one, other) for one, other in zip(indices, wanted, strict=True)]
    return Hit(make.conj((same_object, *equal)), within(ranges))


def ranges_of(
    place: Place, strides: tuple[int, ...], indices: tuple[Expr, ...], bits: int
) -> list[tuple[Expr, int]] | None:
    """Indices with how many values they may have, from 0 on, so that they tell where an access is:
    those of rows must lie in the row, and addresses must not wrap around. None if rows are no
    multiples of each other."""
    found = [(step.index, step.most) for step in place.steps if step.most is not None]
    for number, index in enumerate(indices):
        if number:
            if strides[number - 1] % strides[number]:
                return None
            found.append((index, strides[number - 1] // strides[number]))
        elif not (place.direct and place.is_variable):
            found.append((index, (1 << (bits - 1)) // max(1, strides[0])))
    return found


def within(ranges: list[tuple[Expr, int]]) -> Expr:
    """All indices lie in their ranges."""
    zero = make.const(0, WIDE)
    parts: list[Expr] = []
    for index, length in ranges:
        parts += [make.less_equal(zero, index), make.less(index, make.const(length, WIDE))]
    return make.conj(parts)
