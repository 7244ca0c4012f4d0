"""`predabs check`: prove that an error cannot be reached, or show a run that reaches it."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from ..api import check
from ..engines.engine import ENGINES
from ..evidence.json_report import report
from ..evidence.native import NativeRun, run_test
from ..evidence.statistics_text import statistics_text
from ..options import PROVERS, Block, Numbers, Options, Scope, Structure, Traversal
from ..result import Answer, Result, Violation
from ..spec.checks import parse_checks
from ..spec.faults import CHECKS
from ..supervise import unwinding
from .output import make_folder, write_atomically, write_result
from .source import add_source_arguments

_WIDTH = 78  # of the line that shows the progress
EXIT_CODES = {Answer.TRUE: 0, Answer.FALSE: 1, Answer.UNKNOWN: 3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser)
    parser.add_argument(
        "--property",
        default="assert",
        metavar="P",
        help="assert (assertions and error calls; the default), an SV-COMP .prp file, or a .rule "
        "file that says how functions must be used",
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
        help="; ".join(f"{name}: {entry.summary}" for name, entry in ENGINES.items())
        + " (default: %(default)s)",
    )
    parser.add_argument(
        "--provers",
        default=",".join(PROVERS),
        metavar="E,...",
        help="the engines that auto asks for proofs, beside bounded (default: %(default)s; numpred "
        "is not asked about recursive programs)",
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
    parser.add_argument(
        "--stats",
        action="store_true",
        help="print counts and times: predicates, solver calls, nodes, refinements, seconds",
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="tell more: for TRUE the loop invariants; what was tried; counts and times",
    )
    lazy = parser.add_argument_group(
        "how the lazy engine works",
        "It looks for predicates that prove the program; these change how, not what it may answer.",
    )
    lazy.add_argument(
        "--block",
        choices=get_args(Block),
        default=Options().block,
        help="how much is abstracted at once: up to the next loop head (loop, the default, which "
        "is the fastest), a basic block (basic), or a single step (edge)",
    )
    lazy.add_argument(
        "--traversal",
        choices=get_args(Traversal),
        default=Options().traversal,
        help="the order of the search: loops from the inside out (wto, the default), depth first "
        "(dfs) or breadth first (bfs)",
    )
    lazy.add_argument(
        "--keep-subtree",
        action="store_true",
        help="after a refinement, keep what was found below the place that was refined where it "
        "still holds (default: search there again)",
    )
    lazy.add_argument(
        "--predicates-at",
        choices=get_args(Scope),
        default=Options().scope,
        help="where a new predicate is tracked: at the location it was found for (the default), "
        "in its whole function, or everywhere",
    )
    lazy.add_argument(
        "--invariants",
        choices=get_args(Numbers),
        default=Options().invariants,
        help="what is found out about numbers before predicates are looked for: intervals (box), "
        "relations of two as well (octagon, the default), or of several (polyhedra)",
    )

    slam = parser.add_argument_group(
        "how the slam engine works",
        "It makes a Boolean program of each procedure, once for all calls, round by round with "
        "more predicates.",
    )
    slam.add_argument(
        "--keep",
        metavar="DIR",
        help="write each round's Boolean program (round-N.bp), trace (.trace) and new predicates "
        "(.preds) into this folder",
    )

    numpred = parser.add_argument_group(
        "how the numpred engine works",
        "It tracks predicates and numbers together, in a fixpoint with widening.",
    )
    numpred.add_argument(
        "--domain",
        choices=get_args(Structure),
        help="one half alone (numeric, predicate), side by side (nexpoint), other numbers for "
        "other predicates (nex, mtndd), or any combination (ndd); default: nex, then ndd if need "
        "be",
    )
    numpred.add_argument(
        "--numeric",
        choices=get_args(Numbers),
        help="what numbers are known by: intervals (box), relations of two (octagon) or of several "
        "(polyhedra); default: one after the other",
    )


def run(args: argparse.Namespace) -> int:
    """Check, write what was asked for, and give the exit code."""
    if args.keep is not None:
        make_folder(Path(args.keep))  # before the work, so that it is not done for nothing
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
            provers=args.provers.split(",") if args.provers else (),
            block=args.block,
            traversal=args.traversal,
            keep_subtree=args.keep_subtree,
            predicates_at=args.predicates_at,
            invariants=args.invariants,
            keep_rounds=args.keep is not None,
            domain=args.domain,
            numeric=args.numeric,
            progress=show,
        )
        if show is not None:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        if args.keep is not None:
            _write_rounds(Path(args.keep), result)
        test = _test(args, result.violation)
        if args.json is not None:
            indent = None if args.json == "-" else 2
            text = json.dumps(report(result, args.test, test), indent=indent)
            write_result(text + "\n", args.json)
        if args.json != "-":
            for line in _lines(result, args.test, test, args.verbose):
                print(line)
            if args.stats:
                print(statistics_text(result))
        reason = f" ({_one_line(result.reason)})" if result.reason else ""
        print(f"VERDICT: {result.verdict.value}{reason}")
        return EXIT_CODES[result.verdict]


def _write_rounds(folder: Path, result: Result) -> None:
    """`round-N.bp`, `round-N.trace` and `round-N.preds` for each round."""
    if not result.work.rounds:
        print(
            f"predabs: nothing to keep in {folder}: the slam engine was not used", file=sys.stderr
        )
        return
    for number, item in enumerate(result.work.rounds, 1):
        start = folder / f"round-{number:02}"
        write_atomically(start.with_suffix(".bp"), item.program_text)
        if item.trace_text:
            write_atomically(start.with_suffix(".trace"), item.trace_text)
        if item.new:
            write_atomically(start.with_suffix(".preds"), "\n".join(item.new) + "\n")


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
    if verbose or result.verdict is Answer.UNKNOWN:
        lines += [f"tried: {_one_line(text)}" for text in result.tried]
    if verbose:
        lines += [f"invariant: {invariant}" for invariant in result.invariants]
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

    begun = time.monotonic()

    def show(text: str) -> None:
        line = f"{time.monotonic() - begun:.0f} s: {_one_line(text)}"[:_WIDTH]
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

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
