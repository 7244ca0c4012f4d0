"""Certificates of every engine, changed a little: the checker rejects all that are no proofs."""

from __future__ import annotations

from functools import cache

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.errors import ResourceExhausted
from predabs.evidence.obligations import Certified
from predabs.evidence.proof_check import ProofCheck
from predabs.evidence.proof_program import ProofPrograms
from predabs.ir import make
from predabs.ir.expr import Var
from predabs.ir.types import INT
from predabs.options import Budget, Options
from predabs.pipeline.preparation import sliced
from predabs.verdict import Invariant, Method, Proof, Safe
from support.c_programs import program_of_c
from support.certificate_mutants import (
    Invariants,
    checked,
    dropped,
    is_proof,
    minimal,
    mutants,
)
from support.counted_time import LONG, PLENTY, counted_time
from support.engine_checks import checked as decided

PROGRAMS = {
    "count": """int i, n, s; int main(void) {
      n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0); i = 0; s = 0;
      while (i < n) { i = i + 1; s = s + 2; if (s > 100) s = 0; }
      if (i != n || s > 101) reach_error(); return 0; }""",
    "lock": """int lock, old, now; int main(void) { lock = 0;
      do { if (lock) reach_error(); lock = 1; old = now;
        if (__VERIFIER_nondet_int()) { lock = 0; now++; } } while (now != old);
      if (!lock) reach_error(); return 0; }""",
    "calls": """int x, y; void down(void) { while (y > 0) { y--; x++; } }
      int main(void) { x = 0; y = 5; down(); if (x != 5) reach_error();
      y = 3; down(); if (x != 8) reach_error(); return 0; }""",
    "nested": """int i, j, k; int main(void) { k = 0;
      for (i = 0; i < 10; i++) { j = 0; while (j < i) { j++; if (k < 50) k++; }
        if (j > 9) reach_error(); }
      if (k > 50) reach_error(); return 0; }""",
    "states": """int state, seen; int main(void) { state = 1; seen = 0;
      while (__VERIFIER_nondet_int()) {
        if (state == 1) { state = 2; } else if (state == 2) { state = 3; seen = 1; }
        else if (state == 3) { if (!seen) reach_error(); state = 1; } else reach_error(); }
      return 0; }""",
    "pair": """int x, y, z; int main(void) { x = 0; y = 0; z = 7;
      while (__VERIFIER_nondet_int()) { if (x < 1000) { x++; y++; } else { x = 0; y = 0; } }
      if (x != y || z != 7) reach_error(); return 0; }""",
    "wrap": """unsigned u, v; int main(void) { u = 0; v = 4;
      while (__VERIFIER_nondet_int()) { u = u + 2; v = v + 6; }
      if (u & 1) reach_error(); if (v == 7) reach_error(); return 0; }""",
    "array": """int a[4], i, t; int main(void) { i = 0; t = 0;
      while (i < 4) { a[i] = 7; i++; if (t < 9) t = t + 3; }
      if (i != 4 || t > 11) reach_error(); return 0; }""",
    "flags": """int a, b, c; int main(void) { a = 0; b = 1; c = 0;
      while (__VERIFIER_nondet_int()) { if (a) { a = 0; b = 1; } else { a = 1; b = 0; }
        if (a == b) reach_error(); c = a; }
      if (c && b) reach_error(); return 0; }""",
    "local": """static int step(int p) { int q = p; while (q < 10) q = q + 3; return q; }
      int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x < 10);
      int m = x; x = step(x); if (x > 12 || m > x) reach_error(); return 0; }""",
}
CASES = [
    *((name, "lazy") for name in PROGRAMS),
    *((name, "numpred") for name in PROGRAMS if name not in ("count", "wrap")),
    *((name, "slam") for name in ("lock", "states", "flags")),
]
EVERY_DAY = (("count", "lazy"), ("calls", "lazy"))


@cache
def small(name: str, engine: str) -> tuple[ProgramFacts, Proof, Invariants] | None:
    """The program and the smallest certificate of the engine; None if it has none."""
    facts = sliced(ProgramFacts(program_of_c(PROGRAMS[name])))
    try:
        with counted_time():
            verdict = decided(engine, facts.program, Options(), Budget.of(LONG))
    except ResourceExhausted:
        return None
    if not isinstance(verdict, Safe) or verdict.proof is None:
        return None
    check = ProofCheck(ProofPrograms(facts), verdict.proof, verdict.invariants, search=True)
    answer = check.run(PLENTY)
    if not isinstance(answer, Certified):
        return None
    return facts, verdict.proof, minimal(facts, verdict.proof, answer.invariants)


def reject(name: str, engine: str) -> int:
    """Each mutant is rejected unless it is a proof; how many there are, and are rejected."""
    found = small(name, engine)
    if found is None:
        return 0
    return rejected(*found)


