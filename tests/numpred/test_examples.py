"""[GC10, examples 6 to 10, figures 1 and 2] from C: the transformers, and the proofs."""

from __future__ import annotations

import pytest

from predabs.engines.engine import create
from predabs.ir import make
from predabs.ir.expr import Expr
from predabs.ir.types import INT
from predabs.numpred.domain.structures import STRUCTURES
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown, Verdict
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import task_of
from support.numpred_runs import Abstracted

FUNCTIONS = ("nex", "mtndd", "ndd")  # from predicates to numbers

FIGURE_5 = """int x, y, *p;
int main(void) {
  p = __VERIFIER_nondet_int() ? &x : __VERIFIER_nondet_int() ? &y : (int *)malloc(4);
  if (*p > 0) *p = x; else *p = 3;
  if (p == &x) reach_error();
  return 0; }"""


@pytest.fixture
def figure_5() -> Abstracted:
    return Abstracted(program_of_c(FIGURE_5))


def points(subject: Abstracted, name: str) -> Expr:
    """p == &name"""
    p = subject.variable("p")
    return make.equal(p, make.address_of(subject.variable(name), p.type))


def test_example_6_a_condition_through_a_pointer(figure_5: Abstracted) -> None:
    predicates = [points(figure_5, "x"), points(figure_5, "y")]
    found = figure_5.transformers(figure_5.precision(predicates, lambda n: n in ("x", "y")))
    assert found["[*p > 0]"] == (
        "assume((p == &x & !p == &y & -x <= -1) | (!p == &x & p == &y & -y <= -1) | "
        "(!p == &x & !p == &y))"
    )


def test_example_7_an_assignment_through_a_pointer(figure_5: Abstracted) -> None:
    predicates = [points(figure_5, "x"), points(figure_5, "y")]
    found = figure_5.transformers(figure_5.precision(predicates, lambda n: n in ("x", "y")))
    assert found["*p = 3;"] == (
        "p == &x & !p == &y? x := 3 or !p == &x & p == &y? y := 3 or assume(!p == &x & !p == &y)"
    )


def test_example_8_a_predicate_through_a_pointer(figure_5: Abstracted) -> None:
    positive = make.less(make.const(0, INT), figure_5.variable("y"))
    predicates = [positive, points(figure_5, "x"), points(figure_5, "y")]
    found = figure_5.transformers(figure_5.precision(predicates, lambda n: n == "x"))
    assert (
        "y > 0 := choice((p == &y & -x <= -1) | ((p == &x | !p == &y) & y > 0), "
        "(p == &x | !p == &y | x <= 0) & (p == &y | !y > 0))"
    ) in found["*p = x;"]


def test_example_9_both_at_once() -> None:
    """y := x and x := (y == 1) ? v : w, with a variable in between, as C needs it."""
    subject = Abstracted(
        program_of_c(
            "extern int x, y, v, w, t; int main(void) { t = x; x = y == 1 ? v : w; y = t;"
            " if (x == v && y == w) reach_error(); return 0; }"
        )
    )
    is_one = make.equal(subject.variable("y"), make.const(1, INT))
    found = subject.transformers(subject.precision([is_one], lambda name: name in "xvwt"))
    assert found["x = y == 1 ? v : w;"].startswith("(y == 1? x := v or !y == 1? x := w)")
    assert found["y = t;"].startswith("y == 1 := choice(t == 1, t <= 0 | -t <= -2)")


# the inputs are bounded, so that no sum overflows; nothing is known about the array
FIGURE_2 = """extern int A[200];
int main(void) {
  int x1 = __VERIFIER_nondet_int(), x2 = x1, y1, y2;
  y1 = __VERIFIER_nondet_int();
  y2 = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= x1); __VERIFIER_assume(x1 < 50);
  __VERIFIER_assume(2 <= y1); __VERIFIER_assume(y1 < 50);
  __VERIFIER_assume(0 <= y2); __VERIFIER_assume(y2 < 50);
  if (A[y1 + y2] == 3) { x1 = y1 - 2; x2 = y2 + 2; } else A[x1 + x2] = 5;
  if (A[x1 + x2] == 3) { x1 = x1 + x2; x2 = x2 + y1 - 2; }
  if (x1 != x2) reach_error();
  return 0; }"""


@pytest.fixture(scope="module")
def figure_2() -> Abstracted:
    return Abstracted(program_of_c(FIGURE_2))


