"""Abstractions that are used again: what solvers said about the statements of a procedure.

Each procedure has its own table of answers ([BMR05]: it is abstracted once, and the abstraction
serves every program that has it). An answer is found by the whole question as solvers see it, the
terms of the formula and of the predicates with all that is known about them. What the rest of the
program contributes, such as which lvalues may alias, is part of these terms; so a statement is
asked about anew if and only if something changed that matters to it, whatever it is.

Soundness duty: an answer is kept only if solvers gave it, not if they ran out of time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from ...ir.expr import Expr
from ...predicates.cube import Cover, Cube, Cubes, Decision, Logic
from ...records import dataclass, field
from ...smt.term import Term
from .query_keys import digest

StoredAnswer: TypeAlias = list[Any]
"""An answer as JSON; for covers, each literal is the position of a predicate and 0 or 1."""


@dataclass(slots=True)
class Answers:
    """What is known about one procedure: the answers from before, then those of this run."""

    old: Mapping[str, StoredAnswer] = field(default_factory=dict)
    used: dict[str, StoredAnswer] = field(default_factory=dict)
    found: int = 0  # questions that an old answer settled
    new: int = 0  # and those that had to be asked

    def get(self, key: str) -> StoredAnswer | None:
        known = self.used.get(key)
        if known is None:
            known = self.old.get(key)
            if known is not None:
                self.found += 1
                self.used[key] = known
        return known

    def put(self, key: str, answer: StoredAnswer) -> None:
        self.new += 1
        self.used[key] = answer


class AnswerStore(Protocol):
    """Where the answers of all procedures are kept."""

    def answers(self, procedure: str) -> Answers: ...


class RememberedCubes(Cubes):
    """Computes F and G for the predicates of one procedure, with the answers that it has."""

    def __init__(
        self,
        logics: Sequence[Logic],
        max_cube: int,
        seconds: Callable[[], float | None],
        answers: Answers,
    ) -> None:
        super().__init__(logics, max_cube, seconds)
        self._answers = answers

    def _decided(self, phi: Expr, numbers: tuple[int, ...]) -> Decision:
        def ask() -> tuple[Cover, ...]:
            decision = super(RememberedCubes, self)._decided(phi, numbers)
            return decision.implied, decision.refuted

        implied, refuted = self._known("decide", (phi,), numbers, ask)
        return Decision(implied, refuted)

    def _contradictions(self, numbers: tuple[int, ...]) -> Cover:
        def ask() -> tuple[Cover, ...]:
            return (super(RememberedCubes, self)._contradictions(numbers),)

        [found] = self._known("enforce", (), numbers, ask)
        return found

    def _known(
        self,
        kind: str,
        formulas: Sequence[Expr],
        numbers: tuple[int, ...],
        ask: Callable[[], tuple[Cover, ...]],
    ) -> tuple[Cover, ...]:
        key = self._key(kind, (*formulas, *(self._exprs[n] for n in numbers)))
        answer = self._answers.get(key)
        if answer is not None:
            return tuple(_cover(cubes, numbers) for cubes in answer)
        before = self.counts.unknown
        covers = ask()
        if self.counts.unknown == before:
            self._answers.put(key, [_encoded(cover, numbers) for cover in covers])
        return covers

    def _key(self, kind: str, conditions: Sequence[Expr]) -> str:
        """All that an answer depends on. The first logic that expresses all conditions is asked;
        one that cannot express some of them matters for those that it can."""
        parts: list[Term | None] = []
        for number, logic in enumerate(self._logics):
            terms = [self._term(number, condition) for condition in conditions]
            parts += terms
            whole = [term for term in terms if term is not None]
            parts += (None, *logic.formulas.facts(whole), None)
            if len(whole) == len(terms):
                break
        return digest((kind, str(self._max_cube), str(len(conditions))), parts)


def _encoded(cover: Cover, numbers: tuple[int, ...]) -> list[list[list[int]]]:
    positions = {number: position for position, number in enumerate(numbers)}
    return [[[positions[n], int(value)] for n, value in cube.literals] for cube in cover]


def _cover(cubes: list[list[list[int]]], numbers: tuple[int, ...]) -> Cover:
    return tuple(
        Cube(tuple((numbers[position], bool(value)) for position, value in cube)) for cube in cubes
    )
