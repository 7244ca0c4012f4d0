"""Interpolants of bit-vectors."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.refine.interpolators.bit_interpolants import Bits, joined_bits
from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.term import FALSE, BitVecSort, Symbol, Term
from support.refine_problems import problem_of, shown, subject

STATES = """int s;
int main(void) {
  s = 0;
  while (1) { if (s == 0) s = 1; else if (s == 1) s = 2; else if (s == 5) reach_error(); }
  return 0;
}"""
X, Y = (Symbol(name, BitVecSort(4)) for name in "xy")


def test_predicates_for_each_cut() -> None:
    for turns in range(2):
        problem = problem_of(subject(STATES, "bv"), 2 + turns)
        found = Bits().find(problem, 200.0)
        assert found is not None
        assert {configuration for configuration, _ in found.predicates} == set(
            problem.configurations
        )
        assert all("s" in text for text in shown(found))


def test_no_vectors_no_predicates() -> None:
    problem = problem_of(subject(STATES), 2)
    assert Bits().find(problem, 200.0) is None
    assert Bits().find(problem_of(subject(STATES, "bv"), 2), 0.0) is None


def bit(vector: Term, position: int, value: int) -> Term:
    return build.eq(bitvectors.extract(vector, position, position), bitvectors.bits(value, 1))


def test_bits_are_put_together() -> None:
    assert joined_bits(
        build.and_(*(bit(X, position, position & 1) for position in range(4)))
    ) is build.eq(X, bitvectors.bits(0b1010, 4))
    apart = joined_bits(build.or_(bit(X, 0, 1), bit(X, 1, 1), bit(X, 3, 0)))
    assert apart is build.not_(
        build.and_(build.eq(bitvectors.extract(X, 1, 0), bitvectors.bits(0, 2)), bit(X, 3, 1))
    )
    assert joined_bits(build.and_(build.or_(bit(X, 0, 1), FALSE), bit(X, 0, 0))) is FALSE


def random_condition(random_: random.Random, depth: int) -> Term:
    if depth == 0:
        return bit(random_.choice((X, Y)), random_.randrange(4), random_.randrange(2))
    parts = [random_condition(random_, depth - 1) for _ in range(random_.randrange(1, 4))]
    joined = random_.choice((build.and_, build.or_))(*parts)
    return random_.choice((joined, build.not_(joined)))


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_words_mean_the_same(random_: random.Random) -> None:
    term = random_condition(random_, random_.randrange(4))
    same = joined_bits(term)
    for number in range(256):
        evaluator = TermEvaluator({X: number & 15, Y: number >> 4})
        assert evaluator.holds(term) == evaluator.holds(same)
