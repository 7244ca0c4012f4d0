"""The examples, figures and tables of [GC10], as it states them."""

from __future__ import annotations

from typing import Any

import pytest

from predabs.domains.linear import at_most, constant, equal, variable
from predabs.numpred.domain.formula import (
    FALSE,
    TRUE,
    Formula,
    Predicate,
    compare,
    conj,
    disj,
    literal,
    negate,
)
from predabs.numpred.domain.mtndd import MtnddStructure
from predabs.numpred.domain.nex import NexStructure
from predabs.numpred.domain.transformers import (
    AssumeTransformer,
    Both,
    Choices,
    ChoiceTransformer,
    Conditional,
    either,
    exactly,
    numeric,
    unknown,
)
from support.numpred_states import COMBINED, NUMBERS, Dom, means, small

x, y, v, w = map(variable, "xyvw")
every = pytest.mark.parametrize("structure", COMBINED)
with_numbers = pytest.mark.parametrize("numbers", NUMBERS)
functions = pytest.mark.parametrize("structure", ["nex", "mtndd", "ndd"])


def at(constraint: Any) -> Formula:
    return compare(constraint)


def same(domain: Dom, left: Any, right: Any) -> bool:
    """Equal by the domain's own order."""
    return domain.leq(left, right) and domain.leq(right, left)


# -- [GC10, section 3] -------------------------------------------------------------------------


def test_example_3_choices() -> None:
    p, q = Predicate("p", None), Predicate("q", None)
    domain = small("predicate", "box", [p, q], [])
    for start in (conj(literal(p), literal(q)), conj(literal(p, False), literal(q))):
        value = domain.alpha(start)
        unchanged = Choices((ChoiceTransformer(p, literal(p), literal(p, False)),))
        assert domain.post(value, unchanged) == value
        assert domain.post(value, Choices((unknown(p),))) == domain.alpha(literal(q))
    both = Choices((ChoiceTransformer(p, conj(literal(p), literal(q)), FALSE),))
    kept = domain.post(domain.alpha(conj(literal(p), literal(q))), both)
    assert kept == domain.alpha(conj(literal(p), literal(q)))
    lost = domain.post(domain.alpha(conj(literal(p), literal(q, False))), both)
    assert lost == domain.alpha(literal(q, False))


# -- [GC10, section 4] -------------------------------------------------------------------------


@functions
@with_numbers
def test_example_4_an_element(structure: str, numbers: str) -> None:
    p = Predicate("p", None)
    element = disj(
        conj(literal(p), at(at_most(0, x)), at(at_most(0, y))),
        conj(literal(p, False), at(at_most(x, -1))),
    )
    domain = small(structure, numbers, [p], "xy")
    assert means(domain, domain.alpha(element), element)
    interpreted = Predicate("p", at_most(0, x))
    again = small(structure, numbers, [interpreted], "xy")
    value = again.alpha(
        disj(conj(literal(interpreted), at(at_most(0, y))), literal(interpreted, False))
    )
    assert same(
        again, value, again.reduce(again.alpha(disj(at(at_most(0, y)), at(at_most(x, -1)))))
    )


def test_example_5_projections() -> None:
    p, positive = Predicate("p", None), Predicate("x >= 0", at_most(0, x))
    e = conj(literal(p), at(at_most(0, x)), at(at_most(0, y)))
    for predicates, expected in (([p], literal(p)), ([positive], literal(positive))):
        domain = small("nexpoint", "box", predicates, [])
        assert domain.alpha_p(e) == domain.alpha_p(expected)
        assert domain.gamma(domain.alpha_p(e)) is expected
    domain = small("nexpoint", "box", [], ["y"])
    assert domain.gamma(domain.alpha(e)) is at(at_most(0, y))
    parts = [at_most(0, x), at_most(0, y)]
    assert domain.gamma(domain.alpha_n(parts)) is at(at_most(0, y))


TO_X, TO_Y = Predicate("p == &x", None), Predicate("p == &y", None)


