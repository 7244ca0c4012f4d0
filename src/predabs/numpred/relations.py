"""Numeric relations at configurations: a fixpoint in a numeric domain alone, for other engines.

Soundness duty: whenever a run is at a configuration, its relations hold there; and together with
the interval facts they are inductive.
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
from .program.abstract_program import ConfigurationGraph
from .program.numeric_variables import NumericVariables
from .program.numpred_facts import NumpredFacts, numpred_facts
from .program.precision import TrackedPrecision, first_cells
from .program.predicate_meanings import PredicateMeanings
from .program.solution import ProgramAbstraction


def relations_of(
    facts: ProgramFacts, numeric_domain: Numbers, statistics: Statistics, tick: Callable[[], None]
) -> Mapping[Configuration, tuple[NumericRelation, ...]]:
    """The relations between the scalar integers of a program in a numeric domain; `tick` may raise
    to end it."""

    def seconds() -> float | None:
        tick()
        return None

    return _solved(numpred_facts(facts, seconds, statistics), numeric_domain, tick)


def _solved(
    facts: NumpredFacts, numeric_domain: Numbers, tick: Callable[[], None]
) -> dict[Configuration, tuple[NumericRelation, ...]]:
    cells = NumericVariables(facts.context)
    abstraction = ProgramAbstraction(
        facts, cells, PredicateMeanings(facts, cells, lambda: None), ConfigurationGraph(facts, tick)
    )
    solved = abstraction.solve(
        TrackedPrecision(first_cells(cells)), "numeric", numeric_domain, Counters(), tick
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
            expr = condition(part, cells.lvalues, {})
            names = part.constraint.variables
            variables: list[Var] = [cells.all[name].var for name in names]
            if expr != TRUE:
                found.append(NumericRelation(frozenset(variables), expr))
    return found
