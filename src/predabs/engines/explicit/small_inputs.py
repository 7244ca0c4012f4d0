"""Inputs that can only be a few numbers: which they are, and a case for each of them.

After `k < 3` an unsigned `k` is 0, 1 or 2. Where that is needed, each of them is followed by
itself.

Soundness duty: the cases of a transition have all of its runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ...ir import make
from ...ir.cfa import Edge
from ...ir.configuration import Transition
from ...ir.expr import FALSE, Lvalue, Op
from ...ir.ops import Assume
from ...ir.types import IntType
from ...records import dataclass, replace

Splits: TypeAlias = Mapping[Edge, "Split"]


@dataclass(frozen=True, slots=True)
class Split:
    """After a condition, a number lies between these; `lvalue` is where the program has it."""

    lvalue: Lvalue
    low: int
    high: int


def cases_of_value(transition: Transition, split: Split) -> list[Transition]:
    """The transition for each of the values, and for all others."""
    lvalue, type_ = split.lvalue, split.lvalue.type
    assert isinstance(type_, IntType)
    conditions = [
        make.equal(lvalue, make.const(value, type_)) for value in range(split.low, split.high + 1)
    ]
    if split.low > type_.low:
        conditions.append(make.compare(Op.LE, lvalue, make.const(split.low - 1, type_)))
    if split.high < type_.high:
        conditions.append(make.compare(Op.LE, make.const(split.high + 1, type_), lvalue))
    return [
        replace(transition, ops=(*transition.ops, Assume(condition)))
        for condition in conditions
        if condition is not FALSE
    ]
