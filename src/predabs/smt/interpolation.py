"""Interpolants are believed only after they were checked.

For two conditions that contradict each other, an interpolant [Cra57] follows from the first,
contradicts the second, and speaks only of symbols that both have. Solvers compute them by code that
is young and little used, so each of the three duties is tested before the term leaves this layer.
"""

from __future__ import annotations

from collections.abc import Iterable

from .build import not_
from .solver import Interpolant, Reason, Sat, Solver, Unknown, Unsat
from .term import Term, symbols


def verify(
    solver: Solver, left: Term, candidate: Term, right: Term, timeout: float | None
) -> Interpolant | Unknown:
    """The candidate, if it is an interpolant; `solver` has nothing asserted."""
    shared = symbols([left]).keys() & symbols([right]).keys()
    if not symbols([candidate]).keys() <= shared:
        return Unknown(Reason.FAILURE, "the interpolant has symbols that are not shared")
    for claim in (left, not_(candidate)), (candidate, right):
        failed = _refuted(solver, claim, timeout)
        if failed is not None:
            return failed
    return Interpolant(candidate)


def _refuted(solver: Solver, claim: Iterable[Term], timeout: float | None) -> Unknown | None:
    """None if the terms contradict each other."""
    match solver.check(tuple(claim), timeout):
        case Unsat():
            return None
        case Sat():
            return Unknown(Reason.FAILURE, "the solver's interpolant is none")
        case Unknown() as unknown:
            return unknown
