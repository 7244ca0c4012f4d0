"""The smart constructors keep the meaning and the type of the terms without simplification."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from predabs.ir import make
from predabs.ir.expr import (
    FALSE,
    TRUE,
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    FloatConst,
    Ite,
    Not,
    Op,
    Or,
    PointerAdd,
    Unary,
    UnaryOp,
    Var,
)
from predabs.ir.types import (
    BOOL,
    CBOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    UCHAR,
    UINT,
    ULLONG,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    Type,
)
from support.ir_evaluate import State, Undefined
from support.ir_terms import BITFIELD, FLAG, PAIR, PLACES, RECORD, VARIABLES, Pair, states, terms

STATES = [State(PLACES, {PAIR.tag: RECORD}, seed) for seed in range(5)]
TYPES: list[IntType] = [INT, UINT, CHAR, UCHAR, LLONG, ULLONG, CBOOL, BITFIELD, FLAG]
X, Y = VARIABLES[INT]
CONDITION = Binary(Op.LT, X, Y, BOOL)
CONDITIONS: list[Expr] = [
    TRUE,
    FALSE,
    CONDITION,
    Not(CONDITION),
    Binary(Op.LE, Y, X, BOOL),
    Binary(Op.EQ, X, Y, BOOL),
    Not(Binary(Op.EQ, X, Y, BOOL)),
    And((CONDITION, Not(Binary(Op.EQ, X, Y, BOOL)))),
    Or((CONDITION, Binary(Op.EQ, X, Y, BOOL))),
]


def leaves(type_: IntType) -> list[Expr]:
    """Small terms of the type with which every rule of `make` fires."""
    numbers = [0, 1, -1, 2, 5, type_.low, type_.high]
    constants = dict.fromkeys(make.const(number, type_) for number in numbers)
    casts = [Cast(arg, type_) for arg in (CONDITION, Cast(CONDITION, INT), Cast(CONDITION, FLAG))]
    return [*constants, *VARIABLES[type_], *casts]


def value(state: State, e: Expr) -> int | None:
    try:
        return state.value(e)
    except Undefined:
        return None


def assert_same(plain: Expr, made: Expr) -> None:
    assert made.type is plain.type
    for state in STATES:
        expected = value(state, plain)
        if expected is not None:
            assert value(state, made) == expected


@settings(max_examples=250)
@given(terms(depth=3), states())
def test_random_terms_keep_type_and_value(pair: Pair, state: State) -> None:
    assert pair.made.type is pair.plain.type
    expected = value(state, pair.plain)
    if expected is not None:
        assert value(state, pair.made) == expected


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_arithmetic(type_: IntType) -> None:
    for op, left, right in product(Op, leaves(type_), leaves(type_)):
        if op.is_arithmetic:
            assert_same(Binary(op, left, right, type_), make.binary(op, left, right))
    for unary, arg in product((UnaryOp.NEG, UnaryOp.INVERT), leaves(type_)):
        assert_same(Unary(unary, arg, type_), make.unary(unary, arg))


@pytest.mark.parametrize("amount", TYPES, ids=str)
def test_shift_amounts_of_another_type(amount: IntType) -> None:
    for op, left, right in product((Op.SHL, Op.SHR), leaves(INT), leaves(amount)):
        assert_same(Binary(op, left, right, INT), make.binary(op, left, right))


@pytest.mark.parametrize("type_", [*TYPES, BOOL], ids=str)
def test_comparisons(type_: IntType) -> None:
    operands = CONDITIONS if type_ is BOOL else leaves(type_)
    for op, left, right in product((Op.EQ, Op.LT, Op.LE), operands, operands):
        plain = Binary(op, left, right, BOOL)
        made = make.compare(op, left, right)
        assert_same(plain, made)
        assert_same(Not(plain), make.negate(made))


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_casts_of_casts(type_: IntType) -> None:
    pointer = PointerType(INT, 64)
    for middle, target in product([*TYPES, pointer], [*TYPES, pointer]):
        for arg in leaves(type_):
            inner = make.cast(arg, middle)
            assert_same(Cast(Cast(arg, middle), target), make.cast(inner, target))


def test_conditions() -> None:
    for left, right in product(CONDITIONS, CONDITIONS):
        assert_same(And((left, right)), make.conj((left, right)))
        assert_same(Or((left, right)), make.disj((left, right)))
        for other in CONDITIONS:
            assert_same(Ite(left, right, other, BOOL), make.ite(left, right, other))
            assert_same(And((left, right, other)), make.conj((left, right, other)))
            assert_same(Or((left, right, other)), make.disj((left, right, other)))


def test_a_division_by_zero_stays() -> None:
    zero, one = make.const(0, INT), make.const(1, INT)
    for op in (Op.DIV, Op.REM):
        for left in (zero, one, X):
            assert make.binary(op, left, zero) is Binary(op, left, zero, INT)


def test_normal_forms() -> None:
    three = make.const(3, INT)
    assert make.negate(make.negate(CONDITION)) is CONDITION
    assert make.equal(three, X) is make.equal(X, three)
    assert make.equal(Cast(CONDITION, INT), make.const(1, INT)) is CONDITION
    assert make.as_condition(make.cast(CONDITION, INT)) is CONDITION
    assert make.equal(TRUE, CONDITION) is CONDITION
    assert make.conj((CONDITION, TRUE, CONDITION)) is CONDITION
    assert make.conj(()) is TRUE
    assert make.disj(()) is FALSE
    assert make.as_condition(CONDITION) is CONDITION


def test_the_most_negative_signed_bit_is_no_truth_value() -> None:
    """A condition in a signed bit is 0 or -1, never 1."""
    flag = Cast(CONDITION, FLAG)
    assert_same(Binary(Op.EQ, flag, Const(-1, FLAG), BOOL), make.equal(flag, Const(-1, FLAG)))


@pytest.mark.parametrize("type_", [FLOAT, DOUBLE], ids=str)
def test_floating_point_is_not_simplified_like_numbers(type_: FloatType) -> None:
    f = Var("f::f", type_)
    assert make.equal(f, f) is Binary(Op.EQ, f, f, BOOL)  # not a number is not itself
    less = make.less(f, make.float_const(1.0, type_))
    assert make.negate(less) is Not(less)
    zero = make.float_const(0.0, type_)
    assert make.float_const(-0.0, type_) is not zero
    assert make.unary(UnaryOp.NEG, zero) is make.float_const(-0.0, type_)
    assert make.binary(Op.ADD, f, zero) is Binary(Op.ADD, f, zero, type_)  # -0.0 + 0.0 is 0.0
    big = make.const((1 << 24) + 1, INT)
    assert isinstance(make.cast(big, type_), Cast)
    assert make.cast(make.const(-7, INT), type_) is FloatConst((-7.0).hex(), type_)


def pointer_to(type_: Type) -> PointerType:
    return PointerType(type_, 64)


def test_pointers() -> None:
    a, _ = VARIABLES[ArrayType(INT, 4)]
    p, _ = VARIABLES[pointer_to(INT)]
    first = make.decay(a, 64)
    two = make.const(2, LLONG)
    moved = make.pointer_add(first, two)
    assert make.deref(first) is make.index(a, make.const(0, LLONG))
    assert make.deref(moved) is make.index(a, two)
    assert make.address_of(make.deref(p), pointer_to(INT)) is p
    assert_same(PointerAdd(first, two, pointer_to(INT)), moved)
    # seen at another type, it is not the same lvalue
    bytes_ = Cast(AddressOf(X, pointer_to(INT)), pointer_to(CHAR))
    assert make.deref(bytes_) is Deref(bytes_, CHAR)
