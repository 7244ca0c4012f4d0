"""Branches that no run takes, by the interval facts: most faults that checks look for.

What is left of an `x > 2147483646` that never holds costs the engines nothing, and what only it
depends on is sliced away. Soundness duty: the program has the same runs.
"""

from __future__ import annotations

from ..ir import make
from ..ir.cfa import Edge, Function
from ..ir.ops import Assume, Skip
from ..records import replace
from .facts import ProgramFacts
from .intervals.analysis import Intervals


def without_dead_branches(facts: ProgramFacts) -> ProgramFacts:
    """The program without edges that the intervals exclude; a condition of which the opposite was
    excluded is left out as well."""
    program = facts.program
    origin: dict[Edge, Edge] = {}
    functions = {
        name: _cut(function, facts.intervals, origin)
        for name, function in program.functions.items()
    }
    if all(function is program.functions[name] for name, function in functions.items()):
        return facts
    return facts.of_part(replace(program, functions=functions), origin)


def _cut(function: Function, intervals: Intervals, origin: dict[Edge, Edge]) -> Function:
    if not intervals.reachable(function.entry):
        origin.update((edge, edge) for edge in function.edges)
        return function  # nothing calls it any more
    edges: list[Edge] = []
    for location, leaving in function.outgoing.items():
        if not intervals.reachable(location):
            continue
        left = [edge for edge in leaving if not _is_dead(edge, intervals)]
        if not left:  # no run goes on here: as it was
            left = list(leaving)
        for edge in left:
            new = edge
            if len(left) == 1 and _is_decided(edge, leaving):
                new = replace(edge, op=Skip())
            origin[new] = edge
            edges.append(new)
    return function if len(edges) == len(function.edges) else replace(function, edges=tuple(edges))


def _is_dead(edge: Edge, intervals: Intervals) -> bool:
    return isinstance(edge.op, Assume) and not intervals.reachable(edge.dst)


def _is_decided(edge: Edge, leaving: tuple[Edge, ...]) -> bool:
    """Is it one of two branches, of which the other was dead?"""
    if not isinstance(edge.op, Assume) or len(leaving) != 2:
        return False
    (other,) = (one for one in leaving if one is not edge)
    return isinstance(other.op, Assume) and other.op.cond is make.negate(edge.op.cond)
