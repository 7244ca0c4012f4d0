"""Statements that take the whole value of an object into the checksum.

Only values are taken, never padding and never addresses, so that any correct run prints the same.
"""

from __future__ import annotations

from fuzz.context import Context
from fuzz.types import Array, CType, Int, Pointer, Struct


def absorb(ctx: Context, type: CType, text: str) -> list[str]:
    """Statements that mix an lvalue into the checksum."""
    match type:
        case Int():
            return [f"mix({text});"]
        case Pointer():
            return absorb(ctx, type.target, f"(*{text})")
        case Struct():
            ctx.budget.spend(8)
            return [f"mix_{type.tag}(&{text});"]
        case Array():
            i = ctx.fresh("i")
            ctx.budget.spend(type.size * 2)
            head = f"for (int {i} = 0; {i} < {type.size}; {i}++)"
            inner = absorb(ctx, type.item, f"{text}[{i}]")
            return [f"{head} {line}" for line in inner]


def mixer(ctx: Context, type: Struct) -> list[str]:
    """The function that takes a structure into the checksum."""
    lines = [f"static void mix_{type.tag}(const struct {type.tag} *s)", "{"]
    for member in type.members:
        lines += [f"    {line}" for line in absorb(ctx, member.type, f"s->{member.name}")]
    return [*lines, "}", ""]
