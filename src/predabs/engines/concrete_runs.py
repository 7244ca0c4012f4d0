"""Try a few concrete runs first: zeros and some random inputs.

A violation that the first run meets needs no solver, and a loop of a million iterations without
inputs costs the interpreter little. Soundness duty: `Unsafe` only for a run that reached an error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from ..concrete.compared_constants import ComparedConstants
from ..concrete.inputs import Inputs, RandomInputs, RecordingInputs, ZeroInputs, as_input
from ..concrete.interpreter import execute
from ..concrete.outcome import ErrorReached, Outcome, StepLimit
from ..errors import UnsupportedFeature
from ..ir.cfa import ExternPointers, Program
from ..options import Budget
from ..verdict import Unsafe

_SEEDS = range(1, 6)
_MORE_SEEDS = range(100)
_SHORT_RUN = 5000  # steps
_LONG_RUNS = 6
_RUNS_PER_LOOK = 25  # how often the clock is looked at
_SHARE = 0.05  # of the time that an engine has
_SECONDS = 3.0  # if there is no limit


class FirstRuns:
    """A few runs that an engine begins with, once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._tried = False

    def bug(self, budget: Budget) -> Unsafe | None:
        """A bug that one of the runs meets; none if they were tried before."""
        if self._tried:
            return None
        self._tried = True
        left = budget.left
        return sample(self._program, _SECONDS if left is None else _SHARE * left)


def sample(program: Program, seconds: float) -> Unsafe | None:
    """A run that reaches an error, if one of the samples does within the time. All are short at
    first, as a long run may take all the time; then a few go on."""
    deadline = time.monotonic() + seconds
    unfinished: list[Callable[[], Inputs]] = []
    for number, source in enumerate(_sources(program)):
        if number % _RUNS_PER_LOOK == 0 and time.monotonic() > deadline:
            return None
        found = _run(program, source(), _SHORT_RUN, deadline)
        if isinstance(found, Unsafe):
            return found
        if isinstance(found, StepLimit) and len(unfinished) < _LONG_RUNS:
            unfinished.append(source)
    for source in unfinished:
        if time.monotonic() > deadline:
            return None
        found = _run(program, source(), None, deadline)
        if isinstance(found, Unsafe):
            return found
    return None


def _sources(program: Program) -> Iterator[Callable[[], Inputs]]:
    yield ZeroInputs
    fresh = program.extern_pointers is ExternPointers.FRESH
    for seed in _SEEDS:
        yield partial(RandomInputs, seed, fresh)
    compared = ComparedConstants(program)
    for seed in _MORE_SEEDS:
        yield partial(RandomInputs, seed, fresh, compared)


def _run(
    program: Program, source: Inputs, most: int | None, deadline: float
) -> Unsafe | Outcome | None:
    """How a run of at most so many steps ends."""
    inputs = RecordingInputs(source)
    try:
        outcome = execute(program, inputs, max_steps=most, deadline=deadline)
    except UnsupportedFeature:
        return None  # this run needs something that is not modelled; it tells nothing
    if not isinstance(outcome, ErrorReached):
        return outcome
    start = program.functions[program.entry].coord
    return Unsafe(tuple(as_input(item, start) for item in inputs.taken), outcome.text)
