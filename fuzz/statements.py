"""Random statements: assignments, declarations, calls with side effects, and control flow.

A maker takes the context and a scope and gives lines together with the scope that holds after them.
It raises `NothingFits` where it does not apply; then another one is tried.
"""

from __future__ import annotations

from dataclasses import replace

from fuzz import expressions, places
from fuzz.calls import (
    NothingFits,
    argument,
    call,
    callable_here,
    choice_of_address,
    local_initialiser,
    member_of,
    struct_value,
)
from fuzz.context import Context, Function, Maker, Scope, Var
from fuzz.expressions import assignment, expression
from fuzz.types import Array, CType, Field, Int, Pointer, Struct, declare

Lines = list[str]

DEPTH = 3


def indent(lines: Lines) -> Lines:
    """The lines one level deeper."""
    return [f"    {line}" for line in lines]


def condition(ctx: Context, scope: Scope) -> str:
    """A controlling expression: a full expression of its own."""
    return expression(ctx, ctx.full(scope), DEPTH).text


def assign(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """An assignment of any kind to any integer object."""
    found = places.writable(scope)
    if not found:
        raise NothingFits
    place = places.choose(ctx, found)
    one, two = ctx.share(ctx.full(scope, place.root), 2)
    target = places.write(ctx, one, place, 2, expressions.index)
    type = places.value_type(place.path)
    if places.is_wide_field(place.path):
        return [f"{target} = {expression(ctx, two, DEPTH).text};"], scope
    if ctx.chance(0.15):
        return [ctx.pick(("{}++;", "++{};", "{}--;", "--{};")).format(target)], scope
    return [f"{assignment(ctx, two, target, type, DEPTH)};"], scope


def chained(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """`a = b = e`: the value of an assignment is that of its left side."""
    found = places.writable(scope)
    found = [p for p in found if not places.is_wide_field(p.path) and not p.path.through_pointer]
    if len({p.root.name for p in found}) < 2:
        raise NothingFits
    first = places.choose(ctx, found)
    second = places.choose(ctx, [p for p in found if p.root.name != first.root.name])
    # The indices must not read what the inner assignment changes, not even through a pointer.
    still = scope.private_view().hide(first.root, second.root)
    a, b = (places.write(ctx, still, p, 1, expressions.index) for p in (first, second))
    op = ctx.pick(("=", "=", "+=", "^="))
    value = expression(ctx, scope.owning(), DEPTH).text
    return [f"{a} = {b} {op} {value};"], scope


def side_effects(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """An expression statement that is there for its side effects."""
    free = scope.may_own()
    if not free:
        raise NothingFits
    owned = ctx.rng.sample(free, min(len(free), 2))
    return [f"{expression(ctx, scope.hide(*owned).owning(*owned), DEPTH).text};"], scope


def assign_struct(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """An assignment of a whole structure."""
    found = [p for s in ctx.structs for p in places.writable(scope, s)]
    if not found:
        raise NothingFits
    place = places.choose(ctx, found)
    assert isinstance(place.path.type, Struct)
    one, two = ctx.share(ctx.full(scope, place.root), 2)
    target = places.write(ctx, one, place, 1, expressions.index)
    return [f"{target} = {struct_value(ctx, two, place.path.type, 2)};"], scope


def repoint(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A pointer gets another target, one that lives long enough."""
    found = pointer_places(scope)
    if not found:
        raise NothingFits
    place = ctx.pick(found)
    assert isinstance(place.path.type, Pointer)
    shared = place.path.through_pointer or any(isinstance(s, Field) for s in place.path.steps)
    level = 0 if shared else place.root.level
    one, two = ctx.share(ctx.full(scope, place.root), 2)
    target = places.write(ctx, one, place, 1, expressions.index)
    return [f"{target} = {choice_of_address(ctx, two, place.path.type, level, 1)};"], scope


def pointer_places(scope: Scope) -> list[places.Place]:
    """The pointers that may be given another target."""
    kinds = {p.path.type for v in scope.vars for p in places.parts(v)}
    pointers = [k for k in sorted(kinds, key=str) if isinstance(k, Pointer)]
    return [place for kind in pointers for place in places.writable(scope, kind)]


def local_type(ctx: Context, scope: Scope) -> CType:
    """A type for a local variable; pure functions have pointers to const only."""
    style = ctx.number(0, 11)
    if style < 6:
        return ctx.int_type()
    if style < 8:
        return Array(ctx.int_type(), ctx.number(2, 5))
    if style == 8:
        return Array(Array(ctx.int_type(), ctx.number(2, 3)), ctx.number(2, 3))
    if style == 9 and ctx.structs:
        return ctx.pick(ctx.structs)
    targets = [p.path.type for p in places.readable(scope) if p.path.bits is None]
    targets += [s for s in ctx.structs if places.readable(scope, s)]
    if not targets:
        return ctx.int_type()
    return Pointer(ctx.pick(targets), const=scope.pure or ctx.chance(0.3))


def declaration(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A local variable with an initialiser, sometimes hiding an outer one."""
    type = local_type(ctx, scope)
    hidden = [v for v in scope.vars if v.level < scope.level and v.below == 0]
    name = ctx.pick(hidden).name if hidden and ctx.chance(0.08) else ctx.fresh("v")
    var = Var(name, type, scope.level, private=isinstance(type, Int) and ctx.chance(0.6))
    # The name is in scope in its own initialiser, where it has no value yet.
    before = scope.hide(var)
    if isinstance(type, Struct) and ctx.chance(0.5):
        value = struct_value(ctx, before, type, 2)
    elif isinstance(type, Int):
        value = expression(ctx, ctx.full(before), DEPTH).text
        if ctx.chance(0.2):
            return _declarators(ctx, scope, var, type, value)
    else:
        value = local_initialiser(ctx, before, type, scope.level, 1)
    return [f"{declare(type, name)} = {value};"], scope.declare(var)


def _declarators(
    ctx: Context, scope: Scope, var: Var, type: Int, value: str
) -> tuple[Lines, Scope]:
    """One declaration of several variables, each of which may use those before it."""
    scope = scope.declare(replace(var, private=False))
    pointer = Var(ctx.fresh("v"), Pointer(type), scope.level)
    size = ctx.number(2, 4)
    array = Var(ctx.fresh("v"), Array(type, size), scope.level)
    items = local_initialiser(ctx, scope, array.type, scope.level, 1)
    head = f"{type.name} {var.name} = {value}, {array.name}[{size}]"
    scope = scope.declare(array)
    if scope.pure:
        return [f"{head} = {items};"], scope
    return [f"{head} = {items}, *{pointer.name} = &{var.name};"], scope.declare(pointer)


def call_effect(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A call with side effects; beside it stand only operands that it cannot change."""
    found = callable_here(ctx, scope, pure=False)
    if scope.pure or not found:
        raise NothingFits
    function = ctx.pick(found)
    private = scope.private_view()
    text = _nested_call(ctx, scope, function)
    if isinstance(function.result, Struct):
        text = member_of(ctx, text, function.result).text
    elif function.result is None:
        return [f"{text};"], scope
    style = ctx.number(0, 6)
    if style == 0:
        text = f"{text} {ctx.pick(('+', '-', '^'))} {expression(ctx, private, 2).text}"
    elif style == 1:
        text = f"{expression(ctx, private, 2).text} {ctx.pick(('|', '<', '*'))} {text}"
    elif style == 2:
        text = f"{expression(ctx, scope, 2).text} {ctx.pick(('&&', '||'))} {text}"
    elif style == 3:
        text = f"({expression(ctx, scope, 2).text} ? {text} : {expression(ctx, scope, 2).text})"
    elif style == 4:
        return [f"{text};"], scope
    targets = places.writable(scope)
    targets = [p for p in targets if not p.path.through_pointer]
    if not targets:
        return [f"(void)({text});"], scope
    place = places.choose(ctx, targets)
    target = places.write(ctx, private, place, 1, expressions.index)
    op = ctx.pick(("=", "+=", "^=")) if place.root.private else "="
    return [f"{target} {op} {text};"], scope


def _nested_call(ctx: Context, scope: Scope, function: Function) -> str:
    """A call whose first argument is sometimes another call with side effects."""
    inner = [f for f in callable_here(ctx, scope, pure=False) if isinstance(f.result, Int)]
    simple = all(isinstance(t, Int) for t in function.params) and not function.table
    if not inner or not simple or not function.params or ctx.chance(0.8):
        return call(ctx, scope.owning(), function, 2)
    ctx.budget.spend(function.cost)
    first = call(ctx, scope.owning(), ctx.pick(inner), 2)
    if function.depth_first:
        first = f"({first}) & 3"
    private = scope.private_view()
    rest = [argument(ctx, private, t, 1) for t in function.params[1:]]
    return f"{function.name}({', '.join([first, *rest])})"


def branch(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """`if` with or without `else`."""
    if ctx.budget.lines < 2:
        raise NothingFits
    lines = [f"if ({condition(ctx, scope)}) {{", *body(ctx, scope, 3)]
    if ctx.chance(0.5):
        lines += ["} else {", *body(ctx, scope, 3)]
    return [*lines, "}"], scope


def leave(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A conditional `break`, `continue` or early `return`."""
    options = ["break;"] if scope.in_loop or scope.in_switch else []
    options += ["continue;"] if scope.in_loop else []
    if scope.result is not None and ctx.chance(0.3):
        options.append(f"return {return_value(ctx, scope)};")
    if not options:
        raise NothingFits
    return [f"if ({condition(ctx, scope)}) {ctx.pick(options)}"], scope


def return_value(ctx: Context, scope: Scope) -> str:
    """A value of the function's result type."""
    if isinstance(scope.result, Struct):
        return struct_value(ctx, scope, scope.result, 2)
    return expression(ctx, ctx.full(scope), DEPTH).text


def body(ctx: Context, scope: Scope, most: int) -> Lines:
    """The statements of a nested block, indented."""
    lines: Lines = []
    inner = scope.inner()
    for _ in range(ctx.number(1, most)):
        more, inner = statement(ctx, inner)
        lines += more
    return indent(lines)


def statement(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """One random statement; none where the budget is spent."""
    if ctx.budget.lines <= 0 or not ctx.budget.affords(1):
        return [], scope
    ctx.budget.lines -= 1
    ctx.budget.spend(1)
    for _ in range(4):
        maker = ctx.weighted(ctx.makers)
        try:
            return maker(ctx, replace(scope, owned=()))
        except NothingFits:
            continue
    return [], scope


MAKERS: list[tuple[int, Maker]] = [
    (12, assign),
    (2, chained),
    (5, side_effects),
    (3, assign_struct),
    (3, repoint),
    (8, declaration),
    (6, call_effect),
    (5, branch),
    (3, leave),
]
