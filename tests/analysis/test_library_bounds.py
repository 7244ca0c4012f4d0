"""Bounds and monotonicity of functions of math.h: they hold in runs, and prove what needs them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

import pytest

from predabs.analysis.library_bounds import with_library_bounds
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Exited
from predabs.engines.engine import decide
from predabs.ir.cfa import Program
from predabs.options import Budget
from predabs.verdict import Safe, Verdict
from support.c_programs import program_of_c
from support.engine_checks import task_of

FUNCTIONS = ("exp", "exp2", "expm1", "sinh", "tanh", "atan", "cbrt", "asin", "acos", "log", "log2",
             "log10", "log1p")  # fmt: skip
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-310, 1e-30, 710.0, 89.0, -746.0, math.inf, -math.inf,
           math.nan, 1e308, 2.0)  # fmt: skip
ROUNDS = 60


def arguments(random: Random) -> Iterator[float]:
    """Also such as are near each other, where errors are larger than what the functions change."""
    while True:
        at = random.choice((*SPECIAL, random.uniform(-2, 2), random.uniform(-800, 800)))
        for _ in range(random.randrange(1, 5)):
            yield at
            at = math.nextafter(at, random.choice((-math.inf, math.inf)))


def calling(name: str, kind: str) -> Program:
    suffix = "f" if kind == "float" else ""
    text = f"""{kind} {name}{suffix}({kind}), __VERIFIER_nondet_{kind}(void);
    int main(void) {{
      for (int i = 0; i < {ROUNDS}; i++) {{
        {kind} x = __VERIFIER_nondet_{kind}(), y = {name}{suffix}(x);
        if (x > 0.5 && y <= 2.0 || x == 1e-30 || x < 710 || x == 1 || y < 0.1)
          y = {name}{suffix}(y);
      }}
      return 0;
    }}"""
    return with_library_bounds(program_of_c(text))


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_they_hold_in_runs(name: str, kind: str) -> None:
    random = Random(f"{name} {kind}")
    program, many = calling(name, kind), arguments(random)
    assert any(item.var.name.endswith("argument.2") for item in program.globals)
    for _ in range(3):
        given = [next(many) for _ in range(ROUNDS)]
        assert isinstance(execute(program, ListInputs(given)), Exited), given


def verdict_of(condition: str, engine: str = "bounded") -> Verdict:
    text = f"""float expf(float), acosf(float), logf(float), __VERIFIER_nondet_float(void);
    int main(void) {{
      float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
      {condition} __VERIFIER_error();
      return 0;
    }}"""
    return decide(engine, task_of(with_library_bounds(program_of_c(text))), Budget.of(60.0))


@pytest.mark.parametrize(
    "condition",
    [
        "if (x <= 2.0f && expf(x) > 7.4f)",
        "if (x >= 0.5f && x <= 1.0f && !(acosf(x) < 1.1f))",
        "if (x >= 1.0f && x <= y) if (logf(y) == 0.0f && logf(x) > 1.0f)",
    ],
)
def test_they_prove(condition: str) -> None:
    assert isinstance(verdict_of(condition), Safe)


@pytest.mark.parametrize(
    "condition",
    ["if (x >= 2.0f && expf(x) > 7.4f)", "if (x < y) if (expf(x) == expf(y))"],
)
def test_what_does_not_hold_is_not_proved(condition: str) -> None:
    assert not isinstance(verdict_of(condition), Safe)


def test_other_programs_are_left_alone() -> None:
    program = program_of_c("double sqrt(double); int main(void) { return sqrt(2.0) > 1.0; }")
    assert with_library_bounds(program) is program
