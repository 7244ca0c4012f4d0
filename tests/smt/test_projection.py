"""Elimination of symbols."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.projection import project
from predabs.smt.solver import Statistics
from predabs.smt.term import INT, ArraySort, BitVecSort, Symbol, symbols
from support.counted_time import PLENTY
from support.logic_terms import boxed_condition

X, Y, Z = (Symbol(name, INT) for name in "xyz")


def test_equalities_and_bounds() -> None:
    one = build.integer(1)
    found = project(build.and_(build.eq(X, build.add(Y, one)), build.lt(X, Z)), [X], Statistics())
    assert found is build.lt(build.add(Y, one), Z)
    between = project(build.and_(build.lt(Y, X), build.lt(X, Z)), [X], Statistics())
    assert between is not None
    assert symbols([between]) == {Y: None, Z: None} or set(symbols([between])) == {Y, Z}
    assert project(build.lt(Y, Z), [X], Statistics()) is build.lt(Y, Z)
    assert project(build.lt(Y, X), [X], Statistics()) is build.boolean(True)
    assert project(build.and_(build.lt(X, Y), build.lt(Y, X)), [X], Statistics()) is build.boolean(
        False
    )


def test_vectors_and_maps() -> None:
    a, b = (Symbol(name, BitVecSort(32)) for name in "ab")
    found = project(
        build.and_(build.eq(a, bitvectors.add(b, bitvectors.bits(1, 32))), bitvectors.slt(a, b)),
        [a],
        Statistics(),
    )
    assert found is not None
    assert set(symbols([found])) == {b}
    array = Symbol("m", ArraySort(INT, INT))
    read = build.select(build.store(array, X, Y), Z)
    kept = project(build.and_(build.eq(read, Z), build.eq(Y, build.integer(3))), [Y], Statistics())
    assert kept is not None
    assert set(symbols([kept])) == {array, X, Z}


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_small_ranges_agree_with_search(seed: int) -> None:
    """In a box of few values, the projection is what trying all values says."""
    condition = boxed_condition(seed, X, Y, Z)
    found = project(condition, [X], Statistics(), PLENTY)
    assert found is not None
    assert X not in symbols([found])
    for y in range(-3, 4):
        for z in range(-3, 4):
            some = any(TermEvaluator({X: x, Y: y, Z: z}).holds(condition) for x in range(-2, 3))
            assert TermEvaluator({Y: y, Z: z}).holds(found) == some
