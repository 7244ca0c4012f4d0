"""Programs with calls, from C to bebop's answer."""

from __future__ import annotations

import pytest

from predabs.boolprog import Proved, Violated, check
from predabs.options import Budget, Options
from predabs.statistics import EngineStatistics
from predabs.verdict import Unknown
from support.c2bp_examples import boolean_program
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import checked


@pytest.mark.parametrize(
    "source, predicates, proved",
    [
        (  # a predicate that is not global is updated after the call
            """int g; void set(void) { g = 1; }
            int main(void) { g = 0; set(); if (g == 0) reach_error(); return 0; }""",
            "set:\ng == 0\nmain:\ng == 0\n",
            True,
        ),
        (
            """int g; void set(void) { g = 1; }
            int main(void) { g = 1; set(); if (g == 1) reach_error(); return 0; }""",
            "main:\ng == 1\n",
            False,
        ),
        (  # before the update, `g == 0` is new and `g == 1` is old: no contradiction
            """int g; void set(void) { g = 0; }
            int main(void) { g = 1; set(); reach_error(); return 0; }""",
            "global:\ng == 0\nmain:\ng == 1\n",
            False,
        ),
        (  # recursion
            """int even(int n) { int r; if (n == 0) r = 1; else { r = even(n - 1); r = !r; }
              return r; }
            int main(void) { int r = even(4); if (r != 0 && r != 1) reach_error(); return 0; }""",
            "even:\nr == 0\nr == 1\nmain:\nr == 0\nr == 1\n",
            True,
        ),
        (  # a call through a pointer, and the start of the globals
            """int g = 3; void up(void) { g = 4; } void down(void) { g = 2; }
            int main(void) { if (g != 3) reach_error(); void (*f)(void) = &up;
              if (__VERIFIER_nondet_int()) f = &down;
              f(); if (g == 3) reach_error(); return 0; }""",
            "global:\ng == 3\n",
            True,
        ),
        (  # a function that calls the entry function again
            """int g; int main(void) { if (g) reach_error(); if (__VERIFIER_nondet_int()) main();
              return 0; }""",
            "global:\ng == 0\n",
            True,
        ),
        (
            """int g; int main(void) { if (g) reach_error(); g = 1;
              if (__VERIFIER_nondet_int()) main(); return 0; }""",
            "global:\ng == 0\n",
            False,
        ),
    ],
)
def test_calls(source: str, predicates: str, proved: bool) -> None:
    found = check(boolean_program(source, predicates))
    assert isinstance(found, Proved if proved else Violated)


def test_a_predicate_that_no_formula_can_follow_becomes_unknown() -> None:
    """memcpy of an unknown length."""
    source = """void *memcpy(void *, const void *, unsigned long);
    int main(void) { int a[4] = {0, 0, 0, 0}, b[4] = {1, 1, 1, 1};
      memcpy(a, b, __VERIFIER_nondet_uint()); if (a[0] != 0) reach_error(); return 0; }"""
    assert isinstance(check(boolean_program(source, "main:\na[0] == 0\n")), Violated)


UNKNOWN_CALL = """extern unsigned long __VERIFIER_nondet_ulong(void);
int g; void bad(void) { g = 1; } void (*kept)(void) = bad; void (*other)(int);
int main(void) { void (*f)(void) = (void (*)(void))__VERIFIER_nondet_ulong();
  f(); if (g != 0) reach_error(); kept(); return 0; }"""


def test_a_pointer_of_which_nothing_is_known_may_call_what_has_its_address_taken() -> None:
    """It may be `bad`: a proof that took it for a function without a body would be wrong."""
    program = boolean_program(UNKNOWN_CALL, "global:\ng == 0\n")
    assert isinstance(check(program), Violated)


def test_a_function_whose_address_nobody_takes_is_not_called_through_a_pointer() -> None:
    source = UNKNOWN_CALL.replace("kept)(void) = bad", "kept)(void)").replace("kept()", "bad()")
    assert isinstance(check(boolean_program(source, "global:\ng == 0\n")), Proved)


def test_slam_does_not_guess_what_an_unknown_pointer_calls() -> None:
    program = program_of_c(UNKNOWN_CALL)
    with counted_time():
        verdict = checked("slam", program, Options(), Budget.of(LONG), EngineStatistics())
    assert isinstance(verdict, Unknown)
