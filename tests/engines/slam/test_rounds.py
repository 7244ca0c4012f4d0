"""The Boolean programs of the slam engine's rounds: their text says the same, runs of the C program
are runs of them, and what did not change is not made again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.facts import ProgramFacts
from predabs.boolprog import parse
from predabs.boolprog.model_check import Proved
from predabs.boolprog.model_check import check as bebop
from predabs.boolprog.replay import values_of
from predabs.boolprog.syntax import STAR, Assign
from predabs.c2bp.abstraction_context import abstraction_context
from predabs.c2bp.boolean_code import Meaning, text
from predabs.c2bp.boolean_code import program as tree
from predabs.c2bp.boolean_graphs import BooleanGraphBuilder, BooleanGraphs
from predabs.c2bp.boolean_variables import Boolean
from predabs.c2bp.graph_listing import listing
from predabs.c2bp.lemmas import Lemmas
from predabs.c2bp.program import ProgramPredicates
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Formulas
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import Expr
from predabs.ir.listing import naming
from predabs.predicates.contradiction import Contradictions
from predabs.predicates.cube import Logic
from predabs.predicates.single_literal_cubes import SingleLiteralCubes
from predabs.predicates.syntax.file import read_predicates
from predabs.smt.solver import Statistics
from predabs.smt.solvers import create
from predabs.verdict import Safe
from support.c2bp_random import random_calls
from support.c_programs import program_of_c
from support.slam_random import Features, random_subject
from support.slam_setup import Searched, follow, hold_invariants, searched, states
from support.small_conditions import ATOMS, LITERALS, STATES, A, B, holds, possible

ENDS = "if (x == 1) reach_error(); if (s.k == 2 && y < 2) reach_error(); return 0; }"
MCCARTHY = """int f91(int x) { if (x > 100) return x - 10; return f91(f91(x + 11)); }
int main(void) { int x = __VERIFIER_nondet_int(); int r = f91(x);
  if (r != 91 && x <= 102) reach_error(); if (r != x - 10 && x > 102) reach_error(); return 0; }"""
COUNT = """int n, m; void up(void) { n = n + 1; m = m + 1; }
int main(void) { while (__VERIFIER_nondet_int()) up(); if (n != m) reach_error(); return 0; }"""


def texts() -> dict[str, str]:
    found = {"mccarthy": MCCARTHY, "count": COUNT}
    for seed in (1, 5, 8, 13, 20, 21):
        subject = random_subject(seed, Features(pointers=seed > 9, through=seed == 20))
        assert subject is not None
        found[f"random {seed}"] = subject.text
    for seed in (3, 6, 134):
        found[f"calls {seed}"] = random_calls(seed).replace("return 0; }", ENDS)
    return found


TEXTS = texts()
SEARCHES: dict[str, Searched] = {}


def search(name: str) -> Searched:
    if name not in SEARCHES:
        SEARCHES[name] = searched(TEXTS[name], 3.0)
    return SEARCHES[name]


def fails(flat: BooleanGraphs) -> bool:
    """Can the graphs reach an error?"""
    reached = states(flat)
    return any(reached.at((name, g.error)).satisfiable() for name, g in flat.graphs.items())


def some(rounds: list[object]) -> list[int]:
    """The first, the last, and one between them."""
    return sorted({0, len(rounds) // 2, len(rounds) - 1} & set(range(len(rounds))))


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_says_the_same(name: str) -> None:
    found = search(name)
    names = naming(found.program)
    for number in some([*found.rounds]):
        flat = found.rounds[number].flat
        coded = listing(flat, ("a heading",), names)
        read = parse(text(coded))
        assert read == tree(coded)
        assert isinstance(bebop(read), Proved) is not fails(flat)


@pytest.mark.parametrize("name", TEXTS)
def test_a_proof_is_one_of_the_last_round(name: str) -> None:
    found = search(name)
    assert found.rounds
    if found.kind != "Unknown":
        assert fails(found.rounds[-1].flat) is (found.kind == "Unsafe")
    for made in found.rounds[:-1]:
        assert fails(made.flat)


@pytest.mark.parametrize("name", TEXTS)
def test_runs_are_runs_of_each_round(name: str) -> None:
    """[BMR05, theorem 1], with lemmas too."""
    found = search(name)
    for number in some([*found.rounds]):
        assert follow(found.program, found.rounds[number], runs=4, steps=100) > 0


LOOPS = {
    "count": COUNT,
    "in a callee": """int n, m; void up(int k) { int i = 0; while (i < k) { n = n + 1; m = m + 1;
      i = i + 1; } } int main(void) { while (__VERIFIER_nondet_int()) up(2);
      if (n != m) reach_error(); return 0; }""",
    "in a recursion": """int locked; void walk(int n) { while (__VERIFIER_nondet_int()) {
        if (locked) reach_error(); locked = 1; if (n > 0) { locked = 0; walk(n - 1); locked = 1; }
        locked = 0; } }
      int main(void) { walk(__VERIFIER_nondet_int()); return 0; }""",
}


@pytest.mark.parametrize("name", LOOPS)
def test_invariants_hold(name: str) -> None:
    found = searched(LOOPS[name])
    assert isinstance(found.verdict, Safe) and found.verdict.invariants
    assert hold_invariants(found) > 0


def test_some_rounds_have_lemmas() -> None:
    """So that the tests above say something about them."""
    assert any(made.lemmas for name in TEXTS for made in search(name).rounds)


# --- what is kept ---------------------------------------------------------------------------------


class Making:
    """A builder of Boolean graphs with its solver."""

    def __init__(self, source: str) -> None:
        self.program: Program = program_of_c(source)
        self.statistics = Statistics()
        here = abstraction_context(ProgramFacts(self.program), {}, 1, lambda: None, self.statistics)
        here = replace(here, cubes=SingleLiteralCubes(here.logics, lambda: None))
        self.builder = BooleanGraphBuilder(here)

    def predicates(self, written: str) -> ProgramPredicates:
        file = read_predicates(written, self.program)
        own = {
            name: tuple(Boolean(f"{{{p.text}}}", p.expr) for p in found)
            for name, found in file.procedures.items()
        }
        return ProgramPredicates(
            tuple(Boolean(f"{{{p.text}}}", p.expr) for p in file.globals), own, {}
        )

    def flat(self, written: str, lemmas: Lemmas | None = None) -> tuple[BooleanGraphs, int, int]:
        """The Boolean program, the procedures that were kept, and the questions that were asked."""
        reused, calls = self.builder.reused, self.statistics.calls
        made = self.builder.build(self.predicates(written), lemmas or Lemmas())
        return made, self.builder.reused - reused, self.statistics.calls - calls


THREE = """int g; int id(int x) { return x; } void set(int v) { g = v; }
int main(void) { set(id(3)); if (g != 3) reach_error(); return 0; }"""


def test_an_unchanged_round_asks_nothing() -> None:
    making = Making(THREE)
    first, reused, calls = making.flat("main:\ng == 3\nset:\nv == 3\n")
    assert (reused, calls > 0) == (0, True)
    second, reused, calls = making.flat("main:\ng == 3\nset:\nv == 3\n")
    assert (reused, calls) == (3, 0)
    assert first.program == second.program


def test_only_what_depends_on_new_predicates_is_made_again() -> None:
    making = Making(THREE)
    making.flat("set:\nv == 3\n")
    _, reused, _ = making.flat("set:\nv == 3\nid:\nx == 3\n")  # of main, which calls id, the call
    assert reused == 1
    _, reused, _ = making.flat("set:\nv == 3\nid:\nx == 3\nmain:\ng == 3\n")
    assert reused == 2
    _, reused, _ = making.flat("global:\ng == 3\nset:\nv == 3\nid:\nx == 3\n")
    assert reused == 0


def test_what_is_old_during_a_call_excludes_nothing_new() -> None:
    """When f has returned, g is 0 already, and the predicate of main is still that of before."""
    making = Making("""int g; void f(void) { g = 0; }
      int main(void) { int x = 2; g = 1; f(); if (x == 2) reach_error(); return 0; }""")
    made, _, _ = making.flat("global:\ng == 1\nmain:\nx == 2\nx == 2 && g == 1\n")
    assert fails(made)


def test_lemmas_need_no_new_code() -> None:
    making = Making("int x; int main(void) { x = __VERIFIER_nondet_int(); x = x + 1; return x; }")
    written = "main:\nx < 3\nx == 1\nx == 2\n"
    low, one, two = (b.expr for b in making.predicates(written).own["main"])
    plain, _, _ = making.flat(written)
    lemmas = Lemmas()
    assert lemmas.add(frozenset([(low, True), (one, False), (two, False)]))  # say that it is so
    bound, reused, calls = making.flat(written, lemmas)
    assert (reused, calls) == (1, 0)
    assert plain.program.procedures[0].enforce != bound.program.procedures[0].enforce


# --- lemmas ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def contradictions() -> Contradictions:
    program = program_of_c("int main(void) { return 0; }")
    here = abstraction_context(ProgramFacts(program), {}, 1, lambda: None, Statistics())
    logics = [
        Logic(Formulas(here.partition, encoding), create(solver, Statistics()))
        for encoding, solver in ((IntegerEncoding(), "z3"), (BitVectorEncoding(), "bitwuzla"))
    ]
    return Contradictions(logics, lambda: None)


@settings(max_examples=80, deadline=None)
@given(literals=LITERALS)
def test_contradictions_are_just_those(
    literals: list[tuple[Expr, bool]], contradictions: Contradictions
) -> None:
    found = contradictions.find(literals)
    assert (found is None) is possible(literals)
    if found is not None:
        assert found <= set(literals)
        assert not possible(found)
        assert all(possible(found - {one}) for one in found)


@settings(max_examples=60, deadline=None)
@given(lemma=LITERALS, now=st.lists(ATOMS, max_size=4), after=st.lists(ATOMS, max_size=3))
def test_an_assignment_only_loses_what_a_lemma_excludes(
    lemma: list[tuple[Expr, bool]], now: list[Expr], after: list[Expr]
) -> None:
    """Whatever the state before it: the values that the conditions have there are allowed."""
    lemmas = Lemmas()
    if not possible(lemma):
        lemmas.add(frozenset(lemma))
    before = tuple(Boolean(f"b{n}", condition) for n, condition in enumerate(now))
    changed: dict[str, Expr | None] = {f"t{n}": condition for n, condition in enumerate(after)}
    plain = Assign(tuple(changed), (STAR,) * len(changed))
    made = lemmas.assigned(plain, Meaning(before, changed))
    if made.constrain is None:
        return
    for state in STATES:
        old = {variable.name: holds(variable.expr, state) for variable in before}
        new = {name: holds(c, state) for name, c in changed.items() if c is not None}
        assert values_of(made.constrain, old, new) == {True}


@settings(max_examples=60, deadline=None)
@given(lemma=LITERALS, now=st.lists(ATOMS, max_size=4), condition=ATOMS)
def test_a_test_only_loses_what_a_lemma_excludes(
    lemma: list[tuple[Expr, bool]], now: list[Expr], condition: Expr
) -> None:
    lemmas = Lemmas()
    if not possible(lemma):
        lemmas.add(frozenset(lemma))
    before = tuple(Boolean(f"b{n}", c) for n, c in enumerate(now))
    enforced = lemmas.enforced(before, lambda names: False)
    for state in STATES:
        old = {variable.name: holds(variable.expr, state) for variable in before}
        if enforced is not None:
            assert values_of(enforced, old) == {True}
        if holds(condition, state):
            for clause in lemmas.tested(Meaning(before, holds=condition)):
                assert values_of(clause, old) == {True}


def test_lemmas_about_different_times_are_left_out() -> None:
    low, high = make.less(A, B), make.less(B, A)
    lemmas = Lemmas()
    lemmas.add(frozenset([(low, True), (high, True)]))
    variables = [Boolean("low", low), Boolean("high", high)]
    assert lemmas.enforced(variables, lambda names: False) is not None
    assert lemmas.enforced(variables, lambda names: "low" in names) is None


def test_what_is_no_lemma() -> None:
    low = make.less(A, B)
    lemmas = Lemmas()
    assert not lemmas.add(frozenset([(low, True), (low, False)]))
    assert lemmas.add(frozenset([(low, True)])) and not lemmas.add(frozenset([(low, True)]))
    assert len(lemmas) == 1
