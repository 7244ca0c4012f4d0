"""What every command that reads C has in common: its files, and the program that they are."""

from __future__ import annotations

import argparse

from ..errors import InputError
from ..frontend.load import load
from ..ir.cfa import ExternPointers, Program
from ..ir.types import DataModel
from .arguments import add_options


def add_source_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    """The C files, and the options of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a C file; several are linked")
    add_options(parser, command)


def load_program(args: argparse.Namespace) -> Program:
    """The program that the arguments name."""
    check_encodings(args)
    return load(
        args.files,
        DataModel[args.data_model],
        entry=args.entry,
        include=args.include,
        define=args.define,
        extern_pointers=ExternPointers(args.extern_pointers),
    )


def check_encodings(args: argparse.Namespace) -> None:
    """Refuse names of files, folders and macros that cannot be given to clang."""
    for word in (*args.files, *args.include, *args.define):
        _check_encoding(word)


def _check_encoding(word: str) -> None:
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"{word!r} is not UTF-8, and clang takes nothing else; rename it"
        ) from None
