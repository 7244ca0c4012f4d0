"""Global pointers that nothing in the program sets, although it follows them, are from outside.

A module and the model of its environment have such variables: the rest of the system sets them. By
the letter of C they are null, every run that follows one ends there, and a proof says nothing.
Soundness duty: only a global of external linkage without an initialiser, which no operation writes
and whose address nobody takes, becomes an input; each is named among the assumptions.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir.cfa import ExternPointers, Global, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Deref, Expr
from ..ir.types import PointerType
from ..ir.walk import root_of, subterms
from .points_to.sets import PointsTo


def with_unset_globals(program: Program, points_to: PointsTo) -> Program:
    """The program in which these globals are inputs."""
    if program.extern_pointers is ExternPointers.NULL:
        return program
    unset = [item for item in program.globals if _is_unset(item, points_to)]
    if unset:
        written = {
            root_of(target)
            for function in program.functions.values()
            for edge in function.edges
            if (target := op_target(edge.op)) is not None
        }
        unset = [item for item in unset if item.var not in written]
    if not unset or not _follows_nothing(program, points_to):
        return program
    names = {item.var for item in unset}
    notes = (f"`{item.var.name}`, which nothing here sets, comes from outside" for item in unset)
    return replace(
        program,
        globals=tuple(
            replace(item, external=True) if item.var in names else item for item in program.globals
        ),
        assumptions=(*program.assumptions, *notes),
    )


def _is_unset(item: Global, points_to: PointsTo) -> bool:
    return (
        isinstance(item.var.type, PointerType)
        and item.linked
        and not item.external
        and not item.init
        and item.var.name not in points_to.address_taken.variables
        and not points_to.targets(item.var)
    )


def _follows_nothing(program: Program, points_to: PointsTo) -> bool:
    """Is there an access through a pointer that can point to nothing?"""
    seen: set[Expr] = set()
    for function in program.functions.values():
        for edge in function.edges:
            target = op_target(edge.op)
            for value in (*op_values(edge.op), *(() if target is None else (target,))):
                if value in seen:
                    continue
                seen.add(value)
                for term in subterms(value):
                    if (
                        isinstance(term, Deref)
                        and points_to.access_paths.constant(term.pointer) is None
                        and not points_to.targets(term.pointer)
                    ):
                        return True
    return False
