"""Run `predabs check` on the tasks and compare its verdicts with the expected ones.

Each task has a limit of CPU time and of memory. With --test each FALSE also becomes a C test that
is compiled with the program and run. With -o the answers are kept as they come, and the same
command again goes on with what is missing. At the end the tables of `python -m bench table` are
printed. A wrong verdict makes the exit code 1. `predabs bench` does the same for any tool, with
other tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from predabs.bench.configuration import Configuration
from predabs.bench.perform import FOLDER
from predabs.bench.text_table import print_tables

from .series import add_run_arguments, run_series
from .tables import tables
from .tasks import chosen_tasks


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench check", description=__doc__)
    add_run_arguments(parser)
    parser.add_argument("--engine", metavar="E", help="the engine to use")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="WORD",
        help="one more word for `predabs check`, like --option=--domain=nex",
    )
    parser.add_argument("--test", action="store_true", help="compile and run a test for each FALSE")
    args = parser.parse_args(words)
    tasks = chosen_tasks(args)
    found = run_series(args, tasks, [configuration(args)])
    answers = [answer for one in found.values() for answer in one]
    print_tables(tables(answers))
    return 1 if any(answer.wrong for answer in answers) else 0


def configuration(args: argparse.Namespace) -> Configuration:
    """What the options choose."""
    chosen = ["--engine", args.engine] if args.engine else []
    if args.test:
        chosen += ["--test", f"{FOLDER}/test.c"]
    return Configuration("predabs", words=(*chosen, *args.option))
