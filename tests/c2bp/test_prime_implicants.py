"""Covers and prime implicants against truth tables [Mir13, section 9]."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.c2bp.direct.prime_implicants import (
    EVERYTHING,
    Bits,
    cofactor,
    complement,
    consensus,
    contains,
    cover,
    holds,
    largest,
    primes,
)

WIDTH = 4
POINTS = range(1 << WIDTH)
CUBES: list[Bits] = [(care, value) for care in POINTS for value in POINTS if value & ~care == 0]
COVERS = st.lists(st.sampled_from(CUBES), max_size=7)


def true_in(cubes: list[Bits]) -> set[int]:
    return {point for point in POINTS if any(holds(cube, point) for cube in cubes)}


def prime_implicants(points: set[int]) -> set[Bits]:
    """By definition: implicants that no other implicant contains."""
    implicants = [c for c in CUBES if {p for p in POINTS if holds(c, p)} <= points]
    return {c for c in implicants if not any(d != c and contains(d, c) for d in implicants)}


def test_the_words_of_mir13() -> None:
    a_b, not_a_c = (0b011, 0b011), (0b101, 0b100)
    assert consensus(a_b, not_a_c) == (0b110, 0b110)
    assert consensus(a_b, (0b011, 0b000)) is None  # they differ in two
    assert consensus(a_b, (0b110, 0b110)) is None  # they intersect
    assert largest([a_b, (0b001, 0b001), not_a_c]) == [(0b001, 0b001), not_a_c]
    # a cube that does not speak of the column belongs to both cofactors
    assert cofactor([a_b, (0b100, 0b100)], 0, False) == [(0b100, 0b100)]
    assert cofactor([a_b, (0b100, 0b100)], 0, True) == [(0b010, 0b010), (0b100, 0b100)]


@settings(max_examples=150)
@given(COVERS)
def test_primes_are_all_prime_implicants(cubes: list[Bits]) -> None:
    found = primes(cubes)
    assert len(found) == len(set(found))
    assert set(found) == prime_implicants(true_in(cubes))


@settings(max_examples=80)
@given(COVERS, st.integers(0, WIDTH - 1))
def test_primes_without_a_column_are_consensuses(cubes: list[Bits], column: int) -> None:
    """[Mir13, theorem 2], with the primes of the cofactors as in its theorem 3: the primes of the
    function will not do, for it may have none with the column."""
    bit = 1 << column
    with_it = [(c | bit, v | bit) for c, v in primes(cofactor(cubes, column, True))]
    without = [(c | bit, v) for c, v in primes(cofactor(cubes, column, False))]
    both = {consensus(one, two) for one, two in product(with_it, without)}
    assert {cube for cube in primes(cubes) if not cube[0] & bit} <= both


@given(COVERS)
def test_complement(cubes: list[Bits]) -> None:
    assert true_in(complement(cubes)) == set(POINTS) - true_in(cubes)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(["on", "off", "any"]), min_size=16, max_size=16))
def test_covers_have_what_they_must_and_nothing_they_must_not(kinds: list[str]) -> None:
    on = {point for point in POINTS if kinds[point] == "on"}
    off = {point for point in POINTS if kinds[point] == "off"}
    found = cover(on, off, range(WIDTH))
    assert on <= true_in(found) and not off & true_in(found)
    assert set(found) <= prime_implicants(set(POINTS) - off)
    assert all(true_in([c]) & on for c in found)


@settings(max_examples=40)
@given(st.sets(st.integers(0, (1 << 14) - 1), max_size=60), st.data())
def test_covers_of_many_columns(points: set[int], data: st.DataObject) -> None:
    """Here not all prime implicants are listed."""
    off = data.draw(st.sets(st.sampled_from(sorted(points)))) if points else set()
    on = points - off
    found = cover(on, off, range(14))
    assert all(any(holds(cube, point) for cube in found) for point in on)
    assert not any(holds(cube, point) for cube in found for point in off)
    for care, value in found:  # no column can be dropped
        for column in range(14):
            bit = 1 << column
            if care & bit:
                assert any(holds((care & ~bit, value & ~bit), point) for point in off)


def test_a_cover_takes_few_cubes() -> None:
    """a & b | !a & c: the third prime implicant is not needed."""
    on = [p for p in range(8) if (p & 3) == 3 or (p & 5) == 4]
    off = [p for p in range(8) if p not in on]
    assert cover(on, off, range(3)) == [(0b011, 0b011), (0b101, 0b100)]
    assert cover([], off, range(3)) == []
    assert cover(on, [], range(3)) == [EVERYTHING]
