"""Engines in processes of their own: what one of them does to itself, the others do not feel.

Each is forked when it has its first time slice, from a process that has the program facts and the
engine's modules, but no solver and no BDDs. Between its slices it waits for the next; one that does
not come back at the end of a slice is suspended until its next one. So a crash, a hang or a lack of
memory is one engine's own.

Soundness duty: a verdict is what an engine reported, whole; a process that ends without a report
has given up.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import TypeAlias

from ...errors import PredabsError, ResourceExhausted, UnsupportedFeature, too_deep
from ...ir.cfa import Program
from ...options import Budget
from ...records import dataclass, replace
from ...statistics import EngineStatistics
from ...supervise import (
    Channel,
    Child,
    Crashed,
    Gone,
    Message,
    OutOfMemory,
    OutOfTime,
    Raised,
    Returned,
    cpu_seconds,
    exceeds,
    own_bytes,
    signals_held,
)
from ...verdict import Safe, Unknown, Unsafe
from ..engine import ENGINES, EngineTask, compute_facts, create, facts_of, load, replayed_in
from ..proved_facts import Offer, ProvedFacts
from .handover import packed, unpacked
from .time_slice import Report, Runner, TimeSlice

_POLL_SECONDS = 0.05
_TOLD_SECONDS = 0.1  # between two signs of life
_LATE_SECONDS, _LATE_SHARE = 2.0, 0.5  # how long after its end, at least, a slice is cut off
_MOST_BYTES = 48 << 10  # of facts for one engine: less than a pipe holds that nobody reads
_ANSWERED = signal.SIGUSR1


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a time slice, or (`bug`, or an engine that was not running) of an engine."""

    name: str
    report: Report
    bug: PredabsError | None = None


@dataclass(frozen=True, slots=True)
class _Go:
    """To an engine: its time slice, with a number that its report will have."""

    number: int
    given: TimeSlice


@dataclass(frozen=True, slots=True)
class _Told:
    """From an engine: a sign of life."""

    text: str
    statistics: EngineStatistics


@dataclass(frozen=True, slots=True)
class _Replaying:
    """From an engine: it has found a violation, and will take all the time to replay it."""


@dataclass(frozen=True, slots=True)
class _Done:
    """From an engine: the end of a time slice; the verdict is apart, as `handover` packs it."""

    number: int
    verdict: bytes
    report: Report
    statistics: EngineStatistics


@dataclass(frozen=True, slots=True)
class _Facts:
    """From an engine, and to others: what it has proved, as `handover` packs it."""

    topic: str
    data: bytes


_Sent: TypeAlias = _Told | _Replaying | _Done | _Facts


class _Answered(BaseException):
    """Another engine has a verdict; whatever is going on is no longer needed."""


@dataclass(slots=True)
class _Process:
    """An engine's process; `number` is that of its time slice, which is cut off at `late`."""

    child: Child
    number: int = 0
    running: bool = False
    late: float | None = None
    room: int = _MOST_BYTES  # for facts


