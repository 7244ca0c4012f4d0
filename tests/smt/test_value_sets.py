"""Sets of values against evaluation."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from predabs.smt import bitvectors, build
from predabs.smt.evaluate import evaluate
from predabs.smt.term import BitVecSort, Symbol, Term
from predabs.smt.value_sets import ValueSets, ValueTables

A, B = Symbol("a", BitVecSort(3)), Symbol("b", BitVecSort(3))
WIDE = Symbol("wide", BitVecSort(16))
NOTHING = ValueSets(ValueTables(), {})
STATES = [(a, b, w) for a in range(8) for b in range(8) for w in (0, 5, 40_000)]

NARROW = st.recursive(
    st.sampled_from([A, B]) | st.integers(0, 7).map(lambda n: bitvectors.bits(n, 3)),
    lambda inner: st.builds(
        lambda make, left, right: make(left, right),
        st.sampled_from([bitvectors.add, bitvectors.and_, bitvectors.udiv, bitvectors.shl]),
        inner,
        inner,
    ),
    max_leaves=3,
)
COMPARISONS: list[Callable[[Term, Term], Term]] = [build.eq, bitvectors.ult, bitvectors.sle]
ATOMS = st.builds(
    lambda make, left, right: make(left, right), st.sampled_from(COMPARISONS), NARROW, NARROW
) | st.builds(
    lambda make, left: make(bitvectors.zero_extend(left, 13), WIDE),
    st.sampled_from(COMPARISONS),
    NARROW,
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: (
        st.builds(build.not_, inner)
        | st.builds(build.and_, inner, inner)
        | st.builds(build.or_, inner, inner)
        | st.builds(build.ite, inner, inner, inner)
    ),
    max_leaves=6,
)


def holds(cond: Term, state: tuple[int, int, int]) -> bool:
    return bool(evaluate(cond, dict(zip((A, B, WIDE), state, strict=True))))


def allowed(sets: ValueSets, state: tuple[int, int, int]) -> bool:
    return all(
        sets.sets.get(symbol, -1) >> value & 1 for symbol, value in zip((A, B), state, strict=False)
    )


@given(st.lists(CONDITIONS, max_size=5))
def test_conditions_one_after_the_other(conditions: list[Term]) -> None:
    """What is kept of each means the same where those before it hold, and the sets leave out none
    of the states in which they all do."""
    sets = NOTHING
    states = STATES
    for cond in conditions:
        answer = sets.decided(cond)
        kept, sets = sets.narrowed(cond)
        assert all(holds(kept, state) == holds(cond, state) for state in states)
        assert answer is None or all(holds(cond, state) is answer for state in states)
        states = [state for state in states if holds(cond, state)]
        assert all(allowed(sets, state) for state in states)


@given(CONDITIONS, CONDITIONS)
def test_either_of_two(left: Term, right: Term) -> None:
    sets = NOTHING.narrowed(left)[1].joined(NOTHING.narrowed(right)[1])
    for state in STATES:
        if holds(left, state) or holds(right, state):
            assert allowed(sets, state)


@given(ATOMS, ATOMS)
def test_the_set_of_one_byte_is_exact(left: Term, right: Term) -> None:
    cond = build.or_(left, build.not_(right))
    table = NOTHING.tables.table(cond)
    if table is not None:
        for state in STATES:
            value = state[(A, B).index(table.symbol)]
            assert bool(table.set >> value & 1) == holds(cond, state)


def test_a_byte_that_was_told_from_others() -> None:
    """A switch: after the cases for some letters the byte is none of them."""
    byte = Symbol("byte", BitVecSort(8))

    def is_(letter: str) -> Term:
        return build.eq(bitvectors.sign_extend(byte, 24), bitvectors.bits(ord(letter), 32))

    sets = NOTHING
    for letter in "{}[]":
        sets = sets.narrowed(build.not_(is_(letter)))[1]
    assert sets.decided(is_("[")) is False
    assert sets.decided(is_("a")) is None
    assert sets.narrowed(is_("a"))[1].decided(bitvectors.ult(byte, bitvectors.bits(98, 8))) is True
