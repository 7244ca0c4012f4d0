"""The expressions of Ada as they are written: names not looked up, types not known.

`F (X)` is an `Apply`, be it a call, an element of an array or a conversion. Nodes are compared by
identity, so that what was found out about one can be kept beside it.
"""

from __future__ import annotations

from collections.abc import Callable
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


def each(expr: Expr, act: Callable[[Expr], None]) -> None:
    """Do something with an expression and all expressions in it."""
    todo = [expr]
    while todo:
        node = todo.pop()
        act(node)
        match node:
            case Select(_, prefix, _, _):
                todo.append(prefix)
            case Attribute(_, prefix, _, args):
                todo += (prefix, *args)
            case Apply(_, prefix, items):
                todo += (prefix, *(item.value for item in items if item.value is not None))
            case Qualified(_, _, value):
                todo.append(value)
            case Unary(_, _, arg):
                todo.append(arg)
            case Binary(_, _, left, right) | Range(_, left, right):
                todo += (left, right)
            case Membership(_, arg, _, choices):
                todo += (arg, *choices)
            case Constrained(_, mark, range_):
                todo += (mark, range_)
            case If(_, cond, then, other):
                todo += (cond, then) if other is None else (cond, then, other)
            case Case(_, subject, items):
                todo += (subject, *(item.value for item in items if item.value is not None))
            case Quantified(_, _, _, _, domain, body):
                todo += (domain, body)
            case Aggregate(_, items):
                todo += (item.value for item in items if item.value is not None)
