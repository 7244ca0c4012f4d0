"""Certificates of recursive programs: summaries are proved, and wrong ones are rejected."""

from __future__ import annotations

import pytest

from engines.slam.test_calls import EACH_CALL, UNSAFE
from predabs.analysis.facts import ProgramFacts
from predabs.evidence.obligations import Certificate, Certified, Unchecked
from predabs.evidence.proof_check import ProofCheck
from predabs.evidence.proof_program import ProofPrograms
from predabs.evidence.summaries import summarized_facts
from predabs.ir import make
from predabs.ir.expr import Expr, Var
from predabs.ir.types import INT
from predabs.verdict import Invariant, Method, Proof
from support.c_programs import program_of_c
from support.counted_time import PLENTY
from support.selection import mostly_long
from support.slam_random import Features, random_subject

KINDS = {"recursion": Features(), "loops": Features(loops=True)}
PROOF = Proof("test", Method.SUMMARIES, "z3", whole=False)

DOWN = """int down(int n) { if (n <= 0) return 0; return down(n - 1); }
  int main(void) { int x = __VERIFIER_nondet_int(); int y = down(x);
  if (y != 0) reach_error(); return 0; }"""
COUNT = """int g; void up(int n) { if (n <= 0) return; if (g < 100) g = g + 1; up(n - 1); }
  int main(void) { int n = __VERIFIER_nondet_int(); g = 0; int m = n; up(n);
  if (m != n || g < 0 || g > 100) reach_error(); return 0; }"""
EVEN = """int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
  int odd(int n) { if (n == 0) return 0; return even(n - 1); }
  int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0);
  int e = even(n); if (e != 0 && e != 1) reach_error(); return 0; }"""
MEMORY = """int down(int *p, int n) { int x = 0; if (n > 0) down(&x, n - 1); *p = n; return x; }
  int main(void) { int y; down(&y, 5); if (y != 5) reach_error(); return 0; }"""


def searched(text: str) -> Certificate:
    """With candidates for summaries, and by no other method."""
    programs = ProofPrograms(ProgramFacts(program_of_c(text)))
    return ProofCheck(programs, PROOF, (), search=True, others=False).run(PLENTY)


def given(text: str, *told: tuple[str, str, Expr]) -> Certificate:
    """With these invariants at entries and exits, and without a search."""
    programs = ProofPrograms(ProgramFacts(program_of_c(text)))
    functions = programs.of(Method.SUMMARIES).program.functions
    invariants = tuple(
        Invariant(functions[name].entry if where == "entry" else functions[name].exit, (), expr)
        for name, where, expr in told
    )
    return ProofCheck(programs, PROOF, invariants).run(PLENTY)


def var(name: str) -> Expr:
    return Var(name, INT)


def number(value: int) -> Expr:
    return make.const(value, INT)


@pytest.mark.parametrize("text", [DOWN, COUNT, EVEN], ids=["down", "count", "even"])
def test_summaries_are_found(text: str) -> None:
    assert isinstance(searched(text), Certified)


def test_a_summary_that_is_given() -> None:
    nothing = make.equal(var("down::return"), number(0))
    assert isinstance(given(DOWN, ("down", "exit", nothing)), Certified)


@pytest.mark.parametrize(
    "wrong",
    [
        make.equal(var("down::return"), number(1)),
        make.less_equal(var("down::return"), number(0)),
        make.equal(var("down::return"), var("down::'n")),
    ],
    ids=["another value", "too weak", "another variable"],
)
def test_a_wrong_summary_is_rejected(wrong: Expr) -> None:
    assert not isinstance(given(DOWN, ("down", "exit", wrong)), Certified)


def test_what_callers_do_not_show_is_rejected() -> None:
    nothing = make.equal(var("down::return"), number(0))
    positive = make.less_equal(number(0), var("down::n"))
    both = (("down", "exit", nothing), ("down", "entry", positive))
    assert not isinstance(given(DOWN, *both), Certified)


def test_constants_are_those_of_the_own_call() -> None:
    """At the exit of an inner call `'n` is another one than at that of the outer call."""
    text = """int id(int n) { if (n <= 0) return n; int r = id(n - 1); return r + 1; }
      int main(void) { int n = __VERIFIER_nondet_int(); int r = id(n);
      if (r != n) reach_error(); return 0; }"""
    same = make.equal(var("id::return"), var("id::'n"))
    assert isinstance(given(text, ("id", "exit", same)), Certified)
    wrong = text.replace("r + 1", "r")
    assert not isinstance(given(wrong, ("id", "exit", same)), Certified)


def test_a_loop_at_the_entry() -> None:
    """The constants are what they stand for where the function begins, not in each round."""
    text = """int f(int n) { while (n > 0) { n = n - 1; } if (n < -5) f(n + 1); return n; }
      int main(void) { int n = 3; int r = f(n); if (r == 3) reach_error(); return 0; }"""
    same = make.equal(var("f::n"), var("f::'n"))
    assert not isinstance(given(text, ("f", "exit", same)), Certified)


def test_globals_that_a_call_writes_are_forgotten() -> None:
    text = """int g; void f(int n) { if (n > 0) { g = n; f(n - 1); } }
      int main(void) { g = 0; f(__VERIFIER_nondet_int()); if (g != 0) reach_error(); return 0; }"""
    assert not isinstance(searched(text), Certified)


def test_memory_that_a_call_writes_is_forgotten() -> None:
    text = """int a[3]; void f(int n) { if (n > 0) { a[n % 3] = n; f(n - 1); } }
      int main(void) { a[1] = 0; f(__VERIFIER_nondet_int());
      if (a[1] != 0) reach_error(); return 0; }"""
    assert not isinstance(searched(text), Certified)


def test_an_error_inside_is_not_certified() -> None:
    text = """int f(int n) { if (n == 7) reach_error(); if (n > 0) return f(n - 1); return 0; }
      int main(void) { f(__VERIFIER_nondet_int()); return 0; }"""
    assert not isinstance(searched(text), Certified)


@pytest.mark.parametrize("text", [*UNSAFE.values(), *EACH_CALL.values()], ids=[*UNSAFE, *EACH_CALL])
def test_calls_that_lead_to_errors_are_not_certified(text: str) -> None:
    assert not isinstance(searched(text), Certified)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", mostly_long(list(range(20)), 2))
def test_random_programs_that_are_violated_are_not_certified(seed: int, kind: str) -> None:
    subject = random_subject(seed, KINDS[kind])
    if subject is not None and subject.reachable:
        programs = ProofPrograms(ProgramFacts(subject.program))
        check = ProofCheck(programs, PROOF, (), search=True, others=False)
        assert not isinstance(check.run(PLENTY), Certified), subject.text


def test_variables_of_several_calls_in_memory_are_refused() -> None:
    assert isinstance(searched(MEMORY), Unchecked)


def test_a_program_without_recursion_has_no_summaries() -> None:
    assert summarized_facts(ProgramFacts(program_of_c("int main(void) { return 0; }"))) is None
