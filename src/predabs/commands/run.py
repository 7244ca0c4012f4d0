"""`predabs run`: run a C program in the interpreter.

What the program prints goes to standard output; the trace, and one line on how the run ended, go
to standard error.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import assert_never

from ..concrete.inputs import Inputs, ListInputs, RandomInputs
from ..concrete.interpreter import execute
from ..concrete.outcome import (
    AssumeFailed,
    ErrorReached,
    ExecutedStep,
    Exhausted,
    Exited,
    Outcome,
    RunFault,
    StepLimit,
    Stopped,
    Value,
)
from ..errors import InputError, UnsupportedFeature
from ..ir.ada_text import AdaNames, ada_expr, ada_op
from ..ir.cfa import Edge, ExternPointers
from ..ir.expr import Lvalue
from ..ir.ops import ErrorKind
from ..ir.types import PointerType
from .source_options import add_source_arguments, load_program

_SHOWN_BYTES = 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source_arguments(parser, "run")


def run(args: argparse.Namespace) -> int:
    fresh = ExternPointers(args.extern_pointers) is ExternPointers.FRESH
    inputs = parse_inputs(args.inputs, args.seed, fresh)
    program = load_program(args)
    trace = partial(_show_step, program.ada) if args.trace else None
    try:
        outcome = execute(program, inputs, max_steps=args.max_steps, output=_print, trace=trace)
    finally:
        sys.stdout.flush()  # what was printed comes before what is said about the run
    if isinstance(outcome, ErrorReached) and outcome.kind is ErrorKind.UNSUPPORTED:
        raise UnsupportedFeature(summary(outcome, program.ada))
    print(summary(outcome, program.ada), file=sys.stderr)
    return exit_code(outcome)


def parse_inputs(text: str, seed: int | None, fresh: bool = False) -> Inputs:
    """The inputs that the options describe; random pointers lead to the environment if `fresh`.

    >>> parse_inputs("1,two", None)
    Traceback (most recent call last):
    predabs.errors.InputError: --inputs: 'two' is not a number
    """
    rest = None if seed is None else RandomInputs(seed, fresh)
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    return ListInputs([_number(word) for word in words], rest)


def _number(word: str) -> int | float:
    for read in (int, lambda text: int(text, 0), float):
        try:
            return read(word)
        except ValueError:
            continue
    raise InputError(f"--inputs: {word!r} is not a number")


def summary(outcome: Outcome, ada: AdaNames | None = None) -> str:
    """One line on how a run ended, with the place where it did."""
    match outcome:
        case Exited(status):
            return f"the program ended with status {status}"
        case Stopped(text, edge):
            return _at(edge, f"the program stopped: {text}")
        case AssumeFailed(edge):
            shown = ada_op(edge.op, ada)
            return _at(edge, f"the run ends here: the assumption {shown} does not hold")
        case ErrorReached(_, text, edge):
            return _at(edge, text)
        case RunFault(text, edge):
            return _at(edge, text)
        case StepLimit(steps):
            return f"the run was stopped after {steps} steps"
        case Exhausted(text, edge):
            return text if edge is None else _at(edge, text)
    assert_never(outcome)


def exit_code(outcome: Outcome) -> int:
    """0 if the run ended without an error, 1 with one, 3 if it did not end."""
    match outcome:
        case Exited() | Stopped() | AssumeFailed():
            return 0
        case ErrorReached() | RunFault():
            return 1
        case StepLimit() | Exhausted():
            return 3
    assert_never(outcome)


def _at(edge: Edge, text: str) -> str:
    return f"{edge.coord}: {text}"


def _print(data: bytes) -> None:
    sys.stdout.buffer.write(data)


def _show_step(ada: AdaNames | None, step: ExecutedStep) -> None:
    coord = step.edge.coord
    line = f"{coord.file}:{coord.line}: {ada_op(step.edge.op, ada)}"
    values = [f"{ada_expr(place, ada)} = {show_value(place, v)}" for place, v in step.values]
    for found in step.found:
        where = f"{ada_expr(found.lvalue, ada)} at {found.address:#x} (memory of the environment)"
        values.append(f"{where} = {show_value(found.lvalue, found.value)}")
    sys.stdout.flush()
    print(f"{line:<60}  {', '.join(values)}".rstrip(), file=sys.stderr)


def show_value(place: Lvalue, value: Value) -> str:
    """A value as a person likes to read it: addresses in hexadecimal, long bytes cut short."""
    if isinstance(value, bytes):
        more = f" ... ({len(value)} bytes)" if len(value) > _SHOWN_BYTES else ""
        return value[:_SHOWN_BYTES].hex(" ") + more
    if isinstance(value, int) and isinstance(place.type, PointerType):
        return hex(value) if value else "null"
    return str(value)
