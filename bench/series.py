"""The options of the measurements that run `predabs check`; what runs it is `predabs.bench`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from predabs.bench import answer as kept
from predabs.bench.configuration import Configuration
from predabs.bench.database import Database
from predabs.bench.execute import Limits
from predabs.bench.series import keep_answers, local_answers, missing_runs
from predabs.bench.task import Task
from predabs.commands.bench_lines import Lines, plain
from predabs.supervise import unwinding

from .answers import Answer, answer_of
from .tasks import add_task_arguments


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="keep the answers in this SQLite file, as `predabs bench` does; go on with what is "
        "missing there",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="also run again what reached a limit of time lower than this one",
    )


def run_series(
    args: argparse.Namespace, tasks: Sequence[Task], configurations: Sequence[Configuration]
) -> dict[str, list[Answer]]:
    """Run what has no answer yet; the answers to the tasks, by configuration."""
    found: dict[str, list[Answer]] = {one.name: [] for one in configurations}
    for row in run_answers(args, tasks, configurations):
        found[row.configuration].append(answer_of(row))
    return found


def run_answers(
    args: argparse.Namespace, tasks: Sequence[Task], configurations: Sequence[Configuration]
) -> list[kept.Answer]:
    """The same, as the answers are kept."""
    limits = Limits(args.limit, args.limit * args.wall_factor, args.memory)
    asked = {task.key for task in tasks}
    with tempfile.TemporaryDirectory(prefix="predabs-bench-") as folder:
        path = args.output or Path(folder, "answers.sqlite")
        with unwinding(), Database(path, write=True) as database:
            for one in configurations:
                database.add_configuration(one, one.version())
            runs = missing_runs(database, tasks, configurations, limits, args.again)
            watcher = Lines(len(runs), plain)
            keep_answers(database, local_answers(runs, args.jobs, watcher), watcher, args.again)
            answers = database.answers([one.name for one in configurations])
    sys.stderr.flush()
    return [row for row in answers if row.key in asked]
