"""Covers of Boolean functions by prime implicants [Mir13, section 9].

A cube is a pair of bit masks: the columns that it speaks of, and which of these are true; a point
is the mask of the columns that are true in it. All prime implicants of a cover are found by the
recursive consensus theorem, and a few of them are chosen that cover what must be covered.

Soundness duty: no cube of `cover(on, off, ...)` holds in a point of `off`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

Bits: TypeAlias = tuple[int, int]  # the columns, and those of them that are true

EVERYTHING: Bits = (0, 0)

_MOST_COLUMNS = 10  # of a function whose prime implicants are all listed


def holds(cube: Bits, point: int) -> bool:
    return point & cube[0] == cube[1]


def differing(one: Bits, two: Bits) -> int:
    """The columns in which the cubes differ; their number is the distance of [Mir13]."""
    return one[0] & two[0] & (one[1] ^ two[1])


def consensus(one: Bits, two: Bits) -> Bits | None:
    """What two cubes that differ in one column imply without it; None if they differ in others.

    >>> consensus((0b11, 0b01), (0b101, 0b000))  # a & !b, and !a & !c
    (6, 0)
    """
    differences = differing(one, two)
    if differences.bit_count() != 1:
        return None
    return (one[0] | two[0]) & ~differences, (one[1] | two[1]) & ~differences


def contains(large: Bits, small: Bits) -> bool:
    """Single-cube containment: has the larger one all points of the smaller one?"""
    return large[0] & ~small[0] == 0 and small[1] & large[0] == large[1]


def largest(cubes: Iterable[Bits]) -> list[Bits]:
    """The cubes that no other one contains (SCC in [Mir13]), the largest first."""
    found: list[Bits] = []
    for cube in sorted(set(cubes), key=lambda c: (c[0].bit_count(), c)):
        if not any(contains(other, cube) for other in found):
            found.append(cube)
    return found


def cofactor(cubes: Iterable[Bits], column: int, value: bool) -> list[Bits]:
    """The function where the column has a value; the cubes that do not speak of it stay."""
    bit = 1 << column
    wanted = bit if value else 0
    return [
        (cube[0] & ~bit, cube[1] & ~bit)
        for cube in cubes
        if not cube[0] & bit or cube[1] & bit == wanted
    ]


def _splitting(cubes: Iterable[Bits]) -> int | None:
    """The column that most cubes speak of, among those that occur with both values."""
    found: Counter[int] = Counter()
    positive, negative = 0, 0
    for care, value in cubes:
        positive |= value
        negative |= care & ~value
        found.update(columns_of(care))
    both = positive & negative
    return max(columns_of(both), key=lambda c: (found[c], -c)) if both else None


def columns_of(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def primes(cubes: Iterable[Bits]) -> list[Bits]:
    """All prime implicants of the disjunction of the cubes [Mir13, theorem 3].

    The recursion ends where no column occurs with both values: then every prime implicant is
    among the cubes.

    >>> primes([(0b11, 0b11), (0b101, 0b100)])  # a & b, and !a & c
    [(3, 3), (5, 4), (6, 6)]
    """
    cubes = largest(cubes)
    column = _splitting(cubes)
    if column is None:
        return cubes
    bit = 1 << column
    without = [(c | bit, v) for c, v in primes(cofactor(cubes, column, False))]
    with_it = [(c | bit, v | bit) for c, v in primes(cofactor(cubes, column, True))]
    between = [consensus(one, two) for one in with_it for two in without]
    return largest([*with_it, *without, *(cube for cube in between if cube is not None)])


def complement(cubes: Collection[Bits]) -> list[Bits]:
    """Cubes that have all points that these do not have.

    >>> complement([(0b11, 0b11)])
    [(1, 0), (2, 0)]
    """
    if not cubes:
        return [EVERYTHING]
    if EVERYTHING in cubes:
        return []
    if len(cubes) == 1:
        [(care, value)] = cubes
        return [(1 << column, ~value & 1 << column) for column in columns_of(care)]
    column = _splitting(cubes)
    if column is None:
        column = next(columns_of(next(iter(cubes))[0]))
    bit = 1 << column
    without = dict.fromkeys(complement(dict.fromkeys(cofactor(cubes, column, False))))
    with_it = dict.fromkeys(complement(dict.fromkeys(cofactor(cubes, column, True))))
    return [
        *(cube for cube in without if cube in with_it),
        *((c | bit, v) for c, v in without if (c, v) not in with_it),
        *((c | bit, v | bit) for c, v in with_it if (c, v) not in without),
    ]


def cover(on: Collection[int], off: Collection[int], columns: Sequence[int]) -> list[Bits]:
    """Prime implicants that have all points of `on` and none of `off`; in all other points they
    may hold or not. Large functions get good cubes only, not the best."""
    if not on:
        return []
    whole = sum(1 << column for column in columns)
    if len(columns) <= _MOST_COLUMNS:
        found = primes(complement([(whole, point) for point in off]))
        return _chosen(sorted(on), found)
    waiting = dict.fromkeys(sorted(on))
    cubes = []
    while waiting:
        cube = _grown(next(iter(waiting)), off, columns)
        cubes.append(cube)
        for point in [point for point in waiting if holds(cube, point)]:
            del waiting[point]
    return _chosen(sorted(on), cubes)


def _grown(point: int, off: Iterable[int], columns: Sequence[int]) -> Bits:
    """A prime implicant that has the point: columns are dropped as long as no point of `off` comes
    in."""
    care = sum(1 << column for column in columns)
    differences = [(point ^ other) & care for other in off]
    for column in columns:
        bit = 1 << column
        if not any(care & mask == bit for mask in differences):
            care &= ~bit
    return care, point & care


def _chosen(points: Sequence[int], cubes: Sequence[Bits]) -> list[Bits]:
    """Cubes that cover all points: those that alone have some point, then the largest, as long as
    they bring a new one."""
    masks = [sum(holds(cube, p) << n for n, p in enumerate(points)) for cube in cubes]
    once, twice = 0, 0
    for mask in masks:
        twice |= once & mask
        once |= mask
    order = sorted(range(len(cubes)), key=lambda n: (cubes[n][0].bit_count(), cubes[n]))
    chosen = [n for n in order if masks[n] & once & ~twice]
    missing = (1 << len(points)) - 1
    for n in chosen:
        missing &= ~masks[n]
    while missing:
        best = max(order, key=lambda n: (masks[n] & missing).bit_count())
        chosen.append(best)
        missing &= ~masks[best]
    return [cubes[n] for n in sorted(chosen, key=order.index)]
