"""Arguments, structure values and calls.

A call of a pure function is an operand like any other. A call with side effects is written only
where everything around it is either sequenced or out of its reach.
"""

from __future__ import annotations

from fuzz import expressions, places
from fuzz.context import Context, Expr, Function, Production, Scope
from fuzz.expressions import expression
from fuzz.types import (
    CType,
    Field,
    Index,
    Int,
    Path,
    Pointer,
    Struct,
    declare,
    has_pointer,
    paths,
    spell,
)
from fuzz.values import initialiser


class NothingFits(Exception):
    """No object of the type asked for is in scope."""


def address(ctx: Context, scope: Scope, type: Pointer, level: int, depth: int) -> str:
    """A valid pointer for a variable at `level`."""
    targets = places.pointable(scope, type.target, level, type.const)
    copies = [p for p in places.readable(scope, type) if p.root.level <= level]
    if copies and (not targets or ctx.chance(0.3)):
        return places.write(ctx, scope, ctx.pick(copies), depth, expressions.index)
    if not targets:
        raise NothingFits(spell(type))
    place = places.choose(ctx, targets)
    if place.path.steps and isinstance(place.path.steps[-1], Index) and ctx.chance(0.3):
        array = places.Place(place.root, Path(place.path.steps[:-1], place.path.type))
        one, two = ctx.share(scope, 2)
        base = places.write(ctx, one, array, depth, expressions.index)
        return f"({base} + ({expressions.index(ctx, two, place.path.steps[-1].size, depth)}))"
    return f"&{places.write(ctx, scope, place, depth, expressions.index)}"


def choice_of_address(ctx: Context, scope: Scope, type: Pointer, level: int, depth: int) -> str:
    """A valid pointer, sometimes chosen by a condition."""
    first = address(ctx, scope.owning(), type, level, depth)
    if ctx.chance(0.8):
        return first
    condition = expression(ctx, scope, depth).text
    return f"({condition} ? {first} : {address(ctx, scope.owning(), type, level, depth)})"


def local_initialiser(ctx: Context, scope: Scope, type: CType, level: int, depth: int) -> str:
    """An initialiser for an automatic object; its elements are unsequenced, so without effects.

    Pointers inside structures always lead to static storage, so that copies never dangle.
    """
    quiet = scope.owning()
    inside = 0 if isinstance(type, Struct) else level

    def leaf(part: CType) -> str:
        if isinstance(part, Pointer):
            return choice_of_address(ctx, quiet, part, inside, depth)
        return expression(ctx, quiet, depth).text

    return initialiser(ctx, type, leaf)


def struct_value(ctx: Context, scope: Scope, type: Struct, depth: int) -> str:
    """An expression of structure type."""
    found = places.readable(scope, type)
    makers = [f for f in callable_here(ctx, scope) if f.result == type]
    if makers and depth > 0 and ctx.chance(0.4):
        return call(ctx, scope, ctx.pick(makers), depth)
    if not found or ctx.chance(0.3):
        text = local_initialiser(ctx, scope, type, 0, depth - 1)
        return f"({declare(type, '')}){text}"
    first, second = (places.choose(ctx, found) for _ in range(2))
    text = places.write(ctx, scope.owning(), first, depth - 1, expressions.index)
    if ctx.chance(0.8):
        return text
    other = places.write(ctx, scope.owning(), second, depth - 1, expressions.index)
    return f"({expression(ctx, scope, depth - 1).text} ? {text} : {other})"


def argument(ctx: Context, scope: Scope, type: CType, depth: int) -> str:
    """An argument for a parameter of the type."""
    match type:
        case Int():
            return expression(ctx, scope, depth).text
        case Pointer():
            return choice_of_address(ctx, scope, type, scope.level, depth)
        case Struct():
            return struct_value(ctx, scope, type, depth)
        case _:
            raise NothingFits(spell(type))


def callable_here(ctx: Context, scope: Scope, pure: bool = True) -> list[Function]:
    """The functions in scope that still fit the budget."""
    return [f for f in scope.functions if f.pure == pure and ctx.budget.affords(f.cost)]


def call(ctx: Context, scope: Scope, function: Function, depth: int) -> str:
    """A call with random arguments, which share out what is owned."""
    ctx.budget.spend(function.cost)
    count = len(function.params) + 1
    *shares, first = ctx.share(scope, count)
    arguments = [
        argument(ctx, share, type, min(depth - 1, 2))
        for share, type in zip(shares, function.params, strict=True)
    ]
    if function.depth_first:
        arguments[0] = f"({arguments[0]}) & 3"
    name = function.name
    if function.table:
        name = f"{name}[{expressions.index(ctx, first, function.table, 1)}]"
    elif ctx.chance(0.05):
        name = f"(*{name})"
    return f"{name}({', '.join(arguments)})"


def pure_call(ctx: Context, scope: Scope, depth: int) -> Expr | None:
    """A call of a pure function as an operand; of a structure result one member is used."""
    found = [f for f in callable_here(ctx, scope) if f.result is not None]
    if not found:
        return None
    function = ctx.pick(found)
    assert function.result is not None
    try:
        text = call(ctx, scope, function, depth)
    except NothingFits:
        return None
    if isinstance(function.result, Int):
        return Expr(text, function.result)
    return member_of(ctx, text, function.result)


def member_of(ctx: Context, value: str, type: CType) -> Expr:
    """A scalar inside a structure value, with constant indices."""
    options = [p for p in paths(type) if isinstance(p.type, Int) and not p.through_pointer]
    path = ctx.pick(options)
    text = value
    for step in path.steps:
        match step:
            case Index():
                text = f"{text}[{ctx.number(0, step.size - 1)}]"
            case Field():
                text = f"{text}.{step.name}"
    kind = places.value_type(path)
    return Expr(f"(({kind.name}){text})" if places.is_wide_field(path) else text, kind)


def member_of_literal(ctx: Context, scope: Scope, depth: int) -> Expr | None:
    """A member of a compound literal of structure type."""
    plain = [s for s in ctx.structs if not has_pointer(s)]
    if not plain or depth < 2:
        return None
    type = ctx.pick(plain)
    text = local_initialiser(ctx, scope, type, 0, depth - 2)
    return member_of(ctx, f"((struct {type.tag}){text})", type)


PRODUCTIONS: list[tuple[int, Production]] = [(5, pure_call), (1, member_of_literal)]
