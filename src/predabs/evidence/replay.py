"""Replay: does a run of the concrete interpreter with these inputs come to an error?

Soundness duty: `Confirmed` only if the interpreter, given the program as the front end built it
(with the errors that count, and nothing sliced away), was seen to take an `Error` edge. Inputs that
stand for something a real run computes (inline assembly, library functions without a model) must
not decide whether it does.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..concrete.inputs import RecordingInputs, as_input
from ..concrete.interpreter import execute
from ..concrete.outcome import (
    AssumeFailed,
    ErrorReached,
    ExecutedStep,
    Exhausted,
    Exited,
    Outcome,
    RunFault,
    StepLimit,
    Stopped,
    Value,
)
from ..ir.cfa import Coord, Edge, Program
from ..ir.expr import FunctionAddress
from ..ir.ops import Call, Source
from ..ir.types import FloatType, ScalarType, Type
from ..verdict import Input
from .dependence import COMPUTED, Cause, decisive
from .trace import Narrator, Trace

# what a real run cannot be given: leave all of it out, or some
_DROPPED = (
    frozenset([Source.UNINITIALIZED, Source.VOLATILE]),
    frozenset([Source.UNINITIALIZED]),
    frozenset([Source.VOLATILE]),
)
_SIMPLER_STEPS = 1_000_000
_FEW_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Discarded:
    """A call of a function without a body whose result is not used, when `inputs` inputs had been
    taken."""

    function: str
    inputs: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The run reaches the error; `inputs` are all that it takes, in order."""

    error: ErrorReached
    trace: Trace
    inputs: tuple[Input, ...]
    discarded: tuple[Discarded, ...]


@dataclass(frozen=True, slots=True)
class NotReplayed:
    """The run does something else; `reason` says what. A run that comes to the error, but only by
    what a library function or inline assembly computes, is `unmodelled`."""

    reason: str
    unmodelled: bool = False

    def about(self, violation: str) -> str:
        """What became of a violation that an engine has found."""
        verb = "is not confirmed" if self.unmodelled else "did not replay"
        return f"a possible violation ({violation}) {verb}: {self.reason}"


Replayed: TypeAlias = Confirmed | NotReplayed


def replay(program: Program, inputs: Sequence[Input], deadline: float | None = None) -> Replayed:
    """Run the program with these inputs; `deadline` is a time of `time.monotonic`.

    An input is given where the program asks for one of its source and name at its coordinate, in
    order; whatever else the program asks for is zero. If the error is reached even when inputs that
    a real run cannot be given are zero, such a run is the answer: it is easier to repeat.
    """
    recording = RecordingInputs(_Given(inputs))
    outcome = execute(program, recording, deadline=deadline)
    if not isinstance(outcome, ErrorReached):
        return NotReplayed(_ending(outcome) + _unmodelled(inputs))
    given: Sequence[Input] = inputs
    for dropped in _DROPPED:
        rest = [item for item in inputs if item.source not in dropped]
        if len(rest) == len(inputs):
            continue
        simpler = RecordingInputs(_Given(rest))
        again = execute(program, simpler, max_steps=_SIMPLER_STEPS, deadline=deadline)
        if isinstance(again, ErrorReached):
            outcome, recording, given = again, simpler, rest
            break
    if any(item.source in COMPUTED for item in recording.taken):
        cause = _rests_on(program, given, deadline)
        if cause is not None:
            return NotReplayed(f"the violation rests on {_computed(cause)}", unmodelled=True)
    trace, discarded = _narrated(program, given, outcome, deadline)
    start = program.functions[program.entry].coord
    taken = tuple(as_input(item, start) for item in recording.taken)
    return Confirmed(outcome, trace, taken, discarded)


def _rests_on(program: Program, inputs: Sequence[Input], deadline: float | None) -> Cause | None:
    """What decides about the run and is computed by a real one, if there may be such a thing."""
    edges: dict[Edge, None] = {}  # in the order of the run, in which values spread
    recording = RecordingInputs(_Given(inputs))
    again = execute(
        program,
        recording,
        deadline=deadline,
        trace=lambda step: edges.setdefault(step.edge),
    )
    taken = dict.fromkeys(
        (item.source, item.name) for item in recording.taken if item.source in COMPUTED
    )
    if not isinstance(again, ErrorReached):
        return next(iter(taken), (Source.UNKNOWN, "a library function"))
    return decisive(program, edges, tuple(taken))


