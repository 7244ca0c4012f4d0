"""Engines for `auto` that run in this process, one after the other: what they do can be watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from predabs.engines.auto import time_left
from predabs.engines.auto.engine_processes import Ended
from predabs.engines.auto.time_slice import Report, Runner, TimeSlice
from predabs.engines.engine import Engine, EngineTask, create


class InlineEngines:
    """The engines of the table, or those that are given."""

    def __init__(self, task: EngineTask, engines: Mapping[str, Engine] | None = None) -> None:
        self._task = task
        self._engines = engines or {}
        self._runners: dict[str, Runner] = {}
        self._ended: list[Ended] = []
        self.started: list[str] = []

    def start(self, name: str, given: TimeSlice) -> Report | None:
        self.started.append(name)
        if name not in self._runners:
            counted = self._task.statistics.of(name)
            self._runners[name] = Runner(lambda: self._made(name), self._task.program, counted)
        self._ended.append(Ended(name, self._runners[name].run(given)))
        return None

    def _made(self, name: str) -> Engine:
        if name in self._engines:
            return self._engines[name]
        return create(name, replace(self._task, statistics=self._task.statistics.of(name)))

    def wait(self) -> list[Ended]:
        ended, self._ended = self._ended, []
        return ended

    def cpu_seconds(self) -> float:
        return time_left.time.process_time()  # of the clock that is counted, maybe

    def end(self) -> None:
        pass
