"""What is known of a file while it is read: functions are found first, and read when needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..ir.frozen import frozen
from ..ir.types import Record
from .ast import FunctionDef, VariableDef
from .symbols import Symbol


@frozen
class FoundFunction:
    """A function that is defined, and how to read it; `order` is its place in the file."""

    symbol: Symbol
    inline: bool
    order: int
    read: Callable[[], FunctionDef]


@frozen
class Part:
    """What has come to light of a file; prototypes are found through symbols."""

    functions: tuple[FoundFunction, ...]
    variables: tuple[VariableDef, ...]
    records: Mapping[str, Record]
    declares_volatile: bool  # is any variable or member so?
    assumptions: tuple[str, ...]


@frozen
class Unit:
    """One source file, read as a whole with everything it includes."""

    file: str
    functions: tuple[FunctionDef, ...]
    variables: tuple[VariableDef, ...]
    records: Mapping[str, Record]