@pytest.mark.parametrize("structure", STRUCTURES)
def test_figure_2_with_the_abstraction_of_gc10(figure_2: Abstracted, structure: str) -> None:
    """p and q are A[y1 + y2] == 3 and A[x1 + x2] == 3, the numbers are x1, x2, y1, y2: only
    together they prove it, and not with one value of the numbers for all those of p and q."""
    known = Abstracted(figure_2.program)
    both = [atom for atom in known.atoms() if "Index" in str(atom)]
    precision = known.precision(both, lambda name: name in ("x1", "x2", "y1", "y2"))
    assert [str(p) for p in precision.predicates] == ["A[y1 + y2] == 3", "A[x1 + x2] == 3"]
    assert known.proves(structure, "polyhedra", precision) == (structure in FUNCTIONS)


def test_example_10_the_abstraction_of_figure_2(figure_2: Abstracted) -> None:
    """Part (b) line by line. Ours says more where it can: what becomes of q if nothing it reads
    changes, and when it becomes false."""
    known = Abstracted(figure_2.program)
    both = [atom for atom in known.atoms() if "Index" in str(atom)]
    found = known.transformers(known.precision(both, lambda name: name in ("x1", "x2", "y1", "y2")))
    p, q = "A[y1 + y2] == 3", "A[x1 + x2] == 3"
    for name, text in ((p, "A[y1 + y2]"), (q, "A[x1 + x2]")):
        assert found[f"[{text} == 3]"].startswith(f"assume({name} & ")
        assert found[f"[{text} != 3]"].startswith(f"assume(!{name} & ")
    assert found["x1 = y1 - 2;"] == f"true? main::x1 := main::y1 - 2, {q} := choice(false, false)"
    assert found["x2 = y2 + 2;"].startswith(
        f"true? main::x2 := main::y2 + 2, {q} := choice(({p} & main::x1 - main::y1 == -2) | "
        f"({q} & main::x2 - main::y2 == 2), "
    )
    assert found["A[x1 + x2] = 5;"].endswith(f"{q} := choice(false, true)")
    assert "? main::x1 := main::x1 + main::x2, " in found["x1 = x1 + x2;"]
    assert "? main::x2 := main::x2 + main::y1 - 2, " in found["x2 = x2 + y1 - 2;"]


# --- whole checks ---------------------------------------------------------------------------------

FIGURE_1A = """int main(void) {
  int i = __VERIFIER_nondet_int(), a1, a2;
  __VERIFIER_assume(i == 1 || i == 2);
  switch (i) { case 1: a1 = 3; break; case 2: a2 = -4; break; }
  switch (i) {
  case 1: if (a1 <= 0) reach_error(); break;
  case 2: if (a2 >= 0) reach_error(); break;
  default: reach_error(); }
  return 0; }"""
FIGURE_1B = """int main(void) {
  int y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int(), x1, x2;
  if (3 <= y1 && y1 <= 4) { x1 = y1 - 2; x2 = y1 + 2; }
  else if (3 <= y2 && y2 <= 4) { x1 = y2 - 2; x2 = y2 + 2; }
  else return 0;
  if (x1 + x2 < 5 || x1 + x2 > 10) reach_error();
  return 0; }"""


def checked(text: str, **options: object) -> Verdict:
    program = program_of_c(text)
    with counted_time():
        return create("numpred", task_of(program, Options(**options))).run(Budget.of(LONG))


@pytest.mark.parametrize("structure", STRUCTURES)
def test_figure_1a_needs_predicates(structure: str) -> None:
    expected = Unknown if structure == "numeric" else Safe
    assert isinstance(checked(FIGURE_1A, domain=structure, numeric="octagon"), expected)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_figure_1b_needs_numbers(structure: str) -> None:
    expected = Unknown if structure == "predicate" else Safe
    assert isinstance(checked(FIGURE_1B, domain=structure, numeric="box"), expected)


@pytest.mark.needs_polyhedra  # what is tracked next depends on them
@pytest.mark.parametrize("structure", STRUCTURES)
def test_figure_2_needs_predicates_and_relations(structure: str) -> None:
    """Numbers alone do not prove it, nor do they beside predicates without a relation. Predicates
    alone do, with more of them than the two of [GC10]: weakest preconditions of what is tested."""
    expected = Unknown if structure in ("numeric", "nexpoint") else Safe
    assert isinstance(checked(FIGURE_2, domain=structure), expected)


@pytest.mark.parametrize("text", [FIGURE_1A, FIGURE_1B, FIGURE_2])
def test_the_figures_by_default(text: str) -> None:
    assert isinstance(checked(text), Safe)
