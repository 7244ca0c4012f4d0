"""The laws of the numeric domains as lattices, and widening and narrowing [GC10, figure 3]."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.domains.linear import FALSE, Comparison, at_most, equal, variable
from predabs.domains.numeric_domain import NumericDomain, assume_all, entails
from predabs.domains.octagon import OctagonDomain
from support.domain_values import (
    DOMAINS,
    INSIDE,
    NAMES,
    conjunctions,
    constraints,
    forms,
    points,
    solutions,
    values,
)

every = pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
few = settings(max_examples=30, deadline=None)


@every
@few
@given(data=st.data())
def test_order(domain: NumericDomain[Any], data: st.DataObject) -> None:
    a, b, c = (data.draw(values(domain)) for _ in range(3))
    assert domain.leq(a, a)
    assert domain.leq(domain.bottom(), a) and domain.leq(a, domain.top())
    assert (domain.leq(a, b) and domain.leq(b, a)) == (a == b)
    if a == b:
        assert hash(a) == hash(b)
    lower = domain.meet(a, b)
    upper = domain.join(a, c)
    assert domain.leq(lower, a) and domain.leq(lower, b)
    assert domain.leq(lower, upper)
    if domain.leq(a, b):
        assert points(domain, a) <= points(domain, b)
        assert not domain.leq(b, c) or domain.leq(a, c)


@every
@few
@given(data=st.data())
def test_meet(domain: NumericDomain[Any], data: st.DataObject) -> None:
    a, b, c = (data.draw(values(domain)) for _ in range(3))
    both = domain.meet(a, b)
    assert both == domain.meet(b, a)
    assert domain.meet(a, a) == a
    assert domain.meet(a, domain.top()) == a
    assert domain.is_bot(domain.meet(a, domain.bottom()))
    assert domain.meet(both, c) == domain.meet(a, domain.meet(b, c))
    assert points(domain, both) == points(domain, a) & points(domain, b)


@every
@few
@given(data=st.data())
def test_join(domain: NumericDomain[Any], data: st.DataObject) -> None:
    a, b, c = (data.draw(values(domain)) for _ in range(3))
    either = domain.join(a, b)
    assert either == domain.join(b, a)
    assert domain.join(a, a) == a
    assert domain.join(a, domain.bottom()) == a
    assert domain.join(a, domain.top()) == domain.top()
    assert domain.leq(a, either) and domain.leq(b, either)
    assert points(domain, a) | points(domain, b) <= points(domain, either)
    assert domain.meet(a, either) == a
    assert domain.join(a, domain.meet(a, b)) == a
    assert domain.join(either, c) == domain.join(a, domain.join(b, c))


@every
def test_ends(domain: NumericDomain[Any]) -> None:
    top, bottom = domain.top(), domain.bottom()
    assert domain.is_top(top) and not domain.is_bot(top) and domain.gamma(top) == ()
    assert domain.is_bot(bottom) and not domain.is_top(bottom) and domain.gamma(bottom) == (FALSE,)
    assert domain.alpha([]) == top and domain.alpha([FALSE]) == bottom
    assert domain.variables(top) == domain.variables(bottom) == frozenset()


@every
@few
@given(data=st.data())
def test_gamma_is_the_value(domain: NumericDomain[Any], data: st.DataObject) -> None:
    value = data.draw(values(domain))
    assert domain.alpha(domain.gamma(value)) == value
    assert domain.alpha(reversed(domain.gamma(value))) == value
    assert domain.is_top(value) == (domain.gamma(value) == ())
    assert domain.is_bot(value) == (domain.gamma(value) == (FALSE,))
    if not domain.is_bot(value):
        assert domain.variables(value) == {v for c in domain.gamma(value) for v in c.variables}
    assert all(domain.exact(constraint) for constraint in domain.gamma(value))


@every
@few
@given(data=st.data())
def test_gamma_has_no_more_than_it_needs(domain: NumericDomain[Any], data: st.DataObject) -> None:
    value = data.draw(values(domain))
    found = domain.gamma(value)
    for k in range(len(found) if len(found) > 1 else 0):
        rest = domain.alpha(found[:k] + found[k + 1 :])
        # what follows only by rounding may stay
        if rest == value:
            assert domain.name != "box" and found[k].relation is Comparison.AT_MOST


@every
@few
@given(data=st.data())
def test_widening_covers(domain: NumericDomain[Any], data: st.DataObject) -> None:
    old, new = data.draw(values(domain)), data.draw(values(domain))
    grown = domain.widen(old, new)
    assert domain.leq(old, grown) and domain.leq(new, grown)
    assert points(domain, old) | points(domain, new) <= points(domain, grown)
    assert (grown == old) == domain.leq(new, old)


@every
@few
@given(data=st.data())
def test_widening_ends(domain: NumericDomain[Any], data: st.DataObject) -> None:
    """A chain that moves on and on, with and without `gamma` and `alpha` between the steps."""
    through = data.draw(st.booleans())
    start = domain.alpha(data.draw(conjunctions))
    targets = data.draw(st.lists(st.tuples(st.sampled_from(NAMES), forms), min_size=1, max_size=3))
    value = new = start
    steps = 0
    for _ in range(40):
        for target, source in targets:
            new = domain.assign(new, target, source)
        new = domain.join(start, new)
        grown = domain.widen(value, new)
        steps += grown != value
        value = domain.alpha(domain.gamma(grown)) if through else grown
    assert steps <= 15


@every
@few
@given(data=st.data())
def test_narrowing_stays_between(domain: NumericDomain[Any], data: st.DataObject) -> None:
    old = data.draw(values(domain))
    for _ in range(3):
        new = domain.meet(old, data.draw(values(domain)))
        result = domain.narrow(old, new)
        assert domain.leq(new, result) and domain.leq(result, old)
        assert points(domain, new) <= points(domain, result) <= points(domain, old)
        assert domain.narrow(result, new) == result
        old = result


@every
@few
@given(conjunction=conjunctions)
def test_alpha_covers(domain: NumericDomain[Any], conjunction: list[Any]) -> None:
    assert solutions(conjunction) <= points(domain, domain.alpha(conjunction))


@every
@settings(max_examples=100, deadline=None)
@given(constraint=constraints)
def test_exact_constraints(domain: NumericDomain[Any], constraint: Any) -> None:
    value = domain.alpha([constraint])
    if domain.exact(constraint):
        assert points(domain, value) == solutions([constraint])
        for other in constraint.negation():
            assert domain.is_bot(domain.assume(value, other))
    assert solutions([constraint]) <= points(domain, value)


@every
@few
@given(conjunction=conjunctions)
def test_emptiness_is_seen(domain: NumericDomain[Any], conjunction: list[Any]) -> None:
    kept = [constraint for constraint in conjunction if domain.exact(constraint)]
    value = domain.alpha(kept + INSIDE)
    assert domain.is_bot(assume_all(domain, value, [FALSE]))
    if domain.is_bot(value):
        assert not solutions(kept)
    elif domain.name != "polyhedra":
        assert solutions(kept)


X, Y, Z = (variable(name) for name in NAMES)


@every
def test_entails(domain: NumericDomain[Any]) -> None:
    value = domain.alpha([at_most(0, X), at_most(X, 3), equal(Y, 2)])
    assert entails(domain, value, at_most(X, 3)) and not entails(domain, value, at_most(X, 2))
    assert entails(domain, value, equal(Y, 2))
    assert not entails(domain, value, equal(X, 3)) and not entails(domain, value, equal(X, 0))
    assert not entails(domain, value, at_most(Z, 9))
    assert entails(domain, domain.bottom(), equal(X, 1))


@every
def test_widening_and_narrowing_of_a_counter(domain: NumericDomain[Any]) -> None:
    start = domain.alpha([equal(X, 0), equal(Y, 10)])
    once = domain.join(start, domain.assign(start, "x", X + 1))
    head = domain.widen(start, once)
    assert domain.bounds(head, X) == (0, None) and domain.bounds(head, Y) == (10, 10)
    inside = domain.assign(domain.assume(head, at_most(X + 1, Y)), "x", X + 1)
    again = domain.join(start, inside)
    assert domain.leq(again, head)
    found = domain.narrow(head, again)
    assert domain.bounds(found, X) == (0, 10)
    # a bound that is there stays: else a loop that goes down by one would take all steps
    lower = domain.assume(found, at_most(X, 9))
    assert domain.narrow(found, lower) == found


@pytest.mark.parametrize("domain", DOMAINS[1:], ids=lambda domain: domain.name)
def test_widening_keeps_what_is_related(domain: NumericDomain[Any]) -> None:
    start = domain.alpha([equal(X, 0), equal(Y, 0)])
    once = domain.join(start, domain.alpha([equal(X, 1), equal(Y, 1)]))
    assert domain.widen(start, once) == domain.alpha([equal(X, Y), at_most(0, X)])


def test_octagons_are_rounded() -> None:
    domain = OctagonDomain()
    for odd in (-5, -1, 1, 7):
        value = domain.alpha([at_most(X + Y, odd), at_most(X, Y)])
        assert domain.bounds(value, X) == (None, odd // 2)
        assert domain.is_bot(domain.alpha([equal(X + Y, odd), equal(X, Y)]))
    value = domain.alpha([at_most(X + Y, 1), at_most(X, Y), at_most(0, X - Z)])
    assert domain.bounds(value, Z) == (None, 0)


@every
def test_widening_ends_where_closing_brings_bounds_back(domain: NumericDomain[Any]) -> None:
    """x and y stay close to each other, so what is given up for one follows from the other."""
    near = [at_most(X, Y + 1), at_most(Y, X + 1)]
    value = domain.alpha([*near, at_most(X, Z), at_most(Y, Z)])
    steps = 0
    for _ in range(20):
        for moving, other in ((X, Y), (Y, X)):
            _, most = domain.bounds(value, other - Z)
            if most is None:
                break
            new = domain.alpha([*near, at_most(moving - Z, most + 1), at_most(other - Z, most)])
            grown = domain.widen(value, new)
            assert domain.leq(new, grown) and domain.leq(value, grown)
            steps += grown != value
            value = grown
    assert steps <= 3
