"""Paths from the heads of loops back to them, on which numbers are assigned, and nothing else.

No soundness duty: it proposes what `closed_form` looks at.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.cfa import Edge, Function, Location
from ...ir.expr import Deref, Field, Index, Var
from ...ir.ops import Assign, Assume, Skip
from ...ir.types import FloatType, IntType
from .rounds import MOST_BITS

_MOST_PATHS = 4  # of one loop
_MOST_EDGES = 40  # of one path


def loops(function: Function) -> dict[Location, list[list[Edge]]]:
    """The paths of each loop that has any, by its head."""
    found: dict[Location, list[list[Edge]]] = {}
    for head in _heads(function):
        paths = list(_cycles(function, head))
        if paths:
            found[head] = paths
    return found


def _heads(function: Function) -> list[Location]:
    """Where edges lead back to, as a search in depth from the entry meets them."""
    outgoing = function.outgoing
    state: dict[Location, int] = {function.entry: 1}
    stack = [(function.entry, iter(outgoing[function.entry]))]
    heads: dict[Location, None] = {}
    while stack:
        location, edges = stack[-1]
        for edge in edges:
            known = state.get(edge.dst)
            if known is None:
                state[edge.dst] = 1
                stack.append((edge.dst, iter(outgoing[edge.dst])))
                break
            if known == 1:
                heads[edge.dst] = None
        else:
            state[location] = 2
            stack.pop()
    return list(heads)


def _cycles(function: Function, head: Location) -> Iterator[list[Edge]]:
    """A few paths from the head back to it, with allowed operations only, no location twice."""
    count = 0
    stack: list[list[Edge]] = [[edge] for edge in function.outgoing[head]]
    steps = 0
    while stack and count < _MOST_PATHS and steps < _MOST_EDGES * _MOST_PATHS:
        path = stack.pop()
        steps += 1
        last = path[-1]
        if not _is_allowed(last) or len(path) > _MOST_EDGES:
            continue
        if last.dst is head:
            count += 1
            yield path
            continue
        if all(last.dst is not edge.src for edge in path):
            stack += [[*path, edge] for edge in function.outgoing[last.dst]]


def _is_allowed(edge: Edge) -> bool:
    match edge.op:
        case Skip() | Assume():
            return True
        case Assign(Var(_, IntType(bits, _)), _):
            return bits <= MOST_BITS
        case Assign(Index() | Field() | Deref() as target, _):
            return isinstance(target.type, IntType | FloatType)
    return False
