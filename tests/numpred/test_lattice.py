"""Laws and soundness of the lattice operations, against sets of concrete states."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.numpred.domain.formula import compare, conj, disj, literal, negate
from predabs.numpred.domain.nex import Nex, NexStructure
from predabs.numpred.domain.structures import STRUCTURES
from support.numpred_states import (
    NUMBERS,
    constraints,
    draw_domain,
    draw_value,
    formulas,
    inside,
    members,
    small,
    transformers,
    vocabularies,
    world,
)

each = pytest.mark.parametrize("structure", STRUCTURES)
with_numbers = pytest.mark.parametrize("numbers", NUMBERS)


@each
@settings(max_examples=20)
@given(data=st.data())
def test_abstraction(structure: str, data: st.DataObject) -> None:
    domain = draw_domain(data, structure)
    here = world(domain.vocabulary.predicates)
    formula = data.draw(formulas(domain.vocabulary.predicates))
    parts = data.draw(st.lists(constraints(), max_size=3))
    expected = here.where(formula)
    assert inside(expected, members(domain, domain.alpha(formula)))
    assert inside(expected, members(domain, domain.alpha_p(formula)))
    numeric = here.where(conj(*map(compare, parts)))
    assert inside(numeric, members(domain, domain.alpha_n(parts)))
    assert members(domain, domain.top) == here.all
    assert members(domain, domain.bot) == 0


@each
@settings(max_examples=25)
@given(data=st.data())
def test_lattice_operations(structure: str, data: st.DataObject) -> None:
    domain = draw_domain(data, structure)
    left, right = (draw_value(data, domain, label) for label in ("left", "right"))
    us, vs = members(domain, left), members(domain, right)
    assert inside(us & vs, members(domain, domain.meet(left, right)))
    join = domain.join(left, right)
    assert inside(us | vs, members(domain, join))
    assert inside(us | vs, members(domain, domain.widen(left, right)))
    assert inside(us | vs, members(domain, domain.widen(left, join)))
    assert inside(vs, members(domain, domain.narrow(join, right)))
    if domain.leq(left, right):
        assert inside(us, vs)
    if domain.is_bot(left):
        assert us == 0
    if domain.is_top(left):
        assert us == world(domain.vocabulary.predicates).all
    reduced = domain.reduce(left)
    assert inside(us, members(domain, reduced))
    assert domain.leq(reduced, left)


@each
@settings(max_examples=25)
@given(data=st.data())
def test_order_laws(structure: str, data: st.DataObject) -> None:
    domain = draw_domain(data, structure)
    left, right = (draw_value(data, domain, label) for label in ("left", "right"))
    join, meet = domain.join(left, right), domain.meet(left, right)
    for below, above in (
        (left, left),
        (domain.bot, left),
        (left, domain.top),
        (left, join),
        (right, join),
        (meet, left),
        (meet, right),
        (left, domain.widen(left, right)),
        (right, domain.widen(left, right)),
    ):
        assert domain.leq(below, above)
    assert domain.join(right, left) == join
    assert domain.meet(right, left) == meet
    assert domain.join(left, left) == left
    assert domain.meet(left, left) == left
    assert domain.meet(left, domain.top) == left
    assert domain.join(left, domain.bot) == left
    assert domain.is_bot(domain.meet(left, domain.bot))
    assert domain.is_top(domain.top)
    assert domain.is_bot(domain.bot)


@each
@with_numbers
@settings(max_examples=8)
@given(data=st.data())
def test_laws_of_three(structure: str, numbers: str, data: st.DataObject) -> None:
    domain = small(structure, numbers, *data.draw(vocabularies))
    a, b, c = (draw_value(data, domain, label) for label in "abc")

    def same(one: object, two: object) -> bool:
        return domain.leq(one, two) and domain.leq(two, one)

    assert same(domain.join(a, domain.join(b, c)), domain.join(domain.join(a, b), c))
    assert same(domain.meet(a, domain.meet(b, c)), domain.meet(domain.meet(a, b), c))
    assert same(domain.meet(a, domain.join(a, b)), a)
    assert same(domain.join(a, domain.meet(a, b)), a)
    below, above = domain.meet(a, b), domain.join(a, c)
    assert domain.leq(below, a)
    assert domain.leq(a, above)
    assert domain.leq(below, above)
    narrow = domain.narrow(above, a)
    assert domain.leq(a, narrow)
    assert domain.leq(narrow, above)


@each
@settings(max_examples=20)
@given(data=st.data())
def test_quantification(structure: str, data: st.DataObject) -> None:
    domain = draw_domain(data, structure)
    tracked = domain.vocabulary.predicates
    here = world(tracked)
    value = draw_value(data, domain, "value")
    gone = data.draw(st.lists(st.sampled_from(tracked), unique=True)) if tracked else []
    kept = [predicate for predicate in tracked if predicate not in gone]
    seen = set()
    for i in here.members(members(domain, value)):
        truth, point = here.states[i]
        seen.add((*(truth[p] for p in kept), point["x"], point["y"]))
    after = members(domain, domain.exists(gone, value))
    for i, (truth, point) in enumerate(here.states):
        if (*(truth[p] for p in kept), point["x"], point["y"]) in seen:
            assert after >> i & 1


@each
@with_numbers
@settings(max_examples=8)
@given(data=st.data())
def test_primed_predicates(structure: str, numbers: str, data: st.DataObject) -> None:
    """A relation between a state and the predicates after it: `exists` takes the predicates before
    away, and `unprime` makes the others those of a state."""
    predicates, variables = data.draw(vocabularies)
    domain = small(structure, numbers, predicates, variables)
    here = world(predicates)
    rules = data.draw(
        st.lists(
            st.tuples(formulas(predicates), st.sampled_from(predicates), st.booleans()), max_size=3
        )
        if predicates
        else st.just([])
    )
    before = data.draw(formulas(predicates))
    relation = conj(before, *(disj(when, literal(p, to, primed=True)) for when, p, to in rules))
    value = domain.alpha(relation)
    after = members(domain, domain.unprime(domain.exists(predicates, value)))
    for i in here.members(here.where(before)):
        allowed = [(p, to) for when, p, to in rules if not here.where(when) >> i & 1]
        for k, (truth, point) in enumerate(here.states):
            if point == here.states[i][1] and all(truth[p] == to for p, to in allowed):
                assert after >> k & 1


@settings(max_examples=30)
@given(data=st.data())
def test_negation_is_the_complement(data: st.DataObject) -> None:
    predicates, _ = data.draw(vocabularies)
    formula = data.draw(formulas(predicates))
    here = world(predicates)
    assert here.where(negate(formula)) == here.all & ~here.where(formula)


def check_conditions(domain: NexStructure[object], value: Nex[object]) -> None:
    """C1, C2 and C3 of [GC10, section 5.2]."""
    pairs = list(value.pairs)
    for i, (guard, number) in enumerate(pairs):
        assert guard.satisfiable()
        assert not domain.numeric_domain.is_bot(number)
        for other, above in pairs[i + 1 :]:
            assert number != above
            assert not (guard & other).satisfiable()


@settings(max_examples=40)
@given(data=st.data())
def test_nex_values_are_functions_and_agree_with_mtndd(data: st.DataObject) -> None:
    predicates, variables = data.draw(vocabularies)
    numbers = data.draw(st.sampled_from(sorted(NUMBERS)))
    nex = small("nex", numbers, predicates, variables)
    mtndd = small("mtndd", numbers, predicates, variables)
    assert isinstance(nex, NexStructure)
    values = []
    for _ in range(2):
        formula, step = data.draw(formulas(predicates)), data.draw(transformers(predicates))
        values.append([d.post(d.alpha(formula), step) for d in (nex, mtndd)])
    (u, u_too), (v, v_too) = values
    results = [
        (u, u_too),
        (nex.join(u, v), mtndd.join(u_too, v_too)),
        (nex.meet(u, v), mtndd.meet(u_too, v_too)),
        (nex.widen(u, v), mtndd.widen(u_too, v_too)),
        (nex.reduce(u), mtndd.reduce(u_too)),
        (nex.exists(predicates[:2], u), mtndd.exists(predicates[:2], u_too)),
    ]
    for ours, theirs in results:
        check_conditions(nex, ours)
        assert members(nex, ours) == members(mtndd, theirs)
    assert nex.leq(u, v) == mtndd.leq(u_too, v_too)
    assert nex.is_bot(u) == mtndd.is_bot(u_too)
