"""The lazy engine: the search of `lazy_tree`, begun again when more has to be known first.

It begins with integers and with what intervals tell. Where integers cannot say it, it begins again
with bit-vectors; if that is asked for, it does so at the first spurious path too, with
relations between numbers ([GC10]'s domains under [HJMS02]'s predicates).

Soundness duty: that of the search; relations hold in all runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..errors import ResourceExhausted, UnsupportedFeature
from ..ir.cfa import Program
from ..logic.encode_int import Integers, NeedsBitVectors
from ..logic.encoding import Encoding, Vectors
from ..logic.known import Relations
from ..numpred.relations import relations_of
from ..options import Budget, Numbers, Options
from ..statistics import EngineStatistics, Phase
from ..verdict import Verdict
from .groundwork import Groundwork, groundwork
from .lazy_tree import Search, WantsRelations

_NUMERIC: Numbers = "octagon"  # the numeric domain, where there is no wish
_RELATION_SHARE, _RELATION_SECONDS = 0.1, 5.0  # of the time that is left, and at most


def check(
    program: Program,
    options: Options,
    budget: Budget,
    statistics: EngineStatistics,
    progress: Callable[[str], None] | None = None,
) -> Verdict:
    """Decide the program."""
    return LazySearch(program, options, statistics, progress or (lambda text: None)).run(budget)


class LazySearch:
    """A check that can be gone on with after `TimeOver`: with integers, or with bit-vectors if
    integers cannot say it; with relations between numbers once there is a spurious path."""

    def __init__(
        self,
        program: Program,
        options: Options,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> None:
        self._made = partial(Search, program, options, statistics=statistics, progress=progress)
        self._program = program
        self._numbers = options.numeric or _NUMERIC
        self._relations: Relations = {}
        self._related = self._numbers == "box"
        self._encoding: Encoding = Integers()
        self._search: Search | None = None
        self._ground = partial(groundwork, program, options.block)
        self._known: Groundwork | None = None
        self._statistics = statistics

    def run(self, budget: Budget) -> Verdict:
        """Decide the program, or raise `TimeOver`."""
        while True:
            try:
                return self._go_on(budget)
            except NeedsBitVectors:
                self._encoding, self._search = Vectors(), None
            except WantsRelations:
                self._search = None
                with self._statistics.phase(Phase.ABSTRACTION):
                    self._relations, self._related = self._relate(budget), True

    def _relate(self, budget: Budget) -> Relations:
        """How numbers are related at control points, as far as that is found out soon."""
        seconds = _RELATION_SECONDS if budget.left is None else _RELATION_SHARE * budget.left
        mine = Budget.of(min(seconds, _RELATION_SECONDS))
        try:
            solver = self._statistics.solver
            return relations_of(self._program, self._numbers, solver, mine.check)
        except (ResourceExhausted, UnsupportedFeature):
            return {}

    def _go_on(self, budget: Budget) -> Verdict:
        if self._search is None:
            with self._statistics.phase(Phase.ABSTRACTION):
                known = self._known = self._known or self._ground()
            self._search = self._made(
                budget=budget,
                encoding=self._encoding,
                known=known,
                relations=self._relations,
                related=self._related,
            )
        return self._search.run(budget)
