"""`predabs certify`: check the certificate of a proof, without any engine."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..evidence.obligations import CertificateRefuted, Certified
from ..pipeline.certification import CheckedCertificate, check_certificate, unchecked
from ..supervise import ChildFinished, Crashed, OutOfMemory, OutOfTime, ProcessLimits, supervise
from .arguments import add_options
from .terminal import line_printer

_CERTIFIED, _REFUTED, _UNDECIDED = 0, 1, 3
_OVERTIME = 1.05  # times the limit: then the process is ended


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
        found = _supervised(text, args.files, args.timeout)
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


def _supervised(text: str, files: Sequence[str], timeout: float | None) -> CheckedCertificate:
    """Check it in a child process: a solver may crash, or not look at its clock."""
    end = None if timeout is None else time.monotonic() + timeout

    def work() -> CheckedCertificate:
        left = None if end is None else max(0.0, end - time.monotonic())
        return check_certificate(text, files, left)

    limits = ProcessLimits(None if timeout is None else _OVERTIME * timeout, None, None)
    match supervise(lambda send: work(), limits, lambda message: None):
        case ChildFinished(found):
            checked: CheckedCertificate = found
            return checked
        case OutOfTime():
            reason = "the time limit was reached"
        case OutOfMemory():
            reason = "there is not enough memory"
        case Crashed(problem):
            reason = f"the check crashed, probably inside a solver: {problem}"
    return unchecked(reason)
