"""Horn clauses: solutions are believed only after a check, and limits hold."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.errors import InternalError
from predabs.smt import bitvectors, build
from predabs.smt.backends.z3 import Z3Solver
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.horn import HornClause, HornRefuted, HornRelation, Solved, conjuncts, solve, verify
from predabs.smt.solver import Answer, Statistics, Unknown
from predabs.smt.term import FALSE, INT, TRUE, ArraySort, BitVecSort, Symbol, Term
from support.counted_time import PLENTY

X, Y, N = (Symbol(name, INT) for name in "xyn")
ZERO, ONE = build.integer(0), build.integer(1)
XY = HornRelation("loop", (X, Y))


def step(term: Term, by: int = 1) -> Term:
    return build.add(term, build.integer(by))


def check(rules: list[HornClause]) -> Solved:
    """A solution, checked once more."""
    found = solve(rules, Statistics(), PLENTY)
    assert isinstance(found, Solved), found
    assert isinstance(verify(rules, found.relations, Statistics(), PLENTY), Solved)
    return found


COUNTING = [
    HornClause(None, TRUE, XY, (ZERO, ZERO)),
    HornClause(XY, TRUE, XY, (step(X), step(Y))),
    HornClause(XY, build.not_(build.eq(X, Y)), None),
]


def test_a_loop() -> None:
    found = check(COUNTING)
    meaning = found.relations[XY]
    assert TermEvaluator({X: 7, Y: 7}).holds(meaning)
    assert not TermEvaluator({X: 7, Y: 8}).holds(meaning)


def test_a_bug() -> None:
    rules = [*COUNTING, HornClause(XY, build.eq(X, build.integer(3)), None)]
    assert isinstance(solve(rules, Statistics(), PLENTY), HornRefuted)
    assert isinstance(solve([HornClause(None, TRUE, None)], Statistics(), PLENTY), HornRefuted)


def test_relations_in_a_row() -> None:
    """Without arguments, with the same names, and with symbols that are no arguments."""
    first, second = HornRelation("r", ()), HornRelation("r", (Symbol("x", BitVecSort(8)), X))
    third = HornRelation("s", (X,))
    byte = Symbol("b", BitVecSort(8))
    rules = [
        HornClause(None, build.lt(N, ZERO), first),
        HornClause(first, build.lt(ZERO, N), second, (byte, N)),
        HornClause(
            second, bitvectors.ult(second.arguments[0], bitvectors.bits(4, 8)), third, (step(X),)
        ),
        HornClause(third, build.lt(X, build.integer(2)), None),
    ]
    found = check(rules)
    assert found.relations.keys() == {first, second, third}
    assert not TermEvaluator({X: 1}).holds(found.relations[third])


def test_vectors_wrap_around() -> None:
    x = Symbol("x", BitVecSort(32))
    loop = HornRelation("loop", (x,))
    rules = [
        HornClause(None, TRUE, loop, (bitvectors.bits(0, 32),)),
        HornClause(loop, TRUE, loop, (bitvectors.add(x, bitvectors.bits(2, 32)),)),
        HornClause(loop, build.eq(x, bitvectors.bits(7, 32)), None),
    ]
    assert TermEvaluator({x: 8}).holds(check(rules).relations[loop])


def test_maps() -> None:
    array = Symbol("a", ArraySort(INT, INT))
    loop = HornRelation("loop", (array, X))
    rules = [
        HornClause(None, build.eq(build.select(array, ZERO), ONE), loop, (array, ONE)),
        HornClause(loop, TRUE, loop, (build.store(array, X, ZERO), step(X))),
        HornClause(loop, build.not_(build.eq(build.select(array, ZERO), ONE)), None),
    ]
    check(rules)


def test_only_what_is_needed_is_kept() -> None:
    useless = build.and_(build.le(X, step(Y, 5)), build.eq(X, Y), build.le(ZERO, X))
    found = verify(COUNTING, {XY: useless}, Statistics(), PLENTY)
    assert isinstance(found, Solved)
    assert found.relations[XY] is build.eq(X, Y)
    harmless = [HornClause(None, TRUE, XY, (ZERO, ZERO)), HornClause(XY, FALSE, None)]
    assert check(harmless).relations[XY] is TRUE


def test_a_wrong_solution_is_not_believed() -> None:
    for wrong in (TRUE, FALSE, build.lt(X, Y), build.eq(X, ZERO)):
        assert isinstance(verify(COUNTING, {XY: wrong}, Statistics(), PLENTY), Unknown)


def test_a_limit_holds() -> None:
    """The invariant would have to speak of squares."""
    rules = [
        HornClause(None, TRUE, XY, (ZERO, ZERO)),
        HornClause(XY, TRUE, XY, (step(X), build.add(Y, X, X, ONE))),
        HornClause(XY, build.eq(Y, build.integer(1234567)), None),
    ]
    for seconds in (0.0, 1.0):  # without a limit there is no end
        assert isinstance(solve(rules, Statistics(), seconds), Unknown)


def test_an_alarm_that_comes_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """z3 has found a solution, but was told to stop before it was read."""
    finish = Z3Solver.check

    def late(
        self: Z3Solver, assumptions: Sequence[Term] = (), timeout: float | None = None
    ) -> Answer:
        answer = finish(self, assumptions, timeout)
        self._interrupt()
        return answer

    monkeypatch.setattr(Z3Solver, "check", late)
    assert isinstance(solve(COUNTING, Statistics(), 0.5), Unknown)


def test_rules_that_do_not_fit() -> None:
    with pytest.raises(InternalError):
        solve([HornClause(None, TRUE, XY, (ZERO,))], Statistics(), 1.0)


def test_conjuncts() -> None:
    parts = [build.lt(X, Y), build.lt(Y, N), build.or_(build.lt(N, X), build.eq(X, Y))]
    nested = build.and_(parts[0], build.not_(build.not_(build.and_(parts[1], parts[2]))))
    assert conjuncts(nested) == parts
    assert conjuncts(parts[2]) == [parts[2]]


WIDTH = 2
A, B = (Symbol(name, BitVecSort(WIDTH)) for name in "ab")
POINTS = [HornRelation(f"p{number}", (A, B)) for number in range(3)]
VALUES = list(product(range(1 << WIDTH), repeat=2))


def random_rules(random_: random.Random) -> list[HornClause]:
    def number() -> Term:
        return random_.choice([A, B, bitvectors.bits(random_.randrange(1 << WIDTH), WIDTH)])

    def value() -> Term:
        return random_.choice([number, lambda: bitvectors.add(number(), number())])()

    def condition() -> Term:
        compare = random_.choice(
            [build.eq, bitvectors.ult, lambda a, b: build.not_(build.eq(a, b))]
        )
        return compare(value(), value())

    rules = [HornClause(None, condition(), POINTS[0], (value(), value()))]
    for _ in range(random_.randrange(1, 6)):
        source, target = random_.choice(POINTS), random_.choice(POINTS)
        rules.append(HornClause(source, condition(), target, (value(), value())))
    rules.append(HornClause(random_.choice(POINTS), build.and_(condition(), condition()), None))
    return rules


def can_fail(rules: list[HornClause]) -> bool:
    """By going through all states."""
    reached: set[tuple[HornRelation, int, int]] = set()
    todo: list[tuple[HornRelation | None, int, int]] = [(None, a, b) for a, b in VALUES]
    while todo:
        here, a, b = todo.pop()
        evaluator = TermEvaluator({A: a, B: b})
        for rule in rules:
            if rule.source is here and evaluator.holds(rule.condition):
                if rule.target is None:
                    return True
                new = (rule.target, *(evaluator.value(output) for output in rule.outputs))
                if new not in reached:
                    reached.add(new)
                    todo.append(new)
    return False


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_against_all_states(random_: random.Random) -> None:
    rules = random_rules(random_)
    answer = solve(rules, Statistics(), PLENTY)
    assert isinstance(answer, HornRefuted if can_fail(rules) else Solved), answer
