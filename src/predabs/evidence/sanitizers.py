"""What a compiled run shows of an error, with the compiler's sanitizers for faults of C.

A run into an invalid access, a leak or an overflow ends a plain compiled program only by chance.
Built with a sanitizer the program says what went wrong, and where.

>>> sanitizer_options("deref")
('-g', '-fsanitize=address', '-fno-sanitize-recover=all')
>>> sanitizer_options("conversion") is None
True
>>> reported("a.c:3:9: runtime error: division by zero")
'division by zero at a.c:3:9'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..concrete.outcome import ErrorReached
from ..ir.ops import ErrorKind
from . import test_pieces

# what gcc and clang both have; uninitialised values and conversions only clang sees
_SANITIZERS: Mapping[str, str] = {
    "deref": "address",
    "free": "address",
    "leak": "address",
    "cleanup": "address",
    "bounds": "address",
    "null": "address",
    "div-by-zero": "integer-divide-by-zero",
    "signed-overflow": "signed-integer-overflow,integer-divide-by-zero",
    "shift": "shift",
    "float-cast-overflow": "float-cast-overflow",
    "unreachable": "unreachable",
    "vla-bound": "vla-bound",
}
# where a block can only be reached from a place that is about to end, it counts as lost
ENVIRONMENT: Mapping[str, str] = {
    "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:hard_rss_limit_mb=2048",
    "LSAN_OPTIONS": "use_stacks=0:use_registers=0",
    "UBSAN_OPTIONS": "halt_on_error=1",
}
_RUNTIME_ERROR = re.compile(r"^(\S+:\d+:\d+): runtime error: (.+)$", re.MULTILINE)
_SUMMARY = re.compile(r"^SUMMARY: \w+Sanitizer: (.+)$", re.MULTILINE)
_PLACE = re.compile(r"^(\S+) (\S+:\d+)(?::\d+)?(?: in \w+)?$")


def sanitizer_options(check: str | None) -> tuple[str, ...] | None:
    """What the compiler needs so that this fault is seen; None if no sanitizer sees it."""
    name = _SANITIZERS.get(check or "")
    return None if name is None else ("-g", f"-fsanitize={name}", "-fno-sanitize-recover=all")


def reported(errors: str) -> str | None:
    """What a sanitizer said on standard error, in short; None if it said nothing."""
    if found := _RUNTIME_ERROR.search(errors):
        return f"{found[2]} at {found[1]}"
    if (found := _SUMMARY.search(errors)) is None:
        return None
    place = _PLACE.match(found[1])
    return f"{place[1]} at {place[2]}" if place else found[1]


def is_seen(error: ErrorReached) -> bool:
    """Does a compiled program show the error, maybe with a sanitizer? It never sees a rule."""
    if error.kind is ErrorKind.CHECK:
        return sanitizer_options(error.check) is not None
    return error.kind is not ErrorKind.RULE


def what_is_seen(error: ErrorReached) -> str:
    """What a person who runs the test will see of the error."""
    if not is_seen(error):
        return "It follows the run, but does not see that the error is reached."
    if error.kind is ErrorKind.CHECK:
        return "The sanitizer of the compiler reports the error and ends the run."
    return f"It says '{test_pieces.MARKER}' and ends with exit code {test_pieces.REACHED}."
