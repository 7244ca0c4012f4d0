"""Reads of volatile objects that the program has made itself.

A register of a device, or a variable of another file, changes as its owner likes. A volatile object
of the program's own changes by itself only if an interrupt or another thread writes it: unless the
user says that there is one (`--volatile any`), that is a doubt, and no violation may rest on it.
"""

from __future__ import annotations

from ..analysis.facts import ProgramFacts
from ..analysis.points_to.objects import UNKNOWN
from ..ir.cfa import Edge, Program
from ..ir.expr import Expr, Lvalue, Var
from ..ir.ops import Assign, Havoc, Source
from ..ir.walk import root_of


def own_volatile_reads(program: Program) -> frozenset[Edge]:
    """The inputs that stand for a change of the program's own objects. A read is two edges: what is
    there is copied to a variable, which then takes the input."""
    reads: list[tuple[Edge, Lvalue]] = []
    for function in program.functions.values():
        copied: dict[tuple[object, Expr], Expr] = {
            (edge.dst, edge.op.target): edge.op.value
            for edge in function.edges
            if isinstance(edge.op, Assign)
        }
        for edge in function.edges:
            if isinstance(edge.op, Havoc) and edge.op.source is Source.VOLATILE:
                lvalue = copied.get((edge.src, edge.op.target))
                if isinstance(lvalue, Lvalue):
                    reads.append((edge, lvalue))
    if not reads:
        return frozenset()
    external = {item.var.name for item in program.globals if item.external}
    points_to = ProgramFacts(program).points_to
    own: set[Edge] = set()
    for edge, lvalue in reads:
        root = root_of(lvalue)
        if isinstance(root, Var):
            if root.name not in external:
                own.add(edge)
        elif (targets := points_to.targets(root.pointer)) and not any(
            target.object == UNKNOWN for target in targets
        ):
            own.add(edge)
    return frozenset(own)
