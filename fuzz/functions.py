"""Random functions: pure ones, ones with side effects, recursive ones and tables of them."""

from __future__ import annotations

from dataclasses import replace

from fuzz.context import Budget, Context, Function, Scope, Var
from fuzz.expressions import expression
from fuzz.idioms import pointer_to
from fuzz.places import readable
from fuzz.statements import DEPTH, Lines, indent, return_value, statement
from fuzz.types import INT, CType, Int, Pointer, declare
from fuzz.values import constant

STEPS = 250


def _params(ctx: Context, scope: Scope, pure: bool, most: int) -> tuple[CType, ...]:
    """Parameter types for which arguments can be found in any scope."""
    types: list[CType] = []
    for _ in range(ctx.number(0, most)):
        style = ctx.number(0, 9)
        plain = [s for s in ctx.structs if readable(scope, s)]
        if style >= 8 and plain:
            struct = ctx.pick(plain)
            types.append(struct if ctx.chance(0.5) else Pointer(struct, const=pure))
        elif style >= 7:
            types.append(Pointer(INT, const=pure or ctx.chance(0.3)))
        else:
            types.append(ctx.int_type())
    return tuple(types)


def _result(ctx: Context, pure: bool) -> CType | None:
    style = ctx.number(0, 9)
    if style >= 8 and ctx.structs:
        return ctx.pick(ctx.structs)
    if style >= 7 and not pure:
        return None
    return ctx.int_type()


def _head(ctx: Context, function: Function, names: list[str]) -> str:
    pairs = zip(function.params, names, strict=True)
    params = ", ".join(declare(t, n) for t, n in pairs) or "void"
    kind = ctx.pick(("static ", "static ", "", "static inline "))
    call = f"{function.name}({params})"
    return kind + (f"void {call}" if function.result is None else declare(function.result, call))


def _enter(ctx: Context, scope: Scope, function: Function, names: list[str]) -> Scope:
    """The scope inside a function."""
    inner = replace(scope, level=1, pure=function.pure, result=function.result)
    for type, name in zip(function.params, names, strict=True):
        inner = inner.declare(Var(name, type, 1, private=isinstance(type, Int) and ctx.chance(0.7)))
    return inner


def _statements(ctx: Context, scope: Scope, count: int) -> tuple[Lines, Scope]:
    lines: Lines = []
    for _ in range(count):
        more, scope = statement(ctx, scope)
        lines += more
    return lines, scope


def plain(ctx: Context, scope: Scope, function: Function, size: int) -> tuple[Lines, Function]:
    """A function with a random body; its cost is known when it is written."""
    ctx.budget = Budget(lines=4 + 3 * size, steps=STEPS)
    names = [ctx.fresh("p") for _ in function.params]
    inner = _enter(ctx, scope, function, names)
    lines: Lines = []
    if not function.pure and ctx.chance(0.5):
        type, name = ctx.int_type(), ctx.fresh("st")
        lines.append(f"static {type.name} {name} = {constant(ctx)};")
        inner = inner.declare(Var(name, type, 1))
    more, inner = _statements(ctx, inner, ctx.number(1, 2 + 2 * size))
    lines += more
    if function.result is not None:
        lines.append(f"return {return_value(ctx, inner)};")
    text = [_head(ctx, function, names), "{", *indent(lines), "}", ""]
    return text, replace(function, cost=ctx.budget.spent + 3)


def random_function(ctx: Context, scope: Scope, pure: bool, size: int) -> tuple[Lines, Function]:
    """A function with a random signature, now and then with many parameters."""
    most = 9 if ctx.chance(0.15) else 4
    name = ctx.fresh("pure" if pure else "func")
    params = _params(ctx, scope, pure, most)
    return plain(ctx, scope, Function(name, params, _result(ctx, pure), pure, 0), size)


