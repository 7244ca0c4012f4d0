"""Replay: does a run of the concrete interpreter with these inputs come to an error?

Soundness duty: `Confirmed` only if the interpreter, given the program as the front end built it
(with the errors that count, and nothing sliced away), was seen to take an `Error` edge. Inputs that
stand for something a real run computes (inline assembly, library functions without a model) must
not decide whether it does. A run that is too long may do rounds of loops at once, in the program
whose loops are accelerated: it goes on only where the conditions of a loop are seen to hold in all
these rounds (`analysis/acceleration/lasting`), and the result says so.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ..analysis.acceleration.program import accelerated
from ..concrete.environment import EnvironmentUse
from ..concrete.inputs import RecordingInputs, TakenInput, as_input
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
)
from ..ir.cfa import Edge, ExternPointers, Program
from ..ir.expr import FunctionAddress
from ..ir.ops import Call, Source
from ..records import dataclass
from ..verdict import Input
from .dependence import COMPUTED, Cause, decisive
from .given_inputs import GivenInputs, MissingPointers
from .missing_inputs import better_choice
from .own_volatile import own_volatile_reads
from .trace.narrator import Narrator
from .trace.trace import Trace

# what a real run cannot be given: leave all of it out, or some
_DROPPED = (
    frozenset([Source.UNINITIALIZED, Source.VOLATILE]),
    frozenset([Source.UNINITIALIZED]),
    frozenset([Source.VOLATILE]),
)
_CHANGED = (
    "a volatile object of the program's own would have to change by itself ({});"
    " --volatile any counts that, --volatile plain excludes it"
)
_SIMPLER_STEPS = 1_000_000  # at most
_MORE_TIMES, _MORE_STEPS = 10, 10_000  # than the first run took: one that is lost may never end
_ATTEMPT_STEPS = 1_000_000
_LONG_STEPS = 20_000_000
_TOLD_WHOLE = 100_000  # steps of a run that is told to its end
_TOLD_STEPS = 20_000  # of a longer one
_FEW_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Discarded:
    """A call of a function without a body whose result is not used, when `inputs` inputs had been
    taken."""

    function: str
    inputs: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The run reaches the error; `inputs` are all that it takes, in order, and `environment` is
    what it uses of the environment."""

    error: ErrorReached
    trace: Trace
    inputs: tuple[Input, ...]
    discarded: tuple[Discarded, ...]
    environment: EnvironmentUse
    at_once: bool = False  # has it done rounds of loops at once?


@dataclass(frozen=True, slots=True)
class NotReplayed:
    """The run does something else; `reason` says what. A run that comes to the error, but only by
    what a library function or inline assembly computes, is `unmodelled`; one that was not followed
    to its end is `unfinished`."""

    reason: str
    unmodelled: bool = False
    unfinished: bool = False

    def about(self, violation: str) -> str:
        """What became of a violation that an engine has found."""
        verb = "is not confirmed" if self.unmodelled else "did not replay"
        return f"a possible violation ({violation}) {verb}: {self.reason}"


Replayed: TypeAlias = Confirmed | NotReplayed


def replay(
    program: Program,
    inputs: Sequence[Input],
    deadline: float | None = None,
    most_steps: int | None = None,
) -> Replayed:
    """Run the program with these inputs, and tell the run; `deadline` is a time of
    `time.monotonic`."""
    found = _followed(program, inputs, deadline, most_steps)
    return found if isinstance(found, NotReplayed) else found.confirmed()


def refuted(
    program: Program, inputs: Sequence[Input], deadline: float | None = None
) -> NotReplayed | None:
    """Why `replay` would not confirm the run, in less time; None if it would."""
    found = _followed(program, inputs, deadline)
    return found if isinstance(found, NotReplayed) else None


def _followed(
    program: Program,
    inputs: Sequence[Input],
    deadline: float | None,
    most_steps: int | None = None,
) -> _ReachedRun | NotReplayed:
    """Run the program with these inputs.

    An input is given where the program asks for one of its source and name at its coordinate, in
    order; whatever else the program asks for is zero, or what a short search finds. If there is
    memory of the environment, pointers that are not given are tried in several ways; only the last
    may run for long.
    """
    found = _with_pointers(program, inputs, deadline, most_steps)
    if isinstance(found, _ReachedRun) or found.unmodelled or found.unfinished:
        return found
    choice = better_choice(program, inputs, deadline)
    if choice is None:
        return found
    again = _whole(program, inputs, choice.pointers, deadline, choice.chosen, most_steps)
    return again if isinstance(again, _ReachedRun) else found


