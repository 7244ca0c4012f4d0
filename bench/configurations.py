"""Run several configurations of `predabs check` on the same tasks and compare them.

Each task is run with all configurations before the next, so that the machine is in the same state
for all of them. With -o a folder has a file NAME.csv for each configuration, which --resume goes on
with; with a higher --limit, --resume --again runs those again that reached the lower one. At the
end the tables of `python -m bench compare` are printed. A wrong verdict makes the exit code 1.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Sequence

from .answers import Record
from .compare import COMBINED, add_union_argument, print_comparison, unions_of
from .runner import Settings
from .series import add_run_arguments, parsed, run_series
from .tasks import chosen_tasks

_NAME = re.compile(r"[\w.+-]+")
SIX = {
    name: ("--engine", "numpred", "--domain", name) for name in (*COMBINED, "numeric", "predicate")
}


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench configurations", description=__doc__)
    add_run_arguments(parser, "DIR", "write the answers to DIR/NAME.csv for each configuration")
    parser.add_argument(
        "--run",
        type=_configuration,
        action="append",
        default=[],
        metavar="NAME=WORDS",
        help="a configuration and its words for `predabs check`, like "
        '--run "nex=--engine numpred --domain nex"; several times',
    )
    parser.add_argument(
        "--six", action="store_true", help=f"the configurations of numpred: {', '.join(SIX)}"
    )
    add_union_argument(parser)
    args = parsed(parser, words)
    chosen = [*(SIX.items() if args.six else ()), *args.run]
    configurations = dict(chosen)
    if not chosen or len(configurations) < len(chosen):
        parser.error("name configurations with --run or --six, each one once")
    unions = unions_of(parser, args.union, configurations)
    tasks = chosen_tasks(args)
    if args.output is not None:
        args.output.mkdir(parents=True, exist_ok=True)
    series = {
        name: (
            Settings(args.limit, args.memory, args.wall_factor, options=tuple(options)),
            Record(args.output and args.output / f"{name}.csv", args.resume),
        )
        for name, options in configurations.items()
    }
    run_series(tasks, series, args.jobs, args.again)
    answers = {name: record.answers.values() for name, (_, record) in series.items()}
    return print_comparison(answers, unions)


def _configuration(text: str) -> tuple[str, tuple[str, ...]]:
    """A name that can be that of a file, and words.

    >>> _configuration("nex=--engine numpred --domain nex")
    ('nex', ('--engine', 'numpred', '--domain', 'nex'))
    """
    name, sign, words = text.partition("=")
    if not (sign and _NAME.fullmatch(name)):
        raise argparse.ArgumentTypeError("write NAME=WORDS, with a name of letters and digits")
    return name, tuple(shlex.split(words))