def group(ctx: Context, scope: Scope, size: int) -> tuple[Lines, tuple[Function, ...], Function]:
    """Pure functions of one type, and a table of them."""
    params: tuple[CType, ...] = tuple(ctx.int_type() for _ in range(ctx.number(1, 3)))
    result = ctx.int_type()
    lines: Lines = []
    members: list[Function] = []
    for _ in range(ctx.number(2, 3)):
        signature = Function(ctx.fresh("item"), params, result, True, 0)
        text, function = plain(ctx, scope, signature, max(1, size - 1))
        lines += text
        members.append(function)
    name = ctx.fresh("table")
    entries = [ctx.pick(members).name for _ in range(ctx.number(2, 4))]
    cost = max(f.cost for f in members)
    table = Function(name, params, result, True, cost, table=len(entries))
    const = ctx.pick(("const ", ""))
    lines += [f"static {pointer_to(members[0], f'{const}{name}[{len(entries)}]')} = {{"]
    lines += [f"    {', '.join(entries)}", "};", ""]
    return lines, tuple(members), table


def apply(ctx: Context, members: tuple[Function, ...]) -> tuple[Lines, Function]:
    """A function that calls the function it is given; it is wrapped so as to be a plain callee."""
    one = ctx.pick(members)
    assert isinstance(one.result, Int)
    inner, outer = ctx.fresh("apply"), ctx.fresh("pure")
    names = [ctx.fresh("p") for _ in one.params]
    params = ", ".join(declare(t, n) for t, n in zip(one.params, names, strict=True))
    passed = ", ".join(names)
    chosen = f"{names[0]} & 1 ? {ctx.pick(members).name} : {ctx.pick(members).name}"
    lines = [f"static {one.result.name} {inner}({pointer_to(one, 'f')}, {params})", "{"]
    lines += [f"    return f ? f({passed}) : 0;", "}", ""]
    lines += [f"static {one.result.name} {outer}({params})", "{"]
    lines += [f"    return {inner}({chosen}, {passed});", "}", ""]
    cost = max(f.cost for f in members) + 6
    return lines, Function(outer, one.params, one.result, True, cost)


def recursive(ctx: Context, scope: Scope, pure: bool) -> tuple[Lines, Function]:
    """A recursion whose first argument counts down from at most 3; sometimes through a second
    function."""
    ctx.budget = Budget(lines=6, steps=12)
    type = ctx.int_type()
    name = ctx.fresh("rec")
    n, x = ctx.fresh("p"), ctx.fresh("p")
    function = Function(name, (INT, type), type, pure, 0, depth_first=True)
    inner = _enter(ctx, scope, function, [n, x])
    # At the end of the recursion the counter is 0 or below, before it is 1 to 3.
    end = inner.declare(Var(n, INT, 1, private=True, writable=False))
    inner = inner.declare(Var(n, INT, 1, private=True, writable=False, below=4))
    quiet = replace(inner, functions=())
    more, inside = _statements(ctx, quiet, 2)
    r = Var(ctx.fresh("r"), type, 1, private=True)
    value = expression(ctx, inside.owning(), DEPTH).text
    mutual = ctx.chance(0.3)
    other = ctx.fresh("rec") if mutual else name
    lines = [f"if ({n} <= 0) return {expression(ctx, replace(end, functions=()), 2).text};", *more]
    lines += [f"{type.name} {r.name} = {other}({n} - 1, {value});"]
    fan = 1
    if ctx.chance(0.4):
        fan = 2
        again = expression(ctx, inside.declare(r), 2).text
        lines += [f"{r.name} ^= {name}({n} - 2, {again});"]
    elif pure:
        lines += [f"{r.name} += {name}({n} - 1, 1) * {name}({n} - 3, {x});"]
        fan = 3
    lines += [f"return {expression(ctx, inside.declare(r), DEPTH).text};"]
    text: Lines = []
    if mutual:
        text += [f"static {type.name} {name}(int, {type.name});"]
        text += [f"static {type.name} {other}(int a, {type.name} b)", "{"]
        text += [f"    return {name}(a, b ^ a);", "}", ""]
    text += [f"static {type.name} {name}(int {n}, {type.name} {x})", "{", *indent(lines), "}", ""]
    calls = {1: 4, 2: 8, 3: 20}[fan]
    return text, replace(function, cost=(ctx.budget.spent + 5) * calls)
