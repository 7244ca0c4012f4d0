"""Complaints of generated code about accesses to variables whose bytes it addresses directly.

Soundness duty: each function that returns has looked at all bytes of the access.
"""

from __future__ import annotations

from typing import NoReturn

from ..ir.show import show_expr
from .compile.lvalues import Bound
from .memory import count_of
from .outcome import Failure
from .storage_layout import InBytes


def beyond(index: int, bound: Bound) -> NoReturn:
    """An index out of bounds."""
    side = "before the start" if index < 0 else "past the end"
    where = f"index {index}, length {bound.length}"
    raise Failure(f"{bound.verb} {side} of '{show_expr(bound.array)}' ({where})")


def within(offset: int, size: int, home: InBytes, verb: str) -> int:
    """The offset, if that many bytes of the variable follow it."""
    if 0 <= offset <= home.size - size:
        return offset
    side = "before the start" if offset < 0 else "past the end"
    where = f"offset {offset}, size {home.size}"
    raise Failure(f"{verb} of {count_of(size)} {side} of {home.name} ({where})")


def literal(size: int) -> NoReturn:
    raise Failure(f"write of {count_of(size)} in a string literal")
