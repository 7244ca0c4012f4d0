"""The values of predicates when a program starts: globals hold their initial values.

Soundness duty: a definite value only if the predicate has it in every state in which a run starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..boolprog.syntax import FALSE, STAR, TRUE, Expr
from ..errors import UnsupportedFeature
from ..ir.expr import Expr as CExpr
from ..logic import build
from ..logic.encode_int import NeedsBitVectors
from ..logic.environment import Environment, Formulas
from ..logic.initial import initial
from ..logic.solver import Unsat
from ..logic.term import Term
from ..predicates.cube import Logic
from .booleans import Boolean


def values_at_start(
    logics: tuple[Logic, ...], booleans: Iterable[Boolean], seconds: Callable[[], float | None]
) -> dict[str, Expr]:
    """The value of each variable in the entry function's first state; `*` if it may differ."""
    starts = [initial(logic.formulas)[0] for logic in logics]
    found: dict[str, Expr] = {}
    for boolean in booleans:
        found[boolean.name] = STAR
        for logic, start in zip(logics, starts, strict=True):
            term = _term(logic.formulas, start, boolean.expr)
            if term is not None:
                found[boolean.name] = _value(logic, term, seconds)
                break
    return found


def _term(formulas: Formulas, start: Environment, predicate: CExpr) -> Term | None:
    try:
        return formulas.encoder(start).condition(predicate)
    except (NeedsBitVectors, UnsupportedFeature):
        return None


def _value(logic: Logic, term: Term, seconds: Callable[[], float | None]) -> Expr:
    solver = logic.solver.fresh()
    for fact in logic.formulas.facts([term]):
        solver.add(fact)
    if isinstance(solver.check([build.not_(term)], seconds()), Unsat):
        return TRUE
    return FALSE if isinstance(solver.check([term], seconds()), Unsat) else STAR
