"""Every operation of every numeric domain against the points of a small grid, and its precision."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.domains.linear import Linear, at_most, variable
from predabs.domains.numeric_domain import NO_BOUNDS, NumericDomain, assign_all, entails
from support.domain_values import (
    DOMAINS,
    GRID,
    INSIDE,
    NAMES,
    conjunctions,
    constraints,
    contains,
    forms,
    points,
    solutions,
    sources,
    values,
)

every = pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
# polyhedra are those of the rational points
over_the_integers = pytest.mark.parametrize("domain", DOMAINS[:2], ids=lambda domain: domain.name)
few = settings(max_examples=30, deadline=None)
names = st.sampled_from(NAMES)
X, Y, Z = (variable(name) for name in NAMES)
ANY = (-7, 0, 8)  # for what is forgotten or read


@every
@few
@given(data=st.data(), constraint=constraints)
def test_assume(domain: NumericDomain[Any], data: st.DataObject, constraint: Any) -> None:
    value = data.draw(values(domain))
    result = domain.assume(value, constraint)
    expected = points(domain, value) & solutions([constraint])
    assert expected <= points(domain, result)
    assert domain.leq(result, value)
    if domain.exact(constraint):
        assert points(domain, result) == expected
        assert result == domain.meet(value, domain.alpha([constraint]))


@every
@few
@given(data=st.data(), target=names, source=sources)
def test_assign(
    domain: NumericDomain[Any], data: st.DataObject, target: str, source: Linear | None
) -> None:
    value = data.draw(values(domain))
    result = domain.assign(value, target, source)
    for k in points(domain, value):
        for number in ANY if source is None else (source.at(GRID[k]),):
            assert contains(domain, result, {**GRID[k], target: number})


@every
@few
@given(data=st.data(), updates=st.dictionaries(names, sources, min_size=2))
def test_assign_at_once(
    domain: NumericDomain[Any], data: st.DataObject, updates: dict[str, Linear | None]
) -> None:
    value = data.draw(values(domain))
    result = assign_all(domain, value, updates)
    assert domain.variables(result) <= set(NAMES)
    for k in points(domain, value):
        for number in ANY:
            new = {n: number if form is None else form.at(GRID[k]) for n, form in updates.items()}
            assert contains(domain, result, {**GRID[k], **new})


@every
@few
@given(data=st.data(), target=names, offset=st.integers(-3, 3))
def test_a_shift_is_exact(
    domain: NumericDomain[Any], data: st.DataObject, target: str, offset: int
) -> None:
    value = data.draw(values(domain))
    for sign in (1, -1):
        moved = domain.assign(value, target, sign * variable(target) + offset)
        back = sign * variable(target) - sign * offset
        assert domain.assign(moved, target, back) == value


@every
@few
@given(data=st.data(), gone=st.sets(names))
def test_forget(domain: NumericDomain[Any], data: st.DataObject, gone: set[str]) -> None:
    value = data.draw(values(domain))
    result = domain.forget(value, gone)
    assert domain.variables(result) <= domain.variables(value) - gone
    assert domain.leq(value, result)
    for k in points(domain, value):
        for number in ANY:
            assert contains(domain, result, {**GRID[k], **dict.fromkeys(gone, number)})


@every
@few
@given(data=st.data(), order=st.permutations((*NAMES, "a", "zz")))
def test_rename(domain: NumericDomain[Any], data: st.DataObject, order: list[str]) -> None:
    value = data.draw(values(domain))
    there = dict(zip(NAMES, order, strict=False))
    result = domain.rename(value, there)
    assert domain.variables(result) == {there[name] for name in domain.variables(value)}
    assert domain.rename(result, {new: old for old, new in there.items()}) == value
    found = points(domain, value)
    for k in range(0, len(GRID), 7):
        point = {there[name]: number for name, number in GRID[k].items()}
        assert contains(domain, result, point) == (k in found)


@every
@few
@given(data=st.data(), form=forms, constraint=constraints)
def test_bounds_and_entails(
    domain: NumericDomain[Any], data: st.DataObject, form: Linear, constraint: Any
) -> None:
    value = data.draw(values(domain))
    low, high = domain.bounds(value, form)
    found = points(domain, value)
    if domain.is_bot(value):
        assert (low, high) == NO_BOUNDS
    for k in found:
        number = form.at(GRID[k])
        assert low is None or low <= number
        assert high is None or number <= high
    if entails(domain, value, constraint):
        assert found <= solutions([constraint])
    for known in domain.gamma(value):
        assert entails(domain, value, known)


@over_the_integers
@few
@given(conjunction=conjunctions, other=conjunctions)
def test_best_bounds(domain: NumericDomain[Any], conjunction: list[Any], other: list[Any]) -> None:
    """Inside the grid: bounds of own forms are reached, also after a join and a projection."""
    own = [
        domain.alpha([c for c in some if domain.exact(c)] + INSIDE) for some in (conjunction, other)
    ]
    both = domain.join(*own)
    found = points(domain, own[0]) | points(domain, own[1])
    for form in (X, Y, X - Y, X + Z, -Y - Z):
        if found and domain.exact(at_most(form, 0)):
            numbers = [form.at(GRID[k]) for k in found]
            assert domain.bounds(both, form) == (min(numbers), max(numbers))
    projected = domain.forget(both, ["y"])
    assert domain.bounds(projected, X) == domain.bounds(both, X)
    if domain.exact(at_most(X, Z)):
        assert domain.bounds(projected, X - Z) == domain.bounds(both, X - Z)
