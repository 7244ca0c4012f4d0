"""Global pointers that nothing in the program sets, although it follows them.

A module and the model of its environment have such variables: the rest of the system sets them. By
the letter of C they are null, every run that follows one ends there, and a proof would say little;
so they are taken to come from outside.

Soundness duty: only a global of external linkage without an initialiser, which no operation writes
and whose address nobody takes, becomes an input; each is named among the assumptions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..ir import make
from ..ir.cfa import Edge, ExternPointers, Global, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Deref, Expr, Var
from ..ir.ops import Assign
from ..ir.types import CHAR, PointerType
from ..ir.walk import root_of, subterms
from .points_to.objects import Variable
from .points_to.sets import PointsTo, points_to


def with_unset_globals(program: Program, facts: PointsTo) -> Program:
    """The program in which such globals are inputs."""
    names = set(_followed(program, facts))
    if not names or program.extern_pointers is ExternPointers.NULL:
        return program
    notes = (f"`{name}`, which nothing here sets, comes from outside" for name in sorted(names))
    return replace(
        program,
        globals=tuple(
            replace(item, external=True) if item.var.name in names else item
            for item in program.globals
        ),
        assumptions=(*program.assumptions, *notes),
    )


def _followed(program: Program, facts: PointsTo) -> Iterator[str]:
    """The names of the globals."""
    candidates = [item for item in program.globals if _is_unset(item, facts)]
    written = {root_of(target) for edge in _edges(program) if (target := op_target(edge.op))}
    candidates = [item for item in candidates if item.var not in written]
    empty = list(_empty_accesses(program, facts)) if candidates else []
    if not empty:
        return
    # each points to an object of its own: so it is seen which of them an access goes through
    owners = {Var(f"behind {item.var.name}", CHAR): item for item in candidates}
    marked = points_to(_marked(program, owners))
    for pointer in empty:
        for found in marked.targets(pointer):
            if isinstance(found.object, Variable) and found.object.var in owners:
                yield owners[found.object.var].var.name


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
        for value in (*op_values(edge.op), *(() if target is None else (target,))):
            if value in seen:
                continue
            seen.add(value)
            for term in subterms(value):
                if isinstance(term, Deref) and not facts.targets(term.pointer):
                    yield term.pointer


def _marked(program: Program, owners: dict[Var, Global]) -> Program:
    bits = program.data_model.pointer_bits
    addresses = {
        item.var: make.cast(make.address_of(mark, PointerType(CHAR, bits)), item.var.type)
        for mark, item in owners.items()
    }
    globals_ = [
        replace(item, init=(Assign(item.var, addresses[item.var]),))
        if item.var in addresses
        else item
        for item in program.globals
    ]
    marks = [Global(mark, (), False, item.coord) for mark, item in owners.items()]
    return replace(program, globals=(*globals_, *marks))
