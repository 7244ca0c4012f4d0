"""Loops over floating-point numbers: conditions of the program and of the path are predicates."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs

LOOP = """
int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
  double x = 0.5;
  while (__VERIFIER_nondet_int()) {
    if (x < LIMIT) x = x + 0.25;
    if (x > 10.5) reach_error();
  }
  return 0;
}
"""


def test_a_condition_is_the_invariant(tmp_path: Path) -> None:
    source = tmp_path / "loop.c"
    source.write_text(LOOP.replace("LIMIT", "10.0"))
    result = predabs.check([source], engine="lazy", timeout=120.0, float_intervals=False)
    assert result.verdict is predabs.Answer.TRUE
    assert any("x > 10.5" in str(invariant) for invariant in result.invariants)


def test_too_wide_a_condition_is_none(tmp_path: Path) -> None:
    source = tmp_path / "loop.c"
    source.write_text(LOOP.replace("LIMIT", "1e300"))
    result = predabs.check([source], engine="lazy", timeout=5.0)
    assert result.verdict is not predabs.Answer.TRUE


DECLARED = """
int __VERIFIER_nondet_int(void); void reach_error(void);
double __VERIFIER_nondet_double(void); double fabs(double x);
"""
# what each of them needs is no condition of the program
PROGRAMS = {
    "a number by its mode": """double y; int main(void) { int mode = 0; double x = 0.5;
      while (__VERIFIER_nondet_int())
        if (mode == 0) { mode = 1; x = 20.0; } else { mode = 0; x = 0.5; }
      y = mode ? x - 19.0 : x + 0.5;
      if (y != 1.0) reach_error(); return 0; }""",
    "a number below an integer": """int main(void) {
      int n = __VERIFIER_nondet_int(); double x = 0.0;
      if (n < 1 || n > 100) return 0;
      while (__VERIFIER_nondet_int()) {
        double v = __VERIFIER_nondet_double(); if (v >= 0.0 && v < n) x = v; }
      int k = (int)x; if (k >= n) reach_error(); return 0; }""",
    "elements of an array": """double a[3]; int main(void) { int i;
      for (i = 0; i < 3; i++) a[i] = 1.0;
      while (__VERIFIER_nondet_int()) {
        int k = __VERIFIER_nondet_int(); double v = __VERIFIER_nondet_double();
        if (k >= 0 && k < 3 && v >= 1.0 && v <= 2.0) a[k] = v; }
      for (i = 0; i < 3; i++) if (!(a[i] >= 1.0)) reach_error();
      return 0; }""",
    "steps of inputs": """int main(void) { double x = 0.0; int state = 0;
      while (__VERIFIER_nondet_int()) {
        double v = __VERIFIER_nondet_double(); if (!(v >= -1.0 && v <= 1.0)) continue;
        if (state == 0) { x = v; state = 1; }
        else if (state == 1) { x = x + v; state = 2; }
        else { if (x > 2.5) reach_error(); state = 0; } }
      return 0; }""",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_predicates_are_found(text: str, tmp_path: Path) -> None:
    source = tmp_path / "loop.c"
    source.write_text(DECLARED + text)
    result = predabs.check([source], engine="lazy", timeout=120.0)
    assert result.verdict is predabs.Answer.TRUE


def test_predicates_are_shown_as_c(tmp_path: Path) -> None:
    source = tmp_path / "loop.c"
    source.write_text(DECLARED + PROGRAMS["a number below an integer"])
    result = predabs.check([source], engine="lazy", timeout=120.0)
    assert any("(int)x < n" in str(invariant) for invariant in result.invariants)
