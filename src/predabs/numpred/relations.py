"""How numbers are related at control points: a fixpoint of numbers alone, for other engines.

Soundness duty: whenever a run is at a control point, its relations hold there; and together they
are inductive, given the limits that the analysis of intervals knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..analysis.facts import ProgramFacts
from ..encode.location_facts import NumericRelation
from ..ir.configuration import Configuration
from ..ir.expr import TRUE, Var
from ..options import Numbers
from ..smt.solver import Statistics
from .domain.counters import Counters
from .domain.formula import And, Compare, Formula
from .loop_invariants import condition
from .program.abstract_program import Control
from .program.numeric_variables import NumericVariables
from .program.numpred_facts import NumpredFacts, ground
from .program.precision import TrackedPrecision, first_cells
from .program.predicate_meanings import PredicateMeanings
from .program.solution import Subject


def relations_of(
    facts: ProgramFacts, numbers: Numbers, statistics: Statistics, tick: Callable[[], None]
) -> Mapping[Configuration, tuple[NumericRelation, ...]]:
    """What a numeric domain says about the plain integers of a program; `tick` may raise to end
    it."""

    def seconds() -> float | None:
        tick()
        return None

    return _solved(ground(facts, seconds, statistics), numbers, tick)


def _solved(
    known: NumpredFacts, numbers: Numbers, tick: Callable[[], None]
) -> dict[Configuration, tuple[NumericRelation, ...]]:
    cells = NumericVariables(known.context)
    subject = Subject(
        known, cells, PredicateMeanings(known, cells, lambda: None), Control(known, tick)
    )
    solved = subject.solve(
        TrackedPrecision(first_cells(cells)), "numeric", numbers, Counters(), tick
    )
    gamma = solved.domain.domain.gamma
    return {
        configuration: tuple(_relations(gamma(value), cells))
        for configuration, value in solved.values.items()
        if isinstance(configuration, Configuration)
    }


def _relations(formula: Formula, cells: NumericVariables) -> list[NumericRelation]:
    """The constraints of a conjunction, those that say nothing but a type's range left out."""
    found = []
    for part in formula.parts if isinstance(formula, And) else (formula,):
        if isinstance(part, Compare):
            expr = condition(part, cells.places, {})
            names = part.constraint.variables
            variables: list[Var] = [cells.all[name].var for name in names]
            if expr != TRUE:
                found.append(NumericRelation(frozenset(variables), expr))
    return found
