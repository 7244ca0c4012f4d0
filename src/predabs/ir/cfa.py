"""Control flow automata: locations, edges that carry operations, functions, and the program.

A function begins at its `entry` location and is left through `exit`, which `Return` edges lead to.
`Error` and `Halt` edges lead to a location without successors. Every edge has the source coordinate
that it came from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from functools import cached_property

from ..records import dataclass, field
from .ada_text import AdaNames
from .expr import Expr, Var
from .intern import Term
from .ops import Assign, Operation
from .types import DataModel, FunctionType, PointerType, Record


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Location(Term):
    """A node of the automaton of a function; printed as `main:7`."""

    function: str
    index: int

    def __str__(self) -> str:
        return f"{self.function}:{self.index}"


@dataclass(frozen=True, slots=True, order=True)
class Coord:
    """A source position, printed the way compilers do."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """A step from `src` to `dst`; compared by identity (two alike edges are two edges)."""

    src: Location
    op: Operation
    dst: Location
    coord: Coord


@dataclass(frozen=True, eq=False)
class Function:
    """One function's automaton.

    `locals` has everything that is local, temporaries included, without the parameters. `labels`
    maps the source's labels to locations. `blocks` has the variables of inner blocks that have
    marks (`frontend/lower/block_lifetimes`), each with the names of all that end with it.
    """

    name: str
    type: FunctionType
    params: tuple[Var, ...]
    locals: tuple[Var, ...]
    entry: Location
    exit: Location
    edges: tuple[Edge, ...]
    coord: Coord
    labels: Mapping[str, Location] = field(default_factory=dict)
    blocks: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def outgoing(self) -> Mapping[Location, tuple[Edge, ...]]:
        """The edges that leave each location, in source order."""
        table: dict[Location, list[Edge]] = {self.entry: [], self.exit: []}
        for edge in self.edges:
            table.setdefault(edge.src, []).append(edge)
            table.setdefault(edge.dst, [])
        return {location: tuple(edges) for location, edges in table.items()}

    @cached_property
    def incoming(self) -> Mapping[Location, tuple[Edge, ...]]:
        """The edges that enter each location."""
        table: dict[Location, list[Edge]] = {self.entry: [], self.exit: []}
        for edge in self.edges:
            table.setdefault(edge.dst, []).append(edge)
            table.setdefault(edge.src, [])
        return {location: tuple(edges) for location, edges in table.items()}

    @property
    def locations(self) -> tuple[Location, ...]:
        return tuple(self.outgoing)


@dataclass(frozen=True, slots=True, eq=False)
class Global:
    """A global variable, static local or string literal with its value in the initial states.

    All bytes are zero, then `init` is executed in order; `external` says that no definition is
    in sight: then the bytes are inputs; `linked` that other files can mean it by its name.
    """

    var: Var
    init: tuple[Assign, ...]
    external: bool
    coord: Coord
    linked: bool = False


_STRING_LITERAL = re.compile(r"str\.\d+")


def is_string_literal(var: Var) -> bool:
    """Is it the array of a string literal? Its name is `str.` and a number, as no name in C is."""
    return _STRING_LITERAL.fullmatch(var.name) is not None


_LIFE = ".life"


def life_of(var: Var, bits: int) -> Var:
    """The pointer to the object that a variable of an inner block is while the block runs."""
    return Var(f"{var.name}{_LIFE}", PointerType(var.type, bits))


def whose_life(pointer: Expr | None) -> Var | None:
    """The variable of an inner block whose object it points to, if it is such a pointer."""
    match pointer:
        case Var(name, PointerType(type_, _)) if name.endswith(_LIFE):
            return Var(name.removesuffix(_LIFE), type_)
    return None


class ExternPointers(Enum):
    """What a pointer from outside may be: an input, or a number that comes from one."""

    FRESH = "fresh"  # null, or in memory of the environment, apart from the program's own objects
    ANY = "any"  # also in an object whose address the program has taken
    NULL = "null"


class Language(Enum):
    """What a program is written in; its meaning is in the operations."""

    C = "C"
    SPARK = "SPARK"


@dataclass(frozen=True, eq=False)
class Program:
    """A whole program, linked from one or several files.

    `externals` names the functions that are called or referred to but have no body, with where;
    `assumptions` says in words what the model takes for granted.
    """

    functions: Mapping[str, Function]
    globals: tuple[Global, ...]
    records: Mapping[str, Record]
    entry: str
    data_model: DataModel
    externals: Mapping[str, Coord]
    assumptions: tuple[str, ...]
    files: tuple[str, ...]
    extern_pointers: ExternPointers = ExternPointers.FRESH
    steady_volatile: bool = False
    """May no violation rest on a change, by itself, of a volatile object that the program makes?"""
    language: Language = Language.C
    ada: AdaNames | None = None  # how the source of a SPARK program calls things
