"""Predicates over cells, where candidates are not enough."""

from __future__ import annotations

import pytest

from predabs.engines.cells.relaxation import relaxed
from predabs.engines.engine import decide
from predabs.ir import make
from predabs.ir.expr import Op, Var
from predabs.ir.types import INT
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown
from support.c_programs import program_of_c
from support.engine_checks import task_of

SORTED = """
int main(void) {
  int i, t, again = 1, n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  int a[n];
  for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  while (again) {
    again = 0;
    for (i = 1; i < BOUND; i++)
      if (a[i - 1] > a[i]) { t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; again = 1; }
  }
  for (i = 0; i < n - 1; i++) if (a[i] > a[i + 1]) reach_error();
  return 0;
}
"""


@pytest.mark.parametrize("search", [True, False])
def test_what_no_candidate_says(search: bool) -> None:
    program = program_of_c(SORTED.replace("BOUND", "n"))
    task = task_of(program, Options(cell_predicates=search))
    verdict = decide("cells", task, Budget.of(None))
    assert isinstance(verdict, Safe if search else Unknown)


def test_a_violation_of_the_scalar_program_is_none() -> None:
    program = program_of_c(SORTED.replace("BOUND", "n - 1"))
    assert isinstance(decide("cells", task_of(program), Budget.of(None)), Unknown)


def test_the_index_for_its_limit() -> None:
    x, y, i, n = (Var(name, INT) for name in "xyin")
    total = make.binary(Op.ADD, x, y)
    found = list(relaxed([make.equal(total, n), make.equal(x, y)], [(i, n)]))
    assert found == [make.equal(total, i)]
