"""The options that every command that reads C has in common, and the program they describe."""

from __future__ import annotations

import argparse

from ..errors import InputError
from ..frontend.build import load
from ..ir.cfa import Program
from ..ir.types import DataModel


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """The C files, and how to read them."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a C file; several are linked")
    parser.add_argument(
        "--entry", default="main", metavar="F", help="the function a run starts in (default: main)"
    )
    parser.add_argument(
        "--data-model",
        choices=[model.name for model in DataModel],
        default=DataModel.LP64.name,
        help="how wide long and pointers are: ILP32 is 32 bits, LP64 is 64 (default: LP64)",
    )
    parser.add_argument(
        "-I",
        dest="include",
        action="append",
        default=[],
        metavar="DIR",
        help="look for #include files here too; may be given several times",
    )
    parser.add_argument(
        "-D",
        dest="define",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="define a macro (NAME alone: as 1); may be given several times",
    )


def load_program(args: argparse.Namespace) -> Program:
    """The program that the arguments name."""
    for word in (*args.files, *args.include, *args.define):
        _check_encoding(word)
    return load(
        args.files,
        DataModel[args.data_model],
        entry=args.entry,
        include=args.include,
        define=args.define,
    )


def _check_encoding(word: str) -> None:
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"{word!r} is not UTF-8, and clang takes nothing else; rename it"
        ) from None
