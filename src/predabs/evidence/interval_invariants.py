"""Interval facts at a configuration, as candidates for invariants.

No soundness duty: the certificate check proves them before it uses them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..analysis.effects import Slot
from ..analysis.facts import ProgramFacts
from ..analysis.intervals.bounds import State
from ..analysis.memory.scalar_lvalues import lvalue_of
from ..ir import make
from ..ir.configuration import Configuration
from ..ir.expr import Expr
from ..ir.types import IntType

Candidates: TypeAlias = Callable[[Configuration], list[Expr]]


def interval_invariants(facts: ProgramFacts) -> Candidates:
    """Bounds of the variables at a location, and of those of its callers that cannot have changed
    since they made their calls."""
    found, effects = facts.intervals, facts.modref

    def conditions(state: State, written: set[Slot]) -> list[Expr]:
        parts: list[Expr] = []
        for var, (low, high) in state.items():
            if var not in written and isinstance(var.type, IntType):
                lvalue, type_ = lvalue_of(facts.partition, var), var.type
                if low > type_.low:
                    parts.append(make.less_equal(make.const(low, type_), lvalue))
                if high < type_.high:
                    parts.append(make.less_equal(lvalue, make.const(high, type_)))
        return parts

    def at(configuration: Configuration) -> list[Expr]:
        parts = conditions(found.at(configuration.location), set())
        written: set[Slot] = set()
        inside, stack = configuration.location.function, configuration.stack
        while stack is not None:
            written |= effects.writes(inside)
            parts += conditions(found.at(stack.call.src), written)
            inside, stack = stack.call.src.function, stack.below
        return list(dict.fromkeys(parts))

    return at
