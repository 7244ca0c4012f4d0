"""Running a program to its end.

Soundness duty: a run is exactly what the automata and `ir.ops` say. Calls do not use Python's
stack, so a program may recurse as deep as memory allows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, TypeAlias, assert_never
from weakref import WeakKeyDictionary

from ..errors import InputError, InternalError, UnsupportedFeature
from ..ir.cfa import Edge, Location, Program
from ..ir.ops import Error, ErrorKind
from ..records import replace
from .compile.functions import Translation, choices
from .compile.probes import Probes
from .conversions import Frame
from .environment import EnvironmentUse
from .initial_globals import InitialGlobals, initial_globals
from .inputs import Inputs
from .outcome import (
    AssumeFailed,
    ErrorReached,
    ExecutedStep,
    Exhausted,
    Failure,
    Outcome,
    Overrun,
    Refusal,
    RunFault,
    RunFinished,
    StepLimit,
)
from .runtime import Runtime
from .state_view import StateView
from .storage_layout import VariableLayout

_EDGES_PER_LOOK = 100_000  # how often the clock is looked at
_STEPS_PER_LOOK = 1_000

_End: TypeAlias = RunFinished | Failure | Refusal | Overrun | ZeroDivisionError
Watcher: TypeAlias = Callable[[Edge, StateView], None]
_ENDS = (RunFinished, Failure, Refusal, Overrun, ZeroDivisionError)


def execute(
    program: Program,
    inputs: Inputs,
    *,
    max_steps: int | None = None,
    output: Callable[[bytes], None] | None = None,
    trace: Callable[[ExecutedStep], None] | None = None,
    deadline: float | None = None,
    use: Callable[[EnvironmentUse], None] | None = None,
    before: Watcher | None = None,
) -> Outcome:
    """Run the program from its entry and say how that ends.

    `max_steps` is how many edges may be taken, `deadline` a time of `time.monotonic`; `output` gets
    what the program prints, `trace` each step (the run is slower then). A run that is stopped by
    `max_steps` may have printed and asked for inputs a few edges further on. `use` is told at the
    end what the run has used of the environment. `before` is shown each edge with the state in
    which it is tried, also an assumption that then does not hold (this is slower, too).
    """
    entry = program.functions.get(program.entry)
    if entry is None:
        raise InputError(f"there is no function {program.entry!r} to start from")
    most = sys.maxsize if max_steps is None else max_steps
    try:
        stepwise = trace is not None or before is not None
        translation, globals_ = _translation(program, stepwise=stepwise)
        runtime = Runtime(translation, globals_, inputs, output or _discard)
        at, frame = runtime.enter(entry)
    except Overrun as problem:
        return Exhausted(str(problem), None)
    try:
        if not stepwise:
            return _Running(runtime, at, frame).go_on(most, deadline)
        return _run_stepwise(runtime, at, frame, most, deadline, trace or _ignore, before)
    finally:
        if use is not None:
            use(runtime.environment_use())


def _discard(output: bytes) -> None:
    pass


def _ignore(step: ExecutedStep) -> None:
    pass


_Translated: TypeAlias = tuple[Translation, InitialGlobals]
_TRANSLATIONS: WeakKeyDictionary[Program, dict[bool, _Translated]] = WeakKeyDictionary()


def _translation(program: Program, *, stepwise: bool) -> _Translated:
    """The program's translation, kept as long as the program."""
    found = _TRANSLATIONS.setdefault(program, {})
    if stepwise not in found:
        other = found.get(not stepwise)
        layout = other[0].layout if other else VariableLayout(program)
        translation = Translation(layout, program.functions, stepwise=stepwise)
        found[stepwise] = (translation, initial_globals(translation.statements))
    return found[stepwise]


class Run:
    """A run at full speed, many edges at a time, which may be stopped and taken up again."""

    def __init__(self, program: Program, inputs: Inputs) -> None:
        self._state = _begun(program, _translation(program, stepwise=False), inputs)

    def go_on(self, most: int | None, deadline: float | None) -> Outcome:
        """The rest of the run; `most` counts from its beginning. If it was stopped by that or by
        the time, it may go on."""
        return self._state.go_on(sys.maxsize if most is None else most, deadline)


class ObservedProgram:
    """A program with probes, translated once for many runs."""

    def __init__(self, program: Program, layout: VariableLayout, probes: Probes) -> None:
        self._program = program
        self._probes = probes
        translation = Translation(layout, program.functions, stepwise=False, probes=probes)
        self._translated = (translation, initial_globals(translation.statements))

    def run(self, inputs: Inputs, most: int, deadline: float | None) -> tuple[Outcome, int]:
        """A run of so many steps at most, and the steps that it has taken, up to a few."""
        names = self._probes.names()
        state = _begun(self._program, self._translated, inputs, names)
        return state.go_on(most, deadline), state.steps


def _begun(
    program: Program,
    translated: _Translated,
    inputs: Inputs,
    names: Mapping[str, object] | None = None,
) -> _Running:
    """A run at its beginning; `names` are those of an observer."""
    runtime = Runtime(*translated, inputs, _discard, names)
    return _Running(runtime, *runtime.enter(program.functions[program.entry]))


