"""Edges that become several: one operation after the other, through new locations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..records import replace
from .cfa import Edge, Function, Location
from .expr import Var
from .ops import Operation


def expanded(
    function: Function, edges: Mapping[Edge, Sequence[Operation]], drawn: Iterable[Var] = ()
) -> Function:
    """The function in which each of these edges is a chain of operations, with further locals."""
    last = max(at.index for at in function.locations)
    made: list[Edge] = []
    for edge in function.edges:
        here, ops = edge.src, edges.get(edge, (edge.op,))
        for op in ops[:-1]:
            last += 1
            between = Location(function.name, last)
            made.append(Edge(here, op, between, edge.coord))
            here = between
        made.append(edge if len(ops) == 1 else Edge(here, ops[-1], edge.dst, edge.coord))
    return replace(function, edges=tuple(made), locals=(*function.locals, *drawn))
