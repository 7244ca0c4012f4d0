"""The engine for daily use: the other engines, each in a process of its own (`engine_processes`).

With one lane they have time slices, in the order of `plan`, and each continues where it was.
With several lanes, so many of them run at the same time, and the first verdict ends all others.
`statistics.tried` gets a line for each time slice.

Soundness duty: a verdict is one engine's own. A violation that does not replay is none: the search
continues without the engine that reported it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import Protocol

from ...errors import PredabsError
from ...options import Budget, cpu_limit
from ...records import dataclass
from ...verdict import Unknown, Unsafe, Verdict
from ..engine import RECHECK, EngineTask
from .engine_processes import Ended, EngineProcesses
from .plan import features_of, learned_slices, provers_of, slices_of
from .schedule import Schedule, Slot
from .time_left import TimeLeft
from .time_slice import Report, TimeSlice

_MOST_LANES = 4  # if nobody says how many
# An easy program is decided before the libraries of the other engines are loaded.
_HEAD_START = 0.2  # seconds that the first engine is alone
_TELL_SECONDS = 0.15  # more than there is between two signs of life


class Processes(Protocol):
    """The engines by name, wherever they run."""

    def start(self, name: str, given: TimeSlice) -> Report | None:
        """Begin a time slice, or report why that is impossible."""

    def wait(self) -> list[Ended]:
        """What has ended, after a moment."""

    def cpu_seconds(self) -> float:
        """The CPU time that all have used."""

    def end(self) -> None:
        """Stop all of them."""


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class _Running:
    slot: Slot
    begun: float


class AutoEngine:
    """Runs the engines until one has a verdict, or all have given up; `provers` replace those that
    look for proofs, `processes` the processes."""

    def __init__(
        self,
        task: EngineTask,
        provers: Sequence[str] | None = None,
        processes: Processes | None = None,
    ) -> None:
        self._task = task
        self._statistics = task.statistics
        features = features_of(task.program)
        if provers is None:
            provers = provers_of(features, task.options.provers)
        self._lanes = task.options.jobs or min(_MOST_LANES, cores())
        first = learned_slices(task.learned, provers)
        provers = [*(piece.who for piece in first if piece.who == RECHECK), *provers]
        slices = (*first, *slices_of(features, self._lanes))
        self._schedule = Schedule(provers, slices, self._lanes)
        # an engine that has found the proof before has time to find it again
        self._head_start = sum((piece.seconds or 0.0 for piece in first), _HEAD_START)
        self._processes = processes
        self._said: dict[str, str] = {}  # by engine: how its last time slice ended
        self._running: dict[str, _Running] = {}
        self._alone_until = 0.0
        self._untold: float | None = None  # since when there is a line that may not be known yet
        self._doubtful: Unsafe | None = None  # a violation that did not replay
        self._bug: PredabsError | None = None  # of ours, that ended an engine

    @property
    def so_far(self) -> str:
        return "; ".join(f"{name}: {text}" for name, text in self._said.items())

    def run(self, budget: Budget) -> Verdict:
        """A verdict that stands, or why there is none; that of time is among the reasons."""
        processes = self._processes or EngineProcesses(self._task)
        limit = cpu_limit(self._task.options.cpu_time)
        left = TimeLeft(budget, limit, processes.cpu_seconds, self._lanes)
        self._alone_until = time.monotonic() + self._head_start
        try:
            verdict = self._search(processes, left)
        finally:
            processes.end()
        return verdict or self._given_up(left)

    def _search(self, processes: Processes, left: TimeLeft) -> Verdict | None:
        while True:
            ended = self._start(processes, left)
            if self._running:  # also if another could not start: maybe because there is an answer
                ended += processes.wait()
            for one in ended:
                verdict = self._note(one)
                if verdict is not None:
                    self._statistics.decided = one.name
                    for name in list(self._running):
                        self._close(name, f"ended, as {one.name} has the answer")
                    return verdict
            if not ended and not self._running:
                return None
            self._tell()

    def _start(self, processes: Processes, left: TimeLeft) -> list[Ended]:
        """Let engines begin a time slice while there are lanes; those that could not."""
        while len(self._running) < self._lanes:
            if self._running and time.monotonic() < self._alone_until:
                break
            seconds = left.seconds
            slot = self._schedule.next(seconds, self._running) if seconds > 0 else None
            if slot is None:
                break
            self._running[slot.name] = _Running(slot, time.monotonic())
            report = processes.start(slot.name, TimeSlice(slot.seconds, left.budget, slot.look))
            if report is not None:
                return [Ended(slot.name, report)]
        return []

    def _note(self, ended: Ended) -> Verdict | None:
        """What the end of a time slice means: the verdict, unless that is UNKNOWN."""
        name, report = ended.name, ended.report
        self._bug = self._bug or ended.bug
        self._doubtful = self._doubtful or report.doubtful
        if isinstance(report.verdict, Unknown):
            self._schedule.give_up(name)
        else:
            self._schedule.end(name)
        self._close(name, report.text)
        return None if isinstance(report.verdict, Unknown) else report.verdict

    def _close(self, name: str, text: str) -> None:
        """A line about the end of a time slice, or of an engine that waited for one."""
        running = self._running.pop(name, None)
        self._said[name] = text
        about = "" if running is None else _about(running)
        self._statistics.tried.append(f"{name}{about}: {text}")
        self._untold = self._untold or time.monotonic()

    def _tell(self) -> None:
        """Signs of life are sent now and then; one after the last line has it for sure."""
        if self._untold is not None and time.monotonic() > self._untold + _TELL_SECONDS:
            self._untold = None
            self._task.progress(next(reversed(self._said)))

    def _given_up(self, left: TimeLeft) -> Verdict:
        if self._doubtful is not None:
            return self._doubtful  # of a slice, maybe: the whole program has the last word
        if self._bug is not None:
            raise self._bug  # no other engine has made up for it
        late = "the time limit was reached" if left.seconds <= 0 else ""
        return Unknown("; ".join(filter(None, (late, self.so_far))))


def _about(running: _Running) -> str:
    return f" ({running.slot.aim}), {time.monotonic() - running.begun:.1f} s"
