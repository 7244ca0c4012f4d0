"""The independent check of proofs: right invariants pass, weak and wrong ones do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from predabs.evidence.certificate import (
    Certificate,
    CertificateRefuted,
    Certified,
    Unchecked,
    certify,
)
from predabs.ir import make
from predabs.ir.cfa import Edge, Location, Program
from predabs.ir.expr import FALSE, TRUE, Expr
from predabs.ir.ops import Assume, Call
from predabs.ir.order import loop_heads
from predabs.verdict import Invariant
from support.c_programs import program_of_c


def with_conditions(text: str, conditions: Sequence[str]) -> tuple[Program, list[Expr]]:
    """A program, and conditions about its global variables: conjunctions of disjunctions."""
    split = [[clause.strip().split("||") for clause in c.split("&&")] for c in conditions]
    atoms = [a.strip() for clauses in split for clause in clauses for a in clause]
    wanted = [atom for atom in atoms if atom not in ("true", "false")]
    body = "".join(f"if ({atom}) ;" for atom in wanted)
    others = program_of_c(f"{text}\nvoid conditions(void) {{ {body} }}", "conditions")
    edges = others.functions["conditions"].edges
    taken = [edge.op.cond for edge in edges if isinstance(edge.op, Assume)]
    assert len(taken) == 2 * len(wanted)
    known = {"true": TRUE, "false": FALSE, **dict(zip(wanted, taken[::2], strict=True))}
    exprs = [
        make.conj(make.disj(known[atom.strip()] for atom in clause) for clause in clauses)
        for clauses in split
    ]
    return program_of_c(text), exprs


def checked(text: str, invariants: Mapping[str, str], seconds: float = 20.0) -> Certificate:
    """Check invariants, given for the only loop of each function, or for labels as `main.L`."""
    program, found = with_conditions(text, list(invariants.values()))
    items = []
    for name, expr in zip(invariants, found, strict=True):
        function, _, label = name.partition(".")
        for stack in stacks(program, function):
            items.append(Invariant(place(program, function, label), stack, expr))
    return certify(program, items, seconds=seconds)


def place(program: Program, function: str, label: str) -> Location:
    if label:
        return program.functions[function].labels[label]
    (head,) = loop_heads(program.functions[function])
    return head


def stacks(program: Program, function: str) -> list[tuple[Edge, ...]]:
    """All ways in which main calls the function, itself or through one other."""
    if function == "main":
        return [()]
    calls = [
        edge
        for caller in program.functions.values()
        for edge in caller.edges
        if isinstance(edge.op, Call) and getattr(edge.op.callee, "name", "") == function
    ]
    return [(*outer, edge) for edge in calls for outer in stacks(program, edge.src.function)]


COUNT = """
int i, n, s;
int main(void) {
  n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0); i = 0; s = 0;
  while (i < n) { i = i + 1; s = s + 2; if (s > 100) s = 0; }
  if (i != n) reach_error();
  return 0; }
"""


def test_a_right_invariant() -> None:
    assert checked(COUNT, {"main": "i <= n"}) == Certified()
    assert checked(COUNT, {"main": "i <= n && i >= 0 && s >= 0 && s <= 100"}) == Certified()
    assert checked(COUNT, {"main": "i == n || i < n"}) == Certified()


@pytest.mark.parametrize(
    ("invariant", "why"),
    [
        ("true", "an error can be reached"),  # too weak
        ("i >= 0 && s >= 0", "an error can be reached"),
        ("i <= n && s <= 99", "'i <= n && s <= 99' need not hold"),  # not inductive
        ("i <= n && i <= 5", "need not hold"),
        ("i < n", "need not hold"),  # false at the start
        ("i <= n && s == 1", "need not hold"),
    ],
)
def test_wrong_invariants(invariant: str, why: str) -> None:
    found = checked(COUNT, {"main": invariant})
    assert isinstance(found, CertificateRefuted)
    assert why in found.why


def test_without_an_invariant_anything_may_be_there() -> None:
    found = checked(COUNT, {})
    assert isinstance(found, CertificateRefuted)
    assert "reach_error" in found.why


def test_a_loop_that_no_run_comes_to() -> None:
    text = """int x; int main(void) { x = 1; if (x == 2) { while (x) x++; reach_error(); }
      return 0; }"""
    assert checked(text, {}) == Certified()
    assert checked(text, {"main": "false"}) == Certified()


def test_overflow_is_not_forgotten() -> None:
    text = """int x; int main(void) { x = 0; while (__VERIFIER_nondet_int()) x = x + 1;
      if (x < 0) reach_error(); return 0; }"""
    found = checked(text, {"main": "x >= 0"})
    assert isinstance(found, CertificateRefuted)
    bounded = text.replace("x = x + 1", "if (x < 1000) x = x + 1")
    assert checked(bounded, {"main": "x >= 0 && x <= 1000"}) == Certified()


LOCK = """
int lock, got, old, new_;
void take(void) { if (lock) reach_error(); lock = 1; }
void give(void) { if (!lock) reach_error(); lock = 0; }
int main(void) {
  lock = 0;
  do { take(); old = new_; if (__VERIFIER_nondet_int()) { give(); new_++; } } while (new_ != old);
  give();
  return 0; }
