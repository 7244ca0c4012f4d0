"""Objects that an expression can read, write or point at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fuzz.context import Context, Scope, Var
from fuzz.types import (
    INT,
    LLONG,
    UINT,
    ULLONG,
    CType,
    Deref,
    Field,
    Index,
    Int,
    Path,
    paths,
    same,
)


class IndexMaker(Protocol):
    """Writes an index expression with 0 <= value < size."""

    def __call__(self, ctx: Context, scope: Scope, size: int, depth: int, /) -> str: ...


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a variable, not yet written out."""

    root: Var
    path: Path


def readable(scope: Scope, type: CType | None = None) -> list[Place]:
    """All places of a type (any integer type for None)."""
    return [
        Place(var, path)
        for var in scope.vars
        for path in paths(var.type)
        if (isinstance(path.type, Int) if type is None else same(path.type, type))
    ]


def writable(scope: Scope, type: CType | None = None) -> list[Place]:
    """The places that may be assigned; in a pure function only its own variables."""
    return [place for place in readable(scope, type) if _may_write(scope, place)]


def _may_write(scope: Scope, place: Place) -> bool:
    if place.path.const:
        return False
    if scope.pure:
        return place.root.writable and place.root.level > 0 and not place.path.through_pointer
    return place.root.writable or place.path.through_pointer


def pointable(scope: Scope, type: CType, level: int, const: bool) -> list[Place]:
    """The places of a type whose address a pointer declared at `level` may hold.

    What lives in a deeper block would dangle; a private variable must not be pointed at. The
    deref of a pointer is as long-lived as whatever the pointer may hold at its own level.
    """
    found = readable(scope, type) if const else writable(scope, type)
    return [
        p
        for p in found
        if p.root.level <= level
        and p.path.bits is None
        and (p.path.through_pointer or not p.root.private)
    ]


def choose(ctx: Context, places: list[Place]) -> Place:
    """One place, each variable being as likely, so that large aggregates do not crowd out."""
    roots = sorted({p.root.name for p in places})
    root = ctx.pick(roots)
    return ctx.pick([p for p in places if p.root.name == root])


def write(ctx: Context, scope: Scope, place: Place, depth: int, index: IndexMaker) -> str:
    """The text of a place as an lvalue."""
    text = place.root.name
    steps = place.path.steps
    arrow = False
    shares = ctx.share(scope, len(steps)) if steps else []
    for i, (step, share) in enumerate(zip(steps, shares, strict=True)):
        match step:
            case Field():
                text = f"{text}{'->' if arrow else '.'}{step.name}"
                arrow = False
            case Index():
                inner = index(ctx, share, step.size, depth)
                text = f"(*({text} + ({inner})))" if ctx.chance(0.1) else f"{text}[{inner}]"
            case Deref():
                follows = i + 1 < len(steps) and isinstance(steps[i + 1], Field)
                arrow = follows and ctx.chance(0.8)
                if not arrow:
                    text = f"{text}[0]" if ctx.chance(0.1) else f"(*{text})"
    return text


def value_type(path: Path) -> Int:
    """The type of a read: a bit-field has the type it is promoted to."""
    assert isinstance(path.type, Int)
    if path.bits is None:
        return path.type
    if path.type.rank == LLONG.rank:
        return LLONG if path.type.signed else ULLONG
    return UINT if path.bits == 32 and not path.type.signed else INT


def is_wide_field(path: Path) -> bool:
    """Whether compilers disagree on the promoted type: a bit-field wider than int.

    Such a field is always read under a cast and written by plain assignment.
    """
    return path.bits is not None and isinstance(path.type, Int) and path.type.rank > INT.rank


def parts(var: Var) -> list[Place]:
    """All places inside a variable and behind its pointers."""
    return [Place(var, path) for path in paths(var.type)]
