"""What predabs does not follow: where a run comes to it there is an edge of its own kind."""

from __future__ import annotations

from ..ir.cfa import Edge, Program
from ..ir.ops import Error, ErrorKind, Halt
from ..records import replace


def without_unsupported(program: Program) -> Program:
    """The program in which a run ends where it comes to something that is not supported: for
    violations that lie before it, never for proofs."""
    return replace(
        program,
        functions={
            name: replace(function, edges=tuple(map(_ended, function.edges)))
            for name, function in program.functions.items()
        },
    )


def _ended(edge: Edge) -> Edge:
    match edge.op:
        case Error(ErrorKind.UNSUPPORTED, text):
            return replace(edge, op=Halt(text, None))
    return edge
