"""Symbols: the declared variables and functions that the syntax tree refers to."""

from __future__ import annotations

from enum import Enum

from ..ir.cfa import Coord
from ..ir.types import Type
from ..records import dataclass


class StorageClass(Enum):
    """Where a symbol is declared, and how long it exists."""

    GLOBAL = "global"
    STATIC_LOCAL = "static local"
    LOCAL = "local"
    PARAMETER = "parameter"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A declared variable or function; all its declarations in a file share one symbol.

    `type` is that of its definition if there is one. A variable-length array `T a[n]` has the type
    pointer to T, and `vla` is set: its declaration allocates, and its name is that pointer.
    """

    name: str
    type: Type
    storage: StorageClass
    external: bool  # linkage: may be the same thing as in another file
    volatile: bool
    vla: bool
    coord: Coord
    noreturn: bool = False  # a function that is declared never to return
    system: bool = False  # a function that a header of the system declares
