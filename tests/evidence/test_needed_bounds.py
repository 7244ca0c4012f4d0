"""Bounds in the text of invariants: those that a proof needs stay, the others go."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.engines.engine import decide
from predabs.evidence.certificate import Certified, certify
from predabs.evidence.invariant_text import invariant_text
from predabs.evidence.needed_bounds import bounded, with_needed_bounds
from predabs.ir.cfa import Program
from predabs.options import Budget
from predabs.verdict import Invariant, Safe
from support.c_programs import program_of_c
from support.engine_checks import task_of

COUNTER = """
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int used = 0;
  for (int step = 0; step < 6; step++) {
    if (__VERIFIER_nondet_int() && used < 4) used++;
    else if (used > 0) used--;
    if (used > 4) reach_error();
  }
  return 0;
}
"""

NEEDED = """
extern void reach_error(void);
int main(void) {
  int i = 0, j = 0;
  while (i < 5) { i++; j++; }
  if (i != 5 || j > 100000) reach_error();
  return 0;
}
"""


def proof(program: Program, engine: str = "lazy") -> tuple[Invariant, ...]:
    verdict = decide(engine, task_of(program), Budget.of(60.0))
    assert isinstance(verdict, Safe)
    return verdict.invariants


def texts(invariants: tuple[Invariant, ...]) -> str:
    return " | ".join(invariant_text(item.expr) for item in invariants)


@pytest.mark.parametrize("engine", ["lazy", "numpred"])
def test_bounds_of_a_counter_that_does_not_matter_go(engine: str) -> None:
    program = program_of_c(COUNTER)
    found = proof(program, engine)
    assert "step" in texts(found) and "used" in texts(found)
    fewer = with_needed_bounds(ProgramFacts(program), found)
    assert "step" not in texts(fewer) and "used" in texts(fewer)
    assert isinstance(certify(program, fewer), Certified)


def test_bounds_that_a_proof_needs_stay() -> None:
    program = program_of_c(NEEDED)
    fewer = with_needed_bounds(ProgramFacts(program), proof(program, "numpred"))
    assert "i" in texts(fewer)
    assert isinstance(certify(program, fewer), Certified)


def test_bounds_that_were_needless_before_go_together() -> None:
    program = program_of_c(COUNTER)
    found = proof(program)
    fewer = with_needed_bounds(ProgramFacts(program), found)
    needless = [lvalue for lvalue in bounded(found) if lvalue not in bounded(fewer)]
    assert needless
    assert with_needed_bounds(ProgramFacts(program), found, tried=needless) == fewer
    assert with_needed_bounds(ProgramFacts(program), found, tried=()) == found


def test_bounds_that_are_needed_now_stay() -> None:
    """Whatever was found out about another version of the program."""
    program = program_of_c(NEEDED)
    found = proof(program, "numpred")
    fewer = with_needed_bounds(ProgramFacts(program), found, tried=bounded(found))
    assert isinstance(certify(program, fewer), Certified)


def test_nothing_goes_without_a_check() -> None:
    program = program_of_c(COUNTER)
    found = proof(program)
    assert with_needed_bounds(ProgramFacts(program), found, calls=0) == found
    assert with_needed_bounds(ProgramFacts(program), found, until=0.0) == found  # long ago


def test_summaries_of_procedures_stay_as_they_are() -> None:
    """They hold for all calls; no configuration has them."""
    program = program_of_c(COUNTER.replace("int main", "int f") + "int main(void) { return f(); }")
    found = tuple(
        Invariant(item.location, (), item.expr)
        for item in proof(program)
        if item.location.function == "f"
    )
    assert found and with_needed_bounds(ProgramFacts(program), found) == found
