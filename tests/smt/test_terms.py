"""Terms mean what `semantics` says, however they are built; deep ones are no problem."""

from __future__ import annotations

import copy
import gc
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.errors import InternalError
from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator, evaluate
from predabs.smt.semantics import ArrayValue, array_value, compute_scalar, euclid
from predabs.smt.term import (
    BOOL,
    FALSE,
    INT,
    TRUE,
    ArraySort,
    BitVecSort,
    Op,
    Symbol,
    Term,
    Value,
    apply,
    symbols,
)
from support.logic_terms import Generator

X, Y = Symbol("x", INT), Symbol("y", INT)
B = Symbol("b", BitVecSort(8))


@pytest.mark.parametrize("small", [False, True])
@settings(max_examples=120, deadline=None)
@given(st.integers(1, 120), st.integers(0, 2**32))
def test_simplifying_keeps_the_meaning(small: bool, steps: int, seed: int) -> None:
    generator = Generator(seed, small=small)
    generator.grow(3 * steps if small else steps)
    for _ in range(3):
        model = generator.model()
        evaluator = TermEvaluator(model)
        for pair in generator.made:
            assert evaluator.value(pair.raw) == evaluator.value(pair.built), str(pair.raw)[:2000]


def test_pairs_of_comparisons() -> None:
    """What contradicts or covers what, among all comparisons of two symbols and two constants."""
    sides = [X, Y, build.integer(0), build.integer(1)]
    plain = [apply(op, (a, b)) for op in (Op.LE, Op.LT, Op.EQ) for a in sides for b in sides]
    plain += [apply(Op.NOT, (term,)) for term in plain]
    evaluators = [TermEvaluator({X: x, Y: y}) for x in range(-1, 3) for y in range(-1, 3)]
    for left in plain:
        for right in plain:
            both, either = build.and_(left, right), build.or_(left, right)
            for evaluator in evaluators:
                a, b = evaluator.holds(left), evaluator.holds(right)
                assert evaluator.holds(both) == (a and b), (str(left), str(right))
                assert evaluator.holds(either) == (a or b), (str(left), str(right))


