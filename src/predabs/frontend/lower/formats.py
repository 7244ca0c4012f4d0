"""The formats of printf and scanf, as far as a call's meaning depends on them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import UnsupportedFeature
from .. import ast

_COUNTS = re.compile(r"(?<!%)(%%)*%[^a-zA-Z%]*(hh|ll|[hljzt])?n")  # the conversion %n
_CONVERSION = re.compile(r"%(\*?)(\d*)(?:hh|ll|[hljztLmq])?(\[\^?\]?[^]]*\]|.)", re.DOTALL)


def string_of(expr: ast.Expr) -> str | None:
    """The text of a string literal."""
    while isinstance(expr, ast.Cast):
        expr = expr.arg
    if not isinstance(expr, ast.StringLiteral):
        return None
    return "".join(chr(value & 255) for value in expr.values).rstrip("\0")


def refuse_counts(expr: ast.Call) -> None:
    """No format of output may have the conversion that writes a number."""
    if any(_COUNTS.search(text) for arg in expr.args if (text := string_of(arg)) is not None):
        raise UnsupportedFeature(f"{expr.coord}: the format '%n' is not supported")


def most_bytes(format_: str) -> Iterator[int | None]:
    """For each pointer that a format of scanf takes: how many characters it may write there, if
    these are characters and the format limits them.

    >>> list(most_bytes("%d %*s%9s%% %c%[a-z]%3c"))
    [None, 10, 1, None, 3]
    """
    for skipped, width, kind in _CONVERSION.findall(format_):
        if skipped or kind == "%":
            continue
        if kind == "c":
            yield int(width or 1)
        elif width and kind[0] in "s[":
            yield int(width) + 1
        else:
            yield None
