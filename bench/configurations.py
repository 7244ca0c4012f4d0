"""Run several configurations of `predabs check` on the same tasks and compare them.

Each task is run with all configurations before the next, so that the machine is in the same state
for all of them. With -o the answers are kept as they come, and the same command again goes on with
what is missing; with a higher --limit, --again runs those again that reached the lower one. At the
end the tables of `python -m bench compare` are printed. A wrong verdict makes the exit code 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from predabs.bench.configuration import Configuration, configuration_of
from predabs.errors import InputError

from .compare import COMBINED, add_union_argument, print_comparison, unions_of
from .series import add_run_arguments, run_series
from .tasks import chosen_tasks

SIX = {
    name: ("--engine", "numpred", "--domain", name) for name in (*COMBINED, "numeric", "predicate")
}


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench configurations", description=__doc__)
    add_run_arguments(parser)
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
    args = parser.parse_args(words)
    six = [Configuration(name, words=options) for name, options in SIX.items()] if args.six else []
    chosen = [*six, *args.run]
    names = {one.name for one in chosen}
    if not chosen or len(names) < len(chosen):
        parser.error("name configurations with --run or --six, each one once")
    unions = unions_of(parser, args.union, [one.name for one in chosen])
    answers = run_series(args, chosen_tasks(args), chosen)
    return print_comparison(answers, unions)


def _configuration(text: str) -> Configuration:
    """Those of `predabs bench --run`."""
    try:
        return configuration_of(text)
    except InputError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
