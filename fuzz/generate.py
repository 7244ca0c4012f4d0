"""A random, well-defined C program from a seed.

The program takes no input and prints checksums of its state at several points and the value of
each global at the end. It depends on nothing that C leaves open: no order of evaluation, no
uninitialised value, no address, no padding. Signed arithmetic may overflow, as with `gcc -fwrapv`.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from fuzz import calls, control, expressions, functions, idioms, places, statements
from fuzz.absorb import absorb, mixer
from fuzz.context import Budget, Context, Function, Scope, Var
from fuzz.statements import Lines, indent
from fuzz.types import (
    BOOL,
    INT,
    LLONG,
    SHORT,
    STANDARD,
    UCHAR,
    UINT,
    ULLONG,
    Array,
    CType,
    Int,
    Member,
    Pointer,
    Struct,
    declare,
    has_pointer,
)
from fuzz.values import constant, initialiser

INCLUDES = ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", ""]
PROTOTYPES = """\
typedef __SIZE_TYPE__ size_t;
int printf(const char *, ...);
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strcat(char *, const char *);
char *strchr(const char *, int);
""".splitlines()
PRELUDE = """
static unsigned long long check = 14695981039346656037ULL;

static void mix(unsigned long long v)
{
    check = (check ^ v) * 1099511628211ULL + (check >> 47);
}

static int *pick_int(int *a, int *b, int c)
{
    return c ? a : b;
}

static long long total(int n, ...)
{
    __builtin_va_list rest;
    long long sum = 0;
    __builtin_va_start(rest, n);
    while (n-- > 0) sum = sum * 7 + __builtin_va_arg(rest, int);
    __builtin_va_end(rest);
    return sum;
}

union cell {
    unsigned char bytes[16];
    signed char c;
    unsigned short s;
    int i;
    unsigned long l;
    long long ll;
    struct { short x; struct { int y[2]; }; } p;
};

static struct variant { int tag; union cell u; } variant = { .u.c = -7 };