"""


def test_calls_are_followed() -> None:
    assert checked(LOCK, {"main": "lock == 0"}) == Certified()
    found = checked(LOCK, {"main": "lock == 0 || lock == 1"})
    assert isinstance(found, CertificateRefuted)
    assert "an error can be reached" in found.why


CALLED = """
int x, y;
void down(void) { while (y > 0) { y--; x++; } }
int main(void) {
  x = 0; y = 5; down(); if (x != 5) reach_error();
  y = 3; down(); if (x != 8) reach_error();
  return 0; }
"""


def test_the_same_loop_in_two_calls() -> None:
    program, (first, second) = with_conditions(
        CALLED, ["y >= 0 && x + y == 5", "y >= 0 && y <= 3 && x + y == 8"]
    )
    head = place(program, "down", "")
    one, two = stacks(program, "down")
    right = [Invariant(head, one, first), Invariant(head, two, second)]
    assert certify(program, right) == Certified()
    swapped = [Invariant(head, two, first), Invariant(head, one, second)]
    assert isinstance(certify(program, swapped), CertificateRefuted)
    both = [Invariant(head, stack, make.disj((first, second))) for stack in (one, two)]
    assert isinstance(certify(program, both), CertificateRefuted)


def test_points_that_are_no_loop_heads() -> None:
    text = """int x, y; int main(void) { x = __VERIFIER_nondet_int(); y = x;
      here: if (x != y) reach_error(); return 0; }"""
    assert checked(text, {}) == Certified()
    assert checked(text, {"main.here": "x == y"}) == Certified()
    assert isinstance(checked(text, {"main.here": "true"}), CertificateRefuted)


def test_memory_and_bits() -> None:
    text = """int a[4], i; unsigned m, u; int main(void) { m = 1; i = 0;
      while (i < 4) { a[i] = 7; i++; u = __VERIFIER_nondet_uint(); m = m | u; }
      if (a[2] != 7 || !(m & 1)) reach_error(); return 0; }"""
    shape = "i >= 0 && i <= 4 && i < 3 || a[2] == 7 && (m & 1) == 1"
    assert checked(text, {"main": shape}) == Certified()
    wrong = shape.replace("a[2]", "a[3]")
    assert isinstance(checked(text, {"main": wrong}), CertificateRefuted)


def test_recursion_is_a_limit() -> None:
    text = "int x; void f(void) { if (x) f(); } int main(void) { f(); return 0; }"
    assert checked(text, {}) == Certified()
    found = checked(text.replace("f(); return", "x = 1; f(); return"), {})
    assert isinstance(found, CertificateRefuted)
    assert "a limit can be reached" in found.why


def test_limits_of_variables_are_found_and_proved() -> None:
    """`x <= i` alone is not enough; that i stays below 11 is what intervals say."""
    text = """struct s { int i, j; } s; int x;
      void step(void) { if (s.i < 10) s.i++; else s.i = 0; }
      int main(void) { x = 0; s.j = 1;
      while (x < 7) { step(); x = s.i; } if (x > 10 || s.j != 1) reach_error(); return 0; }"""
    assert checked(text, {"main": "x <= s.i"}) == Certified()
    assert isinstance(checked(text, {"main": "x <= s.i && x <= 9"}), CertificateRefuted)


def test_limits_are_told() -> None:
    found = checked(COUNT, {"main": "i <= n"}, seconds=0.0)
    assert isinstance(found, Unchecked)
    assert "time" in found.reason
