"""What holds for any element, as people write it: `forall k in 0 .. i - 1: a[k] == 0`.

A clause `i <= k || a[k] == 0` about any k says something of the k before i. Bounds are read as
whole numbers; both belong to the range, as in files of predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ..analysis.cells.cell_names import quantified
from ..ir import make
from ..ir.expr import And, Binary, Cast, Const, Expr, Op, Or, Var
from ..ir.types import IntType
from ..ir.walk import variables

_INDEX = "any k"
_Range: TypeAlias = tuple[Var, Expr, Expr] | None


def quantified_text(expr: Expr, text: Callable[[Expr], str]) -> str:
    """The condition, with a range for each clause that has one; `text` is for what is inside."""
    parts: dict[_Range, list[Expr]] = {}
    for clause in expr.args if isinstance(expr, And) else (expr,):
        range_, body = _ranged(clause)
        parts.setdefault(range_, []).append(body)
    found = list(_shown(parts, text))
    return found[0] if len(found) == 1 else " && ".join(f"({part})" for part in found)


def _shown(parts: dict[_Range, list[Expr]], text: Callable[[Expr], str]) -> Iterator[str]:
    for range_, bodies in parts.items():
        whole = text(make.conj(bodies))
        if range_ is None:
            yield quantified(whole)
            continue
        ghost, low, high = range_
        plain = quantified(whole)
        inner = plain.partition(": ")[2] if plain.startswith("forall ") else plain
        bounds = f"{text(low)} .. {text(high)}"
        yield f"forall {ghost.name.removeprefix('any ')} in {bounds}: {inner}"


def _ranged(clause: Expr) -> tuple[_Range, Expr]:
    """The range that a clause is about, and what holds there; no range if it has none."""
    ghosts = {var for var in variables(clause) if var.name.startswith("any ")}
    if len(ghosts) != 1 or not isinstance(clause, Or):
        return None, clause
    (ghost,) = ghosts
    low: Expr | None = None
    high: Expr | None = None
    body: list[Expr] = []
    for part in clause.args:
        bound = _bound(part, ghost) if ghost.name.startswith(_INDEX) else None
        if bound is not None and bound[0] and low is None:
            low = bound[1]
        elif bound is not None and not bound[0] and high is None:
            high = bound[1]
        else:
            body.append(part)
    if high is None or not body or not isinstance(ghost.type, IntType):
        return None, clause
    first = make.const(0, ghost.type) if low is None else low  # of those inside of the array
    return (ghost, first, high), make.disj(body)


def _bound(part: Expr, ghost: Var) -> tuple[bool, Expr] | None:
    """Whether it excludes what is below a lower bound, or else what is above an upper one."""
    if not isinstance(part, Binary) or part.op not in (Op.LT, Op.LE):
        return None
    left, right = _narrow(part.left), _narrow(part.right)
    if left is ghost and ghost not in variables(right):
        return _moved(True, right, 0 if part.op is Op.LT else 1)
    if right is ghost and ghost not in variables(left):
        return _moved(False, left, 0 if part.op is Op.LT else -1)
    return None


def _moved(lower: bool, bound: Expr, distance: int) -> tuple[bool, Expr] | None:
    """The bound, or the number beside it, which no unsigned zero has."""
    type_ = bound.type
    if not isinstance(type_, IntType) or not (type_.signed or isinstance(bound, Const)):
        return None
    if isinstance(bound, Const) and not type_.low <= bound.value + distance <= type_.high:
        return None
    if not distance:
        return lower, bound
    operator = Op.ADD if distance > 0 else Op.SUB
    return lower, make.binary(operator, bound, make.const(1, type_))


def _narrow(e: Expr) -> Expr:
    """A number before it was made wide."""
    while isinstance(e, Cast) and isinstance(e.arg.type, IntType) and isinstance(e.type, IntType):
        if e.type.low > e.arg.type.low or e.type.high < e.arg.type.high:
            break
        e = e.arg
    return e
