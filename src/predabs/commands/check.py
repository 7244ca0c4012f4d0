"""`predabs check`: prove that an error cannot be reached, or show a run that reaches it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from ..api import Interrupted, check_with
from ..errors import InputError, NotInstalled, UnsupportedFeature
from ..evidence.native_run import NativeRun, run_test
from ..evidence.trace.text import TraceLine
from ..evidence.trace.trace import Trace
from ..frontend.compile_commands import sources_of
from ..frontend.language import language_of
from ..ir.cfa import Language
from ..options import Options, expanded
from ..output import check_writable, make_folder, write_atomically, write_result
from ..pipeline.advice import advice, short_reason, tried_lines
from ..pipeline.json_report import report
from ..pipeline.result import Answer, Result, StoreUse, Violation, WitnessPart
from ..pipeline.statistics_text import statistics_text
from ..records import replace
from ..store.place import users_store
from ..supervise import unwinding
from .arguments import chosen
from .source_options import add_source_arguments
from .terminal import line_printer

_WIDTH = 78  # of the line that shows the progress
_REACHED = "unreach-call"  # SV-COMP's name of the property that no error call is reached
EXIT_CODES = {Answer.TRUE: 0, Answer.FALSE: 1, Answer.UNKNOWN: 3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, "check")


def run(args: argparse.Namespace) -> int:
    """Check, write what was asked for, and give the exit code."""
    _refuse_for_spark(args)
    options = replace(
        chosen(Options, args),
        keep_rounds=args.keep is not None,
        keep_witness=args.witness is not None,
        keep_invariants=_shows_invariants(args),
        certify=args.certify or args.certificate is not None,
        store=_store(args),
        record=args.report is not None,
    )
    if args.witness is not None and args.property.endswith(".rule"):
        raise InputError("--witness: the format of witnesses has no words for usage rules")
    # before the work, so that it is not done for nothing
    if args.keep is not None:
        make_folder(Path(args.keep))
    for path in (args.json, args.sarif, args.report, args.certificate, args.witness, args.test):
        check_writable(path)
    if args.report == "-":
        raise InputError("--report writes a page for the browser into a file, not to the output")
    if args.svcomp is not None:
        options = replace(options, property=args.svcomp)
    show_line = line_printer()
    with unwinding():
        show = progress_line()
        try:
            result = _checked(args, options, show)
        except UnsupportedFeature as problem:
            if args.svcomp is None:
                raise
            show_line(f"VERDICT: UNKNOWN ({problem})")
            return EXIT_CODES[Answer.UNKNOWN]
        except Interrupted as interrupted:
            for text in tried_lines(interrupted.so_far):
                show_line(text)
            raise
        finally:
            if show is not None:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        if args.keep is not None:
            _write_rounds(Path(args.keep), result)
        _tell_of_store(result, args.store is not None or args.verbose)
        test = _test(args, result.violation)
        told = _write_certificate(args.certificate, result)
        if args.json is not None:
            indent = None if args.json == "-" else 2
            text = json.dumps(report(result, args.test, test), indent=indent)
            write_result(text + "\n", args.json)
        if args.sarif is not None:
            log = import_module("predabs.pipeline.sarif_report").sarif_log(
                result, tuple(args.files)
            )
            text = json.dumps(log, indent=2)
            write_result(text + "\n", args.sarif)
        if args.report is not None:
            # templates and colours take a while to load, and most checks do without
            pages = import_module("predabs.report.page")
            write_result(pages.page(result, tuple(args.files)), args.report)
        if result.witness is not None:
            text = _witness_text(result.witness, result, args, options)
            write_result(text, args.witness)
        elif args.witness is not None:
            print(f"predabs: {args.witness}: no witness: there is none to write", file=sys.stderr)
        if "-" not in (args.json, args.sarif, args.witness):
            for line in (*_lines(result, args.test, test, args.verbose), *told):
                show_line(line)
            if args.stats:
                print(statistics_text(result))
        violated = _violated(result.violation, args.svcomp)
        certification = result.certification
        note = violated or short_reason(result) or (certification.note if certification else "")
        show_line(f"VERDICT: {result.verdict.value}{f' ({note})' if note else ''}")
        return EXIT_CODES[result.verdict]


def _checked(
    args: argparse.Namespace, options: Options, show: Callable[[str], None] | None
) -> Result:
    """The check, here or on a cluster."""
    if args.cluster is None and args.workers is None:
        return check_with(args.files, options, show)
    if args.cluster is not None and args.workers is not None:
        raise InputError("--cluster names a cluster that runs, --workers starts one: give only one")
    try:
        module = import_module("predabs.remote.check")
    except ModuleNotFoundError as problem:
        raise NotInstalled(
            f"a cluster needs the library Dask distributed ({problem.name} is missing): "
            "pip install 'predabs[cluster]'"
        ) from problem
    found: Result = module.cluster_check(args.files, options, args.cluster, args.workers, show)
    return found


def _shows_invariants(args: argparse.Namespace) -> bool:
    """Does something that is written have those of a proof?"""
    return args.verbose or any(file is not None for file in (args.json, args.report, args.sarif))


def _store(args: argparse.Namespace) -> str | None:
    """The store: the one that is named, else that of the user."""
    if not args.use_store:
        return None
    named: str | None = args.store
    return named or users_store()


def _tell_of_store(result: Result, named: bool) -> None:
    """What the user has to know; that the user's own store cannot be used is nobody's fault."""
    if result.store is not None:
        for note in result.store.notes:
            if named or "renamed" in note:
                print(f"predabs: {note}", file=sys.stderr)


def _violated(violation: Violation | None, svcomp: str | None) -> str | None:
    """The part of the property that is violated, where it has a name; in SV-COMP, it has one."""
    if violation is None:
        return None
    return violation.subproperty or (_REACHED if svcomp is not None else None)


def _witness_text(
    part: WitnessPart, result: Result, args: argparse.Namespace, options: Options
) -> str:
    files = sources_of(args.files, options).files
    beside = [check for check in result.checks if check in expanded(options.checks)]
    description = f"checked beside the specification: {', '.join(beside)}" if beside else ""
    writer = import_module("predabs.evidence.witness.write_yaml")  # most checks do without
    task = writer.task_of(files, part.specification, options.data_model)
    text: str = writer.witness_text(part.content, task, ["predabs", *sys.argv[1:]], description)
    return text


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


def _write_certificate(path: str | None, result: Result) -> list[str]:
    """Write it if there is one, and say so."""
    if path is None or result.verdict is not Answer.TRUE or result.certification is None:
        return []
    if not result.certification.certified:
        return [f"certificate: {path}: not written, as it is not certified"]
    write_atomically(Path(path), result.certification.text)
    return [f"certificate: {path}"]


def _refuse_for_spark(args: argparse.Namespace) -> None:
    """What is written in C, or speaks of it, cannot be had of a SPARK program."""
    if language_of(args.files) is not Language.SPARK:
        return
    if args.test is not None:
        raise InputError("--test writes a test in C, and the program is SPARK")
    if args.witness is not None:
        raise InputError(
            "--witness writes SV-COMP's format, which is for C, and the program is SPARK; "
            "there are --report, --sarif and --json"
        )


def _test(args: argparse.Namespace, violation: Violation | None) -> NativeRun | None:
    if args.test is None or violation is None:
        return None
    path = Path(args.test)
    write_atomically(path, violation.test.text)
    return run_test(violation.test, path, tuple(violation.test.own) or args.files)


def _lines(
    result: Result, test_file: str | None, test: NativeRun | None, verbose: bool
) -> list[str | TraceLine]:
    """What a person reads."""
    lines: list[str | TraceLine] = []
    if result.externals:
        names = ", ".join(name for name, _ in result.externals)
        lines.append(f"assumed: functions without a body return anything and do nothing: {names}")
    lines += [f"assumed: {text}" for text in result.assumptions]
    lines += [f"changed: {text}" for text in result.changes]
    if result.violation is not None:
        lines += result.violation.trace.lines()
    if result.unconfirmed is not None:
        lines += [_about(result.unconfirmed), *result.unconfirmed.lines(confirmed=False)]
    if test is not None:
        lines.append(f"test: {test_file}: {test.text}")
    if verbose or result.verdict is Answer.UNKNOWN:
        lines += tried_lines(result)
    lines += advice(result)
    if verbose and result.store is not None:
        lines += _store_lines(result.store)
    if verbose:
        checks = f", checks {', '.join(result.checks)}" if result.checks else ", no checks"
        lines.append(f"checked: property {result.property}{checks}")
        lines += [f"invariant: {invariant}" for invariant in result.invariants]
        used = result.solver
        lines.append(
            f"{result.engine}: {result.seconds:.1f} s; solver: {used.calls} calls, "
            f"{used.cached} more known before, {used.seconds:.1f} s"
        )
        explanation = import_module("predabs.pipeline.explanation").explanation
        lines += [f"in short: {sentence}" for sentence in explanation(report(result))]
    return lines


def _store_lines(used: StoreUse) -> list[str]:
    """What the store had to do with it."""
    had = {"same": "had this check", "similar": "had a similar check"}.get(used.had)
    parts = [had or "had nothing that helps"]
    if used.given:
        parts.append("its verdict was checked again")
    if used.kept:
        parts.append("has it now")
    return [f"store: {used.file} {', '.join(parts)}"]


def _about(unconfirmed: Trace) -> str:
    """What a run is that was not confirmed."""
    if unconfirmed.error is not None:
        return "unconfirmed: this run comes to an error, but may be no run of the real program"
    return "unconfirmed: an engine takes this for the way to an error; the run ends before that"


def progress_line() -> Callable[[str], None] | None:
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
