"""Run `predabs check` on the tasks and compare its verdicts with the expected ones.

Each task has a limit of CPU time and of memory. With --test each FALSE also becomes a C test that
is compiled with the program and run. With -o the answers are written as they come, and --resume
takes a run up again. At the end the tables of `python -m bench table` are printed. A wrong verdict
makes the exit code 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from predabs.supervise import unwinding

from .answers import Answer, Record, read
from .runner import Settings, run_all
from .tables import tables
from .tasks import add_task_arguments, chosen_tasks


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench check", description=__doc__)
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
    parser.add_argument("--engine", metavar="E", help="the engine to use")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="WORD",
        help="one more word for `predabs check`, like --option=--domain=nex",
    )
    parser.add_argument("--test", action="store_true", help="compile and run a test for each FALSE")
    parser.add_argument("-o", "--output", type=Path, metavar="CSV", help="write all answers here")
    parser.add_argument(
        "--resume", action="store_true", help="skip the tasks whose answers the CSV has already"
    )
    args = parser.parse_args(words)
    if args.resume and args.output is None:
        parser.error("--resume needs -o")
    with unwinding():
        return run(args)


def run(args: argparse.Namespace) -> int:
    tasks = chosen_tasks(args)
    settings = Settings(
        args.limit,
        args.memory,
        args.jobs,
        args.wall_factor,
        args.engine,
        args.test,
        tuple(args.option),
    )
    record = None if args.output is None else Record(args.output, args.resume)
    if record is not None:
        tasks = [task for task in tasks if task.name not in record.known]
    answers: list[Answer] = []
    with tempfile.TemporaryDirectory(prefix="predabs-bench-") as folder:
        for answer in run_all(tasks, settings, Path(folder)):
            answers.append(answer)
            if record is not None:
                record.add(answer)
            _progress(answer, len(answers), len(tasks))
    if args.output is not None:
        answers = read([args.output])
    for table in tables(answers):
        print(table.text())
        print()
    return 1 if any(answer.wrong for answer in answers) else 0


def _progress(answer: Answer, done: int, total: int) -> None:
    mark = "WRONG" if answer.wrong else "ok" if answer.solved else "-"
    reason = f"  {answer.reason}" if answer.reason else ""
    native = f"  native: {answer.test}" if answer.test else ""
    print(
        f"[{done}/{total}] {mark:5} {answer.verdict:7} {answer.cpu:6.1f} s  "
        f"{answer.task}{native}{reason}",
        file=sys.stderr,
        flush=True,
    )
