"""Intervals of floating-point variables: bounds against runs, and what the analysis finds."""

from __future__ import annotations

import math

import pytest
from fuzz.floats import program as random_program
from hypothesis import given
from hypothesis import strategies as st

from predabs.analysis.facts import ProgramFacts
from predabs.analysis.intervals import float_bounds
from predabs.analysis.intervals.float_bounds import number, rank
from predabs.concrete import libm
from predabs.concrete.inputs import Inputs, RandomInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.state_view import StateView
from predabs.ir.cfa import Edge, Program
from predabs.ir.expr import UnaryOp
from predabs.ir.types import DOUBLE, FLOAT, FloatType
from support.c_programs import program_of_c

FUNCTIONS = [
    *(UnaryOp.SIN, UnaryOp.COS, UnaryOp.TAN, UnaryOp.ASIN, UnaryOp.ACOS, UnaryOp.ATAN),
    *(UnaryOp.SINH, UnaryOp.COSH, UnaryOp.TANH, UnaryOp.EXP, UnaryOp.EXP2, UnaryOp.EXPM1),
    *(UnaryOp.LOG, UnaryOp.LOG2, UnaryOp.LOG10, UnaryOp.LOG1P, UnaryOp.CBRT),
]


def watched(program: Program, inputs: Inputs) -> int:
    """Run it; each variable with an interval lies in it. How many intervals were looked at."""
    facts, seen = ProgramFacts(program), 0

    def look(edge: Edge, view: StateView) -> None:
        nonlocal seen
        assert facts.intervals.reachable(edge.src)
        for var in facts.intervals.at(edge.src):
            if isinstance(var.type, FloatType) and var.function in ("", edge.src.function):
                low, high = facts.float_interval(edge.src, var) or (math.nan, math.nan)
                value = view.value(var)
                assert isinstance(value, float) and low <= value <= high, (edge.coord, var.name)
                seen += 1

    execute(program, inputs, before=look, max_steps=3000)
    return seen


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    """The rounding mode changes in some of them."""
    text = random_program(seed).replace("extern int __VERIFIER_nondet_int(void);", "")
    assert watched(program_of_c(text), ZeroInputs()) > 0


LOOP = """
float __VERIFIER_nondet_float(void);
float half(float v) { return v / 2; }
int main(void) {
  float x = 0, y = 1;
  for (int i = 0; i < 20; i++) {
    float in = __VERIFIER_nondet_float();
    if (!(in >= -1.0f && in <= 1.0f)) continue;
    x = half(x) + in;
    y = x * x;
    if (x > 3.0f) x = 3.0f;
    if (x < -3.0f) x = -3.0f;
  }
  return x > y;
}
"""


@pytest.mark.parametrize("seed", range(5))
def test_a_filter_stays_in_its_bounds(seed: int) -> None:
    program = program_of_c(LOOP)
    assert watched(program, RandomInputs(seed)) > 20
    facts, main = ProgramFacts(program), program.functions["main"]
    (last,) = (edge.src for edge in main.incoming[main.exit])
    bounds = {var.short: facts.float_interval(last, var) for var in facts.intervals.at(last)}
    assert bounds["x"] == (-2.0, 2.0)  # 1 + 1/2 + 1/4 + ...
    assert bounds["y"] is not None and bounds["y"][0] == 0.0 and bounds["y"][1] <= 1000.0


def test_a_nan_has_no_interval() -> None:
    program = program_of_c(
        "double __VERIFIER_nondet_double(void);"
        "int main(void) { double x = __VERIFIER_nondet_double(), y = 0; if (x <= 1.0) y = x;"
        " else y = 2; if (x == x) return x > 5; return y > 3; }"
    )
    facts = ProgramFacts(program)
    main = program.functions["main"]
    x, y = (next(v for v in main.locals if v.short == name) for name in "xy")
    found = {(edge.coord.column, edge.src): edge.src for edge in main.edges}
    states = [(facts.float_interval(at, x), facts.float_interval(at, y)) for at in found.values()]
    assert (None, (-math.inf, 2.0)) in states  # where both branches meet
    assert any(bounds == (-math.inf, math.inf) for bounds, _ in states)  # where x == x


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_ranks_are_in_the_order_of_numbers(a: float, b: float) -> None:
    assert (a < b) == (rank(a) < rank(b)) and (a == b) == (rank(a) == rank(b))
    assert number(rank(a)) == a


POINTS = st.floats(allow_nan=False, width=32) | st.floats(-2, 2, width=32)


@given(
    st.sampled_from(FUNCTIONS),
    st.sampled_from([FLOAT, DOUBLE]),
    st.tuples(POINTS, POINTS, POINTS),
)
def test_functions_of_the_library_lie_in_their_ranges(
    op: UnaryOp, type_: FloatType, values: tuple[float, float, float]
) -> None:
    low, middle, high = sorted(values)
    found = float_bounds.unary(op, type_, (rank(low), rank(high)))
    result = libm.call(op.value + "f" * (type_ is FLOAT), middle)
    if found is not None:
        assert number(found[0]) <= result <= number(found[1])
    elif op not in (UnaryOp.SIN, UnaryOp.COS, UnaryOp.TAN):
        assert low < 0 or high > 1  # outside of the function's domain
