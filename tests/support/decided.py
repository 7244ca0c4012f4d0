"""Laws that a solver decides."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hypothesis import reject

from predabs.smt.solver import Statistics, Unknown, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import Term

_SECONDS = 60.0  # each of the examples of every day takes less than one


def refuted(term: Term, solvers: Sequence[str]) -> bool:
    """Whether the first solver that decides the term refutes it. One of them must: an example that
    is passed over says nothing about a law. Only a search for new examples may meet such."""
    for name in solvers:
        solver = create(name, Statistics())
        solver.add(term)
        answer = solver.check(timeout=_SECONDS)
        if not isinstance(answer, Unknown):
            return isinstance(answer, Unsat)
    if os.environ.get("HYPOTHESIS_PROFILE") == "search":
        reject()
    raise AssertionError(f"none of {', '.join(solvers)} decides this in {_SECONDS} seconds")
