"""A static variable order: variables that are used together stand together.

The FORCE heuristic [AMS03]: each statement pulls its variables to their common
centre, again and again; the order with the smallest total span wins. Any order is sound, a bad one
is slow.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

_ROUNDS = 40


def arrange(keys: Sequence[K], groups: Iterable[Iterable[K]]) -> list[K]:
    """The keys in an order that keeps the members of each group close.

    >>> arrange("abcdef", ["ad", "be", "cf"])
    ['a', 'd', 'b', 'e', 'c', 'f']
    """
    number = {key: i for i, key in enumerate(keys)}
    edges = {frozenset(number[key] for key in group) for group in groups}
    pulls = sorted(sorted(e) for e in edges if len(e) > 1)
    order = list(range(len(keys)))
    best = order
    best_span = _span(order, pulls)
    for _ in range(_ROUNDS):
        positions = _positions(order)
        total = [0.0] * len(keys)
        count = [0] * len(keys)
        for pull in pulls:
            centre = sum(positions[i] for i in pull) / len(pull)
            for i in pull:
                total[i] += centre
                count[i] += 1
        wish = [total[i] / count[i] if count[i] else positions[i] for i in range(len(keys))]
        new = sorted(order, key=lambda i: (wish[i], positions[i]))
        if new == order:
            break
        order = new
        span = _span(order, pulls)
        if span < best_span:
            best, best_span = order, span
    return [keys[i] for i in best]


def _positions(order: list[int]) -> list[int]:
    positions = [0] * len(order)
    for position, i in enumerate(order):
        positions[i] = position
    return positions


def _span(order: list[int], pulls: list[list[int]]) -> int:
    positions = _positions(order)
    return sum(max(positions[i] for i in p) - min(positions[i] for i in p) for p in pulls)
