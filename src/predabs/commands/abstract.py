"""`predabs abstract`: turn a C program and predicates into a Boolean program."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from ..c2bp.boolean_code import text
from ..c2bp.branch_predicates import with_conditions
from ..c2bp.direct.method import Direct
from ..c2bp.file_predicates import given, with_used_results
from ..c2bp.open_environment import opened
from ..c2bp.program import Abstract, ProgramPredicates, abstract
from ..c2bp.result_variables import with_results
from ..c2bp.store.folder import Folder
from ..c2bp.store.stored_procedure import StoredProcedure, attached, stored
from ..errors import InputError, UnsupportedFeature
from ..ir.cfa import Program
from ..output import write_result
from ..predicates.syntax.file import read_predicates
from .source_options import add_source_arguments, load_program

_START = "main"  # any other entry function may be called by anyone
_SECONDS = 10.0  # for one question to a solver; then the predicate becomes unknown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, "abstract")


def run(args: argparse.Namespace) -> int:
    method = _method(args)
    program = load_program(args)
    folder = None if args.reuse is None else Folder(args.reuse)
    found = {} if folder is None else folder.procedures(program.externals)
    program = attached(program, found)
    file = read_predicates(Path(args.predicates), with_results(program))
    program = with_used_results(program, file)
    outside = args.entry != _START
    if outside:
        program = opened(program)
    predicates = given(file, found)
    conditions = args.control == "predicates"
    result = abstract(
        program,
        with_conditions(program, predicates) if conditions else predicates,
        args.max_cube,
        lambda: _SECONDS,
        memory=folder,
        outside=outside,
        method=method,
        named=conditions,
        found=found,
    )
    if folder is not None:
        _save(folder, args, program, predicates, result, found)
    write_result(text(result.code), args.output)
    if result.open_questions:
        print(
            f"predabs: {result.open_questions} questions got no answer; what they would have told "
            "is unknown in the Boolean program",
            file=sys.stderr,
        )
    if method is not None and method.counts.large:
        print(
            f"predabs: {method.counts.large} tables were too large; what their predicates are "
            "together is left open there (a --post-cube of 2 or 3 keeps tables small)",
            file=sys.stderr,
        )
    return 0


def _save(
    folder: Folder,
    args: argparse.Namespace,
    program: Program,
    predicates: ProgramPredicates,
    result: Abstract,
    found: Mapping[str, StoredProcedure],
) -> None:
    """Write what is new, and the entry function of an open environment for its callers."""
    folder.save()
    if args.entry != _START:
        mine = result.interfaces[program.entry]
        try:
            kept = stored(program, mine, predicates.shared, result.code, found)
            folder.keep(kept, [*args.files, *_origins(program)])
        except UnsupportedFeature as problem:
            folder.forget(program.entry)
            folder.messages.append(
                f"{program.entry} is not stored for callers without its source: {problem}"
            )
    for message in folder.messages:
        print(f"predabs: {message}", file=sys.stderr)


def _origins(program: Program) -> list[str]:
    """The files that functions and globals come from, headers included."""
    coords = [function.coord for function in program.functions.values()]
    return list(dict.fromkeys(c.file for c in (*coords, *(g.coord for g in program.globals))))


def _method(args: argparse.Namespace) -> Direct | None:
    """How blocks are abstracted; None for statement by statement."""
    if args.method == "direct":
        return Direct(args.post_cube or 0)
    if args.post_cube is not None:
        raise InputError("--post-cube says how many predicates --method direct looks at together")
    return None
