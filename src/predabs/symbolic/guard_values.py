"""Which guards hold in a model."""

from __future__ import annotations

from ..smt.evaluate import TermEvaluator
from .state import Guard


class GuardEvaluator:
    """Which guards hold in a model; each of their conditions is looked at once."""

    def __init__(self, evaluator: TermEvaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[Guard, bool] = {}

    def holds(self, guard: Guard) -> bool:
        chain: list[Guard] = []
        at: Guard | None = guard
        while at is not None and at not in self._known:
            chain.append(at)
            at = at.before
        holds = at is None or self._known[at]
        for link in reversed(chain):
            holds = holds and self._evaluator.holds(link.cond)
            self._known[link] = holds
        return holds
