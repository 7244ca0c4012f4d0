"""`predabs bebop FILE.bp`: the command line of the model checker for Boolean programs.

Exit codes and the last line of the output follow docs: 0 TRUE, 1 FALSE, 3 UNKNOWN. A limit that is
reached inside a check is UNKNOWN with the reason, never a verdict. `--write` checks nothing, and
gives no verdict.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..bdd import BddTooLarge
from ..boolprog import report
from ..boolprog.dialects.write import WRITERS
from ..boolprog.limits import CheckLimits
from ..boolprog.model_check import Result, Violated, check
from ..boolprog.parse import parse_file
from ..boolprog.precision_loss import compare
from ..boolprog.syntax import Program
from ..boolprog.trivectors import Focus, TrivectorDomain, explore
from ..errors import InputError, ResourceExhausted
from ..output import check_writable, write_result
from .arguments import add_options

TRUE, FALSE, UNKNOWN = 0, 1, 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `predabs bebop`."""
    parser.add_argument("file", metavar="FILE.bp", help="the Boolean program")
    add_options(parser, "bebop")


def run(args: argparse.Namespace) -> int:
    """Check the program; gives the exit code."""
    _reject_contradictions(args)
    program = parse_file(args.file)
    if args.write is not None:
        dialect, path = args.write
        write_result(WRITERS[dialect](program, args.label), path)
        return TRUE
    limits = CheckLimits(args.timeout, args.bdd_memory)
    lines: list[str] = []
    data: dict[str, Any] = {
        "verdict": "UNKNOWN",
        "reason": "",
        "property": f"label {args.label} is unreachable" if args.label else "assert",
        "engine": "bebop",
        "states": args.states,
    }
    try:
        if args.states == "bdd":
            _exact(program, args, limits, lines, data)
        else:
            _weaker(program, args, limits, data)
    except BddTooLarge as error:
        data |= {"verdict": "UNKNOWN", "reason": f"{error} (raise --bdd-memory)"}
    except ResourceExhausted as error:
        data |= {"verdict": "UNKNOWN", "reason": str(error)}
    data["seconds"] = round(limits.seconds(), 3)
    _write(args, lines, data)
    reason = f" ({data['reason']})" if data["reason"] else ""
    print(f"VERDICT: {data['verdict']}{reason}")
    return {"TRUE": TRUE, "FALSE": FALSE, "UNKNOWN": UNKNOWN}[data["verdict"]]


def _reject_contradictions(args: argparse.Namespace) -> None:
    if args.write is not None:
        dialect, path = args.write
        if dialect not in WRITERS:
            raise InputError(f"no such dialect: {dialect}; there is {', '.join(WRITERS)}")
        for option in ("invariants", "compare", "json"):
            if getattr(args, option):
                raise InputError(f"--{option} is about a check, and --write does none")
        check_writable(path)
    if args.states == "bdd":
        if args.focus != Focus.ALL.value:
            raise InputError(
                "BDDs always have the total focus; use --focus with --states trivectors"
            )
        return
    for option in ("label", "invariants", "compare"):
        if getattr(args, option):
            raise InputError(f"--{option} needs --states bdd")


def _exact(
    program: Program,
    args: argparse.Namespace,
    limits: CheckLimits,
    lines: list[str],
    data: dict[str, Any],
) -> None:
    result: Result = check(program, args.label, limits, args.invariants or args.compare)
    reached = result.reached
    if args.invariants:
        lines += report.invariants_text(reached)
        data["invariants"] = report.invariants_json(reached)
    if args.compare:
        comparison = compare(reached, limits)
        lines += report.comparison_text(reached, comparison)
        data["comparison"] = report.comparison_json(reached, comparison)
    data["bdd"] = {"nodes": reached.model.manager.nodes(), "images": reached.images}
    if isinstance(result, Violated):
        lines.append(report.headline(result))
        lines += report.trace_text(result)
        data["verdict"] = "FALSE"
        data["steps"] = result.run.length
        data["trace"] = report.trace_json(result)
    else:
        data["verdict"] = "TRUE"


def _weaker(
    program: Program, args: argparse.Namespace, limits: CheckLimits, data: dict[str, Any]
) -> None:
    table = explore(program, TrivectorDomain(args.states), Focus(args.focus), limits)
    data["focus"] = args.focus
    if table.may_fail:
        data["reason"] = "trivectors cannot exclude a failure; --states bdd decides"
    else:
        data["verdict"] = "TRUE"


def _write(args: argparse.Namespace, lines: list[str], data: dict[str, Any]) -> None:
    """The text, or with `--json -` the object on one line in its place."""
    if args.json == "-":
        print(json.dumps(data))
        return
    for line in lines:
        print(line)
    if args.json:
        sys.stdout.flush()
        try:
            Path(args.json).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{args.json}: cannot be written: {error.strerror}") from None
