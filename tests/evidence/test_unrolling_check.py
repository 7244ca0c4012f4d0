"""Proofs by unrolling and by k-induction, checked without any engine; recursion by copies."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.evidence.obligations import Certificate, CertificateRefuted, Certified
from predabs.evidence.proof_check import ProofCheck
from predabs.evidence.proof_program import ProofPrograms
from predabs.evidence.recursion_copies import recursive_groups, with_copies
from predabs.frontend.compiler_flags import SourceFlags
from predabs.ir.types import DataModel
from predabs.options import Options
from predabs.pipeline.preparation import Subject, loaded, prepared, smaller
from predabs.spec.properties import ASSERT
from predabs.statistics import EngineStatistics
from predabs.verdict import Method, Proof
from support.annotated import Annotated, programs
from support.c_programs import program_of_c
from support.counted_time import PLENTY
from support.selection import mostly_long

UNROLLING = Proof("bounded", Method.UNROLLING, "bitwuzla")


def unrolled(text: str, pieces: int | None = None, recursion: int | None = None) -> Certificate:
    facts = ProgramFacts(program_of_c(text))
    search = pieces is None
    return ProofCheck(ProofPrograms(facts), UNROLLING, (), pieces, recursion, search=search).run(
        PLENTY
    )


def induced(text: str, k: int) -> Certificate:
    proof = Proof("kinduction", Method.INDUCTION, "z3", k)
    return ProofCheck(ProofPrograms(ProgramFacts(program_of_c(text))), proof, ()).run(PLENTY)


@pytest.mark.parametrize(
    "body",
    [
        "int x = 1; if (x == 2) reach_error();",
        "int s = 0; for (int i = 0; i < 10; i++) s += i; if (s != 45) reach_error();",
        "int n = __VERIFIER_nondet_int(), i = 0; if (n < 0 || n > 6) return 0;"
        " while (i < n) i++; if (i != n) reach_error();",
        "int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < i; j++) s++;"
        " if (s != 3) reach_error();",
        "int a[3]; for (int i = 0; i < 3; i++) a[i] = i * i; if (a[2] != 4) reach_error();",
        "unsigned u = __VERIFIER_nondet_uint(); if ((u & 3) > 3) reach_error();",
        # a million rounds, which acceleration does at once
        "int n = __VERIFIER_nondet_int(), i = 0; if (n < 0 || n > 1000000) return 0;"
        " while (i < n) i++; if (i != n) reach_error();",
    ],
)
def test_all_runs_are_followed(body: str) -> None:
    text = f"int main(void) {{ {body} return 0; }}"
    found = unrolled(text)
    assert isinstance(found, Certified)
    assert found.pieces > 0
    again = ProofCheck(
        ProofPrograms(ProgramFacts(program_of_c(text))), UNROLLING, (), found.pieces
    ).run(PLENTY)
    assert again == Certified()


def test_an_error_is_not_certified() -> None:
    text = """int main(void) { int n = __VERIFIER_nondet_int(), i = 0;
      if (n > 5) return 0; while (i < n) i++; if (i == 5) reach_error(); return 0; }"""
    for pieces in (1, 4, 20):
        assert isinstance(unrolled(text, pieces), CertificateRefuted)
    assert not isinstance(unrolled(text), Certified)


def test_more_rounds_than_pieces() -> None:
    text = """int main(void) { int n = __VERIFIER_nondet_int(); if (n > 9) return 0;
      while (n > 0) n -= 1 + (__VERIFIER_nondet_int() & 1);
      if (n > 0) reach_error(); return 0; }"""
    found = unrolled(text, 5)
    assert isinstance(found, CertificateRefuted) and "goes on after 5 pieces" in found.why
    assert unrolled(text, 12) == Certified()


FACTORIAL = """static int f(int n) { if (n <= 1) return 1; return n * f(n - 1); }
int main(void) { int x = f(5); if (x != 120) reach_error(); return 0; }"""
MUTUAL = """int depth; static int odd(int n);
static int even(int n) { if (n == 0) return 1; return odd(n - 1); }
static int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 4) return 0;
  int local = n; if (even(n) != (n % 2 == 0)) reach_error(); if (local != n) reach_error();
  return 0; }"""


def test_recursion() -> None:
    found = unrolled(FACTORIAL)
    assert isinstance(found, Certified) and found.recursion >= 5
    assert unrolled(MUTUAL) == Certified()
    wrong = FACTORIAL.replace("120", "119")
    assert not isinstance(unrolled(wrong), Certified)


def test_recursion_that_is_too_deep() -> None:
    shallow = unrolled(FACTORIAL, 50, 4)
    assert isinstance(shallow, CertificateRefuted) and "recursion is deeper than 4" in shallow.why
    assert unrolled(FACTORIAL, 50, 5) == Certified()


def test_each_depth_has_its_own_variables() -> None:
    text = """static int f(int n) { int mine = n; if (n > 0) f(n - 1);
      if (mine != n) reach_error(); return mine; }
    int main(void) { f(3); return 0; }"""
    facts = ProgramFacts(program_of_c(text))
    assert set(recursive_groups(facts)) == {"f"}
    copies = with_copies(facts, 3)
    assert {"f", "f@1", "f@2"} <= copies.functions.keys()
    assert {var.name for var in copies.functions["f@2"].params} == {"f@2::n"}
    assert unrolled(text) == Certified()


STEP = """int a, b, c, t; int main(void) { a = 1; b = 2; c = 3;
  while (__VERIFIER_nondet_int()) { if (a == b) reach_error(); t = a; a = b; b = c; c = t; }
  return 0; }"""


def test_induction() -> None:
    assert induced(STEP, 3) == Certified()
    assert isinstance(induced(STEP, 1), CertificateRefuted)


def test_the_base_case_counts() -> None:
    """After two rounds the error is reached; from then on it never is."""
    text = """int n, x; int main(void) { n = 0; x = 0;
      while (__VERIFIER_nondet_int()) { if (n == 2) reach_error(); n = 2 * x + 1; x = x == 0; }
      return 0; }"""
    late = text.replace("n == 2", "n == 3")
    for k in (1, 2, 3):
        assert not isinstance(induced(late, k), Certified)
    wrong = """int n; int main(void) { n = 0;
      while (__VERIFIER_nondet_int()) { if (n == 1) reach_error(); n = n < 5 ? n + 1 : 5; }
      return 0; }"""
    for k in range(1, 5):
        found = induced(wrong, k)
        assert isinstance(found, CertificateRefuted)


VIOLATED = [program for program in programs("verdicts") if program.text("verdict") == "FALSE"]


@pytest.mark.parametrize("program", mostly_long(VIOLATED, 6, lambda program: program.name))
def test_no_certificate_for_what_is_violated(program: Annotated) -> None:
    options = Options(
        checks=program.text("check").split(),
        extern_pointers=program.text("extern", "fresh"),
        volatile=program.text("volatile", "doubt"),
    )
    model = DataModel[program.models[0]]
    subject = Subject(program.files, ASSERT, "main", model, SourceFlags(), options)
    whole = prepared(loaded(subject, EngineStatistics().phase)).whole
    facts = smaller(subject, whole).ghosts
    for method in (Method.UNROLLING, Method.INVARIANTS):
        proof = Proof("nobody", method, "z3", whole=False)
        check = ProofCheck(ProofPrograms(facts), proof, (), search=True)
        assert not isinstance(check.run(4.0), Certified)
