"""What a verdict takes for granted about the environment, as far as the program depends on it."""

from __future__ import annotations

from ..ir.cfa import ExternPointers
from ..ir.def_use import op_values
from ..ir.expr import Binary, Cast, Const, Expr, Op, ValidAccess, ValidFree
from ..ir.ops import Alloc, Assume, Call
from ..ir.types import PointerType
from ..ir.walk import unseen
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
_COMPARISONS = frozenset([Op.EQ, Op.LT, Op.LE])


def _validated(facts: ProgramFacts) -> bool:
    """Is it asked of a pointer from outside whether an access is valid?"""
    seen: set[Expr] = set()
    return any(
        isinstance(term, ValidAccess | ValidFree)
        and any(target.object == UNKNOWN for target in facts.points_to.targets(term.pointer))
        for function in facts.program.functions.values()
        for edge in function.edges
        if isinstance(edge.op, Assume)
        for term in unseen((edge.op.cond,), seen)
    )


def _compared(facts: ProgramFacts) -> bool:
    """Is a pointer from outside compared with one that leads to an object of the program?"""
    seen: set[Expr] = set()
    return any(
        isinstance(term, Binary) and term.op in _COMPARISONS and _is_apart(facts, term)
        for function in facts.program.functions.values()
        for edge in function.edges
        for term in unseen(op_values(edge.op), seen)
    )


def _is_apart(facts: ProgramFacts, comparison: Binary) -> bool:
    left, right = _pointer(comparison.left), _pointer(comparison.right)
    if left is None or right is None:
        return False
    one, other = ({to.object for to in facts.points_to.targets(side)} for side in (left, right))
    return (UNKNOWN in one and bool(other - {UNKNOWN})) or (
        UNKNOWN in other and bool(one - {UNKNOWN})
    )


def _pointer(side: Expr) -> Expr | None:
    """The pointer of which this is the address, if it is one that is not null."""
    while isinstance(side, Cast) and not isinstance(side.type, PointerType):
        side = side.arg
    return side if isinstance(side.type, PointerType) and not isinstance(side, Const) else None


def _left_out(whole: ProgramFacts, part: ProgramFacts) -> bool:
    """Did slicing leave out writes through pointers from outside, because they do not change the
    objects that are left? They would if such a pointer led into one of these."""
    regions, program = whole.partition, whole.program
    writes = whole.modref.writes(program.entry) if program.entry in program.functions else ()
    if not any(isinstance(slot, RegionId) and regions.region(slot).unknown for slot in writes):
        return False
    left = part.points_to.address_taken.declared
    linked = {glob.var.name for glob in program.globals if glob.linked}  # for other files
    reachable = whole.points_to.address_taken.variables | linked
    return not reachable.isdisjoint(left) or any(
        isinstance(edge.op, Alloc)
        for function in part.program.functions.values()
        for edge in function.edges
    )


def environment_assumptions(facts: ProgramFacts, whole: ProgramFacts) -> tuple[str, ...]:
    """The assumptions in words of a verdict on a program that is the whole one or a slice of it."""
    found: list[str] = []
    # the partition last: of a violation that is only replayed, nobody else asks for it
    if (
        _validated(facts)
        or _compared(facts)
        or any(region.unknown for region in facts.partition.regions)
        or (facts is not whole and _left_out(whole, facts))
    ):
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
