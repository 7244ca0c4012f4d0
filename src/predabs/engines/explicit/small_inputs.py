"""Conditions taken apart where they leave a few cases: numbers that an input may be, alternatives.

After `k < 3` an unsigned `k` is 0, 1 or 2; after `a || b`, one of the two holds. Where that is
needed, each of them is followed by itself.

Soundness duty: the cases of a transition have all of its runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ...ir import make
from ...ir.cfa import Edge
from ...ir.configuration import Transition
from ...ir.expr import FALSE, And, Expr, Lvalue, Not, Op, Or
from ...ir.ops import Assume
from ...ir.types import IntType
from ...records import dataclass, replace
from .symbolic_terms import parts_of

Splits: TypeAlias = Mapping[Edge, "Split | Alternatives"]
_MOST_ALTERNATIVES = 8


@dataclass(frozen=True, slots=True)
class Split:
    """After a condition, a number lies between these; `lvalue` is where the program has it."""

    lvalue: Lvalue
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Alternatives:
    """After a condition, one of these holds, or several."""

    conditions: tuple[Expr, ...]


def alternatives(cond: Expr) -> Alternatives | None:
    """Those of a condition, or of one of its conjuncts, if they are a few."""
    for part in parts_of(cond):
        match part:
            case Or(args):
                conditions = args
            case Not(And(args)):
                conditions = tuple(map(make.negate, args))
            case _:
                continue
        if len(conditions) <= _MOST_ALTERNATIVES:
            return Alternatives(conditions)
    return None


def cases_of_condition(transition: Transition, split: Split | Alternatives) -> list[Transition]:
    """The transition for each of the cases, and for all others."""
    if isinstance(split, Alternatives):
        return [_and(transition, condition) for condition in split.conditions]
    lvalue, type_ = split.lvalue, split.lvalue.type
    assert isinstance(type_, IntType)
    conditions = [
        make.equal(lvalue, make.const(value, type_)) for value in range(split.low, split.high + 1)
    ]
    if split.low > type_.low:
        conditions.append(make.compare(Op.LE, lvalue, make.const(split.low - 1, type_)))
    if split.high < type_.high:
        conditions.append(make.compare(Op.LE, make.const(split.high + 1, type_), lvalue))
    return [_and(transition, condition) for condition in conditions if condition is not FALSE]


def _and(transition: Transition, condition: Expr) -> Transition:
    return replace(transition, ops=(*transition.ops, Assume(condition)))
