"""The values of Boolean variables when a program starts, with answers that are known from before.

Soundness duty: a definite value only if the predicate has it in every state in which a run starts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..boolprog.syntax import FALSE, STAR, TRUE, Expr
from ..predicates.cube import Logic
from ..predicates.initial_values import AtStart, at_start, truth
from .boolean_variables import Boolean
from .store.answers import Answers
from .store.query_keys import digest

_ALWAYS: list[list[list[int]]] = [[]]  # the cover of one empty cube
_NEVER: list[list[list[int]]] = []
_VALUES: dict[bool | None, Expr] = {True: TRUE, False: FALSE, None: STAR}


def initial_values(
    logics: tuple[Logic, ...],
    booleans: Sequence[Boolean],
    seconds: Callable[[], float | None],
    answers: Answers | None = None,
) -> dict[str, Expr]:
    """The value of each variable in the entry function's first state; `*` if it may differ.
    `answers` are those that are known already, and get the new ones."""
    asked = at_start(logics, (boolean.expr for boolean in booleans))
    return {
        boolean.name: STAR if one is None else _value(one, seconds, answers or Answers())
        for boolean, one in zip(booleans, asked, strict=True)
    }


def _value(asked: AtStart, seconds: Callable[[], float | None], answers: Answers) -> Expr:
    key = digest(("start",), (asked.term, *asked.facts))
    words = answers.get(key)
    if words is not None:
        return TRUE if words[0] else FALSE if words[1] else STAR
    found = truth(asked, seconds)
    if found.sure:
        sides = (found.always, found.never)
        answers.put(key, [_ALWAYS if side else _NEVER for side in sides])
    return _VALUES[found.value]
