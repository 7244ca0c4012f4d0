"""The runs of `predabs check` and of several configurations of it: limits, order, taking them up.

Tasks are run one after the other, each under all settings before the next, so that the machine is
in the same state for all of them. An answer is recorded as soon as it is known.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from predabs.supervise import unwinding

from .answers import Answer, Record
from .runner import Run, Settings, run_all
from .tasks import Task, add_task_arguments


def add_run_arguments(parser: argparse.ArgumentParser, output: str, what: str) -> None:
    """The options that choose tasks, limit runs and say where the answers go."""
    add_task_arguments(parser)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument(
        "--limit", type=int, default=60, metavar="S", help="CPU seconds a task (default: 60)"
    )
    parser.add_argument(
        "--wall-factor",
        type=float,
        default=1.0,
        metavar="F",
        help="wall-clock seconds a task for each CPU second; more than 1 on a busy machine",
    )
    parser.add_argument(
        "--memory", type=int, default=4096, metavar="MB", help="memory a task (default: 4096)"
    )
    parser.add_argument("-o", "--output", type=Path, metavar=output, help=what)
    parser.add_argument(
        "--resume", action="store_true", help="skip the tasks whose answers are there already"
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="with --resume: but not those that reached a limit of time lower than this one",
    )


def parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """The options, if they go together."""
    args = parser.parse_args(words)
    if args.resume and args.output is None:
        parser.error("--resume needs -o")
    if args.again and not args.resume:
        parser.error("--again needs --resume")
    return args


def run_series(
    tasks: Sequence[Task],
    series: Mapping[str, tuple[Settings, Record]],
    jobs: int,
    again: bool,
) -> None:
    """Run what is not recorded yet (or `again` what may go on), and record it, name by name."""

    def open_for(task: Task, settings: Settings, record: Record) -> bool:
        known = record.answers.get(task.name)
        return known is None or (again and known.may_go_on(settings.limit))

    runs = [
        Run(task, settings, name)
        for task in tasks
        for name, (settings, record) in series.items()
        if open_for(task, settings, record)
    ]
    with unwinding(), tempfile.TemporaryDirectory(prefix="predabs-bench-") as folder:
        for number, (run, answer) in enumerate(run_all(runs, jobs, Path(folder)), 1):
            series[run.name][1].add(answer)
            _progress(run.name, answer, f"{number}/{len(runs)}")


def _progress(name: str, answer: Answer, number: str) -> None:
    mark = "WRONG" if answer.wrong else "ok" if answer.solved else "-"
    reason = f"  {answer.reason}" if answer.reason else ""
    native = f"  native: {answer.test}" if answer.test else ""
    told = f"{name}: " if name else ""
    print(
        f"[{number}] {mark:5} {answer.verdict:7} {answer.cpu:6.1f} s  "
        f"{told}{answer.task}{native}{reason}",
        file=sys.stderr,
        flush=True,
    )
