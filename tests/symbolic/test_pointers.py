"""Sums of pointers: they are right, and their constant part stays in the object they began in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from predabs.smt import bitvectors, build
from predabs.smt.evaluate import evaluate
from predabs.smt.term import BOOL, BitVecSort, Term
from predabs.symbolic.pointers import LOWEST, advanced, cases, stride

WIDTH = 32
N = build.symbol("n", BitVecSort(WIDTH))
M = build.symbol("m", BitVecSort(WIDTH))
OBJECTS = [(LOWEST + 64 * k, LOWEST + 64 * k + 40) for k in range(50)]


def home(address: int) -> tuple[int, int] | None:
    return next(((a, b) for a, b in OBJECTS if a <= address <= b), None)


def number(value: int) -> Term:
    return bitvectors.bits(value, WIDTH)


# how far a pointer moves: by a number, by elements, or by elements and a number
offsets = st.one_of(
    st.integers(-200, 200).map(number),
    st.sampled_from([N, M]).map(lambda n: bitvectors.mul(n, number(4))),
    st.integers(-4000, 4000).map(lambda k: bitvectors.add(bitvectors.mul(N, number(4)), number(k))),
)
starts = st.sampled_from(OBJECTS)


@given(starts, st.lists(offsets, max_size=6), st.integers(0, 9), st.integers(0, 9))
def test_a_sum_keeps_its_object(start: tuple[int, int], steps: list[Term], n: int, m: int) -> None:
    model = {N: n, M: m}
    pointer, expected = number(start[0]), start[0]
    for step in steps:
        pointer = advanced(pointer, step, home)
        value = evaluate(step, model)
        assert isinstance(value, int)
        expected = (expected + value) % 2**WIDTH
    assert evaluate(pointer, model) == expected
    found = cases(pointer)
    assert found is not None
    assert not found.leaves
    for case in found.known:
        assert home(case.base) == start
        assert (case.base + int(evaluate(case.offset, model))) % 2**WIDTH == expected


@given(st.lists(st.integers(-300, 300), max_size=6), starts)
def test_a_constant_that_comes_back_is_a_constant(steps: list[int], start: tuple[int, int]) -> None:
    pointer = number(start[0])
    for step in steps:
        pointer = advanced(pointer, number(step), home)
    if start[0] <= start[0] + sum(steps) <= start[1]:
        assert pointer is number(start[0] + sum(steps))


def test_a_large_number_is_no_address() -> None:
    """Added to a pointer of which nothing is known."""
    far = advanced(N, number(OBJECTS[3][0]), home)
    assert evaluate(far, {N: 5}) == OBJECTS[3][0] + 5
    found = cases(far)
    assert found is not None and not found.known
    assert [case.leaf for case in found.leaves] == [far]


def test_shared_choices_are_looked_at_once() -> None:
    """2^40 ways lead through 40 choices to the end, but there are few terms and few cases."""
    pointer = number(OBJECTS[0][0])
    step = bitvectors.mul(N, number(8))
    for k in range(40):
        test = build.symbol(f"c{k}", BOOL)
        pointer = build.ite(test, bitvectors.add(pointer, number(4)), pointer)
        step = build.ite(test, bitvectors.add(step, number(4)), step)
    found = cases(pointer)
    assert found is not None
    first = OBJECTS[0][0]
    moves = [case.base + int(evaluate(case.offset, {})) - first for case in found.known]
    assert set(moves) == {4 * k for k in range(41)}
    chosen = {build.symbol(f"c{k}", BOOL): k % 3 == 0 for k in range(40)}
    holds = [bool(evaluate(case.cond, chosen)) for case in found.known]
    assert [move for move, held in zip(moves, holds, strict=True) if held] == [4 * 14]
    assert stride(step) == 4


def test_too_many_cases_are_refused() -> None:
    pointer = number(OBJECTS[0][0])
    for k in range(12):
        test = build.symbol(f"c{k}", BOOL)
        pointer = build.ite(test, bitvectors.add(pointer, number(1 << k)), pointer)
    assert cases(pointer) is None
