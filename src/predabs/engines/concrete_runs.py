"""Try a few concrete runs first: zeros and some random inputs.

A violation that the first run meets needs no solver, and a loop of a million iterations without
inputs costs the interpreter little. Soundness duty: `Unsafe` only for a run that reached an error.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from ..concrete.compared_constants import ComparedConstants
from ..concrete.inputs import Inputs, RandomInputs, RecordingInputs, ZeroInputs, as_input
from ..concrete.interpreter import execute
from ..concrete.outcome import ErrorReached
from ..errors import UnsupportedFeature
from ..ir.cfa import ExternPointers, Program
from ..options import Budget
from ..verdict import Unsafe

_SEEDS = range(1, 6)
_MORE_SEEDS = range(100)
_SHORT_RUN = 5000  # steps
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
    """A run that reaches an error, if one of the samples does within the time."""
    deadline = time.monotonic() + seconds
    for source, most in _samples(program):
        if time.monotonic() > deadline:
            return None
        inputs = RecordingInputs(source)
        try:
            outcome = execute(program, inputs, max_steps=most, deadline=deadline)
        except UnsupportedFeature:
            continue  # this run needs something that is not modelled; it tells nothing
        if isinstance(outcome, ErrorReached):
            start = program.functions[program.entry].coord
            taken = tuple(as_input(item, start) for item in inputs.taken)
            return Unsafe(taken, outcome.text)
    return None


def _samples(program: Program) -> Iterator[tuple[Inputs, int | None]]:
    """The inputs, and how many steps are worth while with them. Short runs come first: a long one
    may take all the time."""
    fresh = program.extern_pointers is ExternPointers.FRESH
    for most in (_SHORT_RUN, None):
        yield ZeroInputs(), most
        for seed in _SEEDS:
            yield RandomInputs(seed, fresh), most
        if most is not None:
            compared = ComparedConstants(program)
            for seed in _MORE_SEEDS:
                yield RandomInputs(seed, fresh, compared), most
