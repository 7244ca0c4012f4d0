"""Run `predabs check` on the tasks and compare its verdicts with the expected ones.

Each task has a limit of CPU time and of memory. With --test each FALSE also becomes a C test that
is compiled with the program and run. With -o the answers are written as they come, and --resume
takes a run up again. At the end the tables of `python -m bench table` are printed. A wrong verdict
makes the exit code 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .answers import Record
from .runner import Settings
from .series import add_run_arguments, parsed, run_series
from .tables import tables
from .tasks import chosen_tasks
from .text import print_tables


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench check", description=__doc__)
    add_run_arguments(parser, "CSV", "write all answers here")
    parser.add_argument("--engine", metavar="E", help="the engine to use")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="WORD",
        help="one more word for `predabs check`, like --option=--domain=nex",
    )
    parser.add_argument("--test", action="store_true", help="compile and run a test for each FALSE")
    args = parsed(parser, words)
    tasks = chosen_tasks(args)
    settings = Settings(
        args.limit, args.memory, args.wall_factor, args.engine, args.test, tuple(args.option)
    )
    record = Record(args.output, args.resume)
    run_series(tasks, {"": (settings, record)}, args.jobs, args.again)
    answers = list(record.answers.values())
    print_tables(tables(answers))
    return 1 if any(answer.wrong for answer in answers) else 0
