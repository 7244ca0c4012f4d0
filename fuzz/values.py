"""Literals, constant expressions and initialisers."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.context import Context
from fuzz.types import (
    INT,
    LLONG,
    LONG,
    UINT,
    ULLONG,
    ULONG,
    Array,
    CType,
    Int,
    Pointer,
    Struct,
)

Leaf = Callable[[CType], str]

SUFFIX = {"int": "", "unsigned int": "U", "long": "L", "unsigned long": "UL"}
SUFFIX |= {"long long": "LL", "unsigned long long": "ULL"}
TEXTUAL = ("char", "signed char", "unsigned char")
CHARACTERS = ("'a'", "'Z'", "'0'", "' '", r"'\n'", r"'\0'", r"'\\'", r"'\''", r"'\x7f'", r"'\377'")


def magnitude(ctx: Context, bits: int) -> int:
    """A number of at most `bits` bits: often small, or next to a power of two."""
    style = ctx.number(0, 3)
    if style == 0:
        return ctx.number(0, 9)
    if style == 1:
        return ctx.number(0, 255)
    if style == 2:
        return max(0, (1 << ctx.number(1, bits)) - ctx.number(0, 2)) & ((1 << bits) - 1)
    return ctx.rng.getrandbits(ctx.number(1, bits))


def literal(ctx: Context) -> tuple[str, Int]:
    """A literal (perhaps with a sign) and its type."""
    if ctx.chance(0.1):
        return ctx.pick(CHARACTERS), INT
    type = ctx.pick((INT, INT, INT, UINT, LONG, ULONG, LLONG, ULLONG))
    bits = 63 if type.rank == 5 else 31
    value = magnitude(ctx, bits)
    digits = ctx.pick((str(value), str(value), hex(value), f"0{value:o}"))
    text = digits + SUFFIX[type.kind]
    if ctx.chance(0.25):
        text = f"(-{text})"
    return text, type


def constant(ctx: Context, depth: int = 1) -> str:
    """A constant expression that overflows nowhere."""
    style = ctx.number(0, 9) if depth > 0 else 0
    if style <= 5:
        return literal(ctx)[0]
    if style == 6:
        return f"(({ctx.int_type().name}){constant(ctx, depth - 1)})"
    if style == 7:
        return f"(1{ctx.pick(('', 'U', 'LL', 'ULL'))} << {ctx.number(0, 30)})"
    if style == 8:
        return f"({ctx.number(-50, 50)} {ctx.pick(('+', '-', '*', '<', '=='))} {ctx.number(0, 99)})"
    names = (*ctx.constants, f"sizeof({ctx.int_type().name})", "~5", "!3")
    return ctx.pick(names)


def initialiser(ctx: Context, type: CType, leaf: Leaf) -> str:
    """An initialiser with nested braces and designators; `leaf` gives scalars and pointers.

    Parts may be left out (they are zero), but never a pointer, which must be valid.
    """
    match type:
        case Int() | Pointer():
            return leaf(type)
        case Array():
            return _array(ctx, type, leaf)
        case Struct():
            return _struct(ctx, type, leaf)


def _array(ctx: Context, type: Array, leaf: Leaf) -> str:
    if not isinstance(type.item, Int):
        if ctx.chance(0.3):
            return _sparse(ctx, type, leaf)
        return "{" + ", ".join(initialiser(ctx, type.item, leaf) for _ in range(type.size)) + "}"
    if type.item.kind in TEXTUAL and ctx.chance(0.2):
        # A text of exactly the size of the array leaves its final zero out.
        return '"' + "".join(ctx.pick("abcz19 ") for _ in range(ctx.number(0, type.size))) + '"'
    style = ctx.number(0, 3)
    if style == 0:
        chosen = sorted(ctx.rng.sample(range(type.size), ctx.number(1, type.size)))
        return "{" + ", ".join(f"[{i}] = {leaf(type.item)}" for i in chosen) + "}"
    if style == 1 and type.size > 2:
        last = ctx.number(1, type.size - 1)
        return f"{{[0 ... {last - 1}] = {constant(ctx, 0)}, {leaf(type.item)}}}"
    count = type.size if style == 2 else ctx.number(1, type.size)
    return "{" + ", ".join(leaf(type.item) for _ in range(count)) + "}"


def _struct(ctx: Context, type: Struct, leaf: Leaf) -> str:
    if ctx.chance(0.25):
        return _sparse(ctx, type, leaf)
    parts = [(m, initialiser(ctx, m.type, leaf)) for m in type.members]
    if ctx.chance(0.4):
        return "{" + ", ".join(text for _, text in parts) + "}"
    kept = [(m, text) for m, text in parts if not isinstance(m.type, Int) or ctx.chance(0.7)]
    ctx.rng.shuffle(kept)
    # C99 has no empty braces.
    return "{" + (", ".join(f".{m.name} = {text}" for m, text in kept) or "0") + "}"


def _sparse(ctx: Context, type: CType, leaf: Leaf) -> str:
    """An initialiser for scalars deep inside: all in order without inner braces, or some of them
    under designators such as `.a.b[1]`."""
    scalars = _scalars(type)
    if ctx.chance(0.4):
        return "{" + ", ".join(leaf(part) for _, part in scalars) + "}"
    kept = [(d, part) for d, part in scalars if isinstance(part, Pointer) or ctx.chance(0.5)]
    ctx.rng.shuffle(kept)
    return "{" + (", ".join(f"{d} = {leaf(part)}" for d, part in kept) or "0") + "}"


def _scalars(type: CType) -> list[tuple[str, CType]]:
    """Each scalar inside an object with its designator, in order."""
    match type:
        case Int() | Pointer():
            return [("", type)]
        case Array():
            inner = _scalars(type.item)
            return [(f"[{i}]{d}", part) for i in range(type.size) for d, part in inner]
        case Struct():
            return [(f".{m.name}{d}", part) for m in type.members for d, part in _scalars(m.type)]
