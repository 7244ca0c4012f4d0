"""What is computed once, for all pairs or by diagrams alone, against the slow way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.domains.hash_consed import Shared, SharedDomain
from predabs.domains.linear import at_most, equal, variable
from predabs.domains.memo import MemoTable
from predabs.domains.numeric_domain import NumericDomain, assign_all, assume_all
from predabs.numpred.domain.apply import Structure
from predabs.numpred.domain.breakpoints import Breakpoints
from predabs.numpred.domain.counters import Counters
from predabs.numpred.domain.formula import Predicate, compare, conj, constraints, disj, literal
from predabs.numpred.domain.ndd import NddStructure
from predabs.numpred.domain.nex import Nex, NexStructure
from predabs.numpred.domain.numeric_terms import NumericTerms
from predabs.numpred.domain.structures import make
from predabs.numpred.domain.transformers import numeric
from predabs.numpred.domain.vocabulary import Vocabulary
from support import domain_values
from support.domain_values import DOMAINS, NAMES, conjunctions, sources
from support.numpred_states import (
    NUMBERS,
    PREDICATES,
    choices,
    draw_domain,
    draw_value,
    formulas,
    inside,
    members,
    numerics,
    small,
)

each_domain = pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)


def test_a_table_computes_once() -> None:
    asked: list[int] = []

    def double(n: int) -> int:
        asked.append(n)
        return 2 * n

    table = MemoTable(double)
    assert [table[3], table[4], table[3]] == [6, 8, 6]
    assert asked == [3, 4]


@each_domain
@settings(max_examples=30)
@given(data=st.data())
def test_all_at_once_is_one_by_one(domain: NumericDomain[Any], data: st.DataObject) -> None:
    value = data.draw(domain_values.values(domain))
    several = data.draw(conjunctions)
    assert domain.assume_all(value, several) == assume_all(domain, value, several)
    updates = data.draw(st.dictionaries(st.sampled_from(NAMES), sources, min_size=1))
    assert domain.assign_all(value, updates) == assign_all(domain, value, updates)


@each_domain
def test_a_swap_reads_old_values(domain: NumericDomain[Any]) -> None:
    x, y = variable("x"), variable("y")
    value = domain.alpha([equal(x, 3), equal(y, 5)])
    after = domain.assign_all(value, {"x": y + 1, "y": x - 1})
    assert after == domain.alpha([equal(x, 6), equal(y, 2)])


@each_domain
@settings(max_examples=30)
@given(data=st.data())
def test_shared_values_are_those_below(domain: NumericDomain[Any], data: st.DataObject) -> None:
    shared: SharedDomain[Any] = SharedDomain(domain)
    raw = [data.draw(domain_values.values(domain)) for _ in range(2)]
    left, right = (shared.alpha(domain.gamma(value)) for value in raw)
    a, b = left.value, right.value
    assert (left is right) == (a == b)
    assert shared.is_bot(left) == domain.is_bot(a)
    assert shared.is_top(left) == domain.is_top(a)
    parts, (target, source) = data.draw(conjunctions), data.draw(st.tuples(names, sources))
    for _ in range(2):  # the second time from memory
        assert shared.leq(left, right) == domain.leq(a, b)
        assert shared.gamma(left) == domain.gamma(a)
        results: list[tuple[Shared[Any], Any]] = [
            (shared.join(left, right), domain.join(a, b)),
            (shared.meet(left, right), domain.meet(a, b)),
            (shared.widen(left, right), domain.widen(a, b)),
            (shared.narrow(left, right), domain.narrow(a, b)),
            (shared.assume_all(left, parts), domain.assume_all(a, parts)),
            (shared.assign(left, target, source), domain.assign(a, target, source)),
            (shared.assign_all(left, {target: source}), domain.assign(a, target, source)),
            (shared.forget(left, [target]), domain.forget(a, [target])),
            *((shared.assume(left, c), domain.assume(a, c)) for c in parts),
        ]
        for found, expected in results:
            assert found.value == expected
        for found, _ in results:
            assert all((found is other) == (found.value == other.value) for other, _ in results)


names = st.sampled_from(NAMES)


@pytest.mark.parametrize("structure", ["nex", "mtndd"])
@settings(max_examples=50)
@given(data=st.data())
def test_conditions_pair_by_pair(structure: str, data: st.DataObject) -> None:
    """A condition, and an assignment to predicates, for each number value by itself."""
    domain: Any = draw_domain(data, structure)
    tracked = domain.vocabulary.predicates
    value = draw_value(data, domain, "value")
    condition = data.draw(formulas(tracked), label="condition")
    slow: Any = Structure
    assert domain.assume(value, condition) == slow._restricted(domain, value, condition)
    if tracked:
        assigned = data.draw(choices(tracked), label="choices")
        relation = domain._relation(assigned)
        related = slow._restricted(domain, value, relation)
        gone = domain.vocabulary.bdd_variables(assigned.predicates)
        expected = Slow(domain, related).image(gone)
        assert Slow(domain, domain._choose(value, assigned)).table == expected


class Slow:
    """A value as a table from each valuation of predicates, primed ones too, to its number."""

    def __init__(self, domain: Any, value: Any) -> None:
        self.domain = domain
        self.variables = range(domain.vocabulary.size)
        self.table: dict[tuple[bool, ...], Any] = {}
        for guard, number in domain.pieces(value):
            for point in domain.vocabulary.manager.points(guard, self.variables):
                self.table[tuple(point[v] for v in self.variables)] = number

    def combined(self, other: Slow, combine: Callable[[Any, Any], Any], both: bool) -> Any:
        """All valuations of either, or of both only."""
        bot = self.domain.numeric_domain.is_bot
        found: dict[tuple[bool, ...], Any] = {}
        for point in product((False, True), repeat=len(self.variables)):
            known = [t.table[point] for t in (self, other) if point in t.table]
            if len(known) == 2:
                found[point] = known[0] if known[0] == known[1] else combine(*known)
            elif known and not both:
                found[point] = known[0]
        return {point: number for point, number in found.items() if not bot(number)}

    def image(self, gone: frozenset[int]) -> dict[tuple[bool, ...], Any]:
        """Without the variables in `gone`, whose primed copies take their place."""
        found: dict[tuple[bool, ...], Any] = {}
        for point, number in self.table.items():
            for free in product((False, True), repeat=len(gone)):
                after = list(point)
                for variable_number, bit in zip(sorted(gone), free, strict=True):
                    after[variable_number] = point[variable_number + 1]
                    after[variable_number + 1] = bit
                key = tuple(after)
                join = self.domain.numeric_domain.join
                found[key] = join(found[key], number) if key in found else number
        return found


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_nex_by_valuations(data: st.DataObject) -> None:
    numbers = data.draw(st.sampled_from(["box", "octagon"]))
    tracked = data.draw(st.sampled_from([PREDICATES[:2], PREDICATES[1:4], PREDICATES[:3]]))
    domain = small("nex", numbers, tracked, "xy")
    assert isinstance(domain, NexStructure)
    left, right = (draw_value(data, domain, text) for text in ("left", "right"))
    slow, other = Slow(domain, left), Slow(domain, right)
    of = domain.numeric_domain
    assert Slow(domain, domain.join(left, right)).table == slow.combined(other, of.join, False)
    assert Slow(domain, domain.widen(left, right)).table == slow.combined(other, of.widen, False)
    assert Slow(domain, domain.meet(left, right)).table == slow.combined(other, of.meet, True)
    below = all(
        point in other.table and of.leq(number, other.table[point])
        for point, number in slow.table.items()
    )
    assert domain.leq(left, right) == below
    again: Nex[Any] = Nex(dict(reversed(left.table.items())))
    assert again == left
    assert hash(again) == hash(left)


# -- NDD without a walk ----------------------------------------------------------------------


def ndd(data: st.DataObject, numbers: str = "box") -> NddStructure[Any]:
    predicates = data.draw(st.lists(st.sampled_from(PREDICATES[:4]), max_size=3, unique=True))
    domain = small("ndd", numbers, tuple(predicates), "xy")
    assert isinstance(domain, NddStructure)
    return domain


@pytest.mark.parametrize("numbers", NUMBERS)
@settings(max_examples=40)
@given(data=st.data())
def test_assignments_with_small_contexts(numbers: str, data: st.DataObject) -> None:
    """They say at least what a walk says (that they are sound is tested with all transformers)."""
    domain = ndd(data, numbers)
    value = draw_value(data, domain, "value")
    transformer = data.draw(numerics())
    updates = domain.updates(transformer)
    if not updates:
        return
    fast = domain.alpha_post_n(value, transformer)
    gone = domain._terms.about(updates)
    slow = domain._walk(
        "slow", value, lambda n: domain._encode(domain.assigned(transformer)[n]), gone, "xy"
    )
    assert domain.leq(fast, slow)
    assert inside(members(domain, fast), members(domain, slow))


@settings(max_examples=40)
@given(data=st.data())
def test_emptiness_by_lines(data: st.DataObject) -> None:
    domain = ndd(data)
    value = draw_value(data, domain, "value")
    if data.draw(st.booleans()):
        value = value & ~draw_value(data, domain, "other")
    if domain.is_bot(value):
        assert not members(domain, value)
    else:  # the walk finds no more contradictions
        assert domain._has_path(value)
    reduced = domain.reduce(value)
    assert members(domain, reduced) == members(domain, value)
    assert domain.leq(reduced, value)
    assert domain.leq(value, reduced)


@settings(max_examples=40)
@given(data=st.data())
def test_hulls_by_projection(data: st.DataObject) -> None:
    """They say at least what a walk along all paths says, and have all states."""
    domain = ndd(data)
    value = draw_value(data, domain, "value")
    fast = domain._hull_of_bounds(value)
    assert domain._mtndd.leq(fast, domain._join_paths(value))
    assert inside(members(domain, value), members(domain._mtndd, fast))


def test_a_hull_of_related_variables_and_one_alone() -> None:
    x, y, z = variable("x"), variable("y"), variable("z")
    domain = small("ndd", "box", [], "xyz")
    options = [
        (at_most(x, y), at_most(0, x), at_most(y, 2), equal(z, 1)),
        (at_most(x, y), at_most(1, x), at_most(y, 4), equal(z, 3)),
        (at_most(x, y), at_most(1, x), at_most(y, 0), equal(z, 7)),  # no such state
    ]
    value = domain.alpha(disj(*map(constraints, options)))
    ((_, number),) = domain.pieces(value)
    assert str(number) == "{0 <= x <= 4, 0 <= y <= 4, 1 <= z <= 3}"


def test_the_line_of_a_variable() -> None:
    x = variable("x")
    point = Predicate("x == 2", equal(x, 2))
    vocabulary = Vocabulary([point], ["x", "y"])
    terms = NumericTerms(vocabulary)
    low, high = (terms._inequality(at_most(x, bound)) for bound in (-1, 3))
    lines = Breakpoints(terms)
    at = vocabulary.manager.var(0)
    assert [p.ends for p in lines.pieces("x")] == [(None, -1), (0, 1), (2, 2), (3, 3), (4, None)]
    assert lines.possible("x") == low.imp(high) & at.imp(high & ~low)
    assert lines.alone(["x", "y"])
    terms.constraint(at_most(x, variable("y")))
    assert not lines.alone(["x"])


@pytest.mark.parametrize("bounds", [(2, 2), (1, 2), (0, 3)])
def test_points_that_are_all_excluded(bounds: tuple[int, int]) -> None:
    """Between 1 and 2 there is nothing beside 1 and 2."""
    x, y = variable("x"), variable("y")
    one, two = Predicate("one", equal(x, 1)), Predicate("two", equal(x, 2))
    domain = small("ndd", "box", [one, two], "xy")
    range_ = conj(compare(at_most(bounds[0], x)), compare(at_most(x, bounds[1])))
    neither = conj(literal(one, False), literal(two, False))
    value = domain.alpha(conj(range_, neither, compare(equal(y, 5))))
    assert domain.is_bot(value) == (bounds != (0, 3))
    gone = domain.post(value, numeric(x=None))
    assert domain.is_bot(gone) == (bounds != (0, 3))


class Impatient(Counters):
    """Stops at the first look at the clock."""

    def watch(self) -> None:
        raise TimeoutError


@pytest.mark.parametrize("structure", ["nex", "mtndd", "ndd", "nexpoint"])
def test_a_long_operation_looks_at_the_clock(structure: str) -> None:
    """Inside, and not only where it begins."""
    x, y = variable("x"), variable("y")
    free = [Predicate(f"p{k}", None) for k in range(6)]
    meaning = [Predicate(f"q{k}", at_most(x, y + k)) for k in range(6)]
    counters = Impatient()
    domain = make(structure, NUMBERS["box"], [*free, *meaning], "xy", counters=counters)
    value: Any = domain.top
    with pytest.raises(TimeoutError):
        for p, q in zip(free, meaning, strict=True):
            value = domain.assume(value, disj(literal(p), literal(q)))
            value = domain.reduce(value)
    assert counters.calls


@pytest.mark.parametrize("numbers", NUMBERS)
def test_bounds_that_are_no_integers(numbers: str) -> None:
    """Polyhedra bound x by 3 / 2; the diagram has the integer below."""
    x, y, z = map(variable, "xyz")
    parts = (at_most(2 * y - z, 1), at_most(z, 2), at_most(0, y), at_most(0, z))
    domain = small("ndd", numbers, [], "xyz")
    value = domain.alpha(conj(*map(compare, parts)))
    value = domain.post(value, numeric({"x": y, "y": None, "z": None}))
    for n in (0, 1):
        assert not domain.is_bot(domain.assume(domain.reduce(value), compare(equal(x, n))))
        moved = domain.post(value, numeric(x=x + 1))
        assert not domain.is_bot(domain.assume(moved, compare(equal(x, n + 1))))