def _computed(cause: Cause) -> str:
    """What a cause is, in words."""
    source, name = cause
    if source is Source.ASM:
        return "what inline assembly writes"
    return f"what `{name}` returns or writes, which has no model"


def _narrated(
    program: Program, inputs: Sequence[Input], error: ErrorReached, deadline: float | None
) -> tuple[Trace, tuple[Discarded, ...]]:
    """The trace of a run that is known to reach the error, and the results that it discards."""
    narrator = Narrator(program)
    recording = RecordingInputs(_Given(inputs))
    discarded: list[Discarded] = []

    def follow(step: ExecutedStep) -> None:
        narrator(step)
        match step.edge.op:
            case Call(None, FunctionAddress(name, _), _) if name not in program.functions:
                discarded.append(Discarded(name, len(recording.taken)))

    again = execute(program, recording, deadline=_soon(deadline), trace=follow)
    ended = isinstance(again, ErrorReached)
    return narrator.trace() if ended else narrator.unfinished(error.edge), tuple(discarded)


def _unmodelled(inputs: Sequence[Input]) -> str:
    """Which library functions without a model, or inline assembly, an engine's run has met."""
    names = dict.fromkeys(
        f"`{item.name}`" if item.source is Source.UNKNOWN else "inline assembly"
        for item in inputs
        if item.source in COMPUTED
    )
    listed = ", ".join(names)
    return f" (what it gets from {listed} has no model)" if names else ""


def _soon(deadline: float | None) -> float:
    """When to stop something that is worth a few seconds."""
    soon = time.monotonic() + _FEW_SECONDS
    return soon if deadline is None else min(soon, deadline)


class _Given:
    """Hands out the inputs of a verdict, each where it belongs.

    A queue for each place is better than one for all: the engine may have sliced away the
    operations that take other inputs.
    """

    def __init__(self, inputs: Sequence[Input]) -> None:
        self._queues: dict[tuple[Source, str], dict[Coord, deque[Value]]] = {}
        for item in inputs:
            by_position = self._queues.setdefault((item.source, item.name), {})
            by_position.setdefault(item.coord, deque()).append(item.value)

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        match self._next(source, name, edge):
            case None:
                return 0
            case bytes(data):
                number = int.from_bytes(data, "little")
                return float(number) if isinstance(type_, FloatType) else number
            case number:
                return number

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        match self._next(source, name, edge):
            case None:
                return bytes(size)
            case bytes(data):
                return data[:size].ljust(size, b"\0")
            case number:
                return int(number).to_bytes(max(size, 16), "little", signed=number < 0)[:size]

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        value = self._next(Source.VOLATILE, name, edge)
        fits = isinstance(value, bytes) == isinstance(held, bytes)
        return held if value is None or not fits else value

    def _next(self, source: Source, name: str, edge: Edge | None) -> Value | None:
        by_position = self._queues.get((source, name), {})
        if edge is None:  # asked once, before the first step
            queue = next(iter(by_position.values()), None)
        else:
            queue = by_position.get(edge.coord)
        return queue.popleft() if queue else None


def _ending(outcome: Outcome) -> str:
    """What happens instead of an error."""
    match outcome:
        case Exited(status):
            return f"the program ends, with status {status}"
        case Stopped(text, edge):
            return f"{edge.coord}: the program stops: {text}"
        case AssumeFailed(edge):
            return f"{edge.coord}: an assumption fails"
        case RunFault(text, edge):
            return f"{edge.coord}: {text}"
        case Exhausted(text, blamed):
            return text if blamed is None else f"{blamed.coord}: {text}"
        case StepLimit(steps):
            return f"no end in {steps} steps"
        case ErrorReached(_, text, edge):
            return f"{edge.coord}: {text}"
