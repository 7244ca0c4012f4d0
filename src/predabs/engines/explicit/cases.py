"""Conditional expressions taken apart: a transition for each case, with its condition before it.

Where the condition of `c ? a : b` is not decided, each case is followed by itself; then the values
are simple terms.

Soundness duty: the cases of a transition have the same runs together as the transition.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import make
from ...ir.configuration import Transition
from ...ir.expr import Expr, Ite
from ...ir.ops import Assign, Assume, Operation
from ...ir.types import BoolType, IntType
from ...ir.walk import substitute, subterms
from ...records import replace

_MOST_CASES = 16


def cases_of(transition: Transition) -> list[Transition]:
    """The transition, or several of which a run takes one."""
    done: list[tuple[Operation, ...]] = []
    todo = [transition.ops]
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
    if len(done) == 1:
        return [transition]
    return [replace(transition, ops=ops) for ops in done]


def _choices(ops: tuple[Operation, ...]) -> Iterator[tuple[int, Ite]]:
    for place, op in enumerate(ops):
        value = _value(op)
        for term in subterms(value) if value is not None else ():
            if isinstance(term, Ite) and isinstance(term.type, IntType | BoolType):
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
