"""A solver with stored answers about a procedure, for queries that do not come from `Cubes`.

What is asserted is told to the solver below only when it is really asked. Soundness duty: an answer
is that of the same question, but for the names of symbols; of a model from before only the truth
values are known, and nothing else can be read from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...errors import InternalError
from ...smt.semantics import ModelValue
from ...smt.solver import Answer, Interpolant, Model, Sat, Solver, Statistics, Unknown, Unsat
from ...smt.term import BOOL, App, Op, Symbol, Term, symbols
from .answers import Answers, StoredAnswer
from .query_keys import digest


class RememberedSolver:
    """Wraps a solver; itself one, without frames."""

    def __init__(self, solver: Solver, answers: Answers) -> None:
        self._solver = solver
        self._answers = answers
        self._asserted: list[Term] = []
        self._told = 0
        self._key = ""
        self._truths: dict[Symbol, int] = {}  # the positions of the truth values that are asserted

    @property
    def name(self) -> str:
        return self._solver.name

    @property
    def statistics(self) -> Statistics:
        return self._solver.statistics

    def add(self, term: Term) -> None:
        self._asserted.append(term)
        self._key = ""

    def push(self) -> None:
        raise InternalError("a solver that remembers answers has no frames")

    def pop(self) -> None:
        raise InternalError("a solver that remembers answers has no frames")

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        key = self._question(assumptions)
        known = None if key is None else self._answers.get(key)
        if known is not None:
            self.statistics.cached += 1
            return self._answer(known, assumptions)
        for term in self._asserted[self._told :]:
            self._solver.add(term)
        self._told = len(self._asserted)
        answer = self._solver.check(assumptions, timeout)
        if key is not None and not isinstance(answer, Unknown):
            self._answers.put(key, self._encoded(answer, assumptions))
        return answer

    def _question(self, assumptions: Sequence[Term]) -> str | None:
        """The key; None if something else than truth values is assumed."""
        if not self._key:
            found = [symbol for symbol in symbols(self._asserted) if symbol.sort is BOOL]
            self._truths = {symbol: position for position, symbol in enumerate(found)}
            self._key = digest(("check",), self._asserted)
        positions: list[str] = []
        for term in assumptions:
            match term:
                case App(Op.NOT, (symbol,), _, _):
                    sign = "-"
                case symbol:
                    sign = ""
            if symbol not in self._truths:
                return None
            positions.append(f"{sign}{self._truths[symbol]}")
        return f"{self._key} {' '.join(positions)}"

    def _encoded(self, answer: Sat | Unsat, assumptions: Sequence[Term]) -> StoredAnswer:
        match answer:
            case Unsat(core):
                return [
                    "unsat",
                    *(position for position, term in enumerate(assumptions) if term in core),
                ]
            case Sat(model):
                return [
                    "sat",
                    *(position for symbol, position in self._truths.items() if model[symbol]),
                ]

    def _answer(self, answer: StoredAnswer, assumptions: Sequence[Term]) -> Answer:
        kind, *positions = answer
        if kind == "unsat":
            return Unsat(tuple(assumptions[position] for position in positions))
        return Sat(Model(partial(self._read, frozenset(positions)), self._asserted))

    def _read(self, true: frozenset[int], symbol: Symbol) -> ModelValue:
        if symbol not in self._truths:
            raise InternalError(f"the value of {symbol.name} was not kept")
        return int(self._truths[symbol] in true)

    def interrupt(self) -> None:
        self._solver.interrupt()

    def fresh(self) -> RememberedSolver:
        return RememberedSolver(self._solver.fresh(), self._answers)

    def interpolate(
        self, left: Term, right: Term, timeout: float | None = None
    ) -> Interpolant | Unknown:
        return self._solver.interpolate(left, right, timeout)
