"""The bounded engine: unroll deeper and deeper, merge where branches meet, ask about the errors.

States of all paths are explored together: one symbolic state per place of the unrolling, a place
being a call chain, a location and the number of rounds of each loop around it. A loop that goes on
beyond the current bound is put aside; when nothing else is left, the solver is asked whether an
error that was met can be reached (then there is a bug), and whether anything put aside can be
reached (if not, the program is safe); then the bound is doubled and the rest goes on where it was.

Soundness duty: `Safe` only if every state was followed to its end or proved unreachable; wherever
the exploration stops for another reason, the condition of the place is noted as a cut, and a cut
that the solver does not refute makes the answer `Unknown`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ..concrete.outcome import Overrun
from ..errors import ResourceExhausted
from ..ir.cfa import Program
from ..ir.path import Path
from ..logic import build
from ..logic.factory import create
from ..logic.solver import Sat, Solver, Statistics, Unsat
from ..logic.symbolic.model import inputs_of
from ..logic.term import FALSE, Term
from ..options import Budget, Options
from ..verdict import Safe, Unknown, Unsafe, Verdict
from .explore import Explorer, Found
from .sample import sample

_FIRST_BOUND = 1
_CHECK_SECONDS = 20.0
_SAMPLE_SECONDS = 3.0
_FEW = 32  # states put aside that are asked about one by one


def check(
    program: Program,
    options: Options,
    budget: Budget,
    statistics: Statistics,
    progress: Callable[[str], None] | None = None,
) -> Verdict:
    """Decide the program, or say how far the unrolling came."""
    seconds = _SAMPLE_SECONDS if budget.left is None else min(_SAMPLE_SECONDS, budget.left / 10)
    bug = sample(program, seconds)
    if bug is not None:
        return bug
    try:
        search = _Search(program, budget, statistics, progress or (lambda text: None))
    except Overrun as limit:
        return Unknown(str(limit))
    try:
        return search.run()
    except ResourceExhausted as limit:
        return Unknown(f"{limit}; loops were followed for {search.bound} rounds")


class _Search:
    """Rounds of exploration and questions to the solver in between."""

    def __init__(
        self,
        program: Program,
        budget: Budget,
        statistics: Statistics,
        progress: Callable[[str], None],
    ) -> None:
        self._budget = budget
        self._progress = progress
        self._explorer = Explorer(program, _FIRST_BOUND)
        self._undecided: list[Found] = []
        self._solver: Solver = create("bitwuzla", statistics)
        self._last_check = time.monotonic()
        self._check_cost = 0.5
        self._steps = 0

    @property
    def bound(self) -> int:
        return self._explorer.bound

    # --- the rounds -------------------------------------------------------------------------------

    def run(self) -> Verdict:
        while True:
            verdict = self._explore() or self._conclude()
            if verdict is not None:
                return verdict
            self._explorer.deepen()

    def _explore(self) -> Verdict | None:
        """Follow everything up to the bound; an error that can be reached ends it."""
        explorer = self._explorer
        while explorer.open:
            explorer.visit_next()
            self._steps += 1
            if self._steps % 64 == 0:
                self._budget.check()
                if self._steps % 1024 == 0:
                    self._progress(f"bounded: rounds {self.bound}, places {self._steps}")
            if explorer.errors and time.monotonic() - self._last_check > self._check_cost:
                bug = self._check_errors()
                if bug is not None:
                    return bug
        return self._check_errors() if explorer.errors else None

    def _conclude(self) -> Verdict | None:
        """After a round: safe, if nothing that was put aside can be reached; else go on."""
        aside = self._explorer.aside
        waiting = aside.waiting()
        if self._refuted(build.or_(*(state.guard.term for _, state in waiting))):
            for place, _ in waiting:
                aside.drop(place)
        elif len(waiting) <= _FEW:
            for place, state in waiting:
                if self._refuted(state.guard.term):
                    aside.drop(place)
        if aside:
            return None
        for cut in self._explorer.cuts + self._undecided:
            if not self._refuted(cut.cond):
                return Unknown(f"{cut.coord}: {cut.text}")
        return Safe()

    # --- asking -----------------------------------------------------------------------------------

    def _seconds(self) -> float:
        left = self._budget.left
        return _CHECK_SECONDS if left is None else max(0.05, min(_CHECK_SECONDS, left))

    def _refuted(self, cond: Term) -> bool:
        """Is it proved that the condition cannot hold?"""
        if cond is FALSE:
            return True
        self._budget.check()
        return isinstance(self._solver.check([cond], self._seconds()), Unsat)

    def _check_errors(self) -> Verdict | None:
        """Can one of the errors met since the last time be reached?"""
        self._budget.check()
        begun = time.monotonic()
        errors = self._explorer.take_errors()
        either = build.or_(*(error.cond for error in errors))
        answer = self._solver.check([either], self._seconds()) if either is not FALSE else Unsat(())
        self._last_check = time.monotonic()
        self._check_cost = max(0.5, self._last_check - begun)
        match answer:
            case Sat(model):
                inputs, text = inputs_of(
                    model, self._explorer.machine.taken, [(e.cond, e.text) for e in errors]
                )
                return Unsafe(Path(()), inputs, text)
            case Unsat():
                return None
            case _:
                self._undecided += [
                    Found(
                        e.cond,
                        f"the solver could not decide whether this is reached ({answer})",
                        e.coord,
                    )
                    for e in errors
                ]
                return None
