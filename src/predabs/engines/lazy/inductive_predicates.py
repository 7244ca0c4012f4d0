"""Which of the lazy engine's predicates hold at a loop in all runs? The other engines can use them.

A predicate of a search, also a conjunct of a solution of Horn clauses, is only a guess: it explains
a path, or a program without overflows. The largest part of the guesses and of their negations that
is inductive is found as in Houdini [FL01], by `evidence/houdini`.

Soundness duty: what is offered was proved by a solver to hold whenever a run comes to the loop, up
to the first transition of kind LIMIT; if the proof is not finished, nothing is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic

from ...encode.encoding import Encoding
from ...evidence.certificate import QUICK_SOLVERS, Effort
from ...evidence.houdini import inductive_part
from ...ir import make
from ...ir.cfa import Location
from ...ir.expr import Expr
from ...verdict import Invariant
from ..engine import Clock, EngineTask

TOPIC = "inductive predicates"
_FIRST = 3  # refinements, before the predicates are looked at first; then twice as many
_SHARE, _SECONDS = 0.1, 2.0  # of the time that is left, and at most
_CALL_SECONDS = 0.5  # of one solver call


class InductivePredicates:
    """The predicates of one program that were proved so far."""

    def __init__(self, task: EngineTask, clock: Clock) -> None:
        self._task = task
        self._clock = clock
        self._next = _FIRST
        self.offered: frozenset[Invariant] = frozenset()

    def share(
        self,
        refinements: int,
        encoding: Encoding,
        tracked: Callable[[], Iterable[tuple[Location, Expr]]],
    ) -> None:
        """Now and then, if another engine listens: offer what is inductive among the tracked."""
        if refinements < self._next or not self._task.shared.is_heard:
            return
        self._next = 2 * refinements
        found = self.proved(encoding, tracked())
        if found:
            self.offered |= frozenset(found)
            self._task.shared.offer(TOPIC, found)

    def proved(
        self, encoding: Encoding, tracked: Iterable[tuple[Location, Expr]]
    ) -> tuple[Invariant, ...]:
        """The part that is inductive; nothing, if that is not known soon."""
        candidates: dict[Location, dict[Expr, None]] = {}
        for location, expr in tracked:
            both = dict.fromkeys((expr, make.negate(expr)))
            candidates.setdefault(location, {}).update(both)
        left = self._clock.left
        seconds = _SECONDS if left is None else min(_SECONDS, _SHARE * left)
        effort = Effort(monotonic() + seconds, _CALL_SECONDS, solvers=QUICK_SOLVERS)
        return inductive_part(self._task.facts, encoding, candidates, effort)
