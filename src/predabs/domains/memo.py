"""Memo tables that compute what they do not have.

A lookup of a stored result is one step of the interpreter, which matters where a structure asks
the same of thousands of elements. A table is emptied before it takes too much memory, so what it
computes must depend on the key alone.

>>> asked = []
>>> squares = MemoTable(lambda n: asked.append(n) or n * n)
>>> squares[3], squares[3], asked
(9, 9, [3])
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

_LIMIT = 1 << 14


class MemoTable(dict[K, R], Generic[K, R]):
    """The results of a function so far; `table[key]` computes what is missing."""

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[K], R]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: K) -> R:
        result = self._compute(key)
        if len(self) >= _LIMIT:
            self.clear()
        self[key] = result
        return result
