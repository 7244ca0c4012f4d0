"""`predabs cfa`: show a C program as control flow automata."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from difflib import get_close_matches

from ..errors import InputError
from ..ir.cfa import Function, Program
from ..ir.export import dot, to_json
from ..ir.listing import show_function, show_program
from ..output import write_result
from .source_options import add_source_arguments, load_program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, "cfa")


def run(args: argparse.Namespace) -> int:
    program = load_program(args)
    only = None if args.function is None else find_function(program, args.function)
    write_result(_render(program, only, args.format), args.output)
    return 0


def _render(program: Program, only: Function | None, form: str) -> str:
    match form:
        case "dot":
            return dot(program, only)
        case "json":
            return to_json(program, only)
    return show_program(program) if only is None else show_function(only, program)


def find_function(program: Program, name: str) -> Function:
    """The function of this name; an error that helps if there is none."""
    function = program.functions.get(name)
    if function is not None:
        return function
    if name in program.externals:
        raise InputError(f"function {name} has no body in the given files")
    near = get_close_matches(name, program.functions, n=3, cutoff=0.5)
    hint = (
        f"did you mean {' or '.join(near)}?" if near else f"these are: {_some(program.functions)}"
    )
    raise InputError(f"{program.entry} reaches no function {name}; {hint}")


def _some(names: Iterable[str]) -> str:
    known = sorted(names)
    return ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