def _with_pointers(
    program: Program, inputs: Sequence[Input], deadline: float | None, most_steps: int | None
) -> _ReachedRun | NotReplayed:
    """A run in which the numbers that are not given are zero."""
    if program.extern_pointers is not ExternPointers.FRESH:
        return _whole(program, inputs, MissingPointers.NULL, deadline, most_steps=most_steps)
    few = _ATTEMPT_STEPS if most_steps is None else min(_ATTEMPT_STEPS, most_steps)
    failed: list[NotReplayed] = []
    for way in MissingPointers:
        attempt = _Replay(program, inputs, way, deadline)
        found = attempt.result(few)
        if isinstance(found, _ReachedRun):
            return found
        failed.append(found)
        if not attempt.invented:
            break
    if failed[0].unfinished and few != most_steps:
        return _whole(program, inputs, MissingPointers.FRESH, deadline, most_steps=most_steps)
    return failed[0]


def _whole(
    program: Program,
    inputs: Sequence[Input],
    missing: MissingPointers,
    deadline: float | None,
    chosen: Mapping[int, int] | None = None,
    most_steps: int | None = None,
) -> _ReachedRun | NotReplayed:
    """A run to its end. If that is far away, the run is tried with many rounds at once before,
    unless it must come within `most_steps`."""
    run = _Replay(program, inputs, missing, deadline, chosen)
    if most_steps is not None:
        return run.result(most_steps)
    found = run.result(_ATTEMPT_STEPS)
    if isinstance(found, _ReachedRun) or not found.unfinished:
        return found
    run.told_steps = _TOLD_STEPS
    quick = accelerated(program, checked=True)
    if quick is program:
        return run.result(None)
    found = run.result(_LONG_STEPS)
    if isinstance(found, _ReachedRun) or not found.unfinished:
        return found
    at_once = _Replay(quick, inputs, missing, deadline, chosen, original=program)
    found = at_once.result(_LONG_STEPS)
    return found if isinstance(found, _ReachedRun) else run.result(None)


def unconfirmed(program: Program, inputs: Sequence[Input], deadline: float | None) -> Trace:
    """The run with the inputs of a violation that was not confirmed, as far as it goes."""
    fresh = program.extern_pointers is ExternPointers.FRESH
    missing = MissingPointers.FRESH if fresh else MissingPointers.NULL
    return _Replay(program, inputs, missing, deadline).unconfirmed()


@dataclass(frozen=True, slots=True)
class _ReachedRun:
    """A run that comes to the error, before it is told."""

    run: _Replay
    error: ErrorReached
    inputs: tuple[Input, ...]
    environment: EnvironmentUse

    def confirmed(self) -> Confirmed:
        trace, discarded = self.run.narrated(self.error, self.inputs)
        at_once = self.run.at_once
        return Confirmed(self.error, trace, self.inputs, discarded, self.environment, at_once)


