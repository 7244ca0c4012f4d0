"""Random values of the numeric domains, and the points of a small grid as the truth about them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from hypothesis import strategies as st

from predabs.domains.box import BoxDomain
from predabs.domains.linear import (
    Comparison,
    Constraint,
    Linear,
    at_most,
    combination,
    constant,
    normal,
    variable,
)
from predabs.domains.numeric_domain import NumericDomain
from predabs.domains.octagon import OctagonDomain
from predabs.domains.polyhedra import PolyhedraDomain

DOMAINS: list[NumericDomain[Any]] = [BoxDomain(), OctagonDomain(), PolyhedraDomain()]
NAMES = ("x", "y", "z")
SIZE = 4
GRID = [dict(zip(NAMES, p, strict=True)) for p in product(range(-SIZE, SIZE + 1), repeat=3)]

# the constraints that keep a value inside the grid, so that its points are all of its points
INSIDE = [
    half
    for name in NAMES
    for half in (at_most(variable(name), SIZE), at_most(-SIZE, variable(name)))
]

forms: st.SearchStrategy[Linear] = st.builds(
    combination,
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from((1, -1, 1, -1, 2, -2, 3))), max_size=3
    ),
    st.integers(-6, 6),
)
sources = st.one_of(st.none(), forms, st.builds(constant, st.integers(-5, 5)))
constraints: st.SearchStrategy[Constraint] = st.builds(
    normal, forms, st.sampled_from((Comparison.AT_MOST, Comparison.AT_MOST, Comparison.EQUAL))
)
conjunctions = st.lists(constraints, max_size=4)


@st.composite
def values(draw: st.DrawFn, domain: NumericDomain[Any]) -> Any:
    """A conjunction, sometimes joined with another, moved, or with a variable forgotten."""
    value = domain.alpha(draw(conjunctions))
    for _ in range(draw(st.integers(0, 2))):
        match draw(st.sampled_from(("join", "assign", "forget", "widen"))):
            case "join":
                value = domain.join(value, domain.alpha(draw(conjunctions)))
            case "assign":
                value = domain.assign(value, draw(st.sampled_from(NAMES)), draw(sources))
            case "forget":
                value = domain.forget(value, [draw(st.sampled_from(NAMES))])
            case _:
                value = domain.widen(value, domain.alpha(draw(conjunctions)))
    return value


def points(domain: NumericDomain[Any], value: Any) -> set[int]:
    """The numbers of the points of the grid that are in the value."""
    return solutions(domain.gamma(value))


def contains(domain: NumericDomain[Any], value: Any, point: dict[str, int]) -> bool:
    """Whether a point, anywhere, is in the value."""
    return all(constraint.holds(point) for constraint in domain.gamma(value))


def solutions(conjunction: Iterable[Constraint]) -> set[int]:
    """The numbers of the points of the grid where all constraints hold."""
    found: Iterable[int] = range(len(GRID))
    for constraint in conjunction:
        found = [k for k in found if constraint.holds(GRID[k])]
    return set(found)
