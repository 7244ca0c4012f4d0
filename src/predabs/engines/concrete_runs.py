"""Concrete runs: zeros and some random inputs, before anything is asked.

A violation that the first run meets needs no solver, and a loop of a million iterations without
inputs costs the interpreter little. All runs are short at first, as a long run may take all the
time; then a few go on, in turns that become longer. Soundness duty: `Unsafe` only for a run that
reached an error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from ..concrete.compared_constants import ComparedConstants
from ..concrete.inputs import Inputs, RandomInputs, RecordingInputs, ZeroInputs, as_input
from ..concrete.interpreter import Run
from ..concrete.outcome import ErrorReached, Exhausted, Outcome, StepLimit
from ..errors import ResourceExhausted, UnsupportedFeature
from ..ir.cfa import ExternPointers, Program
from ..options import Budget
from ..verdict import Unsafe

_SEEDS = range(1, 6)
_MORE_SEEDS = range(100)
_SHORT_RUN = 5000  # steps
_LONG_PLAIN, _LONG_COMPARED = 2, 4  # long runs: zeros and random inputs, and those with constants
_FIRST_INPUTS = 8  # by which long runs are told apart
_TURNS = (4_000_000, 40_000_000)  # steps of long runs, from their beginnings
_MOST_INPUTS = 1_000_000  # of a run, as all are kept
_RUNS_PER_LOOK = 25  # how often the clock is looked at
_SHARE = 0.05  # of the time that an engine has
_SECONDS = 3.0  # if there is no limit


class ConcreteRuns:
    """The runs of one program. What is not over when the time is goes on when there is more."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._runs = self._all()

    def bug(self, seconds: float) -> Unsafe | None:
        """A bug that a run meets within so many seconds."""
        self._deadline = time.monotonic() + seconds
        return next(self._runs, None)

    def _all(self) -> Iterator[Unsafe | None]:
        """Bugs, and None when the time is over."""
        plain: list[_SampleRun] = []
        compared: dict[tuple[object, ...], _SampleRun] = {}
        for number, source in enumerate(_sources(self._program)):
            if number % _RUNS_PER_LOOK == _RUNS_PER_LOOK - 1 and time.monotonic() > self._deadline:
                yield None
            run = _SampleRun(self._program, source())
            outcome = run.go_on(_SHORT_RUN, self._deadline)
            yield from run.violation(outcome)
            if not isinstance(outcome, StepLimit):
                continue
            # it begins anew, as it takes no memory so while it waits
            if number < _PLAIN and len(plain) < _LONG_PLAIN:
                plain.append(_SampleRun(self._program, source()))
            elif number >= _PLAIN and len(compared) < _LONG_COMPARED:
                begun = run.first_inputs() or (number,)
                if begun not in compared:
                    compared[begun] = _SampleRun(self._program, source())
        unfinished = [*reversed(plain), *compared.values()]  # random inputs before zeros
        for most in _TURNS:
            for run in list(unfinished):
                outcome = run.go_on(most, self._deadline)
                while isinstance(outcome, Exhausted) and outcome.edge is None:
                    yield None
                    outcome = run.go_on(most, self._deadline)
                yield from run.violation(outcome)
                if not isinstance(outcome, StepLimit) or run.asked > _MOST_INPUTS:
                    unfinished.remove(run)
                if not run.asked:
                    # so far, the others are like it
                    if run not in unfinished:
                        return
                    break


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
        runs = ConcreteRuns(self._program)
        return runs.bug(_SECONDS if left is None else _SHARE * left)


_PLAIN = 1 + len(_SEEDS)  # sources without constants of the program


def _sources(program: Program) -> Iterator[Callable[[], Inputs]]:
    yield ZeroInputs
    fresh = program.extern_pointers is ExternPointers.FRESH
    for seed in _SEEDS:
        yield partial(RandomInputs, seed, fresh)
    compared = ComparedConstants(program)
    for seed in _MORE_SEEDS:
        yield partial(RandomInputs, seed, fresh, compared)


class _SampleRun:
    """One run, with its inputs."""

    def __init__(self, program: Program, source: Inputs) -> None:
        self._program = program
        self._inputs = RecordingInputs(source)
        self._run: Run | None = None

    def first_inputs(self) -> tuple[object, ...]:
        """The first values that it has taken."""
        return tuple(item.value for item in self._inputs.taken[:_FIRST_INPUTS])

    @property
    def asked(self) -> int:
        """How many inputs it has taken."""
        return len(self._inputs.taken)

    def go_on(self, most: int, deadline: float) -> Outcome | None:
        """How it ends, with at most so many steps; None if it tells nothing, as it needs something
        that is not modelled."""
        try:
            if self._run is None:
                self._run = Run(self._program, self._inputs)
            return self._run.go_on(most, deadline)
        except (ResourceExhausted, UnsupportedFeature):
            return None

    def violation(self, outcome: Outcome | None) -> Iterator[Unsafe]:
        """The error, if it ended there."""
        if isinstance(outcome, ErrorReached):
            start = self._program.functions[self._program.entry].coord
            inputs = tuple(as_input(item, start) for item in self._inputs.taken)
            yield Unsafe(inputs, outcome.text)
