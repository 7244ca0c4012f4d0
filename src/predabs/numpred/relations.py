"""How numbers are related at control points: a fixpoint of numbers alone, for other engines.

Soundness duty: whenever a run is at a control point, its relations hold there; and together they
are inductive, given the limits that the analysis of intervals knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..analysis.facts import ProgramFacts
from ..domains.numpred.counters import Counters
from ..domains.numpred.formula import And, Compare, Formula
from ..ir.expr import TRUE, Var
from ..ir.stack import Config
from ..logic.known import Relation
from ..logic.solver import Statistics
from ..options import Numbers
from .cells import Cells
from .graph import Control
from .ground import Ground, ground
from .invariant import condition
from .precision import Precision, first_cells
from .solution import Subject
from .table import Table


def relations_of(
    facts: ProgramFacts, numbers: Numbers, statistics: Statistics, tick: Callable[[], None]
) -> Mapping[Config, tuple[Relation, ...]]:
    """What a numeric domain says about the plain integers of a program; `tick` may raise to end
    it."""

    def seconds() -> float | None:
        tick()
        return None

    return _solved(ground(facts, seconds, statistics), numbers, tick)


def _solved(
    known: Ground, numbers: Numbers, tick: Callable[[], None]
) -> dict[Config, tuple[Relation, ...]]:
    cells = Cells(known.context)
    subject = Subject(known, cells, Table(known, cells, lambda: None), Control(known, tick))
    solved = subject.solve(Precision(first_cells(cells)), "numeric", numbers, Counters(), tick)
    gamma = solved.domain.domain.gamma
    return {
        config: tuple(_relations(gamma(value), cells))
        for config, value in solved.values.items()
        if isinstance(config, Config)
    }


def _relations(formula: Formula, cells: Cells) -> list[Relation]:
    """The constraints of a conjunction, those that say nothing but a type's range left out."""
    found = []
    for part in formula.parts if isinstance(formula, And) else (formula,):
        if isinstance(part, Compare):
            expr = condition(part, cells.places, {})
            names = part.constraint.variables
            variables: list[Var] = [cells.all[name].var for name in names]
            if expr != TRUE:
                found.append(Relation(frozenset(variables), expr))
    return found
