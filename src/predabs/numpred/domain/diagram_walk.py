"""Recursion without the interpreter's stack: BDDs may have thousands of levels.

A recursive function is written as a generator that yields the calls it needs (as generators) and
returns its answer; `run` keeps the stack.

>>> def total(n):
...     return 0 if n == 0 else n + (yield total(n - 1))
>>> run(total(5000))
12502500
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeAlias, TypeVar

R = TypeVar("R")

# what a step yields are other steps; what it is sent back is their answer
Steps: TypeAlias = Generator[Any, Any, R]


def run(steps: Steps[R], look: Callable[[], None] | None = None) -> R:
    """The answer of a recursive function that is written as a generator; `look` is called for
    each call, and may raise."""
    stack: list[Steps[Any]] = [steps]
    answer: Any = None
    while stack:
        try:
            call = stack[-1].send(answer)
        except StopIteration as done:
            stack.pop()
            answer = done.value
        else:
            stack.append(call)
            answer = None
            if look is not None:
                look()
    result: R = answer
    return result


K = TypeVar("K")
_LIMIT = 1 << 18


def remember(table: dict[K, R], key: K, value: R) -> R:
    """Put an answer into a memo table, which is emptied before it takes too much memory."""
    if len(table) >= _LIMIT:
        table.clear()
    table[key] = value
    return value