class _Replay:
    """Runs of a program with the inputs of a verdict. If the program was made of the
    `original`, that is told."""

    def __init__(
        self,
        program: Program,
        inputs: Sequence[Input],
        missing: MissingPointers,
        deadline: float | None,
        chosen: Mapping[int, int] | None = None,
        *,
        original: Program | None = None,
    ) -> None:
        self._program = program
        self._told = program if original is None else original
        self.at_once = original is not None
        self.told_steps = _TOLD_STEPS if self.at_once else None
        self._inputs = inputs
        self._missing = missing
        self._deadline = deadline
        self._chosen = chosen
        self._dropped: frozenset[Source] = frozenset()  # sources whose inputs are zero
        self._steady: frozenset[Edge] = frozenset()  # reads of what does not change by itself
        self.invented = 0  # pointers of the first run that were not given

    def result(self, max_steps: int | None) -> _ReachedRun | NotReplayed:
        """Whether the run comes to the error within that many steps. If it does so even when inputs
        that a real run cannot be given are zero, such a run is the answer: it is easier to repeat.
        """
        source = GivenInputs(self._inputs, self._missing, chosen=self._chosen)
        recording = RecordingInputs(source)
        outcome, used = self._run(recording, max_steps)
        self.invented = source.invented
        if not isinstance(outcome, ErrorReached):
            reason = _ending(outcome) + _unmodelled(self._inputs)
            return NotReplayed(reason, unfinished=isinstance(outcome, StepLimit))
        few = min(_SIMPLER_STEPS, _MORE_TIMES * outcome.steps + _MORE_STEPS)
        for dropped in _DROPPED:
            if not any(item.source in dropped and _is_nonzero(item) for item in recording.taken):
                continue
            simpler = self._recording(dropped)
            again, used_again = self._run(simpler, few)
            if isinstance(again, ErrorReached):
                outcome, recording, used = again, simpler, used_again
                self._dropped = dropped
                break
        if self._program.steady_volatile and Source.VOLATILE not in self._dropped:
            changed = {item.name for item in recording.taken if item.source is Source.VOLATILE}
            self._steady = own_volatile_reads(self._program) if changed else frozenset()
            if self._steady:
                recording = self._recording(self._dropped)
                outcome, used = self._run(recording, max_steps)
                if not isinstance(outcome, ErrorReached):
                    return NotReplayed(_CHANGED.format(", ".join(sorted(changed))), unmodelled=True)
        start = self._program.functions[self._program.entry].coord
        taken = tuple(as_input(item, start) for item in recording.taken)
        if any(item.source in COMPUTED for item in taken):
            cause = decisive(self._program, taken, _soon(self._deadline))
            if cause is not None:
                return NotReplayed(f"the violation rests on {_computed(cause)}", unmodelled=True)
        return _ReachedRun(self, outcome, taken, used)

    def _recording(self, dropped: frozenset[Source]) -> RecordingInputs:
        return RecordingInputs(
            GivenInputs(self._inputs, self._missing, dropped, self._chosen, self._steady)
        )

    def _run(
        self, recording: RecordingInputs, max_steps: int | None
    ) -> tuple[Outcome, EnvironmentUse]:
        used = [EnvironmentUse()]
        outcome = execute(
            self._program,
            recording,
            max_steps=max_steps,
            deadline=self._deadline,
            use=used.append,
        )
        return outcome, used[-1]

    def narrated(
        self, error: ErrorReached, inputs: Sequence[Input]
    ) -> tuple[Trace, tuple[Discarded, ...]]:
        """The trace of a run that is known to reach the error, and the results that it discards."""
        program = self._told
        narrator = Narrator(program)
        if self._steady and self.at_once:
            self._steady = own_volatile_reads(program)
        recording = self._recording(self._dropped)
        discarded: list[Discarded] = []

        def follow(step: ExecutedStep) -> None:
            narrator.after(step)
            match step.edge.op:
                case Call(None, FunctionAddress(name, _), _) if name not in program.functions:
                    discarded.append(Discarded(name, len(recording.taken)))

        soon = _soon(self._deadline)
        told = _TOLD_STEPS if error.steps > _TOLD_WHOLE else None
        again = execute(
            program,
            recording,
            max_steps=told if self.told_steps is None else self.told_steps,
            deadline=soon,
            trace=follow,
            before=narrator.before,
        )
        followed = isinstance(again, ErrorReached)
        return narrator.trace(inputs, error, followed=followed), tuple(discarded)

    def unconfirmed(self) -> Trace:
        """The run, wherever it comes to."""
        narrator = Narrator(self._program)
        recording = self._recording(frozenset())
        outcome = execute(
            self._program,
            recording,
            deadline=_soon(self._deadline),
            trace=narrator.after,
            before=narrator.before,
        )
        start = self._program.functions[self._program.entry].coord
        taken = tuple(as_input(item, start) for item in recording.taken)
        error = outcome if isinstance(outcome, ErrorReached) else None
        return narrator.trace(taken, error)


def _is_nonzero(item: TakenInput) -> bool:
    return any(item.value) if isinstance(item.value, bytes) else item.value != 0


def _computed(cause: Cause) -> str:
    """What a cause is, in words."""
    source, name = cause
    if source is Source.ASM:
        return "what inline assembly writes"
    return f"what `{name}` returns or writes, which has no model"


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
