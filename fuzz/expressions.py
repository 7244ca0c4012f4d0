"""The grammar of random integer expressions.

Each production takes the context, a scope and the depth left, and gives an expression with its
type, or None where it does not apply. Unsequenced operands share out the owned variables; after a
sequence point (`&&`, `||`, `?:`, `,`) they may be used again.
"""

from __future__ import annotations

from fuzz import places
from fuzz.context import Context, Expr, Production, Scope, Var
from fuzz.types import (
    CHAR,
    INT,
    STANDARD,
    UINT,
    CType,
    Index,
    Int,
    Pointer,
    common,
    paths,
    promoted,
    shift_mask,
    spell,
)
from fuzz.values import literal

ARITHMETIC = ("+", "-", "*", "&", "|", "^")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
UNSIGNED = tuple(t for t in STANDARD if not t.signed and t.rank > 0)


def expression(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A random integer expression that changes at most the owned variables."""
    if depth > 0:
        found = ctx.weighted(ctx.grammar)(ctx, scope, depth)
        if found is not None:
            return found
    if scope.owned and ctx.chance(0.6):
        return change(ctx, scope, 0)
    return leaf(ctx, scope)


def index(ctx: Context, scope: Scope, size: int, depth: int) -> str:
    """An index expression with 0 <= value < size."""
    counters = [v for v in scope.vars if 0 < v.below <= size]
    if counters and ctx.chance(0.6):
        return ctx.pick(counters).name
    if depth <= 0 or ctx.chance(0.4):
        return str(ctx.number(0, size - 1))
    inner = expression(ctx, scope, depth - 1).text
    if size & (size - 1) == 0:
        return f"{inner} & {size - 1}"
    return f"(unsigned)({inner}) % {size}u"


def read(ctx: Context, scope: Scope, place: places.Place, depth: int) -> Expr:
    """The value of an integer place."""
    text = places.write(ctx, scope, place, depth, index)
    type = places.value_type(place.path)
    if places.is_wide_field(place.path):
        text = f"(({type.name}){text})"
    return Expr(text, type)


def leaf(ctx: Context, scope: Scope, depth: int = 0) -> Expr:
    """A variable or part of one, a literal, an enumeration constant, a size."""
    style = ctx.number(0, 29)
    found = places.readable(scope)
    if style < 21 and found:
        return read(ctx, scope, places.choose(ctx, found), depth)
    if style in (21, 22) and ctx.constants:
        return Expr(ctx.pick(ctx.constants), INT)
    if style == 23:
        types: list[CType] = [*ctx.ints, *ctx.structs]
        type = ctx.pick(types)
        # size_t is unsigned int or unsigned long: the smaller rank is the safe one.
        return Expr(f"sizeof({spell(type)})", UINT)
    return Expr(*literal(ctx))


def change(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A side effect on an owned variable."""
    var = ctx.pick(scope.owned)
    assert isinstance(var.type, Int)
    style = ctx.number(0, 7)
    if style < 4:
        return Expr(f"({('{}++', '++{}', '{}--', '--{}')[style].format(var.name)})", var.type)
    rest = scope.declare(var).owning(*(v for v in scope.owned if v != var))
    return Expr(f"({assignment(ctx, rest, var.name, var.type, depth)})", var.type)


def assignment(ctx: Context, scope: Scope, target: str, type: Int, depth: int) -> str:
    """`target op= e`, with an operand for which the operator is defined."""
    op = ctx.pick(("=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="))
    if op in ("<<=", ">>="):
        return f"{target} {op} {amount(ctx, scope, promoted(type), depth)}"
    if op in ("/=", "%="):
        return f"{target} {op} {divisor(ctx, scope, depth).text}"
    return f"{target} {op} {expression(ctx, scope, depth - 1).text}"


def amount(ctx: Context, scope: Scope, left: Int, depth: int) -> str:
    """A shift amount that is defined for a left operand of the promoted type `left`."""
    mask = shift_mask(left)
    if depth <= 0 or ctx.chance(0.5):
        return str(ctx.number(0, mask))
    inner = expression(ctx, scope, depth - 1).text
    if ctx.chance(0.1):
        return f"({inner} & (sizeof({left.name}) * 8 - 1))"
    return f"({inner} & {mask})"


def divisor(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A divisor that is neither 0 nor, in a signed division, -1."""
    style = ctx.number(0, 4) if depth > 0 else 0
    if style == 0:
        return Expr(f"({ctx.pick((1, 2, 3, 5, 7, 10, 16, 255, 4096, -2, -3, -7, -10))})", INT)
    inner = expression(ctx, scope, depth - 1)
    if style == 1:
        return Expr(f"(({inner.text} & 15) + 1)", promoted(inner.type))
    if style == 2:
        return Expr(f"(-(({inner.text} & 7) + 2))", promoted(inner.type))
    if style == 3:
        type = ctx.pick(UNSIGNED)
        return Expr(f"(({type.name})({inner.text}) | 1)", promoted(type))
    type = ctx.int_type()
    name = ctx.fresh("d")
    body = f"{type.name} {name} = {inner.text}; {name} == 0 || {name} == -1 ? 3 : {name};"
    return Expr(f"({{ {body} }})", promoted(type))


def unary(ctx: Context, scope: Scope, depth: int) -> Expr:
    """`-`, `+`, `~` and `!`."""
    inner = expression(ctx, scope, depth - 1)
    op = ctx.pick(("-", "~", "!", "+"))
    return Expr(f"({op}{inner.text})", INT if op == "!" else promoted(inner.type))


def cast(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A cast to any integer type."""
    type = ctx.int_type()
    return Expr(f"(({type.name}){expression(ctx, scope, depth - 1).text})", type)


def binary(ctx: Context, scope: Scope, depth: int) -> Expr:
    """Arithmetic and bit operations."""
    one, two = ctx.share(scope, 2)
    a, b = expression(ctx, one, depth - 1), expression(ctx, two, depth - 1)
    return Expr(f"({a.text} {ctx.pick(ARITHMETIC)} {b.text})", common(a.type, b.type))


def compare(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A comparison."""
    one, two = ctx.share(scope, 2)
    a, b = expression(ctx, one, depth - 1), expression(ctx, two, depth - 1)
    return Expr(f"({a.text} {ctx.pick(COMPARISONS)} {b.text})", INT)


def shift(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A shift by an amount in range."""
    one, two = ctx.share(scope, 2)
    left = expression(ctx, one, depth - 1)
    type = promoted(left.type)
    right = amount(ctx, two, type, depth - 1)
    return Expr(f"({left.text} {ctx.pick(('<<', '>>'))} {right})", type)


def divide(ctx: Context, scope: Scope, depth: int) -> Expr:
    """Division and remainder."""
    one, two = ctx.share(scope, 2)
    a, b = expression(ctx, one, depth - 1), divisor(ctx, two, depth - 1)
    return Expr(f"({a.text} {ctx.pick(('/', '%'))} {b.text})", common(a.type, b.type))


def after(ctx: Context, scope: Scope) -> Scope:
    """The scope of what is sequenced after an operand that had this scope."""
    return scope.reading_owned() if ctx.chance(0.5) else scope


def logic(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A short circuit, often with a side effect on the right."""
    a = expression(ctx, scope, depth - 1)
    b = expression(ctx, after(ctx, scope), depth - 1)
    return Expr(f"({a.text} {ctx.pick(('&&', '||'))} {b.text})", INT)


def conditional(ctx: Context, scope: Scope, depth: int) -> Expr:
    """`?:`, sometimes GNU's form with the middle left out."""
    a = expression(ctx, scope, depth - 1)
    b = expression(ctx, after(ctx, scope), depth - 1)
    c = expression(ctx, after(ctx, scope), depth - 1)
    if ctx.chance(0.05):
        return Expr(f"({a.text} ?: {c.text})", common(a.type, c.type))
    return Expr(f"({a.text} ? {b.text} : {c.text})", common(b.type, c.type))


def comma(ctx: Context, scope: Scope, depth: int) -> Expr | None:
    """A comma expression whose left side has an effect."""
    if not scope.owned:
        return None
    a = change(ctx, scope, depth - 1)
    b = expression(ctx, after(ctx, scope), depth - 1)
    return Expr(f"({a.text}, {b.text})", b.type)


def effect(ctx: Context, scope: Scope, depth: int) -> Expr | None:
    """A side effect inside an expression, where a variable is owned."""
    return change(ctx, scope, depth - 1) if scope.owned else None


def block(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A GNU statement expression with a variable of its own."""
    type = ctx.int_type()
    var = Var(ctx.fresh("s"), type, scope.level + 1, private=True)
    start = expression(ctx, scope, depth - 1)
    within = after(ctx, scope).declare(var)
    update = assignment(ctx, within, var.name, type, depth - 1)
    if ctx.chance(0.3):
        update = f"if ({expression(ctx, within, depth - 1).text}) {update}"
    last = expression(ctx, within, depth - 1)
    text = f"({{ {type.name} {var.name} = {start.text}; {update}; {last.text}; }})"
    return Expr(text, last.type)


def text_character(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A character of a string literal, or the size of one."""
    text = "".join(ctx.pick("abcxyz019 _") for _ in range(ctx.number(1, 7)))
    if ctx.chance(0.2):
        return Expr(f'sizeof("{text}")', UINT)
    escaped = text + ctx.pick(("", r"\n", r"\t", r"\x41", r"\101", r"\\"))
    return Expr(f'"{escaped}"[{index(ctx, scope, len(text) + 1, depth)}]', CHAR)


def element(ctx: Context, scope: Scope, depth: int) -> Expr:
    """An element of a compound literal of array type."""
    type = ctx.int_type()
    size = ctx.number(2, 4)
    items = [expression(ctx, scope.owning(), depth - 2).text for _ in range(size)]
    where = index(ctx, scope, size, depth - 1)
    return Expr(f"(({type.name}[]){{{', '.join(items)}}})[{where}]", type)


def expected(ctx: Context, scope: Scope, depth: int) -> Expr:
    """A hint for the compiler, which has no effect on the value."""
    inner = expression(ctx, scope, depth - 1).text
    return Expr(f"__builtin_expect({inner}, {ctx.number(0, 1)})", INT)


def distance(ctx: Context, scope: Scope, depth: int) -> Expr | None:
    """The difference or comparison of two pointers into one array."""
    arrays = [p for v in scope.vars for p in _arrays(v)]
    if not arrays:
        return None
    name, size = ctx.pick(arrays)
    one, two = ctx.share(scope, 2)
    a, b = index(ctx, one, size, depth - 1), index(ctx, two, size, depth - 1)
    op = ctx.pick(("-", "-", "<", ">=", "==", "!="))
    return Expr(f"(&{name}[{a}] {op} &{name}[{b}])", INT)


def _arrays(var: Var) -> list[tuple[str, int]]:
    """The array itself, where the variable is one (of objects that are no bit-fields)."""
    return [
        (var.name, step.size)
        for path in paths(var.type)
        if len(path.steps) == 1
        for step in path.steps
        if isinstance(step, Index)
    ]


def nullness(ctx: Context, scope: Scope, depth: int) -> Expr | None:
    """A test of a pointer, which is never null here."""
    pointers = [v for v in scope.vars if isinstance(v.type, Pointer)]
    if not pointers:
        return None
    name = ctx.pick(pointers).name
    return Expr(ctx.pick((f"(!{name})", f"({name} != 0)", f"({name} && 1)")), INT)


PRODUCTIONS: list[tuple[int, Production]] = [
    (6, leaf),
    (4, unary),
    (5, cast),
    (9, binary),
    (4, compare),
    (4, shift),
    (4, divide),
    (3, logic),
    (3, conditional),
    (2, comma),
    (4, effect),
    (1, block),
    (1, text_character),
    (1, element),
    (1, expected),
    (1, distance),
    (1, nullness),
]
