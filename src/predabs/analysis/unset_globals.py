"""Global pointers that nothing in the program sets, although it follows them.

A module and the model of its environment have such variables: the rest of the system sets them. By
the letter of C they are null, every run that follows one ends there, and a proof would say little;
so they are taken to come from outside.

Soundness duty: only a global of external linkage without an initialiser, which no operation writes
and whose address nobody takes, becomes an input; each is named among the assumptions.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.cfa import Edge, ExternPointers, Global, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Deref, Expr, Var
from ..ir.types import PointerType
from ..ir.walk import root_of, unseen
from ..records import replace
from .facts import ProgramFacts
from .points_to.sets import PointsTo


def with_unset_globals(facts: ProgramFacts) -> ProgramFacts:
    """The facts of the program in which such globals are inputs."""
    program = facts.program
    if program.extern_pointers is ExternPointers.NULL:
        return facts
    found = _followed(program, facts.points_to)
    if not found:
        return facts
    names = {var.name for var in found}
    notes = (f"`{name}`, which nothing here sets, comes from outside" for name in sorted(names))
    changed = replace(
        program,
        globals=tuple(
            replace(item, external=True) if item.var.name in names else item
            for item in program.globals
        ),
        assumptions=(*program.assumptions, *notes),
    )
    return facts.of(changed, facts.points_to.with_inputs(changed, found))


def _followed(program: Program, facts: PointsTo) -> list[Var]:
    """The globals."""
    candidates = [item for item in program.globals if _is_unset(item, facts)]
    written = {root_of(target) for edge in _edges(program) if (target := op_target(edge.op))}
    candidates = [item for item in candidates if item.var not in written]
    if not candidates:
        return []
    variables = [item.var for item in candidates]
    return facts.handing_on(variables, _empty_accesses(program, facts))


def _edges(program: Program) -> Iterator[Edge]:
    return (edge for function in program.functions.values() for edge in function.edges)


def _is_unset(item: Global, facts: PointsTo) -> bool:
    """Only one of external linkage: other code could not set another."""
    return (
        isinstance(item.var.type, PointerType)
        and item.linked
        and not item.external
        and not item.init
        and item.var.name not in facts.address_taken.variables
        and not facts.targets(item.var)
    )


def _empty_accesses(program: Program, facts: PointsTo) -> Iterator[Expr]:
    """The pointers that are followed and can point to nothing."""
    seen: set[Expr] = set()
    for edge in _edges(program):
        target = op_target(edge.op)
        for term in unseen((*op_values(edge.op), *(() if target is None else (target,))), seen):
            if isinstance(term, Deref) and not facts.targets(term.pointer):
                yield term.pointer
