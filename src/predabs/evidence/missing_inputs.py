"""A short search for inputs that a verdict does not give, so that a run comes to the error.

An engine that works on a slice does not know all inputs of the program: with zero for a missing one
the run may fault, or leave the path. The search changes one missing input at a time (or one that is
given as a pointer that leads nowhere), the last ones first, and keeps what lets the run take more
of the inputs that are given. Nothing rests on this: what is found is replayed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from ..concrete.interpreter import execute
from ..concrete.outcome import ErrorReached
from ..ir.address_space import fresh_address
from ..ir.cfa import ExternPointers, Program
from ..ir.types import PointerType, ScalarType
from ..records import dataclass
from ..verdict import Input
from .given_inputs import GivenInputs, MissingPointers, leads_nowhere

_MOST_RUNS = 40
_MOST_SECONDS = 2.0
_MOST_STEPS = 100_000
_LAST = 12  # how many missing inputs are changed
_NUMBERS: tuple[int, ...] = (0, 1, -1)
_FAR = 1 << 18  # behind the addresses that others choose


@dataclass(frozen=True, slots=True)
class Choice:
    """What missing inputs are: a way for pointers, and the values of some, by their number."""

    pointers: MissingPointers
    chosen: Mapping[int, int]


def better_choice(
    program: Program, inputs: Sequence[Input], deadline: float | None
) -> Choice | None:
    """A choice with which the program comes to an error, if a few runs find one."""
    fresh = program.extern_pointers is ExternPointers.FRESH
    pointers = MissingPointers.FRESH if fresh else MissingPointers.NULL
    search = _Search(program, inputs, pointers, deadline)
    chosen = search.found()
    return None if chosen is None else Choice(pointers, chosen)


class _Search:
    """Hill climbing: the more given inputs a run takes, the better."""

    def __init__(
        self,
        program: Program,
        inputs: Sequence[Input],
        pointers: MissingPointers,
        deadline: float | None,
    ) -> None:
        self._program = program
        self._inputs = inputs
        self._pointers = pointers
        self._deadline = deadline
        self._runs = 0
        self._begun = time.process_time()  # the clock that does not mind what else the machine does

    def found(self) -> Mapping[int, int] | None:
        chosen: Mapping[int, int] = {}
        reached, best = self._run(chosen)
        better = not reached
        while better:
            better = False
            for other in _changed(chosen, best.free):
                if self._runs >= _MOST_RUNS or time.process_time() > self._begun + _MOST_SECONDS:
                    return None
                reached, run = self._run(other)
                if reached:
                    return other
                if run.used > best.used:
                    chosen, best, better = other, run, True
                    break
        return chosen if reached else None

    def _run(self, chosen: Mapping[int, int]) -> tuple[bool, GivenInputs]:
        self._runs += 1
        given = GivenInputs(self._inputs, self._pointers, chosen=chosen)
        outcome = execute(self._program, given, max_steps=_MOST_STEPS, deadline=self._deadline)
        return isinstance(outcome, ErrorReached), given


def _changed(
    chosen: Mapping[int, int], free: Sequence[tuple[ScalarType, int]]
) -> Iterator[dict[int, int]]:
    """The choice with one other value, of those that have an influence so far the last first."""
    for number in range(len(free) - 1, max(-1, len(free) - 1 - _LAST), -1):
        type_, value = free[number]
        others = _NUMBERS
        if isinstance(type_, PointerType):
            nowhere = leads_nowhere(value, type_)
            others = (fresh_address(type_.bits, _FAR + number) if nowhere else 0,)
        for other in others:
            if other != value:
                yield {**chosen, number: other}
