"""Conditional expressions taken apart: a transition for each case, with its condition before it.

Where the condition of `c ? a : b` is not decided, each case is followed by itself; then the values
are simple terms. So are the cases of an index in an array whose cells are followed.

Soundness duty: the cases of a transition have the same runs together as the transition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ...ir import make
from ...ir.configuration import Transition
from ...ir.expr import Expr, Index, Ite
from ...ir.ops import Assign, Assume, Operation
from ...ir.types import BoolType, IntType
from ...ir.walk import substitute, subterms
from ...records import replace
from .array_cells import cases_of_index
from .function_codes import is_function_pointer

_MOST_CASES, _MOST_OF_INDICES = 16, 100

Open: TypeAlias = Callable[[Operation], Index | None]
"""An index of an operation that shall be taken apart."""


def cases_of(transition: Transition, open_index: Open) -> list[Transition]:
    """The transition, or several of which a run takes one."""
    done: list[tuple[Operation, ...]] = []
    todo = _of_indices(transition.ops, open_index)
    while todo:
        ops = todo.pop()
        found = next(_choices(ops), None) if len(todo) + len(done) < _MOST_CASES else None
        if found is None:
            done.append(ops)
            continue
        place, choice = found
        for cond, value in ((make.negate(choice.cond), choice.other), (choice.cond, choice.then)):
            op = _with(ops[place], choice, value)
            todo.append((*ops[:place], Assume(cond), op, *ops[place + 1 :]))
    if done == [transition.ops]:
        return [transition]
    return [replace(transition, ops=ops) for ops in done]


def _of_indices(ops: tuple[Operation, ...], open_index: Open) -> list[tuple[Operation, ...]]:
    """The operations for all values of indices, one index after the other."""
    found: list[tuple[Operation, ...]] = [()]
    for op in ops:
        cases: list[tuple[Operation, ...]] = []
        todo: list[tuple[tuple[Operation, ...], Operation]] = [((), op)]
        while todo:
            before, last = todo.pop()
            index = open_index(last)
            few = (len(todo) + len(cases)) * len(found) < _MOST_OF_INDICES
            if index is None or not few:
                cases.append((*before, last))
                continue
            for case in cases_of_index(last, index):
                if case[-1] is last:  # it is none of the elements
                    cases.append((*before, *case))
                else:
                    todo.append(((*before, *case[:-1]), case[-1]))
        found = [(*head, *case) for head in found for case in cases]
    return found


def _choices(ops: tuple[Operation, ...]) -> Iterator[tuple[int, Ite]]:
    for place, op in enumerate(ops):
        value = _value(op)
        for term in subterms(value) if value is not None else ():
            if isinstance(term, Ite) and (
                isinstance(term.type, IntType | BoolType) or is_function_pointer(term.type)
            ):
                yield place, term


def _value(op: Operation) -> Expr | None:
    match op:
        case Assign(_, value):
            return value
        case Assume(cond):
            return cond
    return None


def _with(op: Operation, choice: Ite, value: Expr) -> Operation:
    match op:
        case Assign(target, old):
            return Assign(target, substitute(old, {choice: value}))
        case Assume(cond, promised):
            return Assume(substitute(cond, {choice: value}), promised)
    return op
