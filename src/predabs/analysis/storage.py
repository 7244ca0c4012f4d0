"""Where values are kept: the vocabulary of the partition of storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ..ir.expr import Var
from ..ir.types import Type
from .objects import Object
from .offsets import Offsets


@dataclass(frozen=True, slots=True, order=True)
class MapId:
    """A map, printed as `m3`; `m0` is the one for places that can only be a fault or are unused."""

    number: int

    def __str__(self) -> str:
        return f"m{self.number}"


NOTHING = MapId(0)


@dataclass(frozen=True, slots=True)
class Plain:
    """A variable of the logic: the program's own, or one for a member, named like `x.f.g`."""

    var: Var


@dataclass(frozen=True, slots=True)
class InMap:
    """A cell, or some bytes, of a map, found by the address."""

    map: MapId


Storage: TypeAlias = Plain | InMap


@dataclass(frozen=True, slots=True)
class MapInfo:
    """One map. `unit` is the type of its cells, or None: then its cells are single bytes.

    A unit is the type of all accesses, or if they differ (and none is floating point) an unsigned
    number of their size. `unknown` says that unknown addresses reach it. `members` is for people.
    """

    id: MapId
    unit: Type | None
    unknown: bool
    objects: tuple[Object, ...]
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of an object that is accessed: where in it, how many bytes, and where that is kept."""

    offsets: Offsets
    size: int
    storage: Storage


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a block operation: `size` bytes at each offset behind the start(s) of the block.

    Offsets without a count stand for those from 0 on up to the block's end. Nothing but the pieces
    of a block is ever looked at; they may overlap.
    """

    offsets: Offsets
    size: int
    target: Storage
    source: Storage | None
