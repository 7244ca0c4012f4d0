"""What the analysis of intervals says about a control point, as conditions of the program.

No soundness duty: whoever uses them proves them first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..analysis.effects import Slot
from ..analysis.facts import ProgramFacts
from ..analysis.intervals.bounds import State
from ..analysis.memory.partition import lvalue_of
from ..ir import make
from ..ir.configuration import Configuration
from ..ir.expr import Expr
from ..ir.types import IntType

Hints: TypeAlias = Callable[[Configuration], list[Expr]]


def interval_hints(facts: ProgramFacts) -> Hints:
    """Limits of variables where a run is, and of those of its callers that cannot have changed
    since they made their calls."""
    found, effects = facts.intervals, facts.modref

    def conditions(state: State, written: set[Slot]) -> list[Expr]:
        parts: list[Expr] = []
        for var, (low, high) in state.items():
            if var not in written and isinstance(var.type, IntType):
                place, type_ = lvalue_of(facts.partition, var), var.type
                if low > type_.low:
                    parts.append(make.less_equal(make.const(low, type_), place))
                if high < type_.high:
                    parts.append(make.less_equal(place, make.const(high, type_)))
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
