"""How large a program is for the lazy engine: whether a localized one is worth a search, and
whether it is the best beginning. This loads no solver."""

from __future__ import annotations

from ...ir.cfa import Program

_LARGE, _PROCEDURES = 300, 10  # edges and functions of a program that is worth a localization
_VAST = 1000  # edges of one for which it is the best beginning


def _size(program: Program) -> int:
    """The edges of a program of many functions; 0 if it has few."""
    functions = program.functions.values()
    return sum(len(one.edges) for one in functions) if len(functions) >= _PROCEDURES else 0


def is_large(program: Program) -> bool:
    """Is a search in a localized program worth its time?"""
    return _size(program) >= _LARGE


def is_vast(program: Program) -> bool:
    """Is a program best searched as a localized one first? Recursion is no limit then."""
    return _size(program) >= _VAST
