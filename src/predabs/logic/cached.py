"""A solver that remembers answers, for a question that was asked before in any form.

What is asserted and assumed are sets of conditions: their order, and the frames they stand in,
mean nothing. Soundness duty: with the same terms asserted, `Unsat` holds for every superset of the
core, `Sat` for every subset of what was assumed; `Unknown` is never remembered, as more time may
help. The solver below sees the asserted terms only when it is really asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import InternalError
from .solver import (
    Answer,
    Capabilities,
    Interpolant,
    Sat,
    Solver,
    Statistics,
    Unknown,
    Unsat,
)
from .term import Term

_SETS = 1024  # how many sets of asserted terms are remembered
_ANSWERS = 64  # and how many answers of each kind for one set


@dataclass(slots=True)
class _Known:
    """The answers for one set of asserted terms, the newest last."""

    sat: OrderedDict[frozenset[Term], Sat] = field(default_factory=OrderedDict)
    unsat: OrderedDict[frozenset[Term], Unsat] = field(default_factory=OrderedDict)


class Cache:
    """Answers of one family of solvers (`fresh` shares it)."""

    def __init__(self) -> None:
        self._sets: OrderedDict[frozenset[Term], _Known] = OrderedDict()

    def find(self, asserted: frozenset[Term], assumed: frozenset[Term]) -> Sat | Unsat | None:
        known = self._sets.get(asserted)
        if known is None:
            return None
        self._sets.move_to_end(asserted)
        for core, unsat in reversed(known.unsat.items()):
            if core <= assumed:
                return unsat
        for held, sat in reversed(known.sat.items()):
            if assumed <= held:
                return sat
        return None

    def insert(
        self, asserted: frozenset[Term], assumed: frozenset[Term], answer: Sat | Unsat
    ) -> None:
        known = self._sets.setdefault(asserted, _Known())
        match answer:
            case Sat():
                known.sat[assumed] = answer
                _shrink(known.sat, _ANSWERS)
            case Unsat(core):
                known.unsat[frozenset(core)] = answer
                _shrink(known.unsat, _ANSWERS)
        _shrink(self._sets, _SETS)


def _shrink(table: OrderedDict[frozenset[Term], Any], size: int) -> None:
    while len(table) > size:
        table.popitem(last=False)


class Cached:
    """Wraps a solver; itself one."""

    def __init__(self, solver: Solver, cache: Cache | None = None) -> None:
        self._solver = solver
        self._cache = Cache() if cache is None else cache
        self._frames: list[list[Term]] = [[]]
        self._told: list[int] = [0]  # how many terms of each frame the solver below has
        self._asserted: frozenset[Term] | None = None

    @property
    def name(self) -> str:
        return self._solver.name

    @property
    def capabilities(self) -> Capabilities:
        return self._solver.capabilities

    @property
    def statistics(self) -> Statistics:
        return self._solver.statistics

    def add(self, term: Term) -> None:
        self._frames[-1].append(term)
        self._asserted = None

    def push(self) -> None:
        self._frames.append([])

    def pop(self) -> None:
        if len(self._frames) == 1:
            raise InternalError("pop without push")
        self._frames.pop()
        if len(self._told) > len(self._frames):
            self._solver.pop()
            self._told.pop()
        self._asserted = None

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        if self._asserted is None:
            self._asserted = frozenset().union(*self._frames)
        asserted, assumed = self._asserted, frozenset(assumptions)
        answer: Answer | None = self._cache.find(asserted, assumed)
        if answer is not None:
            self.statistics.cached += 1
            return answer
        self._tell()
        answer = self._solver.check(assumptions, timeout)
        if not isinstance(answer, Unknown):
            self._cache.insert(asserted, assumed, answer)
        return answer

    def _tell(self) -> None:
        """Brings the solver below up to date."""
        for level, frame in enumerate(self._frames):
            if level == len(self._told):
                self._solver.push()
                self._told.append(0)
            for term in frame[self._told[level] :]:
                self._solver.add(term)
                self._told[level] += 1

    def interrupt(self) -> None:
        self._solver.interrupt()

    def fresh(self) -> Cached:
        return Cached(self._solver.fresh(), self._cache)

    def interpolate(
        self, left: Term, right: Term, timeout: float | None = None
    ) -> Interpolant | Unknown:
        return self._solver.interpolate(left, right, timeout)
