"""Branches that intervals exclude: they are gone, and all runs are as they were."""

from __future__ import annotations

import pytest
from fuzz.generate import program as random_program

from predabs.analysis.dead_branches import without_dead_branches
from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.ir.cfa import Program
from predabs.ir.ops import Assume, Error
from predabs.spec.checks import ARITHMETIC, add_checks
from support.c_programs import program_of_c


def cut(text: str) -> tuple[Program, Program]:
    whole = add_checks(program_of_c(text), ARITHMETIC - {"conversion"})
    return whole, without_dead_branches(ProgramFacts(whole)).program


def texts(program: Program) -> set[str]:
    edges = [edge for function in program.functions.values() for edge in function.edges]
    return {edge.op.text for edge in edges if isinstance(edge.op, Error)}


def test_faults_that_never_happen_are_gone() -> None:
    _, left = cut(
        "int main(void) { int n = __VERIFIER_nondet_int(), s = 0;"
        " for (int i = 0; i < 10; i++) s += n; return 5 / (s | 1); }"
    )
    assert texts(left) == {"signed overflow in s + n", "division by zero in 5 / (s | 1)"}
    conditions = [e.op for e in left.functions["main"].edges if isinstance(e.op, Assume)]
    assert len(conditions) == 6  # of the loop and of the two faults


def test_what_holds_by_accident_only_stays() -> None:
    """An assumption without an opposite may end a run, so it is no branch."""
    whole, left = cut("int main(void) { int x = 3; __VERIFIER_assume(x == 4); return x + 1; }")
    assert not texts(left)
    assert execute(left, RandomInputs(1)) == execute(whole, RandomInputs(1))


def test_the_facts_are_the_same_if_nothing_is_dead() -> None:
    facts = ProgramFacts(program_of_c("int main(void) { return __VERIFIER_nondet_int() ? 1 : 2; }"))
    assert without_dead_branches(facts) is facts


@pytest.mark.parametrize("seed", range(6))
def test_runs_are_the_same(seed: int) -> None:
    whole, left = cut(random_program(seed))
    for number in range(3):
        ends = [execute(it, RandomInputs(number), max_steps=20_000) for it in (whole, left)]
        assert type(ends[0]) is type(ends[1])
        assert getattr(ends[0], "text", None) == getattr(ends[1], "text", None)
        assert getattr(ends[0], "status", None) == getattr(ends[1], "status", None)
