"""Difference-bound matrices of integer octagons [Min06], kept tightly closed [BHZ08a].

A variable x of index k has the two signed variables `V[2k] = x` and `V[2k + 1] = -x`, and
`rows[i][j]` is the greatest value of `V[i] - V[j]`, infinite where there is none. So
`rows[i][i ^ 1]` is twice the greatest value of V[i]. Every entry stands twice: that of (i, j)
also at (j ^ 1, i ^ 1). Tightly closed means that each entry is the least that the others imply
over the integers; then no point is lost or gained by comparing entry by entry.

Soundness duty: `add` and `close` keep the integer points and no others, and give None only where
there is none. Closing needs one pass over the shortest paths, then rounding of the entries
`[i][i ^ 1]` to even numbers, then one strengthening by them; after a single new entry the paths
through it are enough, which is quadratic.

Numbers are Python's, so that the ranges of all C types fit; the matrices are small because
`octagon` keeps unrelated variables apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

Row = Sequence[float]  # integers, or infinity
Rows = tuple[tuple[float, ...], ...]


def half(rows: Sequence[Row], i: int) -> float:
    """The greatest value of a signed variable."""
    bound = rows[i][i ^ 1]
    return bound if bound == inf else bound // 2


def halves(rows: Sequence[Row]) -> list[float]:
    """The greatest value of each signed variable."""
    return [half(rows, i) for i in range(len(rows))]


def add(rows: Rows, i: int, j: int, bound: int) -> Rows | None:
    """With `V[i] - V[j] <= bound` for two different signed variables; an even bound if they are
    the two of one variable."""
    if rows[i][j] <= bound:
        return rows
    back, forth = rows[j], rows[i ^ 1]
    around = bound + rows[i ^ 1][i] + bound
    across = bound + rows[j][j ^ 1] + bound
    result: list[Row] = []
    for row in rows:
        first = min(row[i] + bound, row[j ^ 1] + around)
        second = min(row[j ^ 1] + bound, row[i] + across)
        new: Row = row
        if first != inf:
            new = _via(new, first, back)
        if second != inf:
            new = _via(new, second, forth)
        result.append(new)
    return _tighten(result)


def close(rows: Sequence[Row]) -> Rows | None:
    """The tight closure of a matrix in which every entry stands twice."""
    result = [list(row) for row in rows]
    for k in range(len(result)):
        via = result[k]
        for i, row in enumerate(result):
            step = row[k]
            if step != inf and i != k:
                result[i] = _via(row, step, via)
    return _tighten(result)


def _via(row: Row, step: float, rest: Row) -> list[float]:
    """Each entry, or the way through `step` and the rest where that is shorter."""
    return [x if x <= (y := step + z) else y for x, z in zip(row, rest, strict=True)]


def _tighten(rows: Sequence[Row]) -> Rows | None:
    """Round and strengthen a matrix that is closed under paths."""
    if any(row[i] < 0 for i, row in enumerate(rows)):
        return None
    most = halves(rows)
    if any(most[i] + most[i + 1] < 0 for i in range(0, len(most), 2)):
        return None
    other = [most[i ^ 1] for i in range(len(most))]
    result = []
    for i, (row, own) in enumerate(zip(rows, most, strict=True)):
        if own != inf:
            new = _via(row, own, other)
            new[i] = 0
            result.append(tuple(new))
        else:
            result.append(tuple(row))
    return tuple(result)


def chosen(rows: Sequence[Row], variables: Sequence[int]) -> Rows:
    """The matrix of some of the variables, in the order given; the others are forgotten."""
    signed = [index for k in variables for index in (2 * k, 2 * k + 1)]
    return tuple(tuple(rows[i][j] for j in signed) for i in signed)


def assigned(rows: Rows, variable: int, sign: int, offset: int) -> Rows:
    """After `x := sign * x + offset`."""
    plus, minus = 2 * variable, 2 * variable + 1
    order = list(range(len(rows)))
    if sign < 0:
        order[plus], order[minus] = minus, plus
    shift = [0] * len(rows)
    shift[plus], shift[minus] = offset, -offset
    return tuple(
        tuple(rows[a][b] + here - there for b, there in zip(order, shift, strict=True))
        for a, here in zip(order, shift, strict=True)
    )


def groups(rows: Rows) -> list[list[int]]:
    """The variables in groups such that entries between two groups follow from the bounds of the
    single variables. Variables about which nothing is said are in none."""
    most = halves(rows)
    left = list(range(len(rows) // 2))
    result = []
    while left:
        group = [left.pop(0)]
        for k in group:
            near = [other for other in left if _related(rows, most, k, other)]
            group += near
            left = [other for other in left if other not in near]
        first = group[0]
        if len(group) > 1 or most[2 * first] != inf or most[2 * first + 1] != inf:
            result.append(sorted(group))
    return result


def _related(rows: Rows, most: Sequence[float], k: int, other: int) -> bool:
    return any(
        rows[i][j] < most[i] + most[j ^ 1]
        for i in (2 * k, 2 * k + 1)
        for j in (2 * other, 2 * other + 1)
    )


def reduced(rows: Rows) -> list[tuple[int, int, bool]]:
    """Entries (i, j, equal) that imply all others, few of them: no closed path of length zero is
    left among those that are not `equal`, so what follows from others may go at once.

    `equal` says that `V[i] - V[j]` is not only at most but exactly the entry.
    """
    size = len(rows)
    most = halves(rows)
    found: list[tuple[int, int, bool]] = []
    leaders: list[int] = []
    for i in range(0, size, 2):
        leader = next(j for j in range(size) if rows[i][j] + rows[j][i] == 0)
        if rows[i][i + 1] + rows[i + 1][i] == 0:
            found.append((i, i + 1, True))
        elif leader < i:
            found.append((i, leader, True))
        else:
            leaders += (i, i + 1)
    for i in leaders:
        for j in leaders:
            entry = rows[i][j]
            if i == j or entry == inf or (j ^ 1, i ^ 1) < (i, j):
                continue
            if j != i ^ 1 and entry >= most[i] + most[j ^ 1]:
                continue
            if all(rows[i][k] + rows[k][j] > entry for k in leaders if k not in (i, j)):
                found.append((i, j, False))
    return found
