"""`--malloc-may-fail`: an input of the run says of each allocation on the heap whether it fails.

Then null is what it gives. What is too large for the address space gives null anyway, so nothing is
assumed about room any more. Soundness duty: a run in which nothing fails is the same run as before.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import make
from ...ir.cfa import Edge, Function, Location, Program
from ...ir.expr import Var
from ...ir.ops import Alloc, AllocKind, Assign, Assume, Havoc, Source
from ...ir.types import CBOOL, PointerType
from ...records import replace
from .allocation import ROOM

INPUT = "malloc fails"  # the name of the input: is it 1?


def with_failing_malloc(program: Program) -> Program:
    """The program whose allocations may fail."""
    return replace(
        program,
        functions={name: _changed(function) for name, function in program.functions.items()},
        assumptions=tuple(note for note in program.assumptions if note != ROOM),
    )


def _changed(function: Function) -> Function:
    allocations = [edge for edge in function.edges if _on_heap(edge)]
    if not allocations:
        return function
    fresh = _fresh(function)
    fails = Var(f"{function.name}::malloc.fails", CBOOL)
    edges: list[Edge] = []
    for edge in function.edges:
        if _on_heap(edge):
            edges += _failing(edge, fails, fresh)
        else:
            edges.append(edge)
    return replace(function, edges=tuple(edges), locals=(*function.locals, fails))


def _on_heap(edge: Edge) -> bool:
    return isinstance(edge.op, Alloc) and edge.op.kind is AllocKind.HEAP


def _failing(edge: Edge, fails: Var, fresh: Iterator[Location]) -> list[Edge]:
    assert isinstance(edge.op, Alloc) and isinstance(edge.op.target.type, PointerType)
    asked, yes, no = next(fresh), next(fresh), next(fresh)
    given = make.equal(fails, make.const(0, CBOOL))
    null = Assign(edge.op.target, make.const(0, edge.op.target.type))
    return [
        replace(edge, op=Havoc(fails, Source.LIBRARY, INPUT), dst=asked),
        replace(edge, src=asked, op=Assume(given), dst=yes),
        replace(edge, src=asked, op=Assume(make.negate(given)), dst=no),
        replace(edge, src=yes),
        replace(edge, src=no, op=null),
    ]


def _fresh(function: Function) -> Iterator[Location]:
    index = 1 + max(location.index for location in function.locations)
    while True:
        yield Location(function.name, index)
        index += 1