def rejected(facts: ProgramFacts, proof: Proof, invariants: Invariants) -> int:
    """How many mutants of the certificate are rejected: those that are no proofs."""
    assert is_proof(facts, invariants)
    count = 0
    for fewer in dropped(invariants):
        assert not isinstance(checked(facts, proof, fewer), Certified)
        assert not is_proof(facts, fewer)
        count += 1
    for mutant in mutants(invariants):
        answer = checked(facts, proof, mutant)
        assert isinstance(answer, Certified) == is_proof(facts, mutant), (answer, mutant)
        count += not isinstance(answer, Certified)
    return count


@pytest.mark.parametrize(("name", "engine"), EVERY_DAY)
def test_mutants_of_a_certificate(name: str, engine: str) -> None:
    assert reject(name, engine) >= 10


@pytest.mark.long
def test_five_hundred_mutants() -> None:
    counts = {case: reject(*case) for case in CASES}
    assert sum(counts.values()) >= 500, counts
    assert all(counts.values()), counts


CELLS = """int a[100], b[100], n; int main(void) { n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100) return 0; int i = 0;
  while (i < n) { a[i] = 7; b[i] = 3; i = i + 1; }
  int k = __VERIFIER_nondet_int(); if (k >= 0 && k < n && a[k] - b[k] != 4) reach_error();
  return 0; }"""


def test_mutants_of_a_certificate_about_cells() -> None:
    """They are about the scalar program: there, they are invariants as others are."""
    facts = sliced(ProgramFacts(program_of_c(CELLS)))
    with counted_time():
        verdict = decided("cells", facts.program, Options(certify=True), Budget.of(LONG))
    assert isinstance(verdict, Safe) and verdict.proof is not None
    programs = ProofPrograms(facts)
    check = ProofCheck(programs, verdict.proof, (), search=True, support=verdict.support)
    answer = check.run(PLENTY)
    assert isinstance(answer, Certified) and answer.proof is not None
    assert answer.proof.method is Method.CELLS
    scalar, proof = programs.of(Method.CELLS), Proof("cells", Method.INVARIANTS, "z3")
    assert rejected(scalar, proof, minimal(scalar, proof, answer.invariants)) >= 20


SUMMARIES = """int g;
  int id(int n) { if (n <= 0) return n; g = 1; int r = id(n - 1); return r + 1; }
  int main(void) { int n = __VERIFIER_nondet_int(); g = 0; int r = id(n);
  if (r != n || (n <= 0 && g != 0) || g > 1) reach_error(); return 0; }"""


def test_mutants_of_summaries() -> None:
    """No conjunct can be left out, and none can be changed but for what says the same."""
    programs = ProofPrograms(ProgramFacts(program_of_c(SUMMARIES)))
    function = programs.of(Method.SUMMARIES).program.functions["id"]

    def var(name: str) -> Var:
        return Var(name if name == "g" else f"id::{name}", INT)

    zero, one = make.const(0, INT), make.const(1, INT)
    parts = [
        make.equal(var("return"), var("'n")),
        make.disj([make.less(zero, var("'n")), make.equal(var("g"), var("'g"))]),
        make.disj([make.less_equal(var("g"), one), make.equal(var("g"), var("'g"))]),
    ]
    proof = Proof("slam", Method.SUMMARIES, "z3", whole=False)
    whole = (Invariant(function.exit, (), make.conj(parts)),)

    def is_certified(invariants: Invariants) -> bool:
        return isinstance(ProofCheck(programs, proof, invariants).run(PLENTY), Certified)

    assert is_certified(whole)
    assert not any(map(is_certified, dropped(whole)))
    changed = list(mutants(whole))
    assert sum(not is_certified(mutant) for mutant in changed) >= 30


INDUCTION = """int a, b, c, t; int main(void) { a = 1; b = 2; c = 3;
  while (__VERIFIER_nondet_int()) { if (a == b) reach_error(); t = a; a = b; b = c; c = t; }
  return 0; }"""


def test_a_smaller_k_is_rejected() -> None:
    facts = ProgramFacts(program_of_c(INDUCTION))
    proof = Proof("kinduction", Method.INDUCTION, "z3", 3)
    assert isinstance(checked(facts, proof, ()), Certified)
    for depth in (1, 2):
        weaker = Proof("kinduction", Method.INDUCTION, "z3", depth)
        assert not isinstance(checked(facts, weaker, ()), Certified)


def test_fewer_pieces_are_rejected() -> None:
    text = """int main(void) { int n = __VERIFIER_nondet_int(), s = 0;
      __VERIFIER_assume(n > 0 && n < 4); for (int i = 0; i < n; i++) s += i;
      if (s > 3) reach_error(); return 0; }"""
    facts = ProgramFacts(program_of_c(text))
    proof = Proof("bounded", Method.UNROLLING, "bitwuzla")
    answers = [checked(facts, proof, (), pieces) for pieces in range(1, 8)]
    assert [isinstance(answer, Certified) for answer in answers] == [False] * 4 + [True] * 3
