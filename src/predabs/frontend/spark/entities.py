"""What names stand for in SPARK, and the scopes that they are looked up in (Ada RM 8).

Names are in lower case. A name may stand for several things where it is overloaded: literals of
enumerations, and subprograms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ...ir.cfa import Coord
from ...ir.expr import Lvalue
from ...records import dataclass, field
from .syntax import Association, Expr
from .types import AdaType, Scalar


@dataclass(slots=True, eq=False)
class Object:
    """A variable, constant, parameter or loop parameter, and where the IR has it."""

    name: str
    spelling: str
    type: AdaType
    place: Lvalue
    coord: Coord
    constant: bool = False
    value: int | None = None  # of a static constant
    depth: int = 0  # how many subprograms are around its declaration


@dataclass(slots=True, eq=False)
class Number:
    """A named number."""

    name: str
    value: int


@dataclass(slots=True, eq=False)
class TypeName:
    name: str
    type: AdaType


@dataclass(slots=True, eq=False)
class Literal:
    """A literal of an enumeration."""

    name: str
    type: Scalar
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Formal:
    """A parameter as its subprogram declares it."""

    name: str
    spelling: str
    type: AdaType
    reads: bool  # in, in out
    writes: bool  # out, in out
    default: Expr | None
    coord: Coord


@dataclass(slots=True, eq=False)
class Contract:
    """What callers and body promise each other; the parts are in the order of the source."""

    pre: list[Expr] = field(default_factory=list)
    post: list[Expr] = field(default_factory=list)
    cases: list[tuple[Association, ...]] = field(default_factory=list)
    globals: list[Expr | None] = field(default_factory=list)  # None for `Global => null`


@dataclass(slots=True, eq=False)
class Subprogram:
    """A procedure, or a function with a result; `path` is its name in the IR."""

    name: str
    path: str
    formals: tuple[Formal, ...]
    result: AdaType | None
    coord: Coord
    scope: Scope  # in which it is declared
    contract: Contract
    body: object = None  # a node of tree-sitter with the scope of the body, until it is lowered
    value: Expr | None = None  # of an expression function
    parameters: dict[str, Object] = field(default_factory=dict)
    inside: Scope | None = None  # the scope of its parameters
    declared: Scope | None = None  # of what its body declares
    # one for each bounds of its unconstrained parameters that calls have
    instances: dict[tuple[tuple[int, int], ...], Subprogram] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Package:
    name: str
    scope: Scope


Entity: TypeAlias = Object | Number | TypeName | Literal | Subprogram | Package


class Scope:
    """A region of declarations inside another one."""

    def __init__(self, outer: Scope | None, path: str = "") -> None:
        self.outer = outer
        self.path = path
        self.names: dict[str, list[Entity]] = {}
        self.used: list[Scope] = []  # packages of use clauses

    def add(self, entity: Entity) -> None:
        self.names.setdefault(entity.name, []).append(entity)

    def own(self, name: str) -> list[Entity]:
        return self.names.get(name, [])

    def find(self, name: str) -> list[Entity]:
        """What a name may stand for, the innermost declarations first."""
        found: list[Entity] = []
        for scope in self._outwards():
            here = scope.own(name)
            found += here
            if here and not all(isinstance(one, Subprogram | Literal) for one in here):
                return found
        for scope in self._outwards():
            for package in scope.used:
                found += [one for one in package.own(name) if one not in found]
        return found

    def _outwards(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def visible(self) -> set[str]:
        """All names that can be written here, for hints."""
        return {name for scope in self._outwards() for name in scope.names}
