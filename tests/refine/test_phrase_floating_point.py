"""Conditions on floating point in the words of the program."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.memory.partition import partition
from predabs.analysis.points_to.sets import points_to
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Environment, Formulas
from predabs.errors import UnsupportedFeature
from predabs.ir.expr import Expr
from predabs.ir.ops import Assume
from predabs.ir.show import show_expr
from predabs.ir.types import DataModel
from predabs.refine.interpolators.phrase import phrase
from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.term import BitVecSort, Symbol, Term, symbols
from support.c_programs import program_of_c

START = Environment("")
PROGRAM = r"""
double fabs(double); double sqrt(double); double floor(double); double copysign(double, double);
double rint(double); double trunc(double); double round(double); double ceil(double);
float f, h; double x, y; long double l; int i; unsigned u; long long n; unsigned char c;
double a[4]; struct node { int k; double d; float e; } nodes[3], *p;
union { double d; unsigned long long b; } w;
int main(void) {
  p = &nodes[i & 1]; l = x; h = f;
  start: ; %s
  return 0; }
"""
CONDITIONS = """x < y|x <= 1.5|x == y|x + 1.0 <= y * 2.0|x - y < x / y|-x <= y|fabs(x) <= 1.0
copysign(1.0, x) < 0.0|copysign(x, y) < 2.0|floor(x) < ceil(y)|sqrt(x) < trunc(y)
rint(x) == round(x)|(int)x < i|x < i|(unsigned)x == u|(long long)f < n|(char)f == 3|x < c
x < u|x < n|(unsigned long long)n < x|f == (float)x|f < x|l <= x|l + 1 <= 2|-l <= l * l
f + h <= 1.0f|(i ? x : y) < 1.0|(i ? x : 2.0) < y|a[i] < x|a[1] <= a[2]|p->d < 1.0
p->e <= p->d|nodes[i].e < f|w.d < 1.0|w.d < w.b|fabs(-p->d) < 3.0"""


def conditions(source: list[str], model: DataModel) -> tuple[Formulas, list[Expr]]:
    """The conditions as the program has them, and formulas for it."""
    body = "\n".join(f"if ({text}) i = 7;" for text in source)
    program = program_of_c(PROGRAM % body, data_model=model)
    formulas = Formulas(partition(program, points_to(program)), BitVectorEncoding())
    main = program.functions["main"]
    found, here = [], main.labels["start"]
    while len(found) < len(source):
        edge = main.outgoing[here][0]
        here = main.outgoing[here][-1].dst
        if isinstance(edge.op, Assume):
            found.append(edge.op.cond)
    return formulas, found


def encoded(formulas: Formulas, expr: Expr) -> Term:
    return formulas.encoder(START).condition(expr)


@pytest.mark.parametrize("model", list(DataModel))
def test_what_the_program_says_comes_back(model: DataModel) -> None:
    source = [text for line in CONDITIONS.splitlines() for text in line.split("|")]
    formulas, found = conditions(source, model)
    for cond in found:
        term = encoded(formulas, cond)
        again = phrase(formulas, term)
        assert encoded(formulas, again) is term, (show_expr(cond), show_expr(again))


@pytest.mark.parametrize(
    ("bits", "expected"),
    [
        (0x3FF8000000000000, "x == 1.5"),
        (0, "x == 0.0 && copysign(1.0, x) >= 0.0"),
        (1 << 63, "x == 0.0 && copysign(1.0, x) < 0.0"),
    ],
)
def test_the_bits_of_a_number(bits: int, expected: str) -> None:
    formulas, (cond,) = conditions(["x < 1"], DataModel.LP64)
    [x] = symbols([encoded(formulas, cond)])
    found = phrase(formulas, build.eq(x, bitvectors.bits(bits, 64)))
    assert show_expr(found).replace("!(copysign(1.0, x) < 0.0)", "copysign(1.0, x) >= 0.0") == (
        expected
    )
    for value in (0, 1 << 63, bits, bits ^ 1, 0x7FF8000000000000):
        assert TermEvaluator({x: value}).holds(encoded(formulas, found)) == (value == bits)


def test_what_has_no_words_is_refused() -> None:
    formulas, (cond,) = conditions(["x < y"], DataModel.LP64)
    x, y = sorted(symbols([encoded(formulas, cond)]), key=lambda symbol: symbol.name)
    nan = bitvectors.bits(0x7FF8000000000001, 64)
    for term in (
        build.eq(x, nan),  # C sees no payload
        build.eq(x, y),
        bitvectors.ult(x, y),
        build.eq(bitvectors.extract(x, 51, 0), bitvectors.bits(3, 52)),
        bitvectors.ult(bitvectors.add(x, y), y),
    ):
        with pytest.raises(UnsupportedFeature):
            phrase(formulas, term)


# --- the law --------------------------------------------------------------------------------------

SPECIAL = [0, 1, 2, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x3FF0000000000000, 0x4059000000000000]
SPECIAL += [0x41E0000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000000]
SPECIAL += [bits | 1 << 63 for bits in SPECIAL]


def random_number(pick: random.Random, depth: int) -> str:
    if depth == 0:
        return pick.choice(["x", "y", "f", "l", "i", "u", "n", "c", "a[1]", "1.5", "0.1f", "-3.0"])
    one, two = random_number(pick, depth - 1), random_number(pick, depth - 1)
    return pick.choice(
        [
            f"({one} {pick.choice('+-*')} {two})",
            f"({one} / 3.0)",
            f"-({one})",
            f"({pick.choice(['float', 'double', 'long double', 'int', 'unsigned'])})({one})",
            f"fabs({one})",
            f"floor({one})",
            f"copysign({one}, {two})",
            f"({one} < {two} ? {one} : {two})",
        ]
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_the_words_mean_the_condition(seed: int) -> None:
    pick = random.Random(seed)
    sides = [random_number(pick, 2) for _ in range(6)]
    source = [
        f"{a} {pick.choice(['<', '<=', '=='])} {b}"
        for a, b in zip(sides[::2], sides[1::2], strict=True)
    ]
    formulas, found = conditions(source, pick.choice(list(DataModel)))
    for cond in found:
        term = encoded(formulas, cond)
        try:
            again = encoded(formulas, phrase(formulas, term))
        except UnsupportedFeature:
            continue
        for _ in range(10):
            values = {
                symbol: _value(pick, symbol.sort.width)
                for symbol in symbols([term, again])
                if isinstance(symbol, Symbol) and isinstance(symbol.sort, BitVecSort)
            }
            evaluator = TermEvaluator(values)
            assert evaluator.holds(term) == evaluator.holds(again), show_expr(cond)


def _value(pick: random.Random, width: int) -> int:
    if width == 64 and pick.random() < 0.7:
        return pick.choice(SPECIAL)
    if pick.random() < 0.3:
        return pick.choice([0, 1, (1 << width) - 1, 1 << (width - 1)])
    return pick.getrandbits(width)
