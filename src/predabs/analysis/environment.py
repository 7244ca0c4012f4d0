"""What a verdict takes for granted about the environment, as far as the program depends on it."""

from __future__ import annotations

from ..ir.cfa import ExternPointers
from ..ir.expr import ValidAccess, ValidFree
from ..ir.ops import Alloc, Assume, Call
from ..ir.walk import subterms
from .facts import ProgramFacts
from .memory.partition import RegionId
from .points_to.objects import UNKNOWN

_APART = (
    "a pointer from outside is null or leads to memory of the environment, where no object of the "
    "program lies and which is read as what it was written as (--extern-pointers fresh)"
)
_ANYWHERE = (
    "a pointer from outside may lead to memory of the environment or into an object of the program "
    "whose address is taken (--extern-pointers any)"
)
_FUNCTION = (
    "a function of the environment that is called through a pointer returns any value and changes "
    "nothing else"
)


def _validated(facts: ProgramFacts) -> bool:
    """Is it asked of a pointer from outside whether an access is valid?"""
    return any(
        isinstance(term, ValidAccess | ValidFree)
        and any(target.object == UNKNOWN for target in facts.points_to.targets(term.pointer))
        for function in facts.program.functions.values()
        for edge in function.edges
        if isinstance(edge.op, Assume)
        for term in subterms(edge.op.cond)
    )


def _left_out(whole: ProgramFacts, part: ProgramFacts) -> bool:
    """Did slicing leave out writes through pointers from outside, because they do not change the
    objects that are left? They would if such a pointer led into one of these."""
    regions, program = whole.partition, whole.program
    writes = whole.modref.writes(program.entry) if program.entry in program.functions else ()
    if not any(isinstance(slot, RegionId) and regions.region(slot).unknown for slot in writes):
        return False
    left = part.points_to.address_taken.declared
    return not whole.points_to.address_taken.variables.isdisjoint(left) or any(
        isinstance(edge.op, Alloc)
        for function in part.program.functions.values()
        for edge in function.edges
    )


def environment_assumptions(facts: ProgramFacts, whole: ProgramFacts) -> tuple[str, ...]:
    """The assumptions in words of a verdict on a program that is the whole one or a slice of it."""
    found: list[str] = []
    unknown = any(region.unknown for region in facts.partition.regions)
    if unknown or _validated(facts) or (facts is not whole and _left_out(whole, facts)):
        anywhere = facts.program.extern_pointers is ExternPointers.ANY
        found.append(_ANYWHERE if anywhere else _APART)
    if any(
        facts.points_to.may_be_unknown(edge)
        for function in facts.program.functions.values()
        for edge in function.edges
        if isinstance(edge.op, Call)
    ):
        found.append(_FUNCTION)
    return tuple(found)
