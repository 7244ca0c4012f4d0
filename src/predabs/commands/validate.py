"""`predabs validate WITNESS FILE...`: confirm a witness, whoever has written it."""

from __future__ import annotations

import argparse
import sys

from ..errors import InputError
from ..evidence.witness.read_file import read_witness
from ..frontend.language import language_of
from ..ir.cfa import Language
from ..options import Options
from ..pipeline.advice import tried_lines
from ..pipeline.result import Answer
from ..records import replace
from ..supervise import unwinding
from ..validation import validate
from .arguments import chosen
from .check import EXIT_CODES, progress_line
from .source_options import add_source_arguments
from .terminal import line_printer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "witness", metavar="WITNESS", help="a witness in format 2.0 (YAML) or 1.0 (GraphML)"
    )
    add_source_arguments(parser, "validate")
    parser.set_defaults(data_model=None, property=None)


def run(args: argparse.Namespace) -> int:
    """Validate, tell what was found, and give the exit code."""
    if language_of(args.files) is Language.SPARK:
        raise InputError(f"{args.files[0]}: witnesses are about C, and the program is SPARK")
    witness = read_witness(args.witness)
    own = args.property is not None
    args.property = args.property or "assert"
    args.data_model = args.data_model or witness.task.data_model
    options = replace(chosen(Options, args))
    show_line = line_printer()
    with unwinding():
        show = progress_line()
        try:
            found = validate(witness, args.files, options, show, own_property=own)
        finally:
            if show is not None:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        show_line(f"witness: {args.witness}, by {witness.producer}")
        if found.verdict is Answer.FALSE and found.result.violation is not None:
            for line in found.result.violation.trace.lines():
                show_line(line)
        if args.verbose:
            for text in tried_lines(found.result):
                show_line(text)
            for invariant in found.result.invariants:
                show_line(f"invariant: {invariant}")
            show_line(f"{found.result.engine}: {found.result.seconds:.1f} s")
        for note in found.notes:
            show_line(note)
        reason = " ".join(found.reason.split())
        if found.verdict is Answer.TRUE and found.result.certification is not None:
            reason = found.result.certification.note  # of the program with the witness put in
        show_line(f"VERDICT: {found.verdict.value}{f' ({reason})' if reason else ''}")
        return EXIT_CODES[found.verdict]
