"""Pointers from outside in symbolic states: what they may be, and what is read behind them.

Soundness duty: what a read assumes is required of the state, and noted where runs are lost by it.
"""

from __future__ import annotations

from ..analysis.memory.views import View
from ..ir.types import FunctionType, PointerType, Type
from ..smt import build
from ..smt.term import TRUE, BitVecSort, Symbol, Term, Value
from .environment_memory import EnvironmentRead
from .memory import AccessTarget
from .notebook import Notebook
from .pointers import cases
from .state import Guard, SymbolicState


def possible(state: SymbolicState, value: Term, type_: Type) -> Term:
    """The condition that an input of this type can have the value: it does not point to an object
    of the program, if that is what the program is said to be given."""
    space = state.memory.space
    if space.apart and _points_to_data(type_):
        return space.environment.take(value)
    return TRUE


def possible_contents(state: SymbolicState, value: Term, type_: PointerType) -> Term:
    """The same for what memory held in the beginning, and is now read as a pointer."""
    space = state.memory.space
    if isinstance(value, Value) or not (space.apart and _points_to_data(type_)):
        return TRUE
    contents = space.environment.contents
    if isinstance(value, Symbol) or value in contents:
        return possible(state, value, type_) if value in contents else TRUE
    found = cases(value, space.environment.is_pointer)
    return build.and_(
        *(
            build.implies(case.cond, space.environment.take(case.leaf))
            for case in ([] if found is None else found.leaves)
            if case.leaf in contents and isinstance(case.offset, Value) and case.offset.value == 0
        )
    )


def _points_to_data(type_: Type) -> bool:
    return isinstance(type_, PointerType) and not isinstance(type_.target, FunctionType)


def read(
    state: SymbolicState,
    notebook: Notebook,
    target: AccessTarget,
    size: int,
    only: bool,
    view: View | None,
) -> tuple[Term, Term]:
    """The bytes at a target in memory of the environment, and what must hold for that; if it is the
    only target, all runs of the state come here."""
    memory = state.memory
    given = TRUE if only else target.cond
    found, after = memory.environment.read(target.offset, size, view, given)
    guard = state.guard.also(target.cond)
    notebook.note_access(guard, target.offset, size, view, writes=False)
    if found.initial is not None:
        notebook.note_content(guard, target.offset, size, found.initial)
    if found.regions is TRUE and (only or found.initial is None):
        memory.environment = after
    if notebook.complete:
        return _one_of(found, state, notebook, guard, size), build.implies(
            target.cond, found.aligned
        )
    if found.regions is not TRUE:
        reason = "pointers from outside may lead to the same memory"
        notebook.leave_out(guard, build.not_(found.regions), reason)
        if only:
            memory.environment = after
    return found.value, build.implies(target.cond, build.and_(found.aligned, found.regions))


def _one_of(
    found: EnvironmentRead, state: SymbolicState, notebook: Notebook, guard: Guard, size: int
) -> Term:
    """All that a read may find, whether pointers from outside lead to the same memory or not. The
    pointers among that are known addresses or, once more, from outside."""
    if found.regions is TRUE:
        return found.value
    notebook.doubt(guard, build.not_(found.regions))
    other = notebook.fresh("shared", BitVecSort(8 * size))
    state.memory.space.environment.contents.add(other)
    for cond, address in reversed(found.addresses):
        other = build.ite(cond, address, other)
    return build.ite(found.regions, found.value, other)
