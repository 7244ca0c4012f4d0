"""The command line: which command, and what a failure looks like. The work is done elsewhere.

Exit codes: 0 done or TRUE, 1 FALSE, 2 bad input or usage, 3 UNKNOWN, 70 a bug of ours, 130
interrupted. Bad input ends with one message and no traceback.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import gc
import importlib
import io
import os
import platform
import shlex
import sys
import threading
import traceback
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from . import __version__
from .errors import InputError, ResourceExhausted, UnsupportedFeature, too_deep
from .records import dataclass

_SVCOMP = "--svcomp"  # as the first word: SV-COMP knows no commands
EXIT_BAD_INPUT = 2
EXIT_UNKNOWN = 3
EXIT_BUG = 70
EXIT_INTERRUPTED = 130  # as a shell reports a program that SIGINT ended
EXIT_BROKEN_PIPE = 141  # and one that SIGPIPE ended


@dataclass(frozen=True, slots=True)
class Command:
    """A word of the command line; its module is loaded only when it is used.

    The module has `add_arguments(parser)` and `run(args) -> exit code`.
    """

    module: str
    summary: str
    example: str


COMMANDS = {
    "check": Command(
        "predabs.commands.check",
        "prove that a C program never reaches an error, or show a run that does",
        "predabs check driver.c --timeout 60\n"
        "  predabs check driver.c --json result.json --test test.c",
    ),
    "validate": Command(
        "predabs.commands.validate",
        "confirm a witness, of whatever producer, for a C program",
        "predabs check driver.c --witness driver.yml; predabs validate driver.yml driver.c",
    ),
    "explain": Command(
        "predabs.commands.explain",
        "tell in three sentences what a result means",
        "predabs check driver.c --json result.json; predabs explain result.json",
    ),
    "certify": Command(
        "predabs.commands.certify",
        "check the certificate of a proof, without any engine",
        "predabs check driver.c --certificate driver.json; predabs certify driver.json driver.c",
    ),
    "cfa": Command(
        "predabs.commands.cfa",
        "show a C program as control flow automata",
        "predabs cfa driver.c --function main\n"
        "  predabs cfa driver.c --format dot | dot -Tsvg > driver.svg",
    ),
    "run": Command(
        "predabs.commands.run",
        "run a C program step by step in an interpreter with exact memory",
        "predabs run driver.c --inputs 1,2,3",
    ),
    "harness": Command(
        "predabs.commands.harness",
        "write a main function for a module without one, to be checked with it",
        "predabs harness driver.c --table 'struct file_operations' -o harness.c\n"
        "  predabs harness driver.c --init my_init --exit my_exit --call my_open --call my_close",
    ),
    "abstract": Command(
        "predabs.commands.abstract",
        "turn a C program and predicates into a Boolean program",
        "predabs abstract driver.c --predicates driver.preds -o driver.bp\n"
        "  predabs bebop driver.bp",
    ),
    "bebop": Command(
        "predabs.commands.bebop",
        "check whether a Boolean program can reach an error",
        "predabs bebop driver.bp --label ERROR",
    ),
    "store": Command(
        "predabs.commands.store",
        "look into the store of earlier checks, empty it, or write it out",
        "predabs store info\n  predabs store export -o store.json",
    ),
    "bench": Command(
        "predabs.commands.bench",
        "run predabs and other tools on many tasks under limits, and compare the answers",
        "predabs bench tasks/*.yml --property unreach-call --jobs 4 --limit 60\n"
        "  predabs bench tasks.set --run 'lazy=--engine lazy' --run 'cbmc=cbmc --unwind 20'\n"
        "  predabs bench table; predabs bench report bench.html",
    ),
}


def run() -> NoReturn:
    """Run the command line as a program. What is left in memory is not taken apart at the end:
    that takes a tenth of a short check."""
    code = main()
    if threading.active_count() > 1:
        sys.exit(code)  # which waits for them
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # it is closed, or nobody reads any more
            stream.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # file names and strings of a program may hold what the terminal cannot show
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            code = _dispatch(words)
        except SystemExit as stop:  # --help, --version and usage errors, from argparse
            code = int(stop.code or 0)
        sys.stdout.flush()
        return code
    except (InputError, UnsupportedFeature) as problem:
        return _fail(str(problem), EXIT_BAD_INPUT)
    except ResourceExhausted as problem:
        return _fail(str(problem), EXIT_UNKNOWN)
    except RecursionError as problem:
        return _fail(str(too_deep(problem)), EXIT_UNKNOWN)
    except MemoryError:
        return _fail("out of memory", EXIT_UNKNOWN)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # nobody reads any more; without this, the flush at exit would complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except Exception as bug:
        return _fail(_bug_report(bug, words), EXIT_BUG)


def _dispatch(words: list[str]) -> int:
    if words and words[0].partition("=")[0] == _SVCOMP:
        words = ["check", *words]
    # no option before the command takes a value, so the first plain word is the command
    chosen = next((word for word in words if not word.startswith("-")), None)
    parser = argparse.ArgumentParser(
        prog="predabs",
        description="A software model checker for C, and a laboratory for predicate abstraction.",
        epilog="`predabs COMMAND --help` tells more about a command. For example:\n"
        "  predabs cfa driver.c\n\n"
        "Exit codes: 0 done or TRUE, 1 FALSE, 2 bad input or usage, 3 UNKNOWN, "
        "70 a bug of predabs.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"predabs {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        subparser = subparsers.add_parser(
            name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=f"For example:\n  {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == chosen:
            module = _load(command)
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    args = parser.parse_args(words)
    code: int = args.run(args)
    return code


def _load(command: Command) -> ModuleType:
    """Its module. What modules make, they keep: to look for garbage meanwhile finds none."""
    gc.disable()
    try:
        return importlib.import_module(command.module)
    finally:
        gc.enable()


def _fail(message: str, code: int) -> int:
    print(f"predabs: {message}", file=sys.stderr)
    return code


def _bug_report(bug: Exception, words: list[str]) -> str:
    lines = "".join(traceback.format_exception(bug)).splitlines()
    whole = os.environ.get("PREDABS_DEBUG") == "1"
    shown = lines if whole else lines[-6:]
    return "\n".join(
        [
            "internal error: this is a bug of predabs, not of your program.",
            "Please report it, with the input if you can share it, and these lines:",
            f"  version: predabs {__version__}, Python {platform.python_version()}, "
            f"{platform.system()} {platform.machine()}",
            f"  command: predabs {shlex.join(words)}",
            *(f"  {line}" for line in shown),
            *([] if whole else ["Set PREDABS_DEBUG=1 to see the whole traceback."]),
        ]
    )
