"""`predabs check`: prove that an error cannot be reached, or show a run that reaches it."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path

from ..analyse import ENGINES
from ..api import check
from ..evidence.json_report import report
from ..evidence.native import NativeRun, run_test
from ..options import Options
from ..result import Answer, Result, Violation
from ..spec.checks import parse_checks
from ..spec.faults import CHECKS
from ..supervise import unwinding
from .output import write_atomically, write_result
from .source import add_source_arguments

EXIT_CODES = {Answer.TRUE: 0, Answer.FALSE: 1, Answer.UNKNOWN: 3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser)
    parser.add_argument(
        "--property",
        default="assert",
        metavar="P",
        help="assert (assertions and error calls; the default) or an SV-COMP .prp file",
    )
    parser.add_argument(
        "--check",
        default="",
        metavar="LIST",
        help=f"faults that count as errors too, with commas between: {', '.join(CHECKS)}",
    )
    parser.add_argument(
        "--engine",
        choices=list(ENGINES),
        default=Options().engine,
        help=f"how to search (default: {Options().engine})",
    )
    parser.add_argument(
        "--no-slice",
        action="store_true",
        help="search the whole program, not only the part that errors depend on",
    )
    parser.add_argument(
        "--timeout", type=_positive, metavar="S", help="give up after S seconds (default: never)"
    )
    parser.add_argument(
        "--memory", type=_megabytes, metavar="MB", help="give up at so much memory (default: never)"
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write the result as JSON; `-` for standard output"
    )
    parser.add_argument(
        "--test",
        metavar="OUT.c",
        help="for FALSE, write a C test, compile it with the program and run it (under limits)",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="tell more: counts and times")


def run(args: argparse.Namespace) -> int:
    """Check, write what was asked for, and give the exit code."""
    with unwinding():
        show = _progress()
        result = check(
            args.files,
            property=args.property,
            entry=args.entry,
            data_model=args.data_model,
            include=args.include,
            define=args.define,
            engine=args.engine,
            timeout=args.timeout,
            memory=args.memory,
            checks=parse_checks(args.check),
            slice=not args.no_slice,
            progress=show,
        )
        if show is not None:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        test = _test(args, result.violation)
        if args.json is not None:
            indent = None if args.json == "-" else 2
            text = json.dumps(report(result, args.test, test), indent=indent)
            write_result(text + "\n", args.json)
        if args.json != "-":
            for line in _lines(result, args.test, test, args.verbose):
                print(line)
        reason = f" ({_one_line(result.reason)})" if result.reason else ""
        print(f"VERDICT: {result.verdict.value}{reason}")
        return EXIT_CODES[result.verdict]


def _test(args: argparse.Namespace, violation: Violation | None) -> NativeRun | None:
    if args.test is None or violation is None:
        return None
    path = Path(args.test)
    write_atomically(path, violation.test.text)
    return run_test(violation.test, path, args.files)


def _lines(
    result: Result, test_file: str | None, test: NativeRun | None, verbose: bool
) -> list[str]:
    """What a person reads."""
    lines = []
    if result.externals:
        names = ", ".join(name for name, _ in result.externals)
        lines.append(f"assumed: functions without a body return anything and do nothing: {names}")
    lines += [f"assumed: {text}" for text in result.assumptions]
    if result.violation is not None:
        lines += [result.violation.trace.text()]
        lines.append(f"error: {result.violation.coord}: {result.violation.text}")
    if test is not None:
        lines.append(f"test: {test_file}: {test.text}")
    if verbose:
        used = result.solver
        lines.append(
            f"{result.engine}: {result.seconds:.1f} s; solver: {used.calls} calls, "
            f"{used.cached} more known before, {used.seconds:.1f} s"
        )
    return lines


def _progress() -> Callable[[str], None] | None:
    """Shows what is going on, on one line that is overwritten; only on a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(text: str) -> None:
        print(f"\r\x1b[K{_one_line(text)[:78]}", end="", file=sys.stderr, flush=True)

    return show


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError("must be greater than 0")
    return value


def _megabytes(text: str) -> int:
    value = int(text)
    if not 0 < value <= 1 << 30:
        raise argparse.ArgumentTypeError("must be greater than 0")
    return value
