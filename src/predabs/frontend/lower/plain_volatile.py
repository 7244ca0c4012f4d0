"""`--volatile plain`: volatile objects are memory that only this program writes.

A read of one gives what was last written, so that there is no input. That is a choice of the user,
and named among the assumptions. Soundness duty: no other operation changes.
"""

from __future__ import annotations

from ...ir.cfa import Edge, Program
from ...ir.ops import Havoc, Skip, Source
from ...records import replace

ASSUMPTION = "volatile objects are written by this program alone (--volatile plain)"


def with_plain_volatile(program: Program) -> Program:
    """The program whose volatile objects hold what was written."""
    changed = False
    functions = {}
    for name, function in program.functions.items():
        edges = tuple(replace(e, op=Skip()) if _is_volatile(e) else e for e in function.edges)
        changed |= any(map(_is_volatile, function.edges))
        functions[name] = replace(function, edges=edges)
    if not changed:
        return program
    return replace(program, functions=functions, assumptions=(*program.assumptions, ASSUMPTION))


def _is_volatile(edge: Edge) -> bool:
    return isinstance(edge.op, Havoc) and edge.op.source is Source.VOLATILE
