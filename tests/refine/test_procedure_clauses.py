"""Summaries of procedures: Horn clauses with several premises, and the predicates out of them."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.liveness import liveness
from predabs.analysis.memory.partition import partition
from predabs.analysis.modref import modref
from predabs.analysis.points_to.sets import points_to
from predabs.encode.encoding import Encoding
from predabs.encode.environment import Formulas
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.encode.optimistic_encoding import OptimisticEncoding
from predabs.errors import UnsupportedFeature
from predabs.ir.result_variables import with_results
from predabs.ir.show import show_expr
from predabs.refine.horn.procedure_clauses import Summaries
from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.horn import HornClause, HornRefuted, HornRelation, Solved, solve, verify
from predabs.smt.solver import Statistics, Unknown
from predabs.smt.term import FALSE, INT, TRUE, BitVecSort, Symbol, Term
from support.c_programs import program_of_c
from support.counted_time import PLENTY

X, R, S, T = (Symbol(name, INT) for name in "xrst")
CALL = HornRelation("call", (X, R))  # of an argument and a result


def number(value: int) -> Term:
    return build.integer(value)


def plus(term: Term, value: int) -> Term:
    return build.add(term, number(value))


def check(rules: list[HornClause]) -> Solved:
    found = solve(rules, Statistics(), PLENTY)
    assert isinstance(found, Solved), found
    assert isinstance(verify(rules, found.relations, Statistics(), PLENTY), Solved)
    return found


# x > 100 ? x - 10 : f(f(x + 11))
MCCARTHY = [
    HornClause(None, build.gt(X, number(100)), CALL, (X, plus(X, -10))),
    HornClause(
        None,
        build.le(X, number(100)),
        CALL,
        (X, T),
        ((CALL, (plus(X, 11), S)), (CALL, (S, T))),
    ),
]
WRONG = build.and_(build.le(X, number(101)), build.not_(build.eq(R, number(91))))
# x < 2 ? x : f(x - 1) + f(x - 2), for x that is not negative
FIBONACCI = [
    HornClause(None, build.and_(build.le(number(0), X), build.lt(X, number(2))), CALL, (X, X)),
    HornClause(
        None,
        build.le(number(2), X),
        CALL,
        (X, build.add(S, T)),
        ((CALL, (plus(X, -1), S)), (CALL, (plus(X, -2), T))),
    ),
]


def test_mccarthy() -> None:
    found = check([*MCCARTHY, HornClause(CALL, WRONG, None)])
    meaning = found.relations[CALL]
    for x, r in ((99, 91), (-5, 91), (101, 91), (150, 140)):
        assert TermEvaluator({X: x, R: r}).holds(meaning)
    assert not TermEvaluator({X: 99, R: 90}).holds(meaning)


def test_fibonacci() -> None:
    check([*FIBONACCI, HornClause(CALL, build.lt(R, number(0)), None)])
    check([*FIBONACCI, HornClause(CALL, build.lt(R, plus(X, -1)), None)])


@pytest.mark.parametrize("value", [91, 140])
def test_what_does_happen_is_refuted(value: int) -> None:
    rules = [*MCCARTHY, HornClause(CALL, build.eq(R, number(value)), None)]
    assert isinstance(solve(rules, Statistics(), PLENTY), HornRefuted)


def test_a_wrong_solution_is_not_believed() -> None:
    rules = [*MCCARTHY, HornClause(CALL, WRONG, None)]
    is_91 = build.eq(R, number(91))
    right = build.or_(
        build.and_(build.le(X, number(101)), is_91),
        build.and_(build.gt(X, number(101)), build.eq(R, plus(X, -10))),
    )
    assert isinstance(verify(rules, {CALL: right}, Statistics(), PLENTY), Solved)
    only_large = build.and_(build.gt(X, number(100)), build.eq(R, plus(X, -10)))
    too_weak = build.or_(build.gt(X, number(101)), is_91)
    for wrong in (TRUE, FALSE, is_91, build.le(R, X), only_large, too_weak):
        assert isinstance(verify(rules, {CALL: wrong}, Statistics(), PLENTY), Unknown), wrong


def test_what_each_premise_gives() -> None:
    """The reason for a conclusion may lie in either call."""
    one, two = HornRelation("one", (X,)), HornRelation("two", (X,))
    rules = [
        HornClause(None, build.lt(X, number(3)), one, (X,)),
        HornClause(None, build.lt(number(5), X), two, (X,)),
        HornClause(one, TRUE, None, (), ((two, (X,)),)),
    ]
    found = check(rules)
    assert found.relations.keys() == {one, two}
    assert not TermEvaluator({X: 4}).holds(build.and_(*found.relations.values()))
    wrong = {one: build.lt(X, number(3)), two: TRUE}
    assert isinstance(verify(rules, wrong, Statistics(), PLENTY), Unknown)


WIDTH = 2
A, B, C, D = (Symbol(name, BitVecSort(WIDTH)) for name in "abcd")
POINTS = [HornRelation(f"p{n}", (A, B)) for n in range(2)]
VALUES = range(1 << WIDTH)


def random_rules(pick: random.Random) -> list[HornClause]:
    def value(names: tuple[Symbol, ...]) -> Term:
        one = pick.choice([*names, bitvectors.bits(pick.randrange(1 << WIDTH), WIDTH)])
        return pick.choice([one, bitvectors.add(one, pick.choice(names))])

    def condition() -> Term:
        compare = pick.choice([build.eq, bitvectors.ult, lambda a, b: build.not_(build.eq(a, b))])
        return compare(value((A, B)), value((A, B, C)))

    rules = [HornClause(None, condition(), pick.choice(POINTS), (value((A, B)), value((A, B))))]
    for _ in range(pick.randrange(1, 5)):
        also = tuple((pick.choice(POINTS), (value((A, B)), C)) for _ in range(pick.randrange(3)))
        outputs = value((A, B, C)), value((A, B, C))
        rules.append(
            HornClause(pick.choice(POINTS), condition(), pick.choice(POINTS), outputs, also)
        )
    bad = build.and_(condition(), condition())
    return [*rules, HornClause(pick.choice(POINTS), bad, None)]


def can_fail(rules: list[HornClause]) -> bool:
    """By all that follows, until nothing new does."""
    known: set[tuple[HornRelation, int, int]] = set()
    while True:
        new: set[tuple[HornRelation, int, int]] = set()
        for rule in rules:
            for a, b, c in product(VALUES, repeat=3):
                evaluator = TermEvaluator({A: a, B: b, C: c})
                before = [(r, *map(evaluator.value, terms)) for r, terms in rule.also]
                if rule.source is not None:
                    before.append((rule.source, a, b))
                if known.issuperset(before) and evaluator.holds(rule.condition):
                    if rule.target is None:
                        return True
                    new.add((rule.target, *map(evaluator.value, rule.outputs)))
        if new <= known:
            return False
        known |= new


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_against_all_states(pick: random.Random) -> None:
    rules = random_rules(pick)
    answer = solve(rules, Statistics(), PLENTY)
    assert isinstance(answer, HornRefuted if can_fail(rules) else Solved), answer


# --- of programs ----------------------------------------------------------------------------------


def summaries(source: str, encoding: Encoding | None = None) -> Summaries:
    program = with_results(program_of_c(source))
    split = partition(program, points_to(program))
    live = liveness(program, modref(program, split))
    formulas = Formulas(split, encoding or IntegerEncoding())
    return Summaries(program, split.points_to, formulas, live, Statistics(), lambda: None)


COUNT = """int f(int n) { if (n == 0) return 0; return f(n - 1) + 1; }
int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n);
  if (r != n) reach_error(); return 0; }"""


def test_a_recursive_function() -> None:
    """What it returns, as a relation to its argument."""
    asked = summaries(COUNT)
    found = asked.find(PLENTY)
    assert found and asked.hopeless  # there is nothing more to learn
    mine = [one for _, one in found if one.function == "f"]
    texts = [show_expr(one.expr) for one in mine]
    assert any("return" in text and "'n" in text for text in texts), texts
    constants = {c.short: show_expr(place) for one in mine for c, place in one.constants.items()}
    assert constants == {"'n": "n"}


def test_a_function_that_returns_what_it_was_given() -> None:
    """Its relation has no second copy of the storage at the entry."""
    source = """int second(int j, int i) { return i; } void empty(int i) { }
        int f(int n) { if (n == 0) return 0; empty(n); return f(n - 1) + 1; }
        int main(void) { int n = __VERIFIER_nondet_int(); int r = f(second(1, n));
        if (r != n) reach_error(); return 0; }"""
    asked = summaries(source)
    assert asked.find(PLENTY) and asked.hopeless
    wrong = summaries(source.replace("return i;", "return j;"))
    assert wrong.find(PLENTY) is None


def test_a_global_that_comes_back() -> None:
    source = """int depth; void f(int n) { depth = depth + 1; if (n > 0) f(n - 1);
        depth = depth - 1; }
        int main(void) { f(__VERIFIER_nondet_int()); if (depth != 0) reach_error(); return 0; }"""
    found = summaries(source, OptimisticEncoding()).find(PLENTY)
    texts = {show_expr(one.expr) for _, one in found or ()}
    assert any("depth" in text and "'depth" in text for text in texts), texts


def test_a_bug_has_no_summary() -> None:
    asked = summaries(COUNT.replace("r != n", "r == 2"))
    assert asked.find(PLENTY) is None
    assert asked.hopeless


def test_no_time() -> None:
    asked = summaries(COUNT)
    assert asked.find(0.0) is None
    assert not asked.hopeless
    assert asked.find(PLENTY)


def test_what_is_too_large() -> None:
    names = [f"g{n}" for n in range(40)]
    uses = " ".join(f"if ({name} < {n}) reach_error();" for n, name in enumerate(names))
    source = f"int {', '.join(names)}; int main(void) {{ {uses} return 0; }}"
    with pytest.raises(UnsupportedFeature):
        summaries(source).find(1.0)
