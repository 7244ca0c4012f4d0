"""Global pointers that nothing in the program sets, although it follows them.

A module and the model of its environment have such variables: the rest of the system sets them. By
the letter of C they are null, and every run that follows one ends there, so that a proof would say
little. Soundness duty: none; an answer makes a proof an UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..ir import make
from ..ir.cfa import Coord, Edge, Global, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Deref, Expr, Var
from ..ir.ops import Assign
from ..ir.types import CHAR, PointerType
from ..ir.walk import root_of, subterms
from .points_to.objects import Variable
from .points_to.sets import PointsTo, points_to


@dataclass(frozen=True, slots=True)
class FollowedNull:
    """The global is never set, and an access at the position goes through it."""

    name: str
    coord: Coord

    def __str__(self) -> str:
        return (
            f"{self.coord}: `{self.name}` is followed here, but nothing in the program sets it, so "
            "that every run ends here; set it, or declare it extern if other code does"
        )


def followed_null(program: Program, facts: PointsTo) -> FollowedNull | None:
    """The first such access."""
    candidates = [item for item in program.globals if _is_unset(item, facts)]
    written = {root_of(target) for edge in _edges(program) if (target := op_target(edge.op))}
    candidates = [item for item in candidates if item.var not in written]
    empty = list(_empty_accesses(program, facts)) if candidates else []
    if not empty:
        return None
    # each points to an object of its own: so it is seen which of them an access goes through
    owners = {Var(f"behind {item.var.name}", CHAR): item for item in candidates}
    marked = points_to(_marked(program, owners))
    for pointer, edge in empty:
        for found in marked.targets(pointer):
            if isinstance(found.object, Variable) and found.object.var in owners:
                return FollowedNull(owners[found.object.var].var.name, edge.coord)
    return None


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


def _empty_accesses(program: Program, facts: PointsTo) -> Iterator[tuple[Expr, Edge]]:
    """The accesses through pointers that can point to nothing."""
    seen: set[Expr] = set()
    for edge in _edges(program):
        target = op_target(edge.op)
        for value in (*op_values(edge.op), *(() if target is None else (target,))):
            if value in seen:
                continue
            seen.add(value)
            for term in subterms(value):
                if isinstance(term, Deref) and not facts.targets(term.pointer):
                    yield term.pointer, edge


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
