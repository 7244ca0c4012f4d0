"""Smaller reasons: fewer assumptions that still contradict what is asserted.

Deletion: leave one out, ask again, and take the solver's core of the answer as the new, smaller
set. Soundness duty: the result is always a set for which the solver said `Unsat`; when the budget
is spent it is only not minimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from . import build
from .solver import Answer, Sat, Solver, Unknown, Unsat
from .term import Term


def minimise(
    solver: Solver, assumptions: Sequence[Term], checks: int = 100, timeout: float | None = None
) -> Answer:
    """`Unsat` with a core from which nothing can be left out, within so many checks and seconds;
    `Sat` or `Unknown` if the assumptions do not contradict, or nothing is known.

    Of several cores it prefers one from the front of `assumptions`: what stands last is left out
    first.
    """
    deadline = None if timeout is None else monotonic() + timeout
    answer = solver.check(assumptions, timeout)
    if not isinstance(answer, Unsat):
        return answer
    needed: set[Term] = set()
    core = _in_order(assumptions, answer)
    while checks > 0:
        candidates = [term for term in core if term not in needed]
        if not candidates:
            break
        left = None if deadline is None else deadline - monotonic()
        if left is not None and left <= 0:
            break
        out = candidates[-1]
        checks -= 1
        match solver.check([term for term in core if term is not out], left):
            case Unsat() as smaller:
                core = _in_order(core, smaller)
            case Sat() | Unknown():
                needed.add(out)
    return Unsat(tuple(core))


def independent(solver: Solver, terms: Sequence[Term], timeout: float) -> list[Term]:
    """The terms without those that the others, with what is asserted, imply. What is not decided
    in so many seconds is kept. Of two that say the same the last one is kept.
    """
    deadline = monotonic() + timeout
    kept = list(terms)
    for term in terms:
        left = deadline - monotonic()
        if left <= 0:
            break
        others = [other for other in kept if other is not term]
        if isinstance(solver.check([*others, build.not_(term)], left), Unsat):
            kept = others
    return kept


def _in_order(assumptions: Sequence[Term], answer: Unsat) -> list[Term]:
    kept = set(answer.core)
    return [term for term in dict.fromkeys(assumptions) if term in kept]
