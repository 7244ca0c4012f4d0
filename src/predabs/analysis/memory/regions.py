"""Where values are kept: scalars and memory regions, the vocabulary of the partition."""

from __future__ import annotations

from typing import TypeAlias

from ...ir.expr import Var
from ...ir.intern import Term
from ...ir.types import Type
from ...records import dataclass
from ..points_to.objects import Object
from ..points_to.offsets import Offsets


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class RegionId(Term):
    """A memory region, printed as `m3`; `m0` is that of lvalues which no run accesses, or none
    without a fault."""

    number: int

    def __lt__(self, other: RegionId) -> bool:
        return self.number < other.number

    def __str__(self) -> str:
        return f"m{self.number}"


NOTHING = RegionId(0)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Scalar(Term):
    """A scalar variable of the formulas: the program's own, or one for a member, named like
    `x.f.g`."""

    var: Var


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class InRegion(Term):
    """A cell, or some bytes, of a memory region, found by the address."""

    region: RegionId


Storage: TypeAlias = Scalar | InRegion


@dataclass(frozen=True, slots=True)
class MemoryRegion:
    """One region: an array from addresses to cells. `unit` is the type of its cells, or None:
    then its cells are single bytes.

    A unit is the type of all accesses, or if they differ (and none is floating point) an unsigned
    number of their size. `unknown` says that unknown addresses reach it. `members` is for people.
    """

    id: RegionId
    unit: Type | None
    unknown: bool
    objects: tuple[Object, ...]
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RegionCell:
    """A part of an object that is accessed: where in it, how many bytes, and where that is kept."""

    offsets: Offsets
    size: int
    storage: Storage


@dataclass(frozen=True, slots=True)
class BlockPiece:
    """A part of a block operation: `size` bytes at each offset behind the start(s) of the block.

    Offsets without a count stand for those from 0 on up to the block's end; no offsets at all, for
    any: then the target holds anything. Nothing but the pieces of a block is ever looked at; they
    may overlap.
    """

    offsets: Offsets | None
    size: int
    target: Storage
    source: Storage | None
