"""Conditions of the program taken apart: their atoms, their conjuncts, and names got rid of.

>>> from ..ir.show import show_expr
>>> from ..ir.types import INT
>>> x, y, v = (Var(name, INT) for name in "xyv")
>>> both = make.conj((make.less(x, v), make.less_equal(v, y)))
>>> [show_expr(condition) for condition in eliminated(conjuncts(both), [v])]
['x < y']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..ir import make
from ..ir.expr import And, Binary, Const, Expr, Not, Op, Or, Var
from ..ir.types import BOOL
from ..ir.walk import substitute, variables


def atoms(cond: Expr) -> list[Expr]:
    """The parts of a condition that are no connectives, without negations, each once."""
    found: list[Expr] = []
    seen: set[Expr] = set()
    stack = [cond]
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        match part:
            case Not(arg):
                stack.append(arg)
            case And(args) | Or(args):
                stack.extend(reversed(args))
            case Binary(Op.EQ, left, right, _) if left.type is BOOL:
                stack += [right, left]
            case Const():
                pass
            case _:
                found.append(part)
    return found


def conjuncts(cond: Expr) -> list[Expr]:
    """The conditions that all must hold, so that this one does, each once."""
    found: list[Expr] = []
    seen: set[Expr] = set()
    stack = [cond]
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        match part:
            case And(args):
                stack.extend(reversed(args))
            case Not(Or(args)):
                stack.extend(make.negate(arg) for arg in reversed(args))
            case _:
                found.append(part)
    return found


def equal_to(condition: Expr, name: Var) -> Iterator[Expr]:
    """What the condition says that the name is equal to."""
    match condition:
        case Binary(Op.EQ, left, right, _):
            for one, other in ((left, right), (right, left)):
                if one is name and name not in variables(other):
                    yield other


def eliminated(conditions: Iterable[Expr], names: Sequence[Var]) -> list[Expr]:
    """Conditions without the names: what equalities and bounds say about the others. Where a name
    occurs in another way, the condition is left out."""
    found = list(dict.fromkeys(conditions))
    for name in names:
        found = _without(found, name)
    return found


def _without(conditions: list[Expr], name: Var) -> list[Expr]:
    with_name = [c for c in conditions if name in variables(c)]
    if not with_name:
        return conditions
    others = [c for c in conditions if name not in variables(c)]
    for condition in with_name:
        for value in equal_to(condition, name):
            made = (substitute(c, {name: value}) for c in with_name if c is not condition)
            return _added(others, made)
    bounds = (
        make.less(low, high) if strict or sharp else make.less_equal(low, high)
        for low, strict in _bounds(with_name, name, lower=True)
        for high, sharp in _bounds(with_name, name, lower=False)
    )
    return _added(others, bounds)


def _added(conditions: list[Expr], new: Iterable[Expr]) -> list[Expr]:
    parts = (part for condition in new for part in conjuncts(condition))
    return list(dict.fromkeys([*conditions, *(p for p in parts if not isinstance(p, Const))]))


def _bounds(conditions: list[Expr], name: Var, lower: bool) -> list[tuple[Expr, bool]]:
    """What the name is above, or below; and whether it is never equal to it."""
    found: list[tuple[Expr, bool]] = []
    for condition in conditions:
        match condition:
            case Binary(Op.LT | Op.LE as op, left, right, _):
                bound, other = (left, right) if lower else (right, left)
                if other is name and name not in variables(bound):
                    found.append((bound, op is Op.LT))
    return found
