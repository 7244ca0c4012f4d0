"""Loops with bounded trip counts, switches and jumps."""

from __future__ import annotations

from dataclasses import replace

from fuzz.calls import NothingFits
from fuzz.context import Context, Maker, Scope, Var
from fuzz.expressions import expression
from fuzz.statements import DEPTH, Lines, body, condition, indent
from fuzz.types import INT, LLONG, SHORT, UCHAR, UINT, ULONG, Int

COUNTERS: tuple[Int, ...] = (INT, INT, UINT, UCHAR, SHORT, ULONG, LLONG)


def _counter(ctx: Context, scope: Scope, trips: int, below: int | None = None) -> Var:
    """A loop counter, which nothing but its loop may change."""
    limit = trips if below is None else below
    type = ctx.pick(COUNTERS)
    return Var(ctx.fresh("i"), type, scope.level + 1, private=True, writable=False, below=limit)


def _trips(ctx: Context) -> int:
    trips = ctx.number(1, 6)
    if ctx.budget.lines < 2 or not ctx.budget.affords(trips * 4):
        raise NothingFits
    return trips


def _loop_body(ctx: Context, scope: Scope, trips: int) -> Lines:
    """What is repeated: here `break` and `continue` mean this loop."""
    with ctx.budget.repeated(trips):
        return body(ctx, replace(scope, in_loop=True, in_switch=False), 4)


def for_loop(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """Counting up, down or in steps."""
    trips = _trips(ctx)
    step = ctx.number(1, 3)
    var = _counter(ctx, scope, trips, (trips - 1) * step + 1)
    i, type = var.name, var.type
    assert isinstance(type, Int)
    bound = (trips - 1) * step + 1
    heads = [
        f"for ({type.name} {i} = 0; {i} < {bound}; {i} += {step})",
        f"for ({type.name} {i} = {bound - 1}, j{i} = 0; j{i} < {trips}; {i} -= {step}, j{i}++)",
    ]
    if step == 1:
        heads += [f"for ({type.name} {i} = {trips}; {i}-- > 0;)"]
        heads += [f"for ({type.name} {i} = 0; {i} != {trips}; ++{i})"]
    head = ctx.pick(heads)
    return [f"{head} {{", *_loop_body(ctx, scope.declare(var), trips), "}"], scope


def while_loop(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """`while` and `do`; the counter moves in the condition, so that `continue` is harmless."""
    trips = _trips(ctx)
    up = _counter(ctx, scope, trips, trips + 1)
    inner = scope.declare(up)
    declared = f"{_name(up)} {up.name} = "
    extra = f" && {condition(ctx, inner.inner())}" if ctx.chance(0.2) else ""
    style = ctx.number(0, 2)
    if style == 0:
        lines = [f"{declared}{trips};", f"while ({up.name}-- > 0{extra}) {{"]
        lines += [*_loop_body(ctx, inner, trips), "}"]
    elif style == 1:
        lines = [f"{declared}0;", f"while ({up.name}++ < {trips}{extra}) {{"]
        lines += [*_loop_body(ctx, inner, trips), "}"]
    else:
        lines = [f"{declared}0;", "do {", *_loop_body(ctx, inner, trips)]
        lines += [f"}} while (++{up.name} < {trips}{extra});"]
    return ["{", *indent(lines), "}"], scope


def _name(var: Var) -> str:
    assert isinstance(var.type, Int)
    return var.type.name


def switch(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A switch with fall-through, ranges, and the default anywhere."""
    if ctx.budget.lines < 4:
        raise NothingFits
    value = expression(ctx, ctx.full(scope), DEPTH).text
    style = ctx.number(0, 2)
    subject = (f"{value} & 7", f"(unsigned)({value}) % 6", f"(signed char)({value})")[style]
    labels = ctx.rng.sample(range(-1 if style == 2 else 0, 9), ctx.number(2, 5))
    cases = [f"case {n}:" for n in labels]
    if ctx.chance(0.3):
        cases.append(ctx.pick(("case 10 ... 12:", "case 100 ... 127:")))
    if ctx.chance(0.8):
        cases.insert(ctx.number(0, len(cases)), "default:")
    inner = replace(scope, in_switch=True)
    lines = [f"switch ({subject}) {{"]
    for case in cases:
        if ctx.chance(0.2):
            lines.append(case)
            continue
        lines += [f"{case} {{", *body(ctx, inner, 2), "}"]
        if ctx.chance(0.6):
            lines.append("break;")
    return [*lines, ";", "}"], scope


def jump(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A `goto` over a block, out of a loop, or backwards a bounded number of times.

    What is jumped over is a block, so that no declaration that is used later is left out.
    """
    label = ctx.fresh("L")
    style = ctx.number(0, 2)
    if style == 0:
        lines = [f"if ({condition(ctx, scope)}) goto {label};", "{", *body(ctx, scope, 3), "}"]
        return [*lines, f"{label}: ;"], scope
    if style == 1:
        loop, _ = for_loop(ctx, scope)
        out = f"    if ({condition(ctx, scope)}) goto {label};"
        return [loop[0], out, *loop[1:], f"{label}: ;"], scope
    trips = min(_trips(ctx), 3)
    var = _counter(ctx, scope, trips)
    with ctx.budget.repeated(trips):
        inside = body(ctx, replace(scope, in_loop=False, in_switch=False).declare(var), 3)
    lines = [f"{_name(var)} {var.name} = 0;", f"{label}: {{", *inside, "}"]
    lines.append(f"if (++{var.name} < {trips}) goto {label};")
    return ["{", *indent(lines), "}"], scope


def nested(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A block of its own."""
    return ["{", *body(ctx, scope, 4), "}"], scope


MAKERS: list[tuple[int, Maker]] = [
    (4, for_loop),
    (3, while_loop),
    (3, switch),
    (2, jump),
    (1, nested),
]
