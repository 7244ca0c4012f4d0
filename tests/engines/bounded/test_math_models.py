"""What formulas know of functions of math.h that are models in C."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs

EXPONENTS = """#include <math.h>
#include <limits.h>
void reach_error(void);
double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);

static void check(int condition)
{
  if (!condition)
    reach_error();
}

int main(void)
{
  double x = __VERIFIER_nondet_double();
  float f = __VERIFIER_nondet_float();
  int e;
  if (isfinite(x) && x != 0) {
    double part = fabs(frexp(x, &e));
    check(part >= 0.5 && part < 1);
  }
  if (x >= 1 && x < 2) {
    check(ldexp(x, 3) == 8 * x && scalbn(x, -1) == x / 2);
    check(ilogb(4 * x) == 2 && logb(x / 2) == -1);
  }
  check(ilogb(0.0) == INT_MIN && isnan(nan("")));
  if (isfinite(x))
    check(nexttoward(x, (long double)INFINITY) > x);
  if (f >= 0 && f <= 1)
    check(fmaf(f, f, 1) >= 1 && fmaf(f, f, 1) <= 2);
  return 0;
}
"""
REMAINDERS = """#include <math.h>
void reach_error(void);
float __VERIFIER_nondet_float(void);

int main(void)
{
  float x = __VERIFIER_nondet_float();
  float rest = fmodf(x, 8);
  if (x >= 0 && x <= 100 && !(rest >= 0 && rest < 8 && rest <= x))
    reach_error();
  if (x >= 8 && x < 16 && rest != x - 8)
    reach_error();
  if (isinf(x) && !isnan(rest))
    reach_error();
  return 0;
}
"""


@pytest.mark.parametrize("text", [EXPONENTS, REMAINDERS], ids=["exponents", "remainders"])
def test_it_is_proved(text: str, tmp_path: Path) -> None:
    source = tmp_path / "models.c"
    source.write_text(text)
    result = predabs.check([source], engine="bounded", timeout=240.0)
    assert result.verdict is predabs.Answer.TRUE, result.reason
