"""Collections of verification tasks: a `tasks.csv` beside the programs it lists.

Columns: task, file, expected (true: the error cannot be reached), data_model (32 or 64), lines.
"""

from __future__ import annotations

import argparse
import csv
import fnmatch
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

DEFAULT = Path(__file__).resolve().parent.parent.parent / "shared" / "svbench" / "tasks.csv"
COLUMNS = ("task", "file", "expected", "data_model", "lines")
_MODELS = {"32": "ILP32", "64": "LP64"}


class NoTasks(Exception):
    """The collection cannot be read; `str()` says what to do."""


@dataclass(frozen=True, slots=True)
class Task:
    """A program and whether its error call is known to be unreachable."""

    name: str
    file: Path
    safe: bool
    data_model: str
    lines: int

    @property
    def category(self) -> str:
        """The folder that the program is in."""
        return self.file.parent.name


def read_tasks(table: Path) -> list[Task]:
    """The tasks of a table; the files are relative to it."""
    try:
        with table.open(newline="", encoding="utf-8") as stream:
            rows = csv.DictReader(stream)
            missing = set(COLUMNS) - set(rows.fieldnames or ())
            if missing:
                raise NoTasks(f"{table}: not a table of tasks: no column {sorted(missing)[0]}")
            return [_task(row, table.parent) for row in rows]
    except OSError as problem:
        raise NoTasks(
            f"{table}: cannot read the tasks ({problem.strerror}).\n"
            "Name a tasks.csv with --tasks; its columns are " + ",".join(COLUMNS)
        ) from problem


def _task(row: dict[str, str], folder: Path) -> Task:
    return Task(
        row["task"],
        folder / row["file"],
        row["expected"] == "true",
        _MODELS[row["data_model"]],
        int(row["lines"]),
    )


def add_task_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that choose tasks."""
    parser.add_argument("--tasks", type=Path, default=DEFAULT, metavar="FILE", help="a tasks.csv")
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
        for task in read_tasks(args.tasks)
        if (args.only is None or task.safe == (args.only == "true"))
        and (not args.category or _fits(task.category, args.category))
        and (args.name is None or args.name in task.name)
    ]
    if args.sample is not None and args.sample < len(tasks):
        tasks = _sample(tasks, args.sample)
    if args.shard is not None:
        number, count = args.shard
        tasks = tasks[number - 1 :: count]  # every category goes to all parts
    if not tasks:
        raise NoTasks("no task fits these options")
    return tasks


def _fits(category: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(category, pattern) for pattern in patterns)


def _sample(tasks: Sequence[Task], size: int) -> list[Task]:
    picked = set(random.Random(1).sample(range(len(tasks)), size))
    return [task for number, task in enumerate(tasks) if number in picked]
