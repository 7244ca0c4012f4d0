"""Both encodings of expressions against an evaluator of the IR, on random ones and states."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from predabs.encode.encoding import BitVectorEncoding, BoundedTerm, Encoding, value_range
from predabs.encode.expressions import Encoder
from predabs.encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from predabs.ir import arith, make
from predabs.ir.expr import Binary, Expr, Lvalue, Op, PointerDiff, Unary, UnaryOp, Var
from predabs.ir.types import BOOL, INT, LLONG, IntType, PointerType, Type, size_of
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.term import App, Symbol, postorder
from predabs.smt.term import Op as TermOp
from support.encoded_pairs import PROGRAM, Pairs
from support.ir_evaluate import State, Undefined
from support.ir_terms import INTEGERS, states, terms


class Wrapping(State):
    """The distance of two pointers is a machine number before it is divided."""

    def value(self, e: Expr) -> int:
        if isinstance(e, PointerDiff):
            assert isinstance(e.left.type, PointerType)
            distance = LLONG.wrap(self.value(e.left) - self.value(e.right))
            return e.type.wrap(arith.divide(distance, size_of(e.left.type.target)))
        return super().value(e)


class Known:
    """Places whose values a state gives: a symbol each, in an interval around the value."""

    def __init__(self, state: State, encoding: Encoding, near: int | None = None) -> None:
        self.state = state
        self.encoding = encoding
        self.near = near
        self.model: dict[Symbol, int] = {}

    def load(self, place: Lvalue, encoder: Encoder) -> BoundedTerm:
        value = self.state.value(place)
        low, high = value_range(place.type)
        if self.near is not None:
            low, high = max(low, value - self.near), min(high, value + self.near)
        symbol = Symbol(f"v{len(self.model)}", self.encoding.sort(place.type))
        self.model[symbol] = self._value(value, symbol)
        return self.encoding.bounded(symbol, place.type, low, high)

    def address(self, var: Var) -> BoundedTerm:
        symbol = Symbol(f"&{var.name}", self.encoding.sort(_PTR))
        self.model[symbol] = self.state.places[var]
        return self.encoding.bounded(symbol, _PTR, 1, 1 << 40)

    def function(self, name: str) -> BoundedTerm:
        return self.encoding.constant(16 * len(name), _PTR)

    def size(self, pointer: Expr, type_: IntType) -> None:
        return None

    def unknown(self, type_: Type) -> None:
        return None

    def _value(self, value: int, symbol: Symbol) -> int:
        width = getattr(symbol.sort, "width", None)
        return value if width is None else value & ((1 << width) - 1)


_PTR = IntType(64, False)


def encoded(expr: Expr, known: Known) -> int:
    encoder = Encoder(PROGRAM, known.encoding, known)
    number = encoder.value(expr)
    evaluator = TermEvaluator(known.model)
    found = evaluator.value(number.term)
    assert isinstance(found, int)
    if known.encoding.name == "int" and expr.type is not BOOL:
        assert number.low <= found <= number.high
        assert found % (1 << min(number.zeros, 200)) == 0
    if isinstance(expr.type, IntType):
        low, high = value_range(expr.type)
        assert known.encoding.name == "bv" or low <= found <= high
        found = expr.type.wrap(found)
    return found


@settings(max_examples=300)
@given(terms(depth=3), states(), st.sampled_from([None, 0, 3, 200]))
def test_random_expressions(pair, state: State, near: int | None) -> None:
    state = Wrapping(state.places, state.records, state.seed)
    for expr in pair:
        try:
            expected = state.value(expr)
        except Undefined:
            continue
        assert encoded(expr, Known(state, BitVectorEncoding())) == expected
        try:
            assert encoded(expr, Known(state, IntegerEncoding(), near)) == expected
        except NeedsBitVectors:
            continue


def boundary(type_: IntType) -> st.SearchStrategy[int]:
    special = [0, 1, -1, 2, 3, 7, 8, -8, type_.low, type_.high, type_.low + 1, type_.high // 2]
    return (st.sampled_from(special) | st.integers(type_.low, type_.high)).map(type_.wrap)


@settings(max_examples=400)
@given(st.data())
def test_each_operator_width_and_sign(data: st.DataObject) -> None:
    """With a constant on one side or none, near the ends of the range and far from them."""
    type_ = data.draw(st.sampled_from([*dict.fromkeys(INTEGERS), IntType(16, True)]))
    op = data.draw(st.sampled_from([op for op in Op if not op.is_function]))
    other = data.draw(st.sampled_from(INTEGERS)) if op in (Op.SHL, Op.SHR) else type_
    x, y = Var("x", type_), Var("y", other)
    a, b = data.draw(boundary(type_)), data.draw(boundary(other))
    if op in (Op.DIV, Op.REM):
        assume(b != 0)
    left: Expr = data.draw(st.sampled_from([x, make.const(a, type_)]))
    right: Expr = data.draw(st.sampled_from([y, make.const(b, other)]))
    expr = Binary(op, left, right, BOOL if op.is_comparison else type_)
    expected = arith.binary(op, type_, a, b)
    near = data.draw(st.sampled_from([0, 1, 5, 1 << 64]))
    for encoding in (BitVectorEncoding(), IntegerEncoding()):
        try:
            assert encoded(expr, Pairs(encoding, {x: a, y: b}, near)) == expected
        except NeedsBitVectors:
            assert encoding.name == "int"
            bitwise = op in (Op.AND, Op.OR, Op.XOR)
            linear = right is not y if op in (Op.DIV, Op.REM, Op.SHL, Op.SHR) else left is not x
            assert bitwise or not linear


@pytest.mark.parametrize("op", [UnaryOp.NEG, UnaryOp.INVERT])
@pytest.mark.parametrize("type_", list(dict.fromkeys(INTEGERS)), ids=str)
def test_unary_operators(op: UnaryOp, type_: IntType) -> None:
    x = Var("x", type_)
    for value in {type_.low, type_.low + 1, -1, 0, 1, 2, type_.high}:
        value = type_.wrap(value)
        expected = type_.wrap(-value if op is UnaryOp.NEG else ~value)
        for encoding in (BitVectorEncoding(), IntegerEncoding()):
            for near in (0, 3, 1 << 70):
                expr = Unary(op, x, type_)
                assert encoded(expr, Pairs(encoding, {x: value}, near)) == expected


def test_bits_that_only_seem_apart() -> None:
    """A number up to 4 shares a bit with a multiple of 4; up to 3 it does not."""
    x, y = Var("x", INT), Var("y", INT)
    multiple = make.binary(Op.SHL, y, make.const(2, INT))

    def joined(op: Op, value: int, near: int) -> int:
        known = Pairs(IntegerEncoding(), {x: value, y: 3}, near)
        return encoded(make.binary(op, x, multiple), known)

    assert joined(Op.OR, 3, 0) == 15
    assert joined(Op.XOR, 4, 0) == 8
    assert joined(Op.OR, 3, 1) == 15
    with pytest.raises(NeedsBitVectors):
        joined(Op.OR, 3, 100)


def operators(expr: Expr, low: int, high: int) -> set[TermOp]:
    """The operators in the integer term, if x lies in low .. high."""

    class Near(Pairs):
        def load(self, place: Lvalue, encoder: Encoder) -> BoundedTerm:
            return BoundedTerm(Symbol("x", self.encoding.sort(place.type)), low, high)

    term = Encoder(PROGRAM, IntegerEncoding(), Near(IntegerEncoding(), {}, 0)).value(expr).term
    return {part.op for part in postorder([term]) if isinstance(part, App)}


def test_wrapping_appears_only_where_overflow_can() -> None:
    x = Var("x", INT)
    expr = make.binary(Op.ADD, make.binary(Op.MUL, x, make.const(5, INT)), make.const(1, INT))
    assert operators(expr, -1000, 1000) == {TermOp.ADD, TermOp.MUL}
    assert TermOp.MOD in operators(expr, INT.low, INT.high)
    once = make.binary(Op.ADD, x, make.const(1, INT))
    assert operators(once, 0, INT.high) == {TermOp.ITE, TermOp.ADD, TermOp.LT}
    assert operators(once, 0, INT.high - 1) == {TermOp.ADD}


def test_bit_operations_are_arithmetic_where_they_can_be() -> None:
    x = Var("x", INT)
    byte = make.binary(Op.AND, x, make.const(255, INT))
    assert operators(byte, INT.low, INT.high) == {TermOp.MOD}
    assert operators(byte, 0, 255) == set()
    high = make.binary(Op.SHL, byte, make.const(8, INT))
    low = make.binary(Op.AND, make.binary(Op.SHR, x, make.const(4, INT)), make.const(15, INT))
    assert TermOp.ITE not in operators(make.binary(Op.OR, high, low), 0, 10**6)
    for op in (Op.OR, Op.XOR, Op.AND):
        with pytest.raises(NeedsBitVectors, match="variables"):
            operators(make.binary(op, x, make.binary(Op.ADD, x, make.const(1, INT))), 0, 100)
    with pytest.raises(NeedsBitVectors, match="product"):
        operators(make.binary(Op.MUL, x, x), 0, 100)


def test_a_few_values_are_told_apart() -> None:
    """Products, quotients and shifts are linear for each value of one operand."""
    x, y = Var("x", INT), Var("y", INT)
    shift = make.binary(Op.SHL, make.const(1, INT), x)
    for value in (0, 1, 31, 32, -1, INT.low):
        expected = arith.binary(Op.SHL, INT, 1, value)
        assert encoded(shift, Pairs(IntegerEncoding(), {x: value}, 1 << 40)) == expected
    for op in (Op.MUL, Op.DIV, Op.REM, Op.AND, Op.SHR):
        for value in (-3, 0, 2):
            assert operators(make.binary(op, y, x), value, value + 2)
            expected = arith.binary(op, INT, value, 3)
            known = Pairs(IntegerEncoding(), {x: 3, y: value}, 2)
            assert encoded(make.binary(op, y, x), known) == expected
