"""The condition that an object of the heap is lost, in a symbolic state.

An object is lost if it is live and no chain of pointers leads to it from the roots. Then there is
a set of objects, it among them, such that no root and no live object outside of the set points into
the set. The set is chosen by free symbols, one for each object, so that no fixpoint is computed:
the condition can hold in a state if and only if something is lost there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ..concrete.memory import ObjectKind
from ..ir.expr import Roots, Var
from ..smt import bitvectors, build
from ..smt.term import BOOL, App, Op, Sort, Term
from .content import Content, Overlay
from .environment_history import values_written
from .memory import SymbolicMemory, SymbolicObject
from .pointers import cases, mentions_address
from .state import SymbolicState


class UntoldPointers(Exception):
    """Bytes of addresses lie about, so that it cannot be told what they lead to."""


def lost(
    state: SymbolicState,
    outer: Iterable[Mapping[Var, Term]],
    roots: Roots,
    fresh: Callable[[str, Sort], Term],
) -> Term:
    """Something on the heap is live, and cannot be reached from the roots; `outer` are the
    variables of the calls under way that have no memory."""
    memory = state.memory
    heap = {made: one for made, one in memory.contents() if made.kind is ObjectKind.HEAP}
    live = {made: _exists(content) for made, content in heap.items()}
    if roots is Roots.NONE:
        return build.or_(*live.values())
    chosen = {made: fresh("lost", BOOL) for made in heap}
    conds: list[Term] = [build.or_(*(build.and_(chosen[made], live[made]) for made in heap))]
    for value in _roots(state, outer, roots):
        for there, cond in _leads_to(memory, value, heap):
            conds.append(build.not_(build.and_(cond, chosen[there])))
    for made, content in heap.items():
        for value in _words(content, memory.space.bits):
            for there, cond in _leads_to(memory, value, heap):
                if made is not there:
                    known = build.and_(live[made], cond, chosen[there])
                    conds.append(build.implies(known, chosen[made]))
    return build.and_(*conds)


def _roots(
    state: SymbolicState, outer: Iterable[Mapping[Var, Term]], roots: Roots
) -> Iterator[Term]:
    """The values from which the heap is reached: in variables, and in what is known outside."""
    memory = state.memory
    yield from state.globals.values()
    kinds = {ObjectKind.GLOBAL}
    if roots is Roots.FRAMES:
        kinds.add(ObjectKind.STACK)
        for variables in (state.locals, *outer):
            yield from variables.values()
    for made, content in memory.contents():
        if made.kind in kinds:
            yield from _words(content, memory.space.bits)
    yield from values_written(memory.environment.all)


def _exists(content: Content) -> Term:
    return build.not_(build.or_(content.freed, content.absent))


def _leads_to(
    memory: SymbolicMemory, value: Term, heap: Mapping[SymbolicObject, Content]
) -> Iterator[tuple[SymbolicObject, Term]]:
    """The objects of the heap that a value may be an address in, each with the condition."""
    if bitvectors.width_of(value) != memory.space.bits or not mentions_address(value):
        return
    found = cases(value, memory.space.environment.is_pointer)
    if found is None or any(mentions_address(leaf.leaf) for leaf in found.leaves):
        raise UntoldPointers
    for case in found.known:
        for made in memory.space.near(case.base):
            if made in heap:
                yield made, case.cond


def _words(content: Content, bits: int) -> Iterator[Term]:
    """The values in an object that may be addresses."""
    for cell in content.cells.values():
        if bitvectors.width_of(cell) == bits:
            yield cell
        elif mentions_address(cell):
            raise UntoldPointers
    if content.array is not None:
        _look_through(content.array)
    if isinstance(content.initial, Overlay):
        if any(map(mentions_address, content.initial.written())):
            raise UntoldPointers
        for below in content.initial.below():
            yield from _words(below, bits)


def _look_through(array: Term) -> None:
    """See that no byte of an address was stored in an array."""
    todo, seen = [array], {array}
    while todo:
        match todo.pop():
            case App(Op.STORE, (before, _, byte), _, _):
                if mentions_address(byte):
                    raise UntoldPointers
                more: tuple[Term, ...] = (before,)
            case App(Op.ITE, (_, then, other), _, _):
                more = (then, other)
            case _:
                continue
        todo += [part for part in more if part not in seen]
        seen.update(more)
