"""`predabs harness`: write a main function for a module that has none."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ..errors import InputError
from ..frontend.language import language_of
from ..harness.module_functions import read_functions
from ..harness.plan import choose
from ..harness.text import Request, write_harness
from ..ir.cfa import Language
from ..ir.types import DataModel
from ..output import write_result
from .source_options import add_source_arguments, chosen_sources


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, "harness")


def run(args: argparse.Namespace) -> int:
    sources = chosen_sources(args)
    if language_of(sources.files) is Language.SPARK:
        raise InputError(
            f"{sources.files[0]}: SPARK needs no harness: predabs check without a main procedure "
            "checks every subprogram for all callers (--entry P only one)"
        )
    _check_output(args.output, sources.files)
    request = Request(
        args.entry,
        args.pointers == "own",
        args.non_null,
        args.output,
        DataModel[args.data_model],
        sources.flags.common,
        args.compile_commands,
    )
    module = read_functions(sources.files, request.data_model, sources.flags)
    plan = choose(module, args.init, args.exit, args.call, args.table)
    harness = write_harness(module, plan, request)
    write_result(harness.text, args.output)
    if request.path == args.output:
        for remark in plan.remarks:
            print(f"predabs: {remark}", file=sys.stderr)
        print(f"predabs: check it with: {harness.command}", file=sys.stderr)
    return 0


def _check_output(output: str | None, files: Sequence[str]) -> None:
    """Refuse to write over the module, or into a folder that there is not."""
    if output is None or output == "-":
        return
    if any(os.path.realpath(output) == os.path.realpath(file) for file in files):
        raise InputError(f"{output}: this is a file of the module; write the harness to another")
    if not os.path.isdir(os.path.dirname(output) or "."):
        raise InputError(f"{output}: cannot write: no such folder")