class _Running:
    """Where a run is: the piece of code that comes next, its frame, and the edges taken so far."""

    def __init__(self, runtime: Runtime, piece: Any, frame: Frame) -> None:
        self._runtime = runtime
        self._piece = piece
        self._frame = frame
        self.steps = 0
        self._end: tuple[Outcome, int] | None = None  # of the run, and its steps

    def go_on(self, most: int, deadline: float | None) -> Outcome:
        """Run until so many edges are taken, or until the deadline."""
        if self._end is None:
            stopped = self._run(most, deadline)
            if stopped is not None:
                return stopped
            assert self._end is not None
        outcome, steps = self._end
        return StepLimit(most) if steps > most else outcome

    def _run(self, most: int, deadline: float | None) -> Outcome | None:
        """Why the run was stopped; None if it came to its end."""
        piece, frame, steps = self._piece, self._frame, self.steps
        try:
            while True:
                pause = min(most, steps + _EDGES_PER_LOOK)
                while steps <= pause:
                    piece, frame, taken = piece(frame)
                    steps += taken
                self._piece, self._frame, self.steps = piece, frame, steps
                if steps > most:
                    return StepLimit(most)
                if deadline is not None and monotonic() > deadline:
                    return Exhausted("the time is up", None)
        except _ENDS as end:
            outcome, taken = _ending(self._runtime, end)
            if isinstance(outcome, ErrorReached):
                outcome = replace(outcome, steps=steps + taken)
            self.steps = steps + taken
            self._end = outcome, self.steps
            return None


def _run_stepwise(
    runtime: Runtime,
    at: Any,
    frame: Frame,
    most: int,
    deadline: float | None,
    trace: Callable[[ExecutedStep], None],
    before: Watcher | None,
) -> Outcome:
    """Run edge by edge and tell `trace` what each has written."""
    translation = runtime.translation
    view = StateView(runtime)
    edge = None
    try:
        at, frame = _next_location(runtime, at, frame)
        for steps in range(most):
            if deadline is not None and steps % _STEPS_PER_LOOK == 0 and monotonic() > deadline:
                return Exhausted("the time is up", None)
            runtime.written.clear()
            runtime.found.clear()
            for edge in _alternatives(translation, at):
                if before is not None:
                    view.frame = frame
                    before(edge, view)
                result = runtime.name(translation.edge(edge))(frame)
                if result is not None:
                    break
            else:
                assert edge is not None
                return AssumeFailed(edge)
            at, frame = _next_location(runtime, result[0], result[1])
            trace(_executed(runtime, edge))
        return StepLimit(most)
    except _ENDS as end:
        if isinstance(end, RunFinished) and edge is not None:
            trace(_executed(runtime, edge))
        return _ending(runtime, end)[0]


def _executed(runtime: Runtime, edge: Edge) -> ExecutedStep:
    return ExecutedStep(edge, tuple(runtime.written), tuple(runtime.found))


def _alternatives(translation: Translation, location: Location) -> list[Edge]:
    """The edges that leave a location in the order in which they are tried."""
    edges = translation.functions[location.function].outgoing[location]
    if not edges:
        raise InternalError(f"no edge leaves {location}")
    assumes, other = choices(location, edges)
    return assumes if other is None else [*assumes, other]


def _next_location(runtime: Runtime, at: Any, frame: Frame) -> tuple[Location, Frame]:
    """The location where the next edge starts: results of calls are taken over on the way."""
    while True:
        if isinstance(at, Location):
            function = runtime.translation.functions[at.function]
            if at is not function.exit:
                return at, frame
            at = runtime.name(runtime.translation.block(at))  # the end of the body
        at, frame, _ = at(frame)


def _ending(runtime: Runtime, end: _End) -> tuple[Outcome, int]:
    """How the run ends, and the number of the edge in its piece."""
    if isinstance(end, RunFinished):
        return _explained(runtime, end.outcome), end.steps
    edge, steps = _blamed(runtime, end)
    match end:
        case Failure():
            return RunFault(str(end), edge), steps
        case ZeroDivisionError():
            return RunFault("division by zero", edge), steps
        case Overrun():
            return Exhausted(str(end), edge), steps
        case Refusal():
            raise UnsupportedFeature(f"{edge.coord}: {end}") from None
    assert_never(end)


def _explained(runtime: Runtime, outcome: Outcome) -> Outcome:
    """The outcome; an error about memory says what was wrong with the access."""
    if not isinstance(outcome, ErrorReached) or outcome.kind is not ErrorKind.CHECK:
        return outcome
    why = runtime.validity.complaint
    if isinstance(outcome.edge.op, Error) and outcome.edge.op.check == "uninit":
        why = runtime.shadow.complaint
    return replace(outcome, text=f"{outcome.text}: {why}") if why else outcome


def _blamed(runtime: Runtime, problem: BaseException) -> tuple[Edge, int]:
    """The edge whose code raised the exception, and its number in its piece."""
    found = None
    trace = problem.__traceback__
    while trace is not None:
        found = runtime.translation.blamed(trace.tb_frame.f_code, trace.tb_lineno) or found
        trace = trace.tb_next
    if found is None:
        raise InternalError("no edge of the program has caused this") from problem
    return found
