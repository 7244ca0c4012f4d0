"""Weakest preconditions and strongest postconditions against the interpreter, [BMR05] and
[HJMS02]."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.points_to.sets import points_to
from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import AssumeFailed, Exited
from predabs.errors import UnsupportedFeature
from predabs.ir import make
from predabs.ir.cfa import Edge, Program
from predabs.ir.expr import Expr
from predabs.ir.ops import Assume, Error, ErrorKind
from predabs.ir.show import show_expr
from predabs.ir.types import INT
from predabs.ir.walk import variables
from predabs.wp import morris_axiom
from predabs.wp.aliasing import aliasing
from predabs.wp.weakest_precondition import Preconditions
from support.c_programs import program_of_c
from support.straight_programs import formula, instrumented, middle, straight_program

RUNS = 6


def never_differs(program: Program) -> int:
    """How many of some runs come to the end, where the two values must be the same."""
    ends = 0
    for seed in range(RUNS):
        outcome = execute(program, RandomInputs(seed))
        assert isinstance(outcome, Exited | AssumeFailed), outcome
        ends += isinstance(outcome, Exited)
    return ends


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_wp_before_is_the_formula_after(seed: int, other: int) -> None:
    program = straight_program(seed, 5)
    edges = middle(program)
    known = aliasing(points_to(program))
    after = formula(other, program)
    before = Preconditions(known).wp_path(edges, after)
    never_differs(instrumented(program, before, [((), edge) for edge in edges], after))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(morris_axiom, "_MOST_CONDITIONS", -1)  # no disjunction of alias scenarios
        whole = Preconditions(known).wp_path(edges, after)
    never_differs(instrumented(program, whole, [((), edge) for edge in edges], after))


# --- single operations ----------------------------------------------------------------------------

_FRAME = """
int LOCK, new, old, x, *y, *p, *q; char c;
struct list { int v; struct list *next; } *h, n, m; union { int i; char b[4]; } w;
int main(void) {
  if (__VERIFIER_nondet_int()) { y = &x; p = &old; q = &old; h = &n; } else { y = &new; p = &old; }
  h = &m; n.next = &m; m.next = h; w.i = 3; w.b[1] = c;
  h->next->v = n.v; { struct list *k = h; k->v = h->next->v; }
  if (*y > 6) if (*p == 3) if (h->v == 2) if (h->next->v == 3) if (new == old) if (p == 0) if (w.i)
    if (w.b[0]) old = 1;
  STATEMENT
  return 0; }
"""


def subject(statement: str) -> tuple[Program, Preconditions, list[Edge]]:
    program = program_of_c(_FRAME.replace("STATEMENT", f"begin: ; {statement} end: ;"))
    known = aliasing(points_to(program))
    return program, Preconditions(known), middle(program)


def condition(program: Program, text: str) -> Expr:
    """The condition of the program's text that is shown like this."""
    for edge in program.functions["main"].edges:
        if isinstance(edge.op, Assume) and show_expr(edge.op.cond) == text:
            return edge.op.cond
    raise AssertionError(text)


def shown(statement: str, after: str) -> str:
    program, work, edges = subject(statement)
    return show_expr(work.wp_path(edges, condition(program, after)))


def test_the_example_of_c2bp() -> None:
    """[BMR05, section 5.2]: WP(x := 5, *y > 6) = (&x = y and 5 > 6) or (&x != y and *y > 6)."""
    assert shown("x = 5;", "*y > 6") == "&x != y && *y > 6"
    assert shown("x = 7;", "*y > 6") == "&x == y || &x != y && *y > 6"


def test_the_example_of_lazy_abstraction() -> None:
    """[HJMS02, example 3]: of LOCK = 0 and new = old, over unlock(); new++, is left
    (0 = 0 and new + 1 = old)."""
    program, work, edges = subject("LOCK = 0; new++;")
    (lock,) = [item.var for item in program.globals if item.var.short == "LOCK"]
    unlocked = make.equal(lock, make.const(0, INT))
    after = make.conj((unlocked, condition(program, "new == old")))
    assert show_expr(work.wp_path(edges, after)) == "new + 1 == old"


def test_points_to_prunes_the_scenarios() -> None:
    assert shown("*p = 3;", "*y > 6") == "*y > 6"  # they never point to the same
    assert shown("*p = 3;", "*p == 3") == "true"
    assert shown("x = 3;", "*p == 3") == "*p == 3"
    assert shown("old = 4;", "*p == 3") == "&old != p && *p == 3"


def test_members_are_compared_by_their_records() -> None:
    assert shown("h->v = 2;", "h->next->v == 3") == "h != h->next && h->next->v == 3"
    assert shown("h->next->v = 2;", "h->v == 2") == "h->next == h || h->next != h && h->v == 2"
    assert shown("n.v = 2;", "h->v == 2") == "&n == h || &n != h && h->v == 2"
    assert shown("h->next = h;", "h->v == 2") == "h->v == 2"  # another member


def test_a_changed_pointer_is_followed() -> None:
    assert shown("p = &x;", "*p == 3") == "x == 3"
    assert shown("h = h->next;", "h->v == 2") == "h->next->v == 2"
    assert shown("h->next = &n;", "h->next->v == 3") == "n.v == 3"
    assert shown("n = m;", "h->v == 2") == "&n == h && m.v == 2 || &n != h && h->v == 2"


def test_unknown_values_are_fresh_variables() -> None:
    program, work, edges = subject("new = __VERIFIER_nondet_int();")
    before = work.wp_path(edges, condition(program, "new == old"))
    (fresh,) = work.aliasing.names.made
    assert fresh in variables(before)
    assert show_expr(work.pre_path(edges, condition(program, "*p == 3"))) == "*p == 3"


def test_assume_error_and_halt() -> None:
    program, work, edges = subject("__VERIFIER_assume(x > 1);")
    after = condition(program, "new == old")
    assert show_expr(work.wp_path(edges, after)) == "x <= 1 || new == old"
    assert show_expr(work.pre_path(edges, after)) == "x > 1 && new == old"
    stop = Error(ErrorKind.ASSERTION, "")
    assert work.wp(stop, after) is make.truth(True)
    assert work.pre(stop, after) is make.truth(False)


def test_allocated_memory_is_not_null() -> None:
    assert shown("p = malloc(4);", "p == 0") == "false"
    assert shown("p = malloc(4);", "*y > 6") == "*y > 6"
    with pytest.raises(UnsupportedFeature, match="allocated here"):
        shown("p = malloc(4);", "*p == 3")


def test_places_that_overlap_in_part_are_refused() -> None:
    with pytest.raises(UnsupportedFeature, match=r"a\.c:\d+:\d+: .* may overlap in part"):
        shown("w.b[0] = 1;", "w.i != 0")
    assert shown("w.b[1] = 1;", "w.b[0] != 0") == "w.b[0] != 0"
