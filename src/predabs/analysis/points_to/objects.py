"""The objects of the points-to analysis: what a pointer can point to."""

from __future__ import annotations

from typing import TypeAlias

from ...ir.cfa import Edge
from ...ir.expr import Var
from ...ir.intern import Term
from ...records import dataclass
from .offsets import Offsets


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Variable(Term):
    """A global, string literal, parameter or local; all frames of a function share it."""

    var: Var

    def __str__(self) -> str:
        return self.var.name


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Allocated(Term):
    """All objects that an `Alloc` edge makes."""

    edge: Edge

    def __str__(self) -> str:
        return f"alloc@{self.edge.coord.line}:{self.edge.coord.column}({self.edge.src})"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FunctionObject(Term):
    """A function."""

    name: str

    def __str__(self) -> str:
        return f"{self.name}()"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class UnknownObject(Term):
    """What an address from the open environment points to.

    It is memory that the program did not make, or one of the objects that have `escaped`.
    """

    def __str__(self) -> str:
        return "unknown"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class TemporaryObject(Term):
    """Bytes between a read and a write: a record that is returned, or what one operation copies."""

    what: str | Edge

    def __str__(self) -> str:
        return f"temporary({self.what if isinstance(self.what, str) else self.what.src})"


Object: TypeAlias = Variable | Allocated | FunctionObject | UnknownObject | TemporaryObject

UNKNOWN = UnknownObject()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Target(Term):
    """Addresses inside an object: that of the object plus one of the offsets."""

    object: Object
    offsets: Offsets

    @property
    def offset(self) -> int | None:
        """The offset in bytes, or None if it is not known exactly."""
        return self.offsets.single

    def __str__(self) -> str:
        return f"{self.object}+{self.offsets}"
