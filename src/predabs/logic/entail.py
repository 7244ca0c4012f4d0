"""Which of many conditions follow: the question that Cartesian abstraction asks.

Model by model: each model that refutes one candidate is evaluated on all the others, and refutes
most of those that do not follow without another call. Works on every solver, unlike their own
'consequences', and misses nothing but what the solver does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from .build import not_
from .evaluate import Evaluator
from .solver import Sat, Solver, Unknown, Unsat
from .term import Term


@dataclass(frozen=True, slots=True)
class Entailed:
    """The candidates, sorted into those that follow, those that do not, and the open ones."""

    implied: tuple[Term, ...]
    refuted: tuple[Term, ...]
    unknown: tuple[Term, ...]


def entailed(
    solver: Solver,
    candidates: Sequence[Term],
    assumptions: Sequence[Term] = (),
    timeout: float | None = None,
) -> Entailed:
    """Which candidates are true whenever what is asserted and assumed is."""
    deadline = None if timeout is None else monotonic() + timeout
    implied: list[Term] = []
    refuted: list[Term] = []
    unknown: list[Term] = []
    waiting = list(dict.fromkeys(candidates))
    while waiting:
        candidate = waiting.pop(0)
        left = None if deadline is None else deadline - monotonic()
        match solver.check((*assumptions, not_(candidate)), left):
            case Unsat():
                implied.append(candidate)
            case Unknown():
                unknown.append(candidate)
            case Sat(model):
                refuted.append(candidate)
                evaluator = Evaluator(model)
                still = [term for term in waiting if evaluator.holds(term)]
                alive = set(still)
                refuted += [term for term in waiting if term not in alive]
                waiting = still
    return Entailed(tuple(implied), tuple(refuted), tuple(unknown))