@functions
@with_numbers
def test_example_6_assume_through_a_pointer(structure: str, numbers: str) -> None:
    domain = small(structure, numbers, [TO_X, TO_Y], "xy")
    positive = disj(
        conj(literal(TO_X), at(at_most(1, x))),
        conj(literal(TO_Y), at(at_most(1, y))),
        conj(literal(TO_X, False), literal(TO_Y, False)),
    )
    apart = negate(conj(literal(TO_X), literal(TO_Y)))
    value = domain.post(domain.alpha(apart), AssumeTransformer(positive))
    assert means(domain, value, conj(apart, positive))


@functions
@with_numbers
def test_example_7_assignment_through_a_pointer(structure: str, numbers: str) -> None:
    domain = small(structure, numbers, [TO_X, TO_Y], "xy")
    neither = conj(literal(TO_X, False), literal(TO_Y, False))
    store = either(
        [
            Conditional(literal(TO_X), numeric(x=constant(3))),
            Conditional(literal(TO_Y), numeric(y=constant(3))),
            AssumeTransformer(neither),
        ]
    )
    start = conj(negate(conj(literal(TO_X), literal(TO_Y))), at(equal(x, 0)), at(equal(y, 0)))
    expected = disj(
        conj(literal(TO_X), literal(TO_Y, False), at(equal(x, 3)), at(equal(y, 0))),
        conj(literal(TO_X, False), literal(TO_Y), at(equal(x, 0)), at(equal(y, 3))),
        conj(neither, at(equal(x, 0)), at(equal(y, 0))),
    )
    assert means(domain, domain.post(domain.alpha(start), store), expected)


@functions
@with_numbers
def test_example_8_a_predicate_from_numbers(structure: str, numbers: str) -> None:
    positive = Predicate("y > 0", at_most(1, y))
    domain = small(structure, numbers, [positive, TO_X, TO_Y], "x")
    to_x, to_y = literal(TO_X), literal(TO_Y)
    store = Choices(
        (
            ChoiceTransformer(
                positive,
                disj(conj(to_x, literal(positive)), conj(to_y, at(at_most(1, x)))),
                disj(conj(to_x, literal(positive, False)), conj(to_y, at(at_most(x, 0)))),
            ),
        )
    )
    start = domain.alpha(
        conj(to_y, literal(TO_X, False), at(at_most(5, x)), literal(positive, False))
    )
    after = domain.post(start, store)
    assert not domain.is_bot(after)
    assert domain.is_bot(domain.assume(after, literal(positive, False)))
    start = domain.alpha(
        conj(to_x, literal(TO_Y, False), at(at_most(5, x)), literal(positive, False))
    )
    assert domain.is_bot(domain.assume(domain.post(start, store), literal(positive)))


@functions
@with_numbers
def test_example_9_both_ways_at_once(structure: str, numbers: str) -> None:
    one = Predicate("y == 1", equal(y, 1))
    domain = small(structure, numbers, [one], "xvw")
    choose = Choices((exactly(one, at(equal(x, 1))),))
    step = either(
        [
            Both(literal(one), numeric(x=v), choose),
            Both(literal(one, False), numeric(x=w), choose),
        ]
    )
    start = domain.alpha(conj(literal(one), at(equal(x, 0)), at(equal(v, 7)), at(equal(w, 9))))
    after = domain.post(start, step)
    assert domain.is_bot(domain.assume(after, literal(one)))
    assert domain.is_bot(domain.assume(after, negate(at(equal(x, 7)))))
    again = domain.post(
        domain.alpha(conj(literal(one, False), at(equal(x, 1)), at(equal(w, 9)))), step
    )
    assert domain.is_bot(domain.assume(again, literal(one, False)))
    assert domain.is_bot(domain.assume(again, negate(at(equal(x, 9)))))


# -- [GC10, section 5] -------------------------------------------------------------------------


