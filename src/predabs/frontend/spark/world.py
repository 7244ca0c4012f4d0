"""What the parts of a program share while it is lowered."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.cfa import Coord, Global
from ...ir.expr import Var
from ...ir.types import Record
from ...records import dataclass, field
from .annotations import Annotation
from .calls import Demands
from .entities import Object, Scope, Subprogram
from .output import Strings
from .tree import Node, Source
from .types import BOOLEAN, AdaType, Array, Class, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The body of a subprogram, to be lowered when it is called."""

    source: Source
    node: Node
    lifted: frozenset[str]  # names that nested subprograms may mean


@dataclass(frozen=True, slots=True, eq=False)
class Elaboration:
    """The declaration of an object of a package: what gives it its value."""

    item: Object
    run: Callable[[], None] | None


@dataclass(frozen=True, slots=True, eq=False)
class Remark:
    """A `--%` annotation that is no statement, and the subprogram that it is in."""

    annotation: Annotation
    function: str
    scope: Scope


@dataclass(slots=True)
class World:
    """The program so far. `lifted` are variables of subprograms that nested ones use."""

    demands: Demands = field(default_factory=Demands)
    strings: Strings = field(default_factory=Strings)
    globals: dict[Var, Global] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    elaborations: list[Elaboration] = field(default_factory=list)
    subprograms: list[Subprogram] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    lifted: dict[Var, str] = field(default_factory=dict)
    lows: dict[str, int] = field(default_factory=dict)
    literals: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def describe(self, key: str, type_: AdaType) -> None:
        """Keep how the source counts the elements and calls the values of an object."""
        match type_:
            case Scalar(_, base) if base.kind is Class.ENUMERATION and base is not BOOLEAN.base:
                self.literals[key] = base.literals
            case Array(_, _, indices, element):
                for index in indices:
                    self.lows[key] = index.low
                    key += "[]"
                self.describe(key, element)

    def add_global(self, var: Var, coord: Coord) -> Var:
        self.globals[var] = Global(var, (), False, coord)
        return var
