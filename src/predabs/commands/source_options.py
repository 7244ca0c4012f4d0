"""What every command that reads C has in common: its files, and the program that they are."""

from __future__ import annotations

import argparse

from ..errors import InputError
from ..frontend.compile_commands import Sources, sources_of
from ..frontend.load import load
from ..ir.cfa import ExternPointers, Program
from ..ir.types import DataModel
from ..options.table import ModuleOptions
from .arguments import add_options, chosen


def add_source_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    """The C files, and the options of the command."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="a C file; several are linked (none at all: those of --compile-commands)",
    )
    add_options(parser, command)


def load_program(args: argparse.Namespace) -> Program:
    """The program that the arguments name."""
    sources = chosen_sources(args)
    return load(
        sources.files,
        DataModel[args.data_model],
        entry=args.entry,
        flags=sources.flags,
        extern_pointers=ExternPointers(args.extern_pointers),
        malloc_may_fail=args.malloc_may_fail,
        volatile=args.volatile,
    )


def chosen_sources(args: argparse.Namespace) -> Sources:
    """The files and their flags; refuses what cannot be given to clang."""
    sources = sources_of(args.files, chosen(ModuleOptions, args))
    for file in sources.files:
        for word in (file, *sources.flags.of(file).words):
            _check_encoding(word)
    return sources


def _check_encoding(word: str) -> None:
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"{word!r} is not UTF-8, and clang takes nothing else; rename it"
        ) from None
