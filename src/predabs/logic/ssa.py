"""The formula of a single path (with branches: `blocks`).

Soundness duty: every run along the path satisfies the formula; if it is `exact`, what satisfies it
is a run, save that memory may be accessed where there is no object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ir.cfa import Edge
from . import build
from .environment import Environment, Formulas
from .steps import Step
from .term import Term


@dataclass(frozen=True, slots=True)
class PathFormula:
    """What holds of a run along a path, save for the facts of `Formulas.closed`, and what the
    storage holds after it."""

    formula: Term
    environment: Environment
    exact: bool


def path_formula(formulas: Formulas, edges: Sequence[Edge], entry: Environment) -> PathFormula:
    """Edges that follow each other in one function; the same edge may come again."""
    guard: list[Term] = []
    exact = True
    for edge in edges:
        step = Step(formulas, edge, entry)
        step.run()
        guard += step.guard
        entry = step.environment
        exact = exact and step.exact
    return PathFormula(build.and_(*guard), entry, exact)