@every
@with_numbers
def test_example_11_reduce(structure: str, numbers: str) -> None:
    q, r = Predicate("q", equal(x, 0)), Predicate("r", equal(y, 0))
    domain = small(structure, numbers, [q, r], "xy")
    either_one = domain.alpha_p(disj(literal(q), literal(r)))
    before = domain.meet(either_one, domain.alpha_n([equal(x, 3), at_most(0, y)]))
    after = domain.reduce(before)
    expected = domain.meet(
        domain.alpha_p(conj(literal(q, False), literal(r))),
        domain.alpha_n([equal(x, 3), equal(y, 0)]),
    )
    assert same(domain, after, expected)
    if structure != "ndd":  # in NDD, both are the same set for `leq` too
        assert after == expected
        assert domain.leq(after, before)
        assert not domain.leq(before, after)
    empty = domain.meet(either_one, domain.alpha_n([equal(x, 3), at_most(y, -1)]))
    assert domain.reduce(empty) == domain.bot
    assert domain.leq(domain.bot, empty)
    assert domain.leq(empty, domain.bot) == (structure == "ndd")


@with_numbers
def test_example_12_a_nex_value(numbers: str) -> None:
    p, q = Predicate("p", None), Predicate("q", None)
    e = disj(
        conj(literal(p), literal(q, False), at(at_most(x, -1))),
        conj(literal(p, False), literal(q), at(at_most(y, -1))),
    )
    nex = small("nex", numbers, [p, q], "xy")
    assert isinstance(nex, NexStructure)
    value = nex.alpha(e)
    guards = [conj(literal(p), literal(q, False)), conj(literal(p, False), literal(q))]
    below = [[at_most(x, -1)], [at_most(y, -1)]]
    assert set(value.pairs) == {
        (nex.vocabulary.guarded(guard).guard, nex.numeric_domain.alpha(parts))
        for guard, parts in zip(guards, below, strict=True)
    }
    assert means(nex, value, e)
    point = small("nexpoint", numbers, [p, q], "xy")
    assert not means(point, point.alpha(e), e)


@pytest.mark.parametrize("numbers", ["octagon", "polyhedra"])  # boxes do not have x == y
def test_example_13_an_mtndd_value(numbers: str) -> None:
    z = variable("z")
    p1, p2 = Predicate("x > 0", at_most(1, x)), Predicate("z < y", at_most(z + 1, y))
    domain = small("mtndd", numbers, [p1, p2], "xy")
    assert isinstance(domain, MtnddStructure)
    value = domain.alpha(conj(at(at_most(1, x)), at(at_most(y, z)), at(equal(x, y))))
    # p1, then not p2, then what is below is a number value: x > 0 and x == y, but nothing on z
    assert value.node_var() == 0
    high, low = value.cofactors()
    assert not low.satisfiable()
    assert high.node_var() == 2
    true, false = high.cofactors()
    assert not true.satisfiable()
    assert domain.is_number(false)
    assert domain.decode(false) == domain.numeric_domain.alpha([at_most(1, x), equal(x, y)])


@with_numbers
def test_example_14_shadow_variables(numbers: str) -> None:
    three, four = Predicate("x == 3", equal(x, 3)), Predicate("x == 4", equal(x, 4))
    domain = small("ndd", numbers, [three, four], "x")
    value = domain.alpha(conj(literal(three), at(at_most(3, x))))
    choice = ChoiceTransformer(four, literal(three), FALSE)
    shadow = literal(four, primed=True)
    partly = conj(literal(three), at(at_most(3, x)), shadow)
    assert same(domain, domain.assume(value, choice.relation), domain.alpha(partly))
    step = Both(TRUE, numeric(x=x + 1), Choices((choice,)))
    after = domain.post(value, step)
    assert same(domain, after, domain.alpha(conj(at(at_most(4, x)), literal(four))))
    assert not domain.is_bot(after)
    assert domain.is_bot(domain.assume(after, literal(four, False)))
    # the predicate as it was before the step was needed for the numbers: without it, x may be 9
    more = domain.post(domain.alpha(at(at_most(3, x))), step)
    assert not domain.is_bot(domain.assume(more, at(equal(x, 9))))


@every
@with_numbers
def test_a_shared_variable_is_a_contradiction_by_itself(structure: str, numbers: str) -> None:
    p = Predicate("p", at_most(1, x))
    domain = small(structure, numbers, [p], "x")
    value = domain.meet(domain.alpha_p(literal(p)), domain.alpha_n([at_most(x, 0)]))
    assert (value == domain.bot) == (structure == "ndd")
    assert domain.reduce(value) == domain.bot
