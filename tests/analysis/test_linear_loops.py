"""Bounds of variables in loops that are linear maps: against runs, and what is found."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.analysis.facts import ProgramFacts
from predabs.analysis.intervals.linear_forms import Key, Linear, Linearisation, Range, unit
from predabs.concrete.interpreter import execute
from predabs.concrete.state_view import StateView
from predabs.ir import float_text, ieee754, make
from predabs.ir.cfa import Edge, Program
from predabs.ir.expr import Binary, Cast, Expr, FloatConst, Op, Unary, UnaryOp, Var
from predabs.ir.ieee754 import format_of
from predabs.ir.ops import Error
from predabs.ir.types import DOUBLE, FLOAT, FloatType
from support.c_programs import program_of_c
from support.linear_loops import ExtremeInputs, linear_loop


def stays_in_its_bounds(program: Program, facts: ProgramFacts, seed: int, steps: int) -> int:
    """Run it; how many bounds were looked at."""
    seen = 0
    declared = facts.points_to.address_taken.declared

    def look(edge: Edge, view: StateView) -> None:
        nonlocal seen
        assert facts.intervals.reachable(edge.src)
        for var in facts.intervals.at(edge.src):
            if isinstance(var.type, FloatType) and var.name in declared:
                low, high = facts.float_interval(edge.src, var) or (math.nan, math.nan)
                value = view.value(var)
                assert isinstance(value, float) and low <= value <= high, (edge.coord, var.name)
                seen += 1

    execute(program, ExtremeInputs(seed), before=look, max_steps=steps)
    return seen


@pytest.mark.parametrize("seed", range(25))
def test_runs_stay_in_the_bounds(seed: int) -> None:
    program = program_of_c(linear_loop(seed))
    facts = ProgramFacts(program)
    assert stays_in_its_bounds(program, facts, seed, 1500) > 0


HEAD = """
double __VERIFIER_nondet_double(void);
int __VERIFIER_nondet_int(void);
void reach_error(void);
void abort(void);
void assume(int c) { if (!c) abort(); }
double input(void) {
  double u = __VERIFIER_nondet_double();
  assume(u >= -1 && u <= 1);
  return u;
}
"""
# The results of filters are bounded by the sums of their impulse responses.
PROVED = {
    "second order": """int main(void) {
      double u, s = 0, s1 = 0, s2;
      for (int i = 0; i < 1000000; i++) {
        u = input(); s2 = s1; s1 = s;
        s = 1.5 * s1 - 0.7 * s2 + 0.5 * u;
        if (s > 4.65 || s < -4.65) reach_error();
      } }""",
    "inputs cancel each other": """int main(void) {
      double u = 0, v, s = 0;
      while (__VERIFIER_nondet_int()) {
        v = u; u = input(); s = 0.9 * s + u - v;
        if (s > 2.01 || s < -2.01) reach_error();
      } }""",
    "resets": """int main(void) {
      double s = 0, t = 0, n;
      while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) { s = 3; t = 0; }
        n = 0.6 * s - 0.7 * t; t = 0.7 * s + 0.6 * t; s = n;
      }
      if (s > 4 || s < -4) reach_error(); }""",
    "state in a struct": """struct state { float y[2]; };
    float step(struct state *s, float u) {
      float r = 1.2f * s->y[0] - 0.5f * s->y[1] + u;
      s->y[1] = s->y[0]; s->y[0] = r; return r; }
    int main(void) {
      struct state s = {{0, 0}};
      for (;;) if (step(&s, input()) > 12) reach_error(); }""",
    "as many as a counter has counted": """int main(void) {
      double s = 0;
      int n = __VERIFIER_nondet_int();
      assume(n >= 0 && n <= 1000);
      for (int i = 0; i < n; i++) {
        double u = input();
        if (u < 0) u = 0;
        if (__VERIFIER_nondet_int()) s = 0;
        s += u;
      }
      if (!(s >= 0 && s <= 1000.001)) reach_error(); }""",
    "steps of two, down, and what follows them": """int main(void) {
      float t = 0, d = 0, tick = 1.0f / 10.0f;
      for (int i = 100000; i > 0; i -= 2) { t += tick; d = 0.5f * d + t; }
      if (t > 5200 || d > 11000) reach_error(); }""",
    "products with what stays in bounds": """int main(void) {
      double x = input(), s = 0;
      if (x < 0 || x > 0.9) return 0;
      while (__VERIFIER_nondet_int()) s = s * x + 1;
      if (s > 11) reach_error(); }""",
}


@pytest.mark.parametrize("name", PROVED)
def test_no_run_reaches_the_error(name: str) -> None:
    program = program_of_c(HEAD + PROVED[name])
    facts = ProgramFacts(program)
    errors = [
        edge.src for f in program.functions.values() for edge in f.edges if type(edge.op) is Error
    ]
    assert errors and not any(map(facts.intervals.reachable, errors))
    assert stays_in_its_bounds(program, facts, 1, 3000) > 20


def test_what_is_not_stable_has_no_bounds() -> None:
    program = program_of_c(
        HEAD + "int main(void) { double s = 0, t = 1, n; while (__VERIFIER_nondet_int()) {"
        " n = 0.8 * s - 0.61 * t; t = 0.61 * s + 0.8 * t; s = n; } return s > t; }"
    )
    facts, main = ProgramFacts(program), program.functions["main"]
    (last,) = (edge.src for edge in main.incoming[main.exit])
    ends = [facts.float_interval(last, var) for var in main.locals]
    assert not any(found is not None and max(map(abs, found)) < 1e30 for found in ends)


# --- forms ----------------------------------------------------------------------------------------

NAMES = {type_: tuple(Var(f"f::{n}{type_.bits}", type_) for n in "xy") for type_ in (FLOAT, DOUBLE)}
EVERY = (*NAMES[FLOAT], *NAMES[DOUBLE])
MODES = {Op.ADD: 0, Op.SUB: 0, Op.MUL: 0, Op.DIV: 0, Op.ADD_UP: 2, Op.MUL_ZERO: 4, Op.DIV_DOWN: 3}
COMPUTE = {"ADD": ieee754.add, "SUB": ieee754.sub, "MUL": ieee754.mul, "DIV": ieee754.div}


def number(type_: FloatType, value: float) -> int:
    return ieee754.convert(ieee754.DOUBLE, format_of(type_), ieee754.from_float(value))


def terms(type_: FloatType) -> st.SearchStrategy[Expr]:
    """Sums, and products with constants."""
    form = format_of(type_)
    values = st.sampled_from([0.1, -3.0, 0.5, 1e-3, 7.0, 1e-30])
    constants = values.map(lambda v: FloatConst(float_text.show(form, number(type_, v)), type_))
    leaves: st.SearchStrategy[Expr] = st.sampled_from(NAMES[type_]) | constants
    other = FLOAT if type_ is DOUBLE else DOUBLE
    leaves |= st.sampled_from(NAMES[other]).map(lambda var: make.cast(var, type_))

    def combined(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        sums = st.builds(make.binary, st.sampled_from([Op.ADD, Op.SUB, Op.ADD_UP]), parts, parts)
        scaled = st.builds(
            make.binary,
            st.sampled_from([Op.MUL, Op.DIV, Op.MUL_ZERO, Op.DIV_DOWN]),
            parts,
            constants,
        )
        return sums | scaled | parts.map(lambda e: make.unary(UnaryOp.NEG, e))

    return st.recursive(leaves, combined, max_leaves=5)


def computed(e: Expr, values: dict[Var, float]) -> int:
    """The bits of a term."""
    assert isinstance(e.type, FloatType)
    form = format_of(e.type)
    match e:
        case FloatConst():
            return float_text.parse(e.hex, form)
        case Var():
            return number(e.type, values[e])
        case Unary(_, arg, _):
            return computed(arg, values) ^ form.sign
        case Cast(arg, _):
            assert isinstance(arg.type, FloatType)
            return ieee754.convert(format_of(arg.type), form, computed(arg, values))
        case Binary(op, left, right, _):
            operation = COMPUTE[op.name.partition("_")[0]]
            mode = ieee754.Rounding(MODES[op])
            return operation(form, computed(left, values), computed(right, values), mode)
    raise AssertionError(e)


def variable(e: Expr) -> Linear:
    assert isinstance(e, Var)
    return unit(e)


SIZES = {EVERY[0]: 1.0, EVERY[1]: 1e30, EVERY[2]: 1e-300, EVERY[3]: 100.0}
PARTS = st.floats(-1, 1, allow_subnormal=False)


@given(st.sampled_from([FLOAT, DOUBLE]).flatmap(terms), st.tuples(PARTS, PARTS, PARTS, PARTS))
def test_a_value_is_as_near_to_its_form_as_the_error_says(
    e: Expr, parts: tuple[float, ...]
) -> None:
    values: dict[Var, float] = {}
    for (var, size), part in zip(SIZES.items(), parts, strict=True):
        assert isinstance(var.type, FloatType)
        form, bits = format_of(var.type), number(var.type, part * size)
        values[var] = ieee754.to_float(ieee754.convert(form, ieee754.DOUBLE, bits))
    ranges: dict[Key, Range] = {var: (-size, size) for var, size in SIZES.items()}
    found = Linearisation(variable, lambda _: None, ranges).of(e)
    if found is None:
        return  # a product of variables after all, or a number that may be too large
    assert isinstance(e.type, FloatType)
    bits = computed(e, values)
    assert not ieee754.is_nan(format_of(e.type), bits)
    result = ieee754.to_float(ieee754.convert(format_of(e.type), ieee754.DOUBLE, bits))
    exact = found.constant
    for key, factor in found.coefficients.items():
        assert isinstance(key, Var)
        exact += factor * Fraction(values[key])
    assert abs(Fraction(result) - exact) <= found.error


def test_infinities_that_cancel_each_other_have_no_form() -> None:
    x = NAMES[DOUBLE][0]
    ranges: dict[Key, Range] = {x: (-math.inf, math.inf)}
    forms = Linearisation(lambda _: unit(x), lambda _: None, ranges)
    zero = FloatConst("0x0.0p+0", DOUBLE)
    assert forms.of(make.binary(Op.SUB, x, x)) is None
    assert forms.of(make.binary(Op.MUL, x, zero)) is None
