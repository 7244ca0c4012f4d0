"""Guesses of bounds for floating-point variables at loop heads, most of which are wrong.

An interval analysis does not see what holds together: a limiter `if (x - s > d) x = s + d` keeps
its bounds, but each variable by itself does not. The largest part of the guesses that is inductive
is found as in Houdini [FL01], by a solver that sees a round of the loop as a whole. The bounds are
the constants of the program, of both signs, powers of ten, and round numbers; and one variable at
most another.

No soundness duty: what is used is proved.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from ...analysis.facts import ProgramFacts
from ...analysis.intervals.float_bounds import number
from ...analysis.intervals.widening import number_thresholds
from ...analysis.memory.partition import lvalue_of
from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Location
from ...ir.expr import Expr, Lvalue
from ...ir.types import FloatType

FLOAT_BOUNDS = "float bounds"  # the topic of such facts
_MOST_VARIABLES = 12  # at a location
_LEAST, _LARGEST = 1e-3, 1e6  # bounds, other than 0
_ROUND = [digit * 10.0**power for power in range(4) for digit in (1, 2, 5)]
_FEW = 4  # variables that are compared with each other


def float_candidates(
    facts: ProgramFacts, locations: Iterable[Location]
) -> dict[Location, list[Expr]]:
    """The guesses at these locations."""
    known = [number(place) for place in number_thresholds(facts.program)]
    if not known:
        return {}
    near = {bound for bound in known if _LEAST <= abs(bound) <= _LARGEST}
    bounds = sorted({0.0, *near, *_ROUND, *(-bound for bound in _ROUND)})
    found: dict[Location, list[Expr]] = {}
    for location in dict.fromkeys(locations):
        variables = _live(facts, location)
        parts = [part for var in variables for part in _bounded(var, bounds)]
        if len(variables) <= _FEW:
            parts += [
                make.less_equal(one, two)
                for one, two in permutations(variables, 2)
                if one.type is two.type
            ]
        if parts:
            found[location] = parts
    return found


def _live(facts: ProgramFacts, location: Location) -> list[Lvalue]:
    found: list[Lvalue] = []
    for var in sorted(facts.liveness.at(location), key=lambda var: var.name):
        if isinstance(var.type, FloatType) and var.function in ("", location.function):
            try:
                found.append(lvalue_of(facts.partition, var))
            except UnsupportedFeature:
                continue
    return found if len(found) <= _MOST_VARIABLES else []


def _bounded(var: Lvalue, bounds: Iterable[float]) -> Iterable[Expr]:
    """The strongest first: with them, the others are no question."""
    assert isinstance(var.type, FloatType)
    ascending = [make.float_const(bound, var.type) for bound in bounds]
    yield from (make.less_equal(var, bound) for bound in ascending)
    yield from (make.less_equal(bound, var) for bound in reversed(ascending))
