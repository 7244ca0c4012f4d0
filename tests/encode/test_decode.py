"""Terms turned back into expressions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.encode.decode.terms import to_expr
from predabs.encode.encoding import BitVectorEncoding, value_range
from predabs.encode.expressions import Encoder
from predabs.encode.integer_encoding import NeedsBitVectors
from predabs.errors import UnsupportedFeature
from predabs.ir import make
from predabs.ir.expr import Expr, Var
from predabs.ir.show import show_expr
from predabs.ir.types import INT as C_INT
from predabs.ir.types import UINT, IntType
from predabs.smt import build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.projection import project
from predabs.smt.solver import Statistics
from predabs.smt.term import INT, ArraySort, BitVecSort, Symbol, Term
from support.counted_time import PLENTY
from support.encoded_pairs import PROGRAM, Pairs
from support.logic_terms import Generator, boxed_condition

X, Y, Z = (Symbol(name, INT) for name in "xyz")
NAMES: dict[Term, Expr] = {s: Var(s.name, C_INT) for s in (X, Y, Z)}


def holds(expr: Expr, values: dict[Var, int]) -> bool:
    source = Pairs(BitVectorEncoding(), values, 0)
    term = Encoder(PROGRAM, BitVectorEncoding(), source).condition(expr)
    return TermEvaluator(source.model).holds(term)


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_what_a_projection_says_in_c(seed: int) -> None:
    found = project(boxed_condition(seed, X, Y, Z), [X], Statistics(), PLENTY)
    assert found is not None
    expr = to_expr(found, NAMES)
    for y in range(-3, 4):
        for z in range(-3, 4):
            values = {Var("y", C_INT): y, Var("z", C_INT): z}
            assert holds(expr, values) == TermEvaluator({Y: y, Z: z}).holds(found)


def test_expressions_are_readable() -> None:
    def shown(term: Term) -> str:
        return show_expr(to_expr(term, NAMES))

    assert shown(build.le(X, build.integer(3))) == "x <= 3"
    assert shown(build.lt(X, Y)) == "x < y"
    assert shown(build.eq(build.mod(X, build.integer(2)), build.integer(0))).endswith("== 0")
    with pytest.raises(UnsupportedFeature, match="no expression for w"):
        to_expr(Symbol("w", INT), NAMES)


@pytest.mark.parametrize("value", [-(2**31), -9, -8, -1, 0, 1, 7, 8, 2**31 - 1])
def test_quotients_of_negative_numbers(value: int) -> None:
    eight = build.integer(8)
    for term, expected in (
        (build.mod(X, eight), value % 8),
        (build.div(X, eight), value // 8),
    ):
        expr = to_expr(build.eq(term, build.integer(expected)), NAMES)
        assert holds(expr, {Var("x", C_INT): value})


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_terms_and_their_expressions_agree(seed: int) -> None:
    generator = Generator(seed, gentle=True)
    generator.grow(30)
    names: dict[Term, Expr] = {}
    values: dict[Var, int] = {}
    model = generator.model()
    for symbol in generator.symbols:
        if isinstance(symbol.sort, BitVecSort):
            var = Var(symbol.name, IntType(symbol.sort.width, generator.random.random() < 0.5))
        elif symbol.sort is INT:
            var = Var(symbol.name, generator.random.choice([C_INT, UINT, IntType(8, True)]))
            model[symbol] = generator.random.choice([*value_range(var.type), 0, 1, 5])
        else:
            continue
        number = model[symbol]
        assert isinstance(number, int)
        names[symbol] = var
        values[var] = var.type.wrap(number)
    evaluator = TermEvaluator(model)
    for pair in generator.conditions(10):
        try:
            expr = to_expr(pair.built, names)
            assert holds(expr, values) == evaluator.holds(pair.built)
        except (UnsupportedFeature, NeedsBitVectors):
            continue


def test_a_term_may_stand_for_a_place() -> None:
    array = Symbol("m", ArraySort(INT, INT))
    place = build.select(array, X)
    expr = to_expr(build.lt(place, Y), {place: Var("v", C_INT), **NAMES})
    assert expr is make.less(Var("v", C_INT), Var("y", C_INT))
