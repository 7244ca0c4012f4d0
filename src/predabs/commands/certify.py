"""`predabs certify`: check the certificate of a proof, without any engine."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..api import certify
from ..errors import InputError
from ..evidence.obligations import CertificateRefuted, Certified
from .arguments import add_options
from .terminal import line_printer

_CERTIFIED, _REFUTED, _UNDECIDED = 0, 1, 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "certificate",
        metavar="CERTIFICATE",
        help="what `predabs check --certificate CERTIFICATE` wrote",
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="the C files that were checked, in that order"
    )
    add_options(parser, "certify")


def run(args: argparse.Namespace) -> int:
    """Check the certificate and give the exit code."""
    try:
        text = Path(args.certificate).read_text("utf-8")
    except OSError as problem:
        raise InputError(
            f"{args.certificate}: cannot read: {problem.strerror or problem}"
        ) from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"{args.certificate}: this is no text: {problem}") from None
    try:
        found = certify(text, args.files, args.timeout)
    except InputError as problem:
        raise InputError(f"{args.certificate}: {problem}") from None
    show = line_printer()
    show(f"about: {found.about}")
    if found.method:
        show(f"proof: {found.method}")
    match found.answer:
        case Certified(solvers):
            by = " and ".join(solvers)
            show(f"CERTIFICATE: VALID ({f'by {by}' if by else 'without a solver'})")
            return _CERTIFIED
        case CertificateRefuted(where, why):
            show(f"CERTIFICATE: REFUTED ({where}: {why})")
            return _REFUTED
        case unchecked:
            show(f"CERTIFICATE: UNDECIDED ({unchecked.reason})")
            return _UNDECIDED