class EngineProcesses:
    """The processes of a check. Whoever makes them must `end` them."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._processes: dict[str, _Process] = {}
        self._facts: list[_Facts] = []  # that engines have proved
        self._selector = selectors.DefaultSelector()
        self._measured = time.monotonic()
        self._answered = self._listening = False
        # only the main thread hears signals; elsewhere an answer waits for facts to be computed
        self._hears = threading.current_thread() is threading.main_thread()
        self._before = signal.signal(_ANSWERED, self._interrupt) if self._hears else None

    def cpu_seconds(self) -> float:
        """What this process and all engines have used."""
        return cpu_seconds(os.getpid())

    def start(self, name: str, given: TimeSlice) -> Report | None:
        """Begin a time slice, or report why that is impossible."""
        process = self._processes.get(name)
        if process is None:
            try:
                load(name)
                with self._listen():
                    compute_facts(name, self._task)
            except (UnsupportedFeature, ResourceExhausted, ImportError) as problem:
                return _given_up(str(problem))  # a library may not fit into the address space
            except RecursionError as problem:
                return _given_up(str(too_deep(problem)))
            except MemoryError:
                return _given_up(_lost(OutOfMemory()))
            except _Answered:
                return Report(None, "another engine was faster")
            process = self._forked(name)
        process.number += 1
        process.running, process.late = True, _latest(given.begin())
        process.child.send(_Go(process.number, given))
        process.child.resume()
        return None

    def wait(self) -> list[Ended]:
        """What has ended, after a moment."""
        ended: list[Ended] = []
        for key, _ in self._selector.select(_POLL_SECONDS):
            ended += self._hear(key.data)
        now = time.monotonic()
        for name, process in self._processes.items():
            if process.running and process.late is not None and now > process.late:
                process.running = False
                process.child.suspend()
                self._task.statistics.of(name).stop()
                ended.append(Ended(name, Report(None, "it did not stop at the end of its time")))
        if now - self._measured > _POLL_SECONDS:
            self._measured = now
            ended += self._spare_memory()
        return ended

    def end(self) -> None:
        """Nothing is left behind."""
        with signals_held():
            for name in list(self._processes):
                self._remove(name)
            self._selector.close()
            if self._hears:
                signal.signal(_ANSWERED, self._before)

    # --- processes --------------------------------------------------------------------------------

    def _forked(self, name: str) -> _Process:
        task, heard = self._task, self._hears
        with signals_held():
            child = Child(lambda channel: _serve(name, task, channel, heard))
            process = self._processes[name] = _Process(child)
            self._selector.register(child, selectors.EVENT_READ, name)
        for facts in self._facts:
            self._hand_on(name, facts)
        return process

    def _hand_on(self, name: str, facts: _Facts) -> None:
        """Tell an engine what another one has proved, if it uses such facts and there is room."""
        process = self._processes[name]
        if ENGINES[name].takes_facts and len(facts.data) <= process.room:
            process.room -= len(facts.data)
            process.child.send(facts)

    def _remove(self, name: str) -> None:
        child = self._processes.pop(name).child
        self._selector.unregister(child)
        child.end()
        self._task.statistics.of(name).stop()

    def _hear(self, name: str) -> Iterator[Ended]:
        """What a process has to say."""
        process = self._processes[name]
        for event in process.child.events():
            match event:
                case Message(sent):
                    report = self._take(name, process, sent)
                    if report is not None:
                        yield Ended(name, report)
                case Raised(error):
                    self._remove(name)
                    yield Ended(name, _given_up(f"internal error: {error}"), error)
                    return
                case Gone(how):
                    self._remove(name)
                    yield Ended(name, _given_up(_lost(how)))
                case Returned():
                    raise AssertionError("an engine serves until it is ended")

    def _take(self, name: str, process: _Process, sent: _Sent) -> Report | None:
        """Note what an engine says; the end of its slice."""
        match sent:
            case _Replaying():
                process.late = None
            case _Told(text, statistics):
                statistics.record = self._task.statistics.of(name).record
                self._task.statistics.engines[name] = statistics
                self._task.progress(text)
            case _Facts():
                self._facts.append(sent)
                for other in self._processes:
                    if other != name:
                        self._hand_on(other, sent)
            case _Done(number, verdict, report, statistics):
                self._task.statistics.engines[name] = statistics
                found = unpacked(verdict, _programs(name, self._task))
                # a slice that was cut off before ends at last: only a verdict is news
                if found is not None or number == process.number:
                    process.running = False
                    return replace(report, verdict=found)
        return None

    def _spare_memory(self) -> list[Ended]:
        """If there is too little memory for all, the largest engine has to go."""
        most = self._task.options.memory
        if most is None or not self._processes or not exceeds(os.getpid(), most):
            return []
        name = max(self._processes, key=lambda one: own_bytes(self._processes[one].child.pid))
        self._remove(name)
        return [Ended(name, _given_up(f"the memory limit of {most} MiB was reached"))]

    # --- answers while this process computes ------------------------------------------------------

    @contextlib.contextmanager
    def _listen(self) -> Iterator[None]:
        """While this lasts, a verdict of an engine raises `_Answered`."""
        try:
            self._listening = True
            if self._answered:
                raise _Answered
            yield
        finally:
            self._listening = False

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._answered = True
        if self._listening:
            self._listening = False
            raise _Answered


def _programs(name: str, task: EngineTask) -> tuple[Program, ...]:
    """What an engine's verdict may speak of."""
    return (task.program, facts_of(name, task).program)


def _latest(budget: Budget) -> float | None:
    """When a slice is cut off, if its engine has not come back by then."""
    if budget.deadline is None:
        return None
    now = time.monotonic()
    left = max(0.0, budget.deadline - now)
    return now + left + max(_LATE_SECONDS, _LATE_SHARE * left)


def _given_up(reason: str) -> Report:
    return Report(Unknown(reason), reason)


def _lost(how: OutOfTime | OutOfMemory | Crashed) -> str:
    match how:
        case OutOfTime():
            return "a limit of CPU time was reached"
        case OutOfMemory():
            return "there was not enough memory for it, or somebody killed it"
        case Crashed(text):
            return f"it crashed, probably inside a solver: {text}"


def _serve(name: str, task: EngineTask, channel: Channel, heard: bool) -> None:
    """What an engine's process does: time slices, until it is ended. A verdict is announced by a
    signal, if that is heard."""
    statistics = task.statistics.of(name)
    told = 0.0

    def tell(text: str) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told > _TOLD_SECONDS:
            told = now
            channel.send(_Told(text, replace(statistics, record=None)))

    programs = _programs(name, task)

    def offer(made: Offer) -> None:
        channel.send(_Facts(made.topic, packed(Safe(made.facts), programs)))

    def offered() -> Iterator[Offer]:
        for facts in channel.received(_Facts):
            match unpacked(facts.data, programs):
                case Safe(found):
                    yield Offer(facts.topic, found)

    shared = ProvedFacts(offer, offered)
    mine = replace(task, statistics=statistics, progress=tell, shared=shared)
    runner = Runner(
        lambda: create(name, mine),
        replayed_in(name, task),
        statistics,
        lambda: channel.send(_Replaying()),
    )
    while True:
        go = channel.receive(_Go)
        report = runner.run(go.given)
        verdict = packed(report.verdict, programs)
        channel.send(_Done(go.number, verdict, replace(report, verdict=None), statistics))
        if heard and isinstance(report.verdict, Safe | Unsafe):
            os.kill(os.getppid(), _ANSWERED)
