"""The functions of math.h whose results C leaves to the library: those of the library here.

A run that goes through sin or pow has the values that the program has on this machine.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from ..errors import UnsupportedFeature


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL("libm.so.6")


@cache
def _function(name: str, arity: int) -> Callable[..., float]:
    try:
        found = getattr(_library(), name)
    except (OSError, AttributeError):
        raise UnsupportedFeature(f"the C library here has no {name}") from None
    number = ctypes.c_float if name.endswith("f") else ctypes.c_double
    found.restype, found.argtypes = number, [number] * arity
    return found  # type: ignore[no-any-return]


def call(name: str, *args: float) -> float:
    """The function of this name; with an f at its end that of float.

    >>> call("cos", 0.0), call("atan2f", 0.0, -1.0)
    (1.0, 3.1415927410125732)
    """
    return _function(name, len(args))(*args)


_ONE = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1")
_MORE = ("log", "log2", "log10", "log1p", "cbrt", "pow", "atan2", "hypot")
IN_LIBRARY = frozenset((*_ONE, *_MORE))
"""Operators by their values."""
