"""A member of null is nowhere, also if the run has met small pointers from outside."""

from __future__ import annotations

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, RunFault
from support.c_programs import program_of_c

TEXT = """extern void reach_error(void); extern void *__VERIFIER_nondet_pointer(void);
struct s { int a, b, c[4]; struct s *next; };
int main(void) {
    struct s *low = __VERIFIER_nondet_pointer(), *null = 0;
    low->b = 3;
    %s
    reach_error();
}
"""


def test_accesses_after_a_small_pointer() -> None:
    for access in ("null->b = 1;", "null->c[2] = 1;", "int n = null->next->a;"):
        outcome = execute(program_of_c(TEXT % access), ListInputs([16]))
        assert isinstance(outcome, RunFault) and "near null" in outcome.text
    outcome = execute(program_of_c(TEXT % "low->c[1] = 2;"), ListInputs([16]))
    assert isinstance(outcome, ErrorReached)
