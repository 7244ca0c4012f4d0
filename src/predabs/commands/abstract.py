"""`predabs abstract`: turn a C program and predicates into a Boolean program."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..c2bp.code import text
from ..c2bp.given import given
from ..c2bp.program import abstract
from ..predicates.file import read_predicates
from .output import write_result
from .source import add_source_arguments, load_program

_SECONDS = 10.0  # for one question to a solver; then the predicate becomes unknown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser)
    parser.add_argument(
        "--predicates",
        required=True,
        metavar="PREDS",
        help="the predicates: sections `global:` and `FUNCTION:`, one C expression on each line",
    )
    parser.add_argument(
        "--max-cube",
        type=_length,
        default=3,
        metavar="K",
        help="look for conjunctions of up to K predicates; 0 for no limit (default: 3)",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT.bp", help="write to this file (default: standard output)"
    )


def run(args: argparse.Namespace) -> int:
    program = load_program(args)
    predicates = given(read_predicates(Path(args.predicates), program))
    result = abstract(program, predicates, args.max_cube, lambda: _SECONDS)
    write_result(text(result.code), args.output)
    if result.open_questions:
        print(
            f"predabs: {result.open_questions} questions got no answer; what they would have told "
            "is unknown in the Boolean program",
            file=sys.stderr,
        )
    return 0


def _length(word: str) -> int:
    value = int(word)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value
