"""The expressions of Ada as they are written: names not looked up, types not known.

`F (X)` is an `Apply`, be it a call, an element of an array or a conversion. Nodes are compared by
identity, so that what was found out about one can be kept beside it.
"""

from __future__ import annotations

from typing import TypeAlias

from ...ir.cfa import Coord
from ...records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    coord: Coord
    text: str  # in lower case
    spelling: str


@dataclass(frozen=True, slots=True, eq=False)
class Integer:
    coord: Coord
    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Character:
    coord: Coord
    value: str


@dataclass(frozen=True, slots=True, eq=False)
class String:
    coord: Coord
    value: str


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """`prefix.name`"""

    coord: Coord
    prefix: Expr
    text: str
    spelling: str


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """`prefix'Name`, or `prefix'Name (args)` where the attribute takes some."""

    coord: Coord
    prefix: Expr
    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """`choices => value`; no choices where it is positional. `others` is no choice but a flag."""

    coord: Coord
    choices: tuple[Expr, ...]
    others: bool
    value: Expr | None  # None for `<>`

    @property
    def positional(self) -> bool:
        return not self.choices and not self.others


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """`prefix (args)`: a call, an element, a conversion, a slice."""

    coord: Coord
    prefix: Expr
    args: tuple[Association, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Qualified:
    """`T'(value)`"""

    coord: Coord
    mark: Expr
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    coord: Coord
    op: str  # - + abs not
    arg: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    coord: Coord
    op: str  # + - & * / mod rem ** = /= < <= > >= and or xor 'and then' 'or else' -> <->
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Membership:
    coord: Coord
    arg: Expr
    negated: bool
    choices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """`low .. high`"""

    coord: Coord
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Constrained:
    """`mark range low .. high`"""

    coord: Coord
    mark: Expr
    range: Expr


@dataclass(frozen=True, slots=True, eq=False)
class If:
    coord: Coord
    cond: Expr
    then: Expr
    other: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    coord: Coord
    subject: Expr
    arms: tuple[Association, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Quantified:
    """`for all X in domain => body`; `of` says that X is an element of an array."""

    coord: Coord
    all: bool
    name: Name
    of: bool
    domain: Expr
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Aggregate:
    coord: Coord
    items: tuple[Association, ...]


Expr: TypeAlias = (
    Name
    | Integer
    | Character
    | String
    | Select
    | Attribute
    | Apply
    | Qualified
    | Unary
    | Binary
    | Membership
    | Range
    | Constrained
    | If
    | Case
    | Quantified
    | Aggregate
)
