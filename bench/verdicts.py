"""Run `predabs check` on the tasks and compare its verdicts with the expected ones.

Each task has a limit of CPU time and of memory; the table is by category. With --test each FALSE
also becomes a C test that is compiled with the program and run. A wrong verdict makes the exit
code 1.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .tasks import Task, add_task_arguments, chosen_tasks

PROPERTY = (
    "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n"
    "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
)
_POLL_SECONDS = 0.05
_FIELDS = ("task", "expected", "verdict", "reason", "cpu", "native")


@dataclass(frozen=True, slots=True)
class Answer:
    """What predabs said about a task, and what that took."""

    task: Task
    verdict: str  # TRUE, FALSE, UNKNOWN, or ERROR if it failed
    reason: str
    cpu: float
    native: str  # what became of the C test: reached, not reached, not run; empty without one

    @property
    def solved(self) -> bool:
        return self.verdict == ("TRUE" if self.task.safe else "FALSE")

    @property
    def wrong(self) -> bool:
        return self.verdict == ("FALSE" if self.task.safe else "TRUE")


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench check", description=__doc__)
    add_task_arguments(parser)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument(
        "--limit", type=int, default=60, metavar="S", help="CPU seconds a task (default: 60)"
    )
    parser.add_argument(
        "--memory", type=int, default=3000, metavar="MB", help="memory a task (default: 3000)"
    )
    parser.add_argument("--engine", metavar="E", help="the engine to use")
    parser.add_argument("--test", action="store_true", help="compile and run a test for each FALSE")
    parser.add_argument("-o", "--output", type=Path, metavar="CSV", help="write all answers here")
    return run(parser.parse_args(words))


def run(args: argparse.Namespace) -> int:
    tasks = chosen_tasks(args)
    answers: list[Answer] = []
    with tempfile.TemporaryDirectory(prefix="predabs-bench-") as folder:
        for answer in run_all(tasks, args, Path(folder)):
            answers.append(answer)
            _progress(answer, len(answers), len(tasks))
    if args.output is not None:
        _write(answers, args.output)
    print(table(answers))
    return 1 if any(answer.wrong for answer in answers) else 0


# --- running --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Job:
    task: Task
    folder: Path
    process: subprocess.Popen[bytes]
    killed_at: float


def run_all(tasks: Sequence[Task], args: argparse.Namespace, folder: Path) -> Iterator[Answer]:
    """The answers, as they come; at most `args.jobs` tasks run at the same time."""
    property_file = folder / "unreach-call.prp"
    property_file.write_text(PROPERTY)
    running: list[_Job] = []
    waiting = list(enumerate(tasks))[::-1]
    try:
        while waiting or running:
            while waiting and len(running) < args.jobs:
                number, task = waiting.pop()
                running.append(_start(task, args, folder / str(number), property_file))
            for job in list(running):
                pid, _, usage = os.wait4(job.process.pid, os.WNOHANG)
                if pid:
                    running.remove(job)
                    yield _answer(job, usage.ru_utime + usage.ru_stime)
                elif time.monotonic() > job.killed_at:
                    os.killpg(job.process.pid, signal.SIGKILL)
            time.sleep(_POLL_SECONDS)
    finally:
        for job in running:
            os.killpg(job.process.pid, signal.SIGKILL)


def _start(task: Task, args: argparse.Namespace, folder: Path, property_file: Path) -> _Job:
    folder.mkdir()
    wall = 2 * args.limit  # for a task that sleeps or shares its core
    command = [sys.executable, "-m", "predabs", "check", str(task.file)]
    command += ["--data-model", task.data_model, "--property", str(property_file)]
    command += ["--timeout", str(wall), "--memory", str(args.memory)]
    command += ["--json", str(folder / "answer.json")]
    if args.engine:
        command += ["--engine", args.engine]
    if args.test:
        command += ["--test", str(folder / "test.c")]
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            env={**os.environ, "PREDABS_DEBUG": "1"},  # a bug's last line is what it says
            preexec_fn=_cpu_limit(args.limit),
        )
    return _Job(task, folder, process, time.monotonic() + wall + 60)


def _cpu_limit(seconds: int) -> Callable[[], None]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    return limit


def _answer(job: _Job, cpu: float) -> Answer:
    try:
        report: dict[str, Any] = json.loads((job.folder / "answer.json").read_text())
    except (OSError, ValueError):
        lines = (job.folder / "stderr").read_text(errors="replace").strip().splitlines()
        return Answer(job.task, "ERROR", lines[-1] if lines else "no output", cpu, "")
    test = report.get("test") or {}
    native = {True: "reached", False: "not reached", None: "not run"}[test.get("reached")]
    return Answer(
        job.task,
        str(report["verdict"]),
        str(report.get("reason") or ""),
        cpu,
        native if test else "",
    )


def _progress(answer: Answer, done: int, total: int) -> None:
    mark = "WRONG" if answer.wrong else "ok" if answer.solved else "-"
    reason = f"  {answer.reason}" if answer.reason else ""
    native = f"  native: {answer.native}" if answer.native else ""
    print(
        f"[{done}/{total}] {mark:5} {answer.verdict:7} {answer.cpu:6.1f} s  "
        f"{answer.task.name}{native}{reason}",
        file=sys.stderr,
        flush=True,
    )


# --- the table ------------------------------------------------------------------------------------


def table(answers: Sequence[Answer]) -> str:
    """The numbers by category, what was wrong, and why the rest is unknown."""
    categories = sorted({answer.task.category for answer in answers})
    lines = [
        f"{'category':28} {'tasks':>5} {'true':>9} {'false':>9} {'wrong':>5} {'unknown':>7} "
        f"{'error':>5} {'cpu s':>8} {'median':>7}"
    ]
    for category in categories:
        lines.append(_row(category, [a for a in answers if a.task.category == category]))
    lines.append(_row("all", answers))
    lines += [
        f"WRONG: {a.task.name}: {a.verdict}, expected {str(a.task.safe).upper()}"
        for a in answers
        if a.wrong
    ]
    tested = Counter(answer.native for answer in answers if answer.native)
    if tested:
        counts = ", ".join(f"{name} {count}" for name, count in tested.most_common())
        lines.append(f"native tests of FALSE verdicts: {counts}")
    return "\n".join(lines)


def _row(name: str, answers: Sequence[Answer]) -> str:
    def solved(safe: bool) -> str:
        kind = [answer for answer in answers if answer.task.safe is safe]
        return f"{sum(answer.solved for answer in kind)}/{len(kind)}"

    verdicts = Counter(answer.verdict for answer in answers)
    wrong = sum(answer.wrong for answer in answers)
    times = [answer.cpu for answer in answers if answer.solved]
    median = f"{statistics.median(times):7.1f}" if times else f"{'-':>7}"
    return (
        f"{name:28} {len(answers):5} {solved(True):>9} {solved(False):>9} {wrong:5} "
        f"{verdicts['UNKNOWN']:7} {verdicts['ERROR']:5} "
        f"{sum(answer.cpu for answer in answers):8.1f} {median}"
    )


def _write(answers: Iterable[Answer], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(_FIELDS)
        for a in answers:
            expected = str(a.task.safe).lower()
            writer.writerow([a.task.name, expected, a.verdict, a.reason, f"{a.cpu:.2f}", a.native])
