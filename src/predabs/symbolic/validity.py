"""The conditions that an access or a free is valid, in a symbolic memory.

Soundness duty: each condition holds if and only if the operation would be executed there, where
`Reach` says all that the pointer may be.
"""

from __future__ import annotations

from ..concrete.memory import ObjectKind
from ..ir.address_space import environment_ranges
from ..ir.cfa import Program
from ..ir.expr import ValidAccess, ValidFree
from ..ir.ops import Assume
from ..ir.walk import subterms
from ..smt import bitvectors, build
from ..smt.term import FALSE, TRUE, Term, Value
from .memory import AccessTarget, Reach, SymbolicMemory
from .pointers import cases


def accesses_are_checked(program: Program) -> bool:
    """Is it asked whether accesses or frees are valid? Then what was never written in allocated
    memory is no good pointer, while a model of an environment may pass it on."""
    return any(
        isinstance(term, ValidAccess | ValidFree)
        for function in program.functions.values()
        for edge in function.edges
        if isinstance(edge.op, Assume)
        for term in subterms(edge.op.cond)
    )


def needed_bytes(size: Term) -> int:
    """How many bytes to ask for in a `Reach`: all, or none if their number is not constant."""
    return size.value if isinstance(size, Value) else 0


def valid_access(
    memory: SymbolicMemory, found: Reach, pointer: Term, size: Term, writes: bool
) -> Term:
    """All bytes lie in one live object, or in memory of the environment."""
    literals = [t.cond for t in found.targets if writes and not t.object.writable]
    beyond = build.or_(
        found.unknown_object, _from_outside(memory, pointer), _beyond(memory, pointer)
    )
    allowed = build.or_(found.inside, beyond)
    if isinstance(size, Value):
        if not size.value:
            return TRUE
        return build.and_(allowed, build.not_(build.or_(*literals)))
    none = build.eq(size, bitvectors.bits(0, memory.space.bits))
    enough = [room_for(memory, target, size) for target in found.targets]
    return build.or_(
        none,
        beyond,
        build.and_(found.inside, build.or_(*enough), build.not_(build.or_(*literals))),
    )


def _from_outside(memory: SymbolicMemory, pointer: Term) -> Term:
    """It is a pointer from outside and not null, or computed from one: there is as much memory
    behind it as the program uses, whatever numbers addresses are."""
    if not memory.space.apart:
        return FALSE
    environment, zero = memory.space.environment, bitvectors.bits(0, memory.space.bits)
    found = cases(pointer, environment.is_pointer)
    return build.or_(
        *(
            build.and_(case.cond, build.not_(build.eq(case.leaf, zero)))
            for case in ([] if found is None else found.leaves)
            if environment.is_pointer(case.leaf)
        )
    )


def _beyond(memory: SymbolicMemory, pointer: Term) -> Term:
    """It is a number that is no address of the program's, and lies where only the environment's
    addresses are, accessible or not."""
    space = memory.space
    found = cases(pointer, space.environment.is_pointer) if space.apart else None
    _, (first, _) = environment_ranges(space.bits)
    high = bitvectors.ule(bitvectors.bits(first, space.bits), pointer)
    return build.or_(*(build.and_(case.cond, high) for case in (found.leaves if found else ())))


def room_for(memory: SymbolicMemory, target: AccessTarget, size: Term) -> Term:
    """Does a target that lies inside its object have room for so many bytes?"""
    made, bits = target.object, memory.space.bits
    if made is memory.space.outside:
        return target.cond
    whole = bitvectors.bits(made.size, bits) if isinstance(made.size, int) else made.size
    left = bitvectors.sub(whole, target.offset)
    return build.and_(target.cond, bitvectors.ule(size, left))


def valid_free(memory: SymbolicMemory, found: Reach, pointer: Term) -> Term:
    """It is null, the start of a live object of the heap, or from outside."""
    zero = bitvectors.bits(0, memory.space.bits)
    allowed = [build.eq(pointer, zero), found.unknown_object, _from_outside(memory, pointer)]
    for target in found.targets:
        if target.object is memory.space.outside:
            allowed.append(target.cond)
            continue
        content = memory.live(target.object)
        if content is not None and target.object.kind is ObjectKind.HEAP:
            start = build.eq(target.offset, zero)
            allowed.append(build.and_(target.cond, start, build.not_(content.freed)))
    return build.or_(*allowed)


def object_size(found: Reach, bits: int) -> Term:
    """The size of the object that a pointer leads into."""
    size: Term = bitvectors.bits(0, bits)
    for target in found.targets:
        mine = target.object.size
        term = bitvectors.bits(mine, bits) if isinstance(mine, int) else mine
        size = build.ite(target.cond, term, size)
    return size