static void mix_variant(const struct variant *v)
{
    switch (v->tag) {
    case 0: mix(v->u.c); break;
    case 1: mix(v->u.s); break;
    case 2: mix(v->u.i); break;
    case 3: mix(v->u.l); break;
    default: mix(v->u.ll);
    }
}
""".splitlines()
BIT_TYPES = (INT, UINT, UINT, SHORT, UCHAR, BOOL, LLONG, ULLONG)
WIDTHS = {0: 1, 1: 8, 2: 16, 3: 32, 5: 60}


def program(seed: int, size: int | None = None) -> str:
    """The text of the program for a seed; `size` 1 (small) to 4, by default chosen at random.

    >>> program(7) == program(7)
    True
    """
    rng = Random(seed)
    size = rng.choice((1, 1, 1, 1, 2, 2, 3)) if size is None else size
    grammar = (*expressions.PRODUCTIONS, *calls.PRODUCTIONS)
    makers = (*statements.MAKERS, *control.MAKERS, *idioms.MAKERS)
    ctx = Context(rng, Budget(0, 0), grammar, makers, ints=STANDARD)
    text = [f"/* seed {seed}, size {size} */", *(INCLUDES if ctx.chance(0.3) else PROTOTYPES)]
    text += PRELUDE
    text += _integers(ctx)
    text += _structures(ctx, size)
    text += [f"struct node {{ {ctx.int_type().name} value; struct node *next; }};", ""]
    lines, scope = _globals(ctx, size)
    text += lines
    for struct in ctx.structs:
        text += mixer(ctx, struct)
    lines, scope = _functions(ctx, scope, size)
    text += lines
    text += _main(ctx, scope, size)
    return "\n".join(text) + "\n"


def _integers(ctx: Context) -> Lines:
    """Enumerations and typedefs."""
    lines: Lines = []
    kinds: list[Int] = []
    for _ in range(ctx.number(1, 2)):
        tag = ctx.fresh("E")
        names = [ctx.fresh("K") for _ in range(ctx.number(2, 4))]
        signed = ctx.chance(0.4)
        values = [f" = {ctx.number(2, 90)}" if ctx.chance(0.4) else "" for _ in names]
        if signed:
            values[0] = f" = -{ctx.number(1, 40)}"
        parts = ", ".join(f"{n}{v}" for n, v in zip(names, values, strict=True))
        lines.append(f"enum {tag} {{ {parts} }};")
        kinds.append(Int(f"enum {tag}", f"enum {tag}", INT.rank, signed))
        ctx.constants += tuple(names)
    for _ in range(ctx.number(1, 3)):
        base = ctx.pick((*STANDARD, *kinds))
        name = ctx.fresh("t_")
        lines.append(f"typedef {base.name} {name};")
        kinds.append(replace(base, name=name))
    ctx.ints += tuple(kinds)
    return [*lines, ""]


def _structures(ctx: Context, size: int) -> Lines:
    lines: Lines = []
    for _ in range(ctx.number(1, size)):
        tag = ctx.fresh("S")
        # At least one integer is there to be read from a structure value.
        members = [Member(ctx.fresh("m"), ctx.int_type())]
        members += [_member(ctx) for _ in range(ctx.number(1, 4))]
        ctx.rng.shuffle(members)
        lines.append(f"struct {tag} {{")
        for member in members:
            width = "" if member.bits is None else f" : {member.bits}"
            lines.append(f"    {declare(member.type, member.name)}{width};")
            if member.bits is not None and ctx.chance(0.2):
                lines.append(ctx.pick(("    int : 0;", "    unsigned : 3;", "    short : 5;")))
        lines += ["};", ""]
        ctx.structs += (Struct(tag, tuple(members)),)
    return lines


def _member(ctx: Context) -> Member:
    name = ctx.fresh("m")
    style = ctx.number(0, 11)
    if style < 4:
        return Member(name, ctx.int_type())
    if style < 8:
        type = ctx.pick(BIT_TYPES)
        return Member(name, type, ctx.number(1, WIDTHS[type.rank]))
    if style == 8 and ctx.structs:
        return Member(name, ctx.pick(ctx.structs))
    if style == 9:
        return Member(name, Pointer(INT, const=ctx.chance(0.3)))
    return Member(name, Array(ctx.int_type(), ctx.number(2, 4)))


def _globals(ctx: Context, size: int) -> tuple[Lines, Scope]:
    """Global variables; the first are plain ints, so that every pointer finds a target."""
    types: list[CType] = [INT, Array(INT, ctx.number(2, 5))]
    types += ctx.structs
    types += [_global_type(ctx) for _ in range(1 + 2 * size)]
    lines: Lines = []
    scope = Scope(())
    for type in types:
        name = ctx.fresh("g")
        # The pointers inside a constant object are not constant enough for its readers.
        const = len(scope.vars) > 1 and isinstance(type, Int | Array) and ctx.chance(0.15)
        const = const and not has_pointer(type)
        var = Var(name, type, 0, writable=not const)
        value = initialiser(ctx, type, lambda part: _static(ctx, scope, part))  # noqa: B023
        kind = ctx.pick(("static ", "")) + ("const " if const else "")
        if isinstance(type, Array) and isinstance(type.item, Int) and ctx.chance(0.15):
            items = ", ".join(constant(ctx) for _ in range(type.size))
            lines.append(f"{kind}{type.item.name} {name}[] = {{{items}}};")
            scope = scope.declare(var)
            continue
        if not const and not has_pointer(type) and ctx.chance(0.2):
            lines.append(f"{kind}{declare(type, name)};")
        if has_pointer(type) or const or ctx.chance(0.8):
            lines.append(f"{kind}{declare(type, name)} = {value};")
        else:
            lines.append(f"{kind}{declare(type, name)};")
        scope = scope.declare(var)
    return [*lines, ""], scope


def _global_type(ctx: Context) -> CType:
    style = ctx.number(0, 11)
    if style < 5:
        return ctx.int_type()
    if style < 7:
        return Array(ctx.int_type(), ctx.number(2, 6))
    if style == 7:
        return Array(Array(ctx.int_type(), ctx.number(2, 3)), ctx.number(2, 4))
    if style == 8:
        return Array(Array(Array(ctx.int_type(), 2), ctx.number(2, 3)), 2)
    if style == 9:
        return Array(ctx.pick(ctx.structs), ctx.number(2, 3))
    if style == 10:
        return Array(Pointer(INT), ctx.number(2, 3))
    targets: list[CType] = [INT, INT, *ctx.structs]
    return Pointer(ctx.pick(targets), const=ctx.chance(0.2))


def _static(ctx: Context, scope: Scope, type: CType) -> str:
    """A constant initialiser for a scalar or a pointer."""
    if not isinstance(type, Pointer):
        return constant(ctx)
    found = places.pointable(scope, type.target, 0, type.const)
    place = places.choose(ctx, [p for p in found if not p.path.through_pointer])

    def fixed(ctx: Context, _scope: Scope, size: int, _depth: int) -> str:
        return str(ctx.number(0, size - 1))

    return f"&{places.write(ctx, scope, place, 0, fixed)}"


def _functions(ctx: Context, scope: Scope, size: int) -> tuple[Lines, Scope]:
    """Callees come before callers, so that the cost of a call is known."""
    lines: Lines = []

    def add(text: Lines, function: Function) -> None:
        nonlocal lines, scope
        lines += text
        scope = replace(scope, functions=(*scope.functions, function))

    for _ in range(ctx.number(1, size)):
        add(*functions.random_function(ctx, scope, True, size))
    text, members, table = functions.group(ctx, scope, size)
    add(text, table)
    ctx.groups += (members,)
    if ctx.chance(0.5):
        add(*functions.apply(ctx, members))
    add(*functions.recursive(ctx, scope, ctx.chance(0.5)))
    for _ in range(ctx.number(1, size)):
        add(*functions.random_function(ctx, scope, False, size))
    return lines, scope


def _main(ctx: Context, scope: Scope, size: int) -> Lines:
    ctx.budget = Budget(lines=8 + 8 * size, steps=1500 * size + 500)
    lines: Lines = []
    inner = replace(scope, level=1)
    for number in range(2 + 2 * size):
        for _ in range(3):
            more, inner = statements.statement(ctx, inner)
            lines += more
        lines.append(f'printf("point {number} %llx\\n", check);')
    # A local may hide a global: the end of the program must see the globals.
    lines = ["{", *indent(lines), "}"]
    lines += _summary(ctx, scope)
    return ["int main(void)", "{", *indent(lines), "    return 0;", "}"]


def _summary(ctx: Context, scope: Scope) -> Lines:
    """What is printed at the end: each global, and the layout of each structure."""
    lines: Lines = []
    for var in scope.vars:
        if isinstance(var.type, Int):
            lines += [_printed(ctx, var.name, var.type)]
        lines += absorb(ctx, var.type, var.name)
        lines.append(f'printf("%s %llx\\n", "{var.name}", check);')
    lines += ["mix_variant(&variant);"]
    for struct in ctx.structs:
        tag = struct.tag
        lines.append(f'printf("size {tag} %u\\n", (unsigned)sizeof(struct {tag}));')
        for member in struct.members:
            if member.bits is None:
                where = f"__builtin_offsetof(struct {tag}, {member.name})"
                lines.append(f'printf("offset {member.name} %u\\n", (unsigned){where});')
    return [*lines, 'printf("end %llx\\n", check);']


def _printed(ctx: Context, name: str, type: Int) -> str:
    """One integer, printed with some conversion that fits after a cast."""
    conversion, cast = ctx.pick(
        (
            ("%d", "int"),
            ("%u", "unsigned"),
            ("%x", "unsigned"),
            ("%08X", "unsigned"),
            ("%+5d", "int"),
            ("%-12lld|", "long long"),
            ("%llu", "unsigned long long"),
            ("%ld", "long"),
            ("%lu", "unsigned long"),
            ("%hhd", "signed char"),
            ("%#o", "unsigned"),
            ("%hu", "unsigned short"),
        )
    )
    return f'printf("{name} {conversion}\\n", ({cast}){name});'
