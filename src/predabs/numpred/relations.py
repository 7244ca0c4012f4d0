"""How numbers are related at control points: a fixpoint of numbers alone, for other engines.

Soundness duty: whenever a run is at a control point, its relations hold there; and together they
are inductive, given the limits that the analysis of intervals knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..bdd import Manager
from ..domains.factory import create
from ..domains.fixpoint import Strategy, solve
from ..domains.numpred.choose import make
from ..domains.numpred.formula import And, Compare, Formula
from ..domains.numpred.lattice import NumPredDom
from ..ir.cfa import Program
from ..ir.expr import TRUE, Var
from ..ir.stack import Config
from ..logic.known import Relation
from ..logic.solver import Statistics
from ..options import Numbers
from .cells import Cells
from .graph import Control, Stepping, conditions_of
from .ground import Ground, ground
from .invariant import condition
from .precision import Precision, first_cells
from .table import Table
from .translate import Translator

_BDD_MB = 16  # there are no predicates
_STRATEGY = Strategy(widen_after=2, narrowings=2)


def relations_of(
    program: Program, numbers: Numbers, tick: Callable[[], None]
) -> Mapping[Config, tuple[Relation, ...]]:
    """What a numeric domain says about the plain integers of a program; `tick` may raise to end
    it."""

    def seconds() -> float | None:
        tick()
        return None

    return _solved(ground(program, seconds, Statistics()), numbers, tick)


def _solved(
    known: Ground, numbers: Numbers, tick: Callable[[], None]
) -> dict[Config, tuple[Relation, ...]]:
    cells = Cells(known.context)
    precision = Precision(first_cells(cells))
    control = Control(known, tick)
    translator = Translator(known, cells, precision)
    graph = control.steps(translator, tick)
    domain: NumPredDom[Any] = make(
        "numeric", create(numbers), (), precision.cells, manager=Manager(_BDD_MB)
    )
    begin = Table(known, cells, lambda: None).start(precision)
    start = domain.assume(domain.alpha(begin), translator.ranges(control.start))
    stepping = Stepping(domain, conditions_of(graph))
    found = solve(stepping, graph, control.start, start, _STRATEGY, tick)
    return {
        config: tuple(_relations(domain.gamma(value), cells))
        for config, value in found.values.items()
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
