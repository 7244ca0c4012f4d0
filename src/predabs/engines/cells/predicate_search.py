"""Predicate abstraction of the scalar program, where candidates alone are not enough.

Cell morphing leaves the invariants to whoever solves Horn clauses [MG16]. Candidates find those
that are clauses of what the program says; others, such as `m < i` or `c == 0 || i <= k`, come from
spurious paths of the scalar program, and what was found about cells is known beforehand.

Soundness duty: `Safe` only if the scalar program has no error. A violation of the scalar program
means nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations

from ...errors import ResourceExhausted
from ...ir import make
from ...ir.configuration import Configuration
from ...options import Budget, TimeOver
from ...records import dataclass, field, replace
from ...statistics import EngineStatistics
from ...verdict import Invariant, Method, Proof, Safe, Verdict
from ..engine import Engine, EngineTask, create
from .houdini import Clause

_FIRST = 0.7  # seconds of the first time slice; each round has twice as much
_MOST_REFINEMENTS = 20


@dataclass(slots=True)
class PredicateSearch:
    """The search in one scalar program; `facts` are known to hold."""

    task: EngineTask
    facts: tuple[Invariant, ...]
    method: Method
    _engine: Engine | None = field(default=None)

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict."""
        if self._engine is None:
            self.task.shared.offer("cells", self.facts)
            most = self.task.statistics.refinements + _MOST_REFINEMENTS
            self._engine = create("lazy", replace(self.task, progress=partial(self._go_on, most)))
        found = self._engine.run(budget)
        if not isinstance(found, Safe):
            return found
        proof = found.proof
        assert proof is not None
        kept = self.facts if self.task.options.certify else ()
        return replace(
            found,
            proof=Proof("cells", self.method, proof.solver, whole=False),
            support=(*found.support, *kept),
            precision=None,
        )

    def _go_on(self, most: int, text: str) -> None:
        """What has a proof has it soon."""
        if self.task.statistics.refinements > most:
            raise ResourceExhausted("too many predicates over cells")
        self.task.progress(text)


class PredicateSearches:
    """Searches in several scalar programs of one program, in turn."""

    def __init__(self) -> None:
        self._open: list[PredicateSearch] = []
        self._round = 0

    def add(
        self,
        task: EngineTask,
        facts: Iterable[tuple[Configuration, Iterable[Clause]]],
        method: Method,
    ) -> None:
        """One more."""
        options = replace(task.options, record=False)
        own = replace(task, options=options, statistics=EngineStatistics(), learned=None)
        self._open.append(PredicateSearch(own, tuple(_shortest(facts)), method))

    def run(self, budget: Budget) -> Safe | None:
        """A proof, or None if there is none to be had."""
        while self._open:
            for search in self._open[::-1]:  # those with more cells first
                try:
                    found = search.run(_slice(budget, _FIRST * 2**self._round))
                except TimeOver:
                    budget.check()
                    continue
                if isinstance(found, Safe):
                    return found
                self._open.remove(search)
            self._round += 1
        return None


def _slice(budget: Budget, seconds: float) -> Budget:
    end = Budget.of(seconds).deadline
    return Budget(min(one for one in (end, budget.deadline) if one is not None))


def _shortest(facts: Iterable[tuple[Configuration, Iterable[Clause]]]) -> Iterator[Invariant]:
    """The clauses that do not follow from a shorter one."""
    for configuration, clauses in facts:
        known = {frozenset(clause): clause for clause in clauses}
        for literals, clause in known.items():
            parts = (
                frozenset(part)
                for size in range(1, len(literals))
                for part in combinations(clause, size)
            )
            if not any(part in known for part in parts):
                yield Invariant(configuration.location, configuration.calls, make.disj(clause))
