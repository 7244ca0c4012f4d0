"""Loops over floating-point numbers: conditions of the program are predicates."""

from __future__ import annotations

from pathlib import Path

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
