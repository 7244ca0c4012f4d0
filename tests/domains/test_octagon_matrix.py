"""Matrices of octagons: one entry at a time against all at once, and both against points."""

from __future__ import annotations

from itertools import product
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.domains.octagon_matrix import Rows, add, close

SIZE = 3  # variables
SIGNED = range(2 * SIZE)
TOP: Rows = tuple(tuple(0 if i == j else inf for j in SIGNED) for i in SIGNED)
GRID = [[n for x in point for n in (x, -x)] for point in product(range(-5, 6), repeat=SIZE)]

Entry = tuple[int, int, int]

# V[i] - V[j] <= bound, where the bound is twice that of a variable if i and j are the same one's
entries: st.SearchStrategy[Entry] = (
    st.tuples(st.sampled_from(SIGNED), st.sampled_from(SIGNED), st.integers(-6, 6))
    .filter(lambda entry: entry[0] != entry[1])
    .map(lambda entry: (*entry[:2], 2 * entry[2]) if entry[0] == entry[1] ^ 1 else entry)
)


def with_entries(new: list[Entry]) -> list[list[float]]:
    rows = [list(row) for row in TOP]
    for i, j, bound in new:
        for a, b in ((i, j), (j ^ 1, i ^ 1)):
            rows[a][b] = min(rows[a][b], bound)
    return rows


@given(st.lists(entries, max_size=7))
def test_adding_entries_one_by_one_is_closing_once(new: list[Entry]) -> None:
    step: Rows | None = TOP
    for entry in new:
        step = None if step is None else add(step, *entry)
    assert step == close(with_entries(new))


@given(st.lists(entries, max_size=5))
def test_entries_are_the_least_over_the_integers(new: list[Entry]) -> None:
    """Inside a box of -5 to 5 all points are at hand."""
    box = [(i, i ^ 1, 10) for i in SIGNED]
    found = [v for v in GRID if all(v[i] - v[j] <= bound for i, j, bound in new)]
    closed = close(with_entries(new + box))
    if not found:
        assert closed is None
        return
    assert closed is not None
    for i, j in product(SIGNED, SIGNED):
        assert closed[i][j] == max(v[i] - v[j] for v in found)


@pytest.mark.parametrize("bound", [0, 2**64, -(2**64), 2**70 + 1])
def test_large_numbers_are_exact(bound: int) -> None:
    closed = add(TOP, 0, 2, bound)
    assert closed is not None
    more = add(closed, 2, 4, 1)
    assert more is not None
    assert more[0][4] == bound + 1
    assert more[5][1] == bound + 1
