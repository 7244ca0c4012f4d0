"""The program that a property asks about: only errors that count are left as errors.

Soundness duty: every other error still ends the run, as it does in the real program.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir.cfa import Edge, Function, Program
from ..ir.ops import Error, Halt
from .properties import Property


def restrict(program: Program, wanted: Property) -> Program:
    """The program in which an error edge of a kind that does not count ends the run in peace."""
    return replace(
        program,
        functions={name: _function(f, wanted) for name, f in program.functions.items()},
    )


def _function(function: Function, wanted: Property) -> Function:
    edges = tuple(_edge(edge, wanted) for edge in function.edges)
    if all(old is new for old, new in zip(function.edges, edges, strict=True)):
        return function
    return replace(function, edges=edges)


def _edge(edge: Edge, wanted: Property) -> Edge:
    match edge.op:
        case Error(kind, text) if kind not in wanted.kinds:
            return replace(edge, op=Halt(text, None))
    return edge
