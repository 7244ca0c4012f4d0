"""Numeric domains over more variables than a polyhedron may relate: sound there too, and sparse."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from predabs.domains.linear import Constraint, Linear, at_most, combination, equal, variable
from predabs.domains.numeric_domain import NumericDomain, narrow_unbounded
from predabs.domains.octagon import OctagonDomain
from predabs.domains.polyhedra import MOST, PolyhedraDomain
from support.domain_values import DOMAINS, contains

every = pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
NAMES = [f"v{k:02}" for k in range(2 * MOST)]
FORMS = [variable(name) for name in NAMES]


def form(rng: random.Random, most: int) -> Linear:
    chosen = rng.sample(NAMES, rng.randint(1, most))
    return combination([(name, rng.choice((1, -1, 1, -1, 2))) for name in chosen])


def around(rng: random.Random, point: dict[str, int], most: int) -> list[Constraint]:
    """Constraints that the point satisfies, some of them just so."""
    found = []
    for _ in range(rng.randint(5, 25)):
        some = form(rng, most)
        if rng.random() < 0.2:
            found.append(equal(some, some.at(point)))
        else:
            found.append(at_most(some, some.at(point) + rng.choice((0, 0, 1, 3))))
    return found


@every
@pytest.mark.parametrize("seed", range(40))
def test_points_stay(domain: NumericDomain[Any], seed: int) -> None:
    rng = random.Random(seed)
    most = rng.choice((2, 3, 3, MOST + 2))
    p, q = ({name: rng.randint(-5, 5) for name in NAMES} for _ in range(2))
    if seed % 2:
        q = {**p, **{name: rng.randint(-5, 5) for name in NAMES[:4]}}
    a, b = (domain.alpha(around(rng, point, most)) for point in (p, q))
    assert contains(domain, a, p) and contains(domain, b, q)
    both = domain.join(a, b)
    grown = domain.widen(a, b)
    for upper in (both, grown):
        assert contains(domain, upper, p) and contains(domain, upper, q)
        assert domain.leq(a, upper) and domain.leq(b, upper)
    assert domain.alpha(domain.gamma(both)) == both
    assert contains(domain, domain.meet(grown, a), p)
    assert contains(domain, narrow_unbounded(domain, grown, both), q)
    for value, point in ((a, p), (b, q), (both, p), (both, q), (grown, q)):
        source = form(rng, most) + rng.randint(-3, 3)
        target = rng.choice(NAMES)
        after = {**point, target: source.at(point)}
        assert contains(domain, domain.assign(value, target, source), after)
        kept = at_most(source, after[target] + rng.randint(0, 1))
        assert contains(domain, domain.assume(value, kept), point)
        low, high = domain.bounds(value, source)
        assert (low is None or low <= after[target]) and (high is None or after[target] <= high)
        gone = rng.sample(NAMES, 3)
        assert contains(domain, domain.forget(value, gone), {**point, **dict.fromkeys(gone, 77)})


def test_unrelated_variables_are_apart() -> None:
    bounds = [c for f in FORMS for c in (at_most(0, f), at_most(f, 9))]
    octagon, polyhedra = OctagonDomain(), PolyhedraDomain()
    near = [at_most(FORMS[0], FORMS[1]), at_most(FORMS[1], FORMS[2])]
    blocks = octagon.alpha(bounds + near).blocks
    parts = polyhedra.alpha(bounds + near).parts
    assert blocks is not None and [len(block.names) for block in blocks] == [3] + [1] * (
        len(NAMES) - 3
    )
    assert parts is not None and [len(part.names) for part in parts] == [3] + [1] * (len(NAMES) - 3)


def test_parts_stay_small() -> None:
    domain = PolyhedraDomain()
    chain = [at_most(a, b) for a, b in pairwise(FORMS)]
    value = domain.alpha([at_most(0, FORMS[0]), *chain, at_most(FORMS[-1], 50)])
    assert value.parts is not None and max(len(part.names) for part in value.parts) <= MOST
    assert domain.bounds(value, FORMS[MOST])[0] == 0
    every_one = combination([(name, 1) for name in NAMES])
    assert not domain.exact(at_most(every_one, 3))
    small = domain.assume(domain.alpha([at_most(0, f) for f in FORMS]), at_most(every_one, 3))
    assert domain.bounds(small, FORMS[5]) == (0, 3)


def test_a_polyhedron_knows_where_equations_have_no_integer_solution() -> None:
    domain = PolyhedraDomain()
    x, y, z = FORMS[:3]
    assert domain.is_bot(domain.alpha([equal(x, 2 * y), equal(x, 2 * z + 1)]))
    assert not domain.is_bot(domain.alpha([equal(x, 2 * y), equal(x, 3 * z + 1)]))


X, Y, Z = (variable(name) for name in "xyz")


def within(*forms: Linear) -> list[Constraint]:
    return [c for form in forms for c in (at_most(0, form), at_most(form, 10))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([at_most(X, Y)], [at_most(X, Y + 1)], within(X, Y)),
        (
            [equal(X, Y)],
            [at_most(Y, X), at_most(X, Y + 1)],
            [at_most(Y, X), at_most(X, 10), at_most(0, Y)],
        ),
        ([equal(X, Y)], [at_most(X, Y + 1), at_most(Y, X + 1)], within(X, Y)),
        (
            [at_most(X, Y), at_most(Y, Z)],
            [at_most(X, Y + 1), at_most(X, Z), at_most(Y, Z)],
            [at_most(X, Z), at_most(Y, Z), *within(X, Y, Z)],
        ),
    ],
    ids=["less", "half", "equal", "three"],
)
def test_widening_an_octagon_keeps_bounds(
    old: list[Constraint], new: list[Constraint], expected: list[Constraint]
) -> None:
    """A relation breaks, and the bounds that made up for it stay."""
    domain = OctagonDomain()
    names = [X, Y, Z] if any("z" in c.variables for c in old) else [X, Y]
    before, after = domain.alpha(old + within(*names)), domain.alpha(new + within(*names))
    assert domain.widen(before, domain.join(before, after)) == domain.alpha(expected)


@every
def test_a_name_that_looks_made_up(domain: NumericDomain[Any]) -> None:
    value = domain.alpha([equal(X, 5)])
    after = domain.assign(value, "x", X + variable("x'"))
    assert not domain.is_bot(after)
    assert contains(domain, after, {"x": 12, "x'": 7})
