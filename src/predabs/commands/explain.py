"""`predabs explain RESULT.json`: a kept result in three sentences."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..errors import InputError
from ..pipeline.explanation import explanation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "result", metavar="RESULT.json", help="what `predabs check --json RESULT.json` wrote"
    )


def run(args: argparse.Namespace) -> int:
    try:
        report = json.loads(Path(args.result).read_text("utf-8"))
    except OSError as problem:
        raise InputError(f"{args.result}: cannot read: {problem.strerror or problem}") from problem
    except ValueError as problem:
        raise InputError(f"{args.result}: this is no JSON: {problem}") from problem
    if not isinstance(report, dict):
        raise InputError(f"{args.result}: this is no result of `predabs check --json`")
    try:
        told = explanation(report)
    except InputError as problem:
        raise InputError(f"{args.result}: {problem}") from None
    print("\n".join(told))
    return 0
