"""What an error depends on: the marks of a trace."""

from __future__ import annotations

from predabs.evidence.replay import Confirmed, replay
from predabs.spec.checks import add_checks
from support.c_programs import program_of_c


def marked(text: str, *checks: str) -> set[str]:
    found = replay(add_checks(program_of_c(text), frozenset(checks)), [])
    assert isinstance(found, Confirmed) and found.trace.marks
    return {step.statement for step in found.trace.steps if step.marked}


def test_what_the_condition_is_computed_from() -> None:
    assert marked(
        """int main(void) {
          int a = 1, b = 2, c = 3, d;
          d = a + 1;
          b = c;
          if (d == 2) reach_error();
        }"""
    ) == {"a = 1;", "d = a + 1;", "[d == 2]", "reach_error() is called"}


def test_the_branch_that_decided_and_only_that() -> None:
    found = marked(
        """int main(void) {
          int x = __VERIFIER_nondet_int(), y = 0, z = 0;
          if (x == 0) y = 1;
          if (z == 0) z = 5;
          if (y == 1) reach_error();
        }"""
    )
    assert {"[x == 0]", "y = 1;", "[y == 1]", "x = __VERIFIER_nondet_int();"} <= found
    assert not {"[z == 0]", "z = 5;", "z = 0;", "y = 0;"} & found


def test_through_calls_pointers_and_the_heap() -> None:
    found = marked(
        """struct s { int a, b; };
        void set(struct s *p, int a, int b) { p->a = a; p->b = b; }
        int get(struct s *p) { return p->b; }
        int main(void) {
          int one = 1, two = 2;
          struct s *p = malloc(sizeof *p);
          set(p, one, two);
          if (get(p) == 2) reach_error();
        }"""
    )
    assert {"two = 2;", "p->b = b;", "return p->b;", "set(p, one, two);"} <= found
    assert not {"one = 1;", "p->a = a;"} & found


def test_an_assumption_and_a_passed_error_decide_nothing() -> None:
    found = marked(
        """int main(void) {
          int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
          __VERIFIER_assume(x == 0);
          if (x == 7) reach_error();
          if (y == 0) reach_error();
        }"""
    )
    assert "[y == 0]" in found
    assert not {"[x == 0]", "[x != 7]"} & found


def test_library_functions_are_followed() -> None:
    found = marked(
        """char *strcpy(char *, const char *);
        int main(void) {
          char a[8], b[8];
          strcpy(b, "no");
          strcpy(a, "yes");
          if (a[0] == 'y') reach_error();
        }"""
    )
    assert 'strcpy(a, "yes");' in found and 'strcpy(b, "no");' not in found


def test_a_free_is_what_an_invalid_access_depends_on() -> None:
    found = marked(
        """void free(void *);
        int main(void) {
          int *a = malloc(4), *b = malloc(4);
          *a = 1;
          *b = 2;
          free(b);
          free(a);
          return *a;
        }""",
        "deref",
    )
    assert {"a = (int *)malloc(4);", "free(a);"} <= found
    assert not {"*a = 1;", "*b = 2;", "free(b);"} & found


def test_what_a_check_keeps_for_itself_marks_the_statement() -> None:
    found = marked(
        """int main(void) {
          int x, y = 1, z = 2;
          if (z == 3) x = 1;
          y = x;
          z = 4;
          return y ? 1 : 2;
        }""",
        "uninit",
    )
    assert "y = x;" in found and "z = 4;" not in found