@given(st.integers(-30, 30), st.integers(-30, 30))
def test_euclid(a: int, b: int) -> None:
    quotient, remainder = euclid(a, b)
    if b == 0:
        assert (quotient, remainder) == (0, a)
    else:
        assert quotient * b + remainder == a and 0 <= remainder < abs(b)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_bit_vectors_against_their_definition(width: int) -> None:
    """SMT-LIB defines the signed operators through the unsigned ones; all small values."""
    size = 1 << width

    def run(op: Op, a: int, b: int) -> int:
        x, y = bitvectors.bits(a, width), bitvectors.bits(b, width)
        return compute_scalar(apply(op, (x, y)), [a, b])

    def negate(a: int) -> int:
        return -a % size

    for a in range(size):
        for b in range(size):
            assert run(Op.BV_UDIV, a, b) == (a // b if b else size - 1)
            assert run(Op.BV_UREM, a, b) == (a % b if b else a)
            minus_a, minus_b = a >= size // 2, b >= size // 2
            abs_a, abs_b = negate(a) if minus_a else a, negate(b) if minus_b else b
            quotient, rest = run(Op.BV_UDIV, abs_a, abs_b), run(Op.BV_UREM, abs_a, abs_b)
            expected = negate(quotient) if minus_a != minus_b else quotient
            assert run(Op.BV_SDIV, a, b) == expected
            assert run(Op.BV_SREM, a, b) == (negate(rest) if minus_a else rest)
            assert run(Op.BV_SHL, a, b) == a * 2**b % size
            assert run(Op.BV_LSHR, a, b) == a // 2**b
            shifted = run(Op.BV_LSHR, a, b)
            if minus_a:
                shifted = size - 1 - run(Op.BV_LSHR, size - 1 - a, b)
            assert run(Op.BV_ASHR, a, b) == shifted


def test_equal_maps_are_equal_values() -> None:
    one_bit = BitVecSort(1)
    assert array_value(0, {0: 1}, one_bit) == array_value(1, {1: 0}, one_bit)
    assert array_value(5, {0: 1, 1: 1}, one_bit) == array_value(1, {}, one_bit)
    assert array_value(0, {3: 0}, INT) == ArrayValue(0, {})
    assert array_value(0, {3: 1}, INT) != array_value(1, {3: 0}, INT)


def test_some_simplifications() -> None:
    array = Symbol("a", ArraySort(BitVecSort(8), INT))
    stored = build.store(build.store(array, B, X), bitvectors.add(B, bitvectors.bits(1, 8)), Y)
    assert build.select(stored, B) is X
    assert build.select(build.const_array(INT, build.integer(3)), X) is build.integer(3)
    assert build.store(array, B, build.select(array, B)) is array
    assert build.sub(build.add(X, Y), build.add(Y, X)) is build.integer(0)
    assert build.le(build.add(X, build.integer(1)), build.integer(3)) is build.le(
        X, build.integer(2)
    )
    assert build.lt(build.integer(3), build.add(X, build.integer(1))) is build.lt(
        build.integer(2), X
    )
    assert build.eq(
        build.ite(Symbol("c", BOOL), build.integer(1), build.integer(0)), build.integer(0)
    ) is build.not_(Symbol("c", BOOL))
    wide = bitvectors.sign_extend(B, 24)
    assert bitvectors.slt(wide, bitvectors.bits(0, 32)) is bitvectors.slt(B, bitvectors.bits(0, 8))
    assert build.eq(wide, bitvectors.bits(128, 32)) is FALSE
    assert bitvectors.concat(bitvectors.extract(B, 7, 4), bitvectors.extract(B, 3, 0)) is B
    assert build.or_(build.lt(X, Y), build.le(Y, X)) is TRUE


@pytest.mark.parametrize(
    ("op", "args", "params"),
    [
        (Op.NOT, (X,), ()),
        (Op.AND, (TRUE,), ()),
        (Op.EQ, (X, B), ()),
        (Op.BV_ADD, (B, X), ()),
        (Op.EXTRACT, (B,), (8, 0)),
        (Op.EXTRACT, (B,), (1, 2)),
        (Op.SELECT, (X, X), ()),
        (Op.CONST_ARRAY, (X,), (INT,)),
        (Op.ZERO_EXTEND, (B,), ()),
    ],
)
def test_ill_sorted_terms_are_refused(
    op: Op, args: tuple[Term, ...], params: tuple[int, ...]
) -> None:
    with pytest.raises(InternalError):
        apply(op, args, params)


def test_terms_are_interned_again() -> None:
    term = build.and_(build.lt(X, Y), bitvectors.ult(B, bitvectors.bits(3, 8)))
    assert pickle.loads(pickle.dumps(term)) is term
    assert copy.deepcopy(term) is term
    assert list(symbols([term])) == [X, Y, B]


def test_a_model_must_have_all_symbols() -> None:
    with pytest.raises(InternalError):
        evaluate(build.lt(X, Y), {X: 1})
    with pytest.raises(InternalError):
        TermEvaluator({X: 1}).holds(X)


def test_deep_terms() -> None:
    term: Term = B
    for i in range(30_000):
        term = bitvectors.xor(bitvectors.add(term, B), bitvectors.bits(i % 255 + 1, 8))
    condition = build.eq(bitvectors.not_(term), bitvectors.bits(7, 8))
    assert evaluate(condition, {B: 3}) in (0, 1)
    assert len(str(condition)) > 300_000
    assert list(symbols([condition])) == [B]
    long = build.eq(X, Y)
    for i in range(5_000):
        long = build.and_(long, build.le(X, Value(i, INT)))
    assert evaluate(long, {X: 0, Y: 0}) == 1
    del term, condition, long
    gc.collect()
