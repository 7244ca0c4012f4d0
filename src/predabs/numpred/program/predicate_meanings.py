"""The predicates of a program: each with a name, and with its meaning as a constraint, if it has
one [GC10, section 4.1].

Its names are what the numeric structures print and sort by, with no diagrams or scopes behind them
(`predicates/table` and `engines/slam/tracked_predicates` have those). Soundness duty: a meaning
holds in exactly the states where the predicate is true.
"""

from __future__ import annotations

from collections.abc import Callable

from ...domains.linear import Constraint, variable
from ...domains.linear import equal as equation
from ...ir.expr import Const, Expr, Not, Var
from ...ir.show import show_expr
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
    """All predicates that were ever found, and what is known when a program starts."""

    def __init__(
        self, ground: NumpredFacts, cells: NumericVariables, seconds: Callable[[], float | None]
    ) -> None:
        self._ground = ground
        self._cells = cells
        self._seconds = seconds
        self._everything = FormulaReader(ground, cells, TrackedPrecision(cells.all), None)
        self._known: dict[Term, None] = {}
        self._names: set[str] = set()
        self._at_start: dict[Predicate, bool | None] = {}
        self._initial = self._initial_cells()

    # -- predicates -------------------------------------------------------------------------------

    def add(self, expr: Expr) -> tuple[Predicate, Expr] | None:
        """A new predicate; None if it says what another one says, or if nothing can be asked about
        it."""
        if isinstance(expr, Not):
            expr = expr.arg
        term = term_of(self._ground.context.logics, expr)
        if term is None or term in self._known:
            return None
        self._known.update(dict.fromkeys((term, build.not_(term))))
        text = show_expr(expr, self._ground.context.naming)
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

    # -- the start --------------------------------------------------------------------------------

    def start(self, precision: TrackedPrecision) -> Formula:
        """What holds when a run starts."""
        parts: list[Formula] = []
        for name in precision.cells:
            if name in self._initial:
                parts.append(compare(equation(variable(name), self._initial[name])))
        new = [p for p in precision.predicates if p not in self._at_start]
        exprs = [precision.predicates[p] for p in new]
        for predicate, asked in zip(
            new, initial_conditions(self._ground.context.logics, exprs), strict=True
        ):
            known = None if asked is None else truth(asked, self._seconds).value
            self._at_start[predicate] = known
        for predicate in precision.predicates:
            known = self._at_start[predicate]
            if known is not None:
                parts.append(literal(predicate, known))
        return conj(*parts)

    def _initial_cells(self) -> dict[str, int]:
        """The numbers that cells of globals hold at the start."""
        found: dict[str, int] = {}
        slots = self._ground.context.effects.slots
        for item in self._ground.program.globals:
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
        if isinstance(value, Const):
            return value.value
        return constant_of(self._everything.value(value)) if value.type is cell.type else None
