"""Assignments of records as assignments of their members.

Soundness duty: the program that is made has the same runs: two records that are assigned are the
same or apart, and no member that is written leads to another one, so it does not matter which of
them is written first.
"""

from __future__ import annotations

from ...errors import UnsupportedFeature
from ...ir.cfa import Edge, Function, Location
from ...ir.expr import Lvalue
from ...ir.ops import Assign
from ...ir.types import is_scalar
from ...records import replace
from ..facts import ProgramFacts
from ..updates import FreshNames, Update, updates_of


def by_members(facts: ProgramFacts) -> ProgramFacts:
    """The facts of the program without assignments of records, as far as these have members."""
    program = facts.program
    functions = {name: _function(facts, f) for name, f in program.functions.items()}
    if all(functions[name] is function for name, function in program.functions.items()):
        return facts
    return facts.of(replace(program, functions=functions), has_ghosts=facts.has_ghosts)


def _function(facts: ProgramFacts, function: Function) -> Function:
    edges: list[Edge] = []
    fresh = 1 + max(location.index for location in function.locations)
    for edge in function.edges:
        here = edge.src
        updates = _members(facts, edge)
        for update in updates[:-1]:
            there = Location(function.name, fresh)
            fresh += 1
            op = Assign(update.target, update.value)
            edges.append(replace(edge, src=here, op=op, dst=there))
            here = there
        last = Assign(updates[-1].target, updates[-1].value) if updates else edge.op
        edges.append(replace(edge, src=here, op=last))
    if len(edges) == len(function.edges):
        return function
    return replace(function, edges=tuple(edges), blocks={})


def _members(facts: ProgramFacts, edge: Edge) -> tuple[Update, ...]:
    """What the assignment of a record does to its members; nothing if it is none."""
    op, slots = edge.op, facts.modref.slots
    if not isinstance(op, Assign) or is_scalar(op.target.type) or not isinstance(op.value, Lvalue):
        return ()
    leading = slots.of_address(op.target) | slots.of_address(op.value)
    if not leading.isdisjoint(slots.of_target(op.target)):
        return ()
    try:
        return updates_of(op, facts.program, FreshNames())
    except UnsupportedFeature:
        return ()
