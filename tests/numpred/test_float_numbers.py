"""Floating-point numbers as numeric variables: each step of a run is a step of the abstraction."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import isnan

import pytest
from fuzz.floats import program as random_program

from predabs.analysis.intervals.float_bounds import rank
from predabs.concrete.inputs import Inputs, RandomInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.state_view import StateView
from predabs.ir.cfa import Edge
from predabs.ir.configuration import Transition
from predabs.numpred.domain.structures import STRUCTURES
from predabs.numpred.program.numeric_variables import NAN
from predabs.numpred.program.precision import TrackedPrecision
from support.c_programs import program_of_c
from support.numpred_runs import Abstracted, State

NUMBERS = ("box", "octagon", "polyhedra")

BY_HAND = """
double __VERIFIER_nondet_double(void); float __VERIFIER_nondet_float(void);
int __VERIFIER_nondet_int(void);
double fabs(double), sqrt(double), fmin(double, double), floor(double);
double g = -0.5;
int main(void) {
  double x = __VERIFIER_nondet_double(), y = 0.1, z = x; float f = __VERIFIER_nondet_float();
  int i = __VERIFIER_nondet_int(); unsigned char c = i; float h = f; long double l = x;
  if (x <= 10.0) y = x; z = x + y; if (z != z) y = 1.0; if (!(z < y)) z = -y; f = x; x = f;
  y = z * z - y; z = 0.0; z = y / z; if (z > x) i = 2; if (x == y) i = (int)(i > 3 ? x : f);
  f = i; h = f / 3; c = f; if (c < 9 && f >= h) f = h + 1; x = c * 0.5; y = i; z = i + 0.5;
  i = x; if ((int)f == i) x = fabs(f); y = sqrt(x); z = x < y ? x : y; i = z <= x; l = l + z;
  x = l; if (x != z || !(f <= h)) y = x / z; z = 1.0 / 0.0; y = z - z; if (y < z) x = y; g = f;
  h = 1e39; x = -0.0; if (x == 0.0 && h > 1e38f) z = fmin(x, h); x = floor(z); y = x;
  for (i = 0; i < 3; i++) { x = y; y = __VERIFIER_nondet_double(); if (y > x) { z = y; y = x; }
    if (z >= x && z - 1.0 <= y * 2) x = z; if (y <= x && (float)y > f) f = y; g = g * 0.9 + i; }
  return 0;
}
"""


@cache
def subject_of(seed: int) -> Abstracted:
    text = random_program(seed, long_double=seed % 2 == 0) if seed else BY_HAND
    if seed:
        text = text.replace("extern int __VERIFIER_nondet_int(void);", "")
    return Abstracted(program_of_c(text), floats=True)


def precision_of(subject: Abstracted, seed: int) -> TrackedPrecision:
    return subject.precision(
        subject.atoms()[seed % 3 :: 2][: seed % 5], lambda name: bool(seed % 2 or len(name) % 2)
    )


def visits(
    subject: Abstracted, precision: TrackedPrecision, inputs: Inputs
) -> list[tuple[Edge, dict[str, int]]]:
    """What the cells of the entry hold before each of its edges in a run."""
    found: list[tuple[Edge, dict[str, int]]] = []
    here = subject.program.entry

    def look(edge: Edge, view: StateView) -> None:
        cells: dict[str, int] = {}
        if edge.src.function == here:
            for name, cell in precision.cells.items():
                if cell.scalar and cell.var.function in ("", here):
                    value = view.value(subject.cells.lvalues[name])
                    if isinstance(value, float):
                        cells[name] = NAN if isnan(value) else rank(value)
                    elif isinstance(value, int):
                        cells[name] = value
        found.append((edge, cells))

    execute(subject.program, inputs, before=look, max_steps=400)
    return found


def hold(subject: Abstracted, structure: str, numbers: str, seed: int, runs: int) -> int:
    precision = precision_of(subject, seed)
    translator, looked = subject.translator(precision), 0
    steps: dict[Edge, Transition] = {
        step.edge: step
        for steps in subject.control.transitions.values()
        for step in steps
        if step.dst is not None and not step.src.calls and not step.dst.calls
    }
    domain = subject.domain(structure, numbers, precision)
    with domain.vocabulary.manager.bounded():
        for run in range(runs):
            inputs = RandomInputs(run + seed) if run else ZeroInputs()
            for (edge, before), (then, after) in pairwise(visits(subject, precision, inputs)):
                step = steps.get(edge)
                if step is None or step.dst is None or step.dst.location != then.src:
                    continue
                first, second = State(step.src, before, {}), State(step.dst, after, {})
                assert first.satisfies(translator.ranges(step.src))
                found = domain.post(domain.alpha(first.formula()), translator.transition(step))
                assert second.satisfies(domain.gamma(found)), (str(edge.op), before, after)
                looked += 1
    return looked


@pytest.mark.parametrize("structure", STRUCTURES)
def test_by_hand(structure: str) -> None:
    place = list(STRUCTURES).index(structure)
    assert hold(subject_of(0), structure, NUMBERS[place % 3], 3 + place, 4) > 100


@pytest.mark.parametrize("seed", range(1, 13))
def test_random_programs(seed: int) -> None:
    """The rounding mode changes in some of them."""
    structure = list(STRUCTURES)[seed % len(STRUCTURES)]
    assert hold(subject_of(seed), structure, NUMBERS[seed % 3], seed, 1) > 20
