"""Generated code computes what an evaluator made for tests alone computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Exited, RunFault
from predabs.ir import arith, make
from predabs.ir.cfa import Edge, ExternPointers
from predabs.ir.expr import (
    And,
    Binary,
    Cast,
    Expr,
    Ite,
    Not,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    UnaryOp,
    Var,
)
from predabs.ir.ops import Return, Source
from predabs.ir.types import (
    BOOL,
    CBOOL,
    CHAR,
    INT,
    LLONG,
    UCHAR,
    UINT,
    ULLONG,
    IntType,
    PointerType,
    RecordType,
    ScalarType,
    Type,
)
from support.concrete_builder import number, pointer, program, run, straight
from support.ir_evaluate import State, Undefined, into, width

SHORT, USHORT = IntType(16, True), IntType(16, False)
BITS = IntType(5, True)
HUGE = IntType(130, True)
INTEGERS = (INT, UINT, CHAR, UCHAR, SHORT, USHORT, LLONG, ULLONG, CBOOL, BITS)
TRIPLE = RecordType("struct triple", 12)
POINTERS = (pointer(INT), pointer(TRIPLE))
VARIABLES: dict[Type, list[Var]] = {
    type_: [Var(f"main::{letter}{number}", type_) for letter in "xy"]
    for number, type_ in enumerate((*INTEGERS, *POINTERS))
}
PARAMETERS = [var for group in VARIABLES.values() for var in group]


class Named(ZeroInputs):
    """Parameters by name."""

    def __init__(self, values: Mapping[Var, int]) -> None:
        self._values = {var.short: value for var, value in values.items()}

    def scalar(self, source: Source, name: str, type_: ScalarType, edge: Edge | None) -> int:
        return self._values[name]


class Plain(State):
    """Variables have the given values, and there is no memory. The distance of two pointers is a
    signed number of bytes before it is divided."""

    def __init__(self, values: Mapping[Var, int]) -> None:
        super().__init__({}, {}, 0)
        self._values = values

    def value(self, e: Expr) -> int:
        match e:
            case Var():
                return self._values[e]
            case PointerDiff(left, right, _):
                assert isinstance(left.type, PointerType)
                distance = into(LLONG, self.value(left) - self.value(right))
                return math.trunc(Fraction(distance, width(left.type.target)))
        return super().value(e)


def computed(value: Expr, values: Mapping[Var, int]) -> object:
    main = straight("main", Return(make.cast(value, HUGE)), params=PARAMETERS, result=HUGE)
    return execute(program(main, extern_pointers=ExternPointers.ANY), Named(values))


def edges_of(type_: Type) -> st.SearchStrategy[int]:
    low, high = (type_.low, type_.high) if isinstance(type_, IntType) else (0, 2**64 - 1)
    special = [n for n in (0, 1, -1, 2, 3, 7, 8, low, low + 1, high, high - 1) if low <= n <= high]
    return st.sampled_from(special) | st.integers(low, high)


def valuations() -> st.SearchStrategy[dict[Var, int]]:
    return st.fixed_dictionaries({var: edges_of(var.type) for var in PARAMETERS})


@st.composite
def values(draw: st.DrawFn, type_: Type, depth: int) -> Expr:
    """A term of scalars alone, built without simplification."""
    if type_ is BOOL:
        return draw(conditions(depth))
    assert isinstance(type_, IntType) or type_ in POINTERS
    shapes: list[Callable[[], Expr]] = [
        lambda: draw(st.sampled_from(VARIABLES[type_])),
        lambda: number(draw(edges_of(type_)), type_),
    ]
    if depth > 0:
        shapes += [
            lambda: draw(converted(type_, depth)),
            lambda: Ite(
                draw(conditions(depth - 1)),
                draw(values(type_, depth - 1)),
                draw(values(type_, depth - 1)),
                type_,
            ),
        ]
        if isinstance(type_, IntType):
            shapes += 3 * [lambda: draw(arithmetic(type_, depth))]
            shapes.append(
                lambda: Unary(
                    draw(st.sampled_from((UnaryOp.NEG, UnaryOp.INVERT))),
                    draw(values(type_, depth - 1)),
                    type_,
                )
            )
        else:
            shapes.append(lambda: draw(moved(type_, depth)))
        if type_ is LLONG:
            shapes.append(lambda: draw(distances(depth)))
    return draw(st.sampled_from(shapes))()


@st.composite
def arithmetic(draw: st.DrawFn, type_: IntType, depth: int) -> Expr:
    op = draw(st.sampled_from([op for op in Op if op.is_arithmetic]))
    other = draw(st.sampled_from(INTEGERS)) if op in (Op.SHL, Op.SHR) else type_
    left = draw(values(type_, depth - 1))
    right = draw(st.just(left) | values(other, depth - 1)) if other is type_ else None
    return Binary(op, left, right or draw(values(other, depth - 1)), type_)


@st.composite
def converted(draw: st.DrawFn, type_: Type, depth: int) -> Expr:
    source = draw(st.sampled_from((*INTEGERS, *POINTERS, BOOL)))
    return Cast(draw(values(source, depth - 1)), type_)


@st.composite
def moved(draw: st.DrawFn, type_: Type, depth: int) -> Expr:
    index = draw(values(draw(st.sampled_from(INTEGERS)), depth - 1))
    return PointerAdd(draw(values(type_, depth - 1)), index, type_)


@st.composite
def distances(draw: st.DrawFn, depth: int) -> Expr:
    type_ = draw(st.sampled_from(POINTERS))
    return PointerDiff(draw(values(type_, depth - 1)), draw(values(type_, depth - 1)), LLONG)


@st.composite
def conditions(draw: st.DrawFn, depth: int) -> Expr:
    if depth <= 0:
        return make.truth(draw(st.booleans()))
    args = tuple(draw(st.lists(conditions(depth - 1), max_size=3)))
    type_ = draw(st.sampled_from((*INTEGERS, *POINTERS, BOOL)))
    op = draw(st.sampled_from([Op.EQ, Op.LT, Op.LE]))
    compared = Binary(op, draw(values(type_, depth - 1)), draw(values(type_, depth - 1)), BOOL)
    return draw(st.sampled_from([compared, compared, Not(compared), And(args), Or(args)]))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(INTEGERS).flatmap(lambda type_: values(type_, 4)), valuations())
def test_terms_have_their_values(e: Expr, valuation: dict[Var, int]) -> None:
    try:
        expected = Plain(valuation).value(e)
    except Undefined:
        return
    assert computed(e, valuation) == Exited(expected)


@settings(max_examples=100, deadline=None)
@given(distances(3), valuations())
def test_distances_of_pointers(e: Expr, valuation: dict[Var, int]) -> None:
    try:
        expected = Plain(valuation).value(e)
    except Undefined:
        return
    assert computed(e, valuation) == Exited(expected)


@pytest.mark.parametrize("op", [op for op in Op if op.is_arithmetic])
@pytest.mark.parametrize("type_", INTEGERS, ids=str)
def test_each_operator_at_the_ends_of_each_type(op: Op, type_: IntType) -> None:
    special = sorted({type_.wrap(n) for n in (0, 1, -1, 2, -3, 7, type_.low, type_.high, 31, 64)})
    x, y = VARIABLES[type_]
    others = dict.fromkeys(PARAMETERS, 0)
    for left, right in product(special, special):
        if op in (Op.DIV, Op.REM) and right == 0:
            continue
        expected = Exited(arith.binary(op, type_, left, right))
        both = {**others, x: left, y: right}
        assert computed(Binary(op, x, y, type_), both) == expected
        assert computed(Binary(op, x, number(right, type_), type_), both) == expected
        assert computed(Binary(op, number(left, type_), y, type_), both) == expected


@pytest.mark.parametrize("op", [Op.DIV, Op.REM])
@pytest.mark.parametrize("type_", INTEGERS, ids=str)
def test_division_by_zero_is_a_fault(op: Op, type_: IntType) -> None:
    x, y = VARIABLES[type_]
    zeros = dict.fromkeys(PARAMETERS, 0)
    for left, right in product((x, number(0, type_)), (y, number(0, type_))):
        main = straight("main", Return(Binary(op, left, right, type_)), params=PARAMETERS)
        outcome = execute(program(main, extern_pointers=ExternPointers.ANY), Named(zeros))
        assert outcome == RunFault("division by zero", main.edges[0])


def test_terms_may_be_deep() -> None:
    x = Var("main::x", INT)
    e: Expr = x
    for n in range(5000):
        e = Binary(Op.SUB if n % 2 else Op.MUL, number(n), e, INT)
    expected = 1
    for n in range(5000):
        expected = arith.binary(Op.SUB if n % 2 else Op.MUL, INT, n, expected)
    main = straight("main", Return(e), params=[x])
    assert execute(program(main), Named({x: 1})) == Exited(expected)


def test_terms_may_share() -> None:
    x = Var("main::x", UINT)
    e: Expr = x
    for _ in range(200):
        e = Binary(Op.ADD, e, e, UINT)
    e = Binary(Op.ADD, e, x, UINT)
    main = straight("main", Return(Cast(e, INT)), params=[x])
    assert execute(program(main), Named({x: 3})) == Exited(3)


def test_conditions_may_be_wide_and_deep() -> None:
    x = Var("main::x", INT)
    atoms = [make.not_equal(x, number(n)) for n in range(1, 1500)]
    cond: Expr = And(tuple(atoms))
    for n in range(1500):
        cond = Not(Or((Not(cond), Binary(Op.EQ, x, number(-n - 1), BOOL))))
    main = straight("main", Return(Cast(cond, INT)), params=[x])
    assert execute(program(main), Named({x: 0})) == Exited(1)
    assert execute(program(main), Named({x: 5})) == Exited(0)
    assert execute(program(main), Named({x: -77})) == Exited(0)


def test_a_signed_bit_is_minus_one() -> None:
    flag = IntType(1, True)
    main = straight("main", Return(Cast(Cast(make.TRUE, flag), INT)))
    assert run(program(main)) == Exited(-1)
