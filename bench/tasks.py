"""Collections of verification tasks, and the options that choose some of them.

A collection is a `tasks.csv` beside the programs it lists, or whatever else `predabs bench` reads.
"""

from __future__ import annotations

import argparse
import fnmatch
import random
from collections.abc import Sequence
from pathlib import Path

from predabs.bench.task import Task
from predabs.bench.task_files import read_tasks
from predabs.errors import InputError

DEFAULT = Path(__file__).resolve().parent.parent.parent / "shared" / "svbench" / "tasks.csv"


def add_task_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that choose tasks."""
    parser.add_argument("--tasks", type=Path, default=DEFAULT, metavar="FILE", help="the tasks")
    parser.add_argument("--only", choices=["true", "false"], help="tasks of this expected verdict")
    parser.add_argument(
        "--category",
        action="append",
        default=[],
        metavar="C",
        help="tasks of this folder, or of those that a pattern like loop* fits; several times",
    )
    parser.add_argument("--name", metavar="TEXT", help="tasks whose name contains this")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="N of them at random, the same ones each time"
    )
    parser.add_argument(
        "--shard",
        type=_shard,
        metavar="K/N",
        help="the K-th of N parts, so that a long run can be split",
    )


def _shard(text: str) -> tuple[int, int]:
    """Which part, counted from 1, of how many.

    >>> _shard("2/5")
    (2, 5)
    """
    number, slash, count = text.partition("/")
    if not (slash and number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError("write K/N, with K from 1 to N")
    return int(number), int(count)


def chosen_tasks(args: argparse.Namespace) -> list[Task]:
    """The tasks that the options choose, in the order of the table."""
    tasks = [
        task
        for task in read_tasks([str(args.tasks)])
        if (args.only is None or task.expected is (args.only == "true"))
        and (not args.category or _fits(task.category, args.category))
        and (args.name is None or args.name in task.name)
    ]
    if args.sample is not None and args.sample < len(tasks):
        tasks = _sample(tasks, args.sample)
    if args.shard is not None:
        number, count = args.shard
        tasks = tasks[number - 1 :: count]  # every category goes to all parts
    if not tasks:
        raise InputError("no task fits these options")
    return tasks


def _fits(category: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(category, pattern) for pattern in patterns)


def _sample(tasks: Sequence[Task], size: int) -> list[Task]:
    picked = set(random.Random(1).sample(range(len(tasks)), size))
    return [task for number, task in enumerate(tasks) if number in picked]
