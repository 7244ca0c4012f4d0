"""States of the interval analysis: they say what dictionaries would say, and share parts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from predabs.analysis.intervals import interval
from predabs.analysis.intervals.interval import Interval
from predabs.analysis.intervals.state import State, StateSpace
from predabs.ir.expr import Var
from predabs.ir.types import INT

VARIABLES = [Var(f"v{number}", INT) for number in range(300)]
SPACE = StateSpace({var: number for number, var in enumerate(VARIABLES)}, VARIABLES)
SMALL = st.integers(-3, 3)
intervals = st.tuples(SMALL, SMALL).map(lambda pair: (min(pair), max(pair)))
some = st.dictionaries(st.sampled_from(VARIABLES), intervals, max_size=6)
# around the number from which a state is a tree, and far beyond
sizes = st.sampled_from([0, 5, 30, 31, 32, 33, 34, 120])


def state_of(values: dict[Var, Interval]) -> State:
    state = SPACE.empty
    for var, bounds in values.items():
        state = state.updated(var, bounds)
    return state


def base(size: int) -> dict[Var, Interval]:
    return dict.fromkeys(VARIABLES[::2][:size], (0, 1))


def bits(variables: set[Var]) -> int:
    return sum(1 << SPACE.numbers[var] for var in variables)


@given(sizes, some)
def test_a_state_is_a_mapping(size: int, more: dict[Var, Interval]) -> None:
    values = {**base(size), **more}
    state = state_of(values)
    assert dict(state) == values and len(state) == len(values)
    assert all(state.get(var) == values.get(var) for var in VARIABLES)
    assert state.same(state_of(dict(reversed(values.items()))))


@given(sizes, st.sets(st.sampled_from(VARIABLES)))
def test_variables_are_left_out(size: int, gone: set[Var]) -> None:
    values = base(size)
    left = {var: bounds for var, bounds in values.items() if var not in gone}
    state = state_of(values)
    assert dict(state.without(bits(gone))) == left
    assert state.without(bits(gone)).same(state_of(left))
    assert dict(state.without(~bits(gone))) == {v: b for v, b in values.items() if v in gone}
    assert dict(state) == values  # it has not changed


@given(sizes, some, some, st.sets(st.sampled_from(VARIABLES[::2]), max_size=4))
def test_two_states(
    size: int, here: dict[Var, Interval], there: dict[Var, Interval], gone: set[Var]
) -> None:
    common = state_of(base(size))
    one = common
    for var, bounds in here.items():
        one = one.updated(var, bounds)
    two = common.without(bits(gone))
    for var, bounds in there.items():
        two = two.updated(var, bounds)
    a, b = dict(one), dict(two)
    assert dict(one.join(two)) == {v: interval.join(a[v], b[v]) for v in a.keys() & b.keys()}
    assert dict(one.overridden(two)) == {**a, **b}
    met = {
        v: interval.meet(a[v], b[v]) if v in a and v in b else a.get(v, b.get(v))
        for v in a.keys() | b.keys()
    }
    both = one.meet(two)
    assert (None if both is None else dict(both)) == (None if None in met.values() else met)
    joined = one.join(two)
    grown = one.grown(joined, lambda var, old, new: (-9, 9))
    assert dict(grown) == {v: bounds if bounds == a[v] else (-9, 9) for v, bounds in joined.items()}


@given(sizes, some)
def test_what_adds_nothing_changes_nothing(size: int, more: dict[Var, Interval]) -> None:
    """The fixpoint takes a join that is the same object for a sign that nothing has grown."""
    small = state_of(base(size))
    large = small
    for var, (low, high) in more.items():
        large = large.updated(var, (min(low, 0), max(high, 1)))
    large = large.without(~small.present)  # it says no more than the other
    assert large.join(small) is large
    assert small.join(small) is small
    met = small.meet(large)
    assert met is not None and met.same(small)


def test_a_variable_without_a_number_is_in_no_state() -> None:
    assert SPACE.empty.updated(Var("other", INT), (1, 1)) is SPACE.empty
    assert SPACE.empty.get(Var("other", INT)) is None
