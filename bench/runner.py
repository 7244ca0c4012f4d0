"""Run `predabs check` on many tasks, some at the same time, under limits of CPU time and memory.

The limit of CPU time is the system's (RLIMIT_CPU), which predabs keeps with all its processes
together; it answers UNKNOWN then. So that an engine can end by itself, it is told a limit of
wall-clock time too: the same number, times `wall_factor` on a machine that has other work to do.
Engines run one after the other, unless the options say more.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .answers import Answer, answer_of, failed
from .environment import environment
from .tasks import Task

PROPERTY = (
    "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n"
    "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
)
_POLL_SECONDS = 0.02
_PATIENCE = 60.0  # after the limit of wall-clock time, before a task is ended by force


@dataclass(frozen=True, slots=True)
class Settings:
    """How tasks are run: seconds of CPU time and MiB of memory for each."""

    limit: int
    memory: int
    wall_factor: float = 1.0
    engine: str | None = None
    test: bool = False
    options: tuple[str, ...] = ()  # more words for `predabs check`

    @property
    def timeout(self) -> float:
        """Seconds of wall-clock time."""
        return self.limit * self.wall_factor

    def command(self, task: Task, folder: Path, property_file: Path) -> list[str]:
        """What is run; results go to the folder."""
        words = [sys.executable, "-m", "predabs", "check", str(task.file)]
        words += ["--data-model", task.data_model, "--property", str(property_file)]
        words += ["--timeout", f"{self.timeout:g}", "--memory", str(self.memory)]
        words += ["--json", str(folder / "answer.json")]
        words += ["--jobs", "1"]
        if self.engine:
            words += ["--engine", self.engine]
        if self.test:
            words += ["--test", str(folder / "test.c")]
        return [*words, *self.options]


@dataclass(frozen=True, slots=True)
class Run:
    """One task under one of several settings, told apart by a name."""

    task: Task
    settings: Settings
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Job:
    run: Run
    folder: Path
    process: subprocess.Popen[bytes]
    begun: float
    killed_at: float


def run_all(runs: Sequence[Run], jobs: int, folder: Path) -> Iterator[tuple[Run, Answer]]:
    """The answers, as they come; the runs begin in the order given, so many at the same time."""
    property_file = folder / "unreach-call.prp"
    property_file.write_text(PROPERTY)
    running: list[_Job] = []
    waiting = list(enumerate(runs))[::-1]
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                number, run = waiting.pop()
                running.append(_start(run, folder / str(number), property_file))
            for job in list(running):
                pid, status, usage = os.wait4(job.process.pid, os.WNOHANG)
                if pid:
                    job.process.returncode = os.waitstatus_to_exitcode(status)
                    running.remove(job)
                    answer = _answer(job, usage.ru_utime + usage.ru_stime)
                    yield job.run, replace(answer, limit=job.run.settings.limit)
                elif time.monotonic() > job.killed_at:
                    os.killpg(job.process.pid, signal.SIGKILL)
            time.sleep(_POLL_SECONDS)
    finally:
        for job in running:
            os.killpg(job.process.pid, signal.SIGKILL)


def _start(run: Run, folder: Path, property_file: Path) -> _Job:
    folder.mkdir()
    settings = run.settings
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        process = subprocess.Popen(
            settings.command(run.task, folder, property_file),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            env=environment(PREDABS_DEBUG="1"),  # a bug's last line is what it says
            preexec_fn=_cpu_limit(settings.limit),
        )
    now = time.monotonic()
    return _Job(run, folder, process, now, now + settings.timeout + _PATIENCE)


def _cpu_limit(seconds: int) -> Callable[[], None]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    return limit


def _answer(job: _Job, cpu: float) -> Answer:
    wall = time.monotonic() - job.begun
    try:
        report = json.loads((job.folder / "answer.json").read_text())
    except (OSError, ValueError):
        lines = (job.folder / "stderr").read_text(errors="replace").strip().splitlines()
        return failed(job.run.task, lines[-1] if lines else "no output", cpu, wall)
    return answer_of(job.run.task, report, cpu, wall)
