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
from ..logic.solver import Unknown, Unsat
from ..logic.term import Term
from ..predicates.cube import Logic
from .booleans import Boolean
from .reuse import Answers
from .reuse_terms import digest

_ALWAYS: list[list[list[int]]] = [[]]  # the cover of one empty cube
_NEVER: list[list[list[int]]] = []


def values_at_start(
    logics: tuple[Logic, ...],
    booleans: Iterable[Boolean],
    seconds: Callable[[], float | None],
    answers: Answers | None = None,
) -> dict[str, Expr]:
    """The value of each variable in the entry function's first state; `*` if it may differ.
    `answers` are those that are known already, and get the new ones."""
    starts = [initial(logic.formulas)[0] for logic in logics]
    found: dict[str, Expr] = {}
    for boolean in booleans:
        found[boolean.name] = STAR
        for logic, start in zip(logics, starts, strict=True):
            term = _term(logic.formulas, start, boolean.expr)
            if term is not None:
                found[boolean.name] = _value(logic, term, seconds, answers or Answers())
                break
    return found


def _term(formulas: Formulas, start: Environment, predicate: CExpr) -> Term | None:
    try:
        return formulas.encoder(start).condition(predicate)
    except (NeedsBitVectors, UnsupportedFeature):
        return None


def _value(logic: Logic, term: Term, seconds: Callable[[], float | None], answers: Answers) -> Expr:
    facts = logic.formulas.facts([term])
    key = digest(("start",), (term, *facts))
    words = answers.get(key)
    if words is not None:
        return TRUE if words[0] else FALSE if words[1] else STAR
    solver = logic.solver.fresh()
    for fact in facts:
        solver.add(fact)
    fails = solver.check([build.not_(term)], seconds())
    holds = None if isinstance(fails, Unsat) else solver.check([term], seconds())
    always, never = isinstance(fails, Unsat), isinstance(holds, Unsat)
    if not isinstance(fails, Unknown) and not isinstance(holds, Unknown):
        answers.put(key, [_ALWAYS if always else _NEVER, _ALWAYS if never else _NEVER])
    return TRUE if always else FALSE if never else STAR
