"""`predabs abstract`: turn a C program and predicates into a Boolean program."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from ..c2bp.boolean_code import text
from ..c2bp.names import MAIN
from ..c2bp.pipeline import (
    AbstractionOptions,
    BooleanAbstraction,
    abstraction_of,
    entry_for_callers,
    with_stored_bodies,
)
from ..c2bp.store.folder import Folder
from ..c2bp.store.stored_procedure import StoredProcedure
from ..errors import InputError, UnsupportedFeature
from ..frontend.language import language_of
from ..frontend.load import spark_module
from ..ir.cfa import Language, Program
from ..ir.ops import Error, ErrorKind
from ..options.command_options import Method
from ..output import write_result
from ..predicates.syntax.ada_file import ada_predicates
from ..predicates.syntax.file import read_predicates
from ..records import replace
from .source_options import add_source_arguments, load_program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, "abstract")


def run(args: argparse.Namespace) -> int:
    if language_of(args.files) is Language.SPARK:
        return _spark(args)
    if args.predicates is None:
        raise InputError("--predicates is needed: a file with the predicates to track")
    options = _options(args)
    program = load_program(args)
    _refuse_unsupported(program)
    folder = None if args.reuse is None else Folder(args.reuse)
    found = {} if folder is None else folder.procedures(program.externals)
    file = read_predicates(Path(args.predicates), with_stored_bodies(program, found))
    abstraction = abstraction_of(program, file, options, found, folder)
    if folder is not None:
        _save(folder, program.files, options, abstraction, found)
    _write(args, abstraction)
    return 0


def _spark(args: argparse.Namespace) -> int:
    """Abstract a SPARK program, for the runs in which no run-time check fails."""
    if args.reuse is not None:
        raise InputError("--reuse is for programs in C")
    source = spark_module().load(args.files, args.entry)
    notes = [remark.annotation for remark in source.remarks]
    for note in notes:
        if note.word == "method" and args.method is None:
            args.method = note.text.strip().lower()
            if args.method not in get_args(Method):
                raise InputError(f"{note.coord}: {args.method} is no method: cartesian or direct")
        elif note.word == "branches" and args.control is None:
            args.control = "predicates"
    file = ada_predicates(source, None if args.predicates is None else Path(args.predicates))
    options = replace(_options(args), open_environment=False, checked=True)
    _write(args, abstraction_of(source.without_checks(), file, options))
    return 0


def _write(args: argparse.Namespace, abstraction: BooleanAbstraction) -> None:
    write_result(text(abstraction.code), args.output)
    if abstraction.open_questions:
        print(
            f"predabs: {abstraction.open_questions} questions got no answer; what they would have "
            "told is unknown in the Boolean program",
            file=sys.stderr,
        )
    if abstraction.large_tables:
        print(
            f"predabs: {abstraction.large_tables} tables were too large; what their predicates are "
            "together is left open there (a --post-cube of 2 or 3 keeps tables small)",
            file=sys.stderr,
        )


def _refuse_unsupported(program: Program) -> None:
    """A Boolean program has no word for what is neither a violation nor none."""
    for function in program.functions.values():
        for edge in function.edges:
            if isinstance(edge.op, Error) and edge.op.kind is ErrorKind.UNSUPPORTED:
                raise UnsupportedFeature(f"{edge.coord}: {edge.op.text}")


def _options(args: argparse.Namespace) -> AbstractionOptions:
    direct = args.method == "direct"
    if args.post_cube is not None and not direct:
        raise InputError("--post-cube says how many predicates --method direct looks at together")
    return AbstractionOptions(
        args.max_cube,
        (args.post_cube or 0) if direct else None,
        branch_predicates=args.control == "predicates",
        open_environment=args.entry != MAIN,  # any other entry function may be called by anyone
    )


def _save(
    folder: Folder,
    files: Sequence[str],
    options: AbstractionOptions,
    abstraction: BooleanAbstraction,
    found: Mapping[str, StoredProcedure],
) -> None:
    """Write what is new, and the entry function of an open environment for its callers."""
    folder.save()
    if options.open_environment:
        program = abstraction.program
        kept = entry_for_callers(abstraction, found)
        if isinstance(kept, UnsupportedFeature):
            folder.forget(program.entry)
            folder.messages.append(
                f"{program.entry} is not stored for callers without its source: {kept}"
            )
        else:
            folder.keep(kept, [*files, *_origins(program)])
    for message in folder.messages:
        print(f"predabs: {message}", file=sys.stderr)


def _origins(program: Program) -> list[str]:
    """The files that functions and globals come from, headers included."""
    coords = [function.coord for function in program.functions.values()]
    return list(dict.fromkeys(c.file for c in (*coords, *(g.coord for g in program.globals))))
