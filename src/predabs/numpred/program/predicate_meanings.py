"""The predicates of a program: each with a name, and with its meaning as a constraint, if it has
one [GC10, section 4.1].

Its names are what the numeric structures print and sort by, with no BDDs or scopes behind them
(`predicates/table` and `engines/slam/tracked_predicates` have those). Soundness duty: a meaning
holds in exactly the states where the predicate is true.
"""

from __future__ import annotations

from collections.abc import Callable

from ...domains.linear import Constraint, variable
from ...domains.linear import equal as equation
from ...ir.expr import Const, Expr, Not, Var
from ...ir.show import show_expr
from ...ir.types import IntType
from ...predicates.cube import term_of
from ...predicates.initial_values import initial_conditions, truth
from ...smt import build
from ...smt.term import Term
from ..domain.formula import Compare, Formula, Predicate, compare, conj, literal, negate
from .formulas import FormulaReader
from .linear_cases import constant_of
from .numeric_variables import NumericVariable, NumericVariables
from .numpred_facts import NumpredFacts
from .precision import TrackedPrecision


class PredicateMeanings:
    """All predicates that were ever found, and their truth in the initial states."""

    def __init__(
        self, facts: NumpredFacts, cells: NumericVariables, seconds: Callable[[], float | None]
    ) -> None:
        self._facts = facts
        self._cells = cells
        self._seconds = seconds
        self._everything = FormulaReader(facts, cells, TrackedPrecision(cells.all), None)
        self._known: dict[Term, None] = {}
        self._names: set[str] = set()
        self._initial_truth: dict[Predicate, bool | None] = {}
        self._initial = self._initial_cells()

    # -- predicates -------------------------------------------------------------------------------

    def add(self, expr: Expr) -> tuple[Predicate, Expr] | None:
        """A new predicate; None if it is equivalent to another one, or if no formula expresses
        it."""
        if isinstance(expr, Not):
            expr = expr.arg
        term = term_of(self._facts.context.logics, expr)
        if term is None or term in self._known:
            return None
        self._known.update(dict.fromkeys((term, build.not_(term))))
        text = show_expr(expr, self._facts.context.naming)
        name, number = text, 1
        while name in self._names:
            number += 1
            name = f"{text} #{number}"
        self._names.add(name)
        return Predicate(name, self._meaning(expr)), expr

    def _meaning(self, expr: Expr) -> Constraint | None:
        truth = self._everything.truth(expr)
        holds = truth.holds
        if isinstance(holds, Compare) and truth.fails is negate(holds):
            return holds.constraint
        return None

    # -- initial states ---------------------------------------------------------------------------

    def initial_states(self, precision: TrackedPrecision) -> Formula:
        """What holds in the initial states."""
        parts: list[Formula] = []
        for name in precision.cells:
            if name in self._initial:
                parts.append(compare(equation(variable(name), self._initial[name])))
        new = [p for p in precision.predicates if p not in self._initial_truth]
        exprs = [precision.predicates[p] for p in new]
        for predicate, asked in zip(
            new, initial_conditions(self._facts.context.logics, exprs), strict=True
        ):
            known = None if asked is None else truth(asked, self._seconds).value
            self._initial_truth[predicate] = known
        for predicate in precision.predicates:
            known = self._initial_truth[predicate]
            if known is not None:
                parts.append(literal(predicate, known))
        return conj(*parts)

    def _initial_cells(self) -> dict[str, int]:
        """The values that cells of globals hold in the initial states."""
        found: dict[str, int] = {}
        slots = self._facts.context.effects.slots
        for item in self._facts.program.globals:
            if item.external:
                continue
            own = self._cells.of(item.var)
            if own is not None:
                found[own.name] = 0
            for slot in slots.of_target(item.var):
                if isinstance(slot, Var):
                    found[slot.name] = 0
            for assign in item.init:
                cell = self._cells.of(assign.target)
                if cell is not None:
                    found.pop(cell.name, None)
                    number = self._number(cell, assign.value)
                    if number is not None:
                        found[cell.name] = number
        return found

    def _number(self, cell: NumericVariable, value: Expr) -> int | None:
        if isinstance(value, Const) and isinstance(cell.type, IntType):
            return value.value
        return constant_of(self._everything.value(value)) if value.type is cell.type else None
