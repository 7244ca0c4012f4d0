"""Random well-typed terms, each built twice: plainly, and with the functions of `ir.make`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st

from predabs.ir import make
from predabs.ir.expr import (
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    Index,
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
from predabs.ir.types import (
    BOOL,
    CBOOL,
    CHAR,
    INT,
    LLONG,
    UCHAR,
    UINT,
    ULLONG,
    ArrayType,
    BoolType,
    IntType,
    Member,
    PointerType,
    Record,
    RecordType,
    Type,
)
from support.ir_evaluate import POINTER_BITS, State


class Pair(NamedTuple):
    """The same term without and with simplification."""

    plain: Expr
    made: Expr


BITFIELD = IntType(3, True)
FLAG = IntType(1, True)
PAIR = RecordType("struct pair", 16)
NUMBERS = ArrayType(INT, 4)
RECORD = Record(
    PAIR,
    (
        Member("a", INT, 0, False),
        Member("f", BITFIELD, 33, True),
        Member("one", FLAG, 36, True),
        Member("n", PointerType(PAIR, POINTER_BITS), 64, False),
    ),
    False,
)
INTEGERS = (INT, INT, UINT, CHAR, UCHAR, LLONG, ULLONG, CBOOL, BITFIELD, FLAG)
POINTERS = tuple(PointerType(target, POINTER_BITS) for target in (INT, UCHAR, PAIR, NUMBERS))
ARITHMETIC = [op for op in Op if op.is_arithmetic]


def _var(name: str, type_: Type) -> Var:
    return Var(f"f::{name}", type_)


VARIABLES: dict[Type, list[Var]] = {
    type_: [_var(f"{letter}{number}", type_) for letter in "xy"]
    for number, type_ in enumerate((*dict.fromkeys(INTEGERS), *POINTERS, PAIR, NUMBERS))
}
PLACES = {
    var: 0x1000 + 64 * number
    for number, var in enumerate(var for group in VARIABLES.values() for var in group)
}


def states() -> st.SearchStrategy[State]:
    return st.integers(0, 2**32).map(lambda seed: State(PLACES, {PAIR.tag: RECORD}, seed))


@st.composite
def terms(draw: st.DrawFn, type_: Type | None = None, depth: int = 4) -> Pair:
    """A term of the type (any integer type or BOOL if none is given)."""
    if type_ is None:
        type_ = draw(st.sampled_from((*INTEGERS, BOOL, BOOL)))
    if isinstance(type_, BoolType):
        return draw(_conditions(depth))
    if isinstance(type_, PointerType):
        return draw(_pointers(type_, depth))
    assert isinstance(type_, IntType)
    return draw(_integers(type_, depth))


@st.composite
def _integers(draw: st.DrawFn, type_: IntType, depth: int) -> Pair:
    shapes: list[Callable[[], Pair]] = [
        lambda: _same(draw(_constants(type_))),
        lambda: draw(_lvalues(type_, depth)),
    ]
    if depth > 0:
        shapes += [
            lambda: _arithmetic(draw, type_, depth),
            lambda: _arithmetic(draw, type_, depth),
            lambda: _converted(draw, type_, depth),
            lambda: _converted(draw, type_, depth),
            lambda: _choice(draw, type_, depth),
            lambda: _negated(draw, type_, depth),
        ]
        if type_ is LLONG:
            shapes.append(lambda: _distance(draw, depth))
    return draw(st.sampled_from(shapes))()


def _constants(type_: IntType) -> st.SearchStrategy[Const]:
    special = st.sampled_from([0, 1, -1, 2, type_.low, type_.high])
    return (special | st.integers(type_.low, type_.high)).map(lambda n: make.const(n, type_))


def _same(e: Expr) -> Pair:
    return Pair(e, e)


def _arithmetic(draw: st.DrawFn, type_: IntType, depth: int) -> Pair:
    op = draw(st.sampled_from(ARITHMETIC))
    left = draw(terms(type_, depth - 1))
    other = draw(st.sampled_from(INTEGERS)) if op in (Op.SHL, Op.SHR) else type_
    right = draw(terms(other, depth - 1))
    return Pair(Binary(op, left.plain, right.plain, type_), make.binary(op, left.made, right.made))


def _converted(draw: st.DrawFn, type_: IntType, depth: int) -> Pair:
    source: Type = draw(st.sampled_from((*INTEGERS, BOOL, POINTERS[0])))
    arg = draw(terms(source, depth - 1))
    return Pair(Cast(arg.plain, type_), make.cast(arg.made, type_))


def _negated(draw: st.DrawFn, type_: IntType, depth: int) -> Pair:
    op = draw(st.sampled_from((UnaryOp.NEG, UnaryOp.INVERT)))
    arg = draw(terms(type_, depth - 1))
    return Pair(Unary(op, arg.plain, type_), make.unary(op, arg.made))


def _choice(draw: st.DrawFn, type_: Type, depth: int) -> Pair:
    cond = draw(_conditions(depth - 1))
    then = draw(terms(type_, depth - 1))
    other = draw(st.just(then) | terms(type_, depth - 1))
    return Pair(
        Ite(cond.plain, then.plain, other.plain, type_),
        make.ite(cond.made, then.made, other.made),
    )


def _distance(draw: st.DrawFn, depth: int) -> Pair:
    type_ = draw(st.sampled_from(POINTERS))
    left = draw(_pointers(type_, depth - 1))
    right = draw(st.just(left) | _pointers(type_, depth - 1))
    return Pair(
        PointerDiff(left.plain, right.plain, LLONG),
        make.pointer_diff(left.made, right.made, LLONG),
    )


@st.composite
def _lvalues(draw: st.DrawFn, type_: Type, depth: int) -> Pair:
    shapes: list[Callable[[], Pair]] = []
    if type_ in VARIABLES:
        shapes.append(lambda: _same(draw(st.sampled_from(VARIABLES[type_]))))
    if depth > 0:
        pointer_type = PointerType(type_, POINTER_BITS)
        if pointer_type in POINTERS:
            shapes.append(lambda: _dereferenced(draw, pointer_type, depth))
        for member in RECORD.members:
            if member.type is type_:
                shapes.append(lambda name=member.name: _selected(draw, name, type_, depth))
        if type_ is NUMBERS.element:
            shapes.append(lambda: _indexed(draw, depth))
    return draw(st.sampled_from(shapes))()


def _dereferenced(draw: st.DrawFn, type_: PointerType, depth: int) -> Pair:
    pointer = draw(_pointers(type_, depth - 1))
    return Pair(Deref(pointer.plain, type_.target), make.deref(pointer.made))


def _selected(draw: st.DrawFn, name: str, type_: Type, depth: int) -> Pair:
    base = draw(_lvalues(PAIR, depth - 1))
    return Pair(
        Field(base.plain, name, type_),
        make.field(base.made, name, type_),
    )


def _indexed(draw: st.DrawFn, depth: int) -> Pair:
    base = draw(_lvalues(NUMBERS, depth - 1))
    index = draw(terms(draw(st.sampled_from(INTEGERS)), depth - 1))
    return Pair(
        Index(base.plain, index.plain, INT),
        make.index(base.made, index.made),
    )


@st.composite
def _pointers(draw: st.DrawFn, type_: PointerType, depth: int) -> Pair:
    shapes: list[Callable[[], Pair]] = [
        lambda: _same(make.const(draw(st.sampled_from([0, 8, 4096])), type_)),
        lambda: draw(_lvalues(type_, depth)),
    ]
    if type_.target in (*VARIABLES, INT):
        shapes.append(lambda: _address(draw, type_, depth))
    if type_.target is INT:
        shapes.append(lambda: _decayed(draw, depth))
    if depth > 0:
        shapes += [
            lambda: _moved(draw, type_, depth),
            lambda: _choice(draw, type_, depth),
            lambda: _pointer_cast(draw, type_, depth),
        ]
    return draw(st.sampled_from(shapes))()


def _address(draw: st.DrawFn, type_: PointerType, depth: int) -> Pair:
    target = draw(_lvalues(type_.target, depth - 1))
    return Pair(
        AddressOf(target.plain, type_),
        make.address_of(target.made, type_),
    )


def _decayed(draw: st.DrawFn, depth: int) -> Pair:
    array = draw(_lvalues(NUMBERS, depth - 1))
    first = Index(array.plain, make.const(0, LLONG), INT)
    return Pair(
        AddressOf(first, PointerType(INT, POINTER_BITS)),
        make.decay(array.made, POINTER_BITS),
    )


def _moved(draw: st.DrawFn, type_: PointerType, depth: int) -> Pair:
    pointer = draw(_pointers(type_, depth - 1))
    index = draw(terms(draw(st.sampled_from(INTEGERS)), depth - 1))
    return Pair(
        PointerAdd(pointer.plain, index.plain, type_), make.pointer_add(pointer.made, index.made)
    )


def _pointer_cast(draw: st.DrawFn, type_: PointerType, depth: int) -> Pair:
    source: Type = draw(st.sampled_from((*POINTERS, INT, UINT, ULLONG)))
    arg = draw(terms(source, depth - 1))
    return Pair(Cast(arg.plain, type_), make.cast(arg.made, type_))


@st.composite
def _conditions(draw: st.DrawFn, depth: int) -> Pair:
    shapes: list[Callable[[], Pair]] = [lambda: _same(make.truth(draw(st.booleans())))]
    if depth > 0:
        shapes += [
            lambda: _compared(draw, depth),
            lambda: _compared(draw, depth),
            lambda: _truth(draw, depth),
            lambda: _denied(draw, depth),
            lambda: _joined(draw, depth),
            lambda: _choice(draw, BOOL, depth),
        ]
    return draw(st.sampled_from(shapes))()


def _compared(draw: st.DrawFn, depth: int) -> Pair:
    type_: Type = draw(st.sampled_from((*INTEGERS, POINTERS[0], BOOL)))
    op = draw(st.sampled_from([Op.EQ, Op.LT, Op.LE]))
    left = draw(terms(type_, depth - 1))
    right = draw(st.just(left) | terms(type_, depth - 1))
    build: dict[Op, Callable[[Expr, Expr], Expr]] = {
        Op.EQ: make.equal,
        Op.LT: make.less,
        Op.LE: make.less_equal,
    }
    return Pair(Binary(op, left.plain, right.plain, BOOL), build[op](left.made, right.made))


def _truth(draw: st.DrawFn, depth: int) -> Pair:
    type_ = draw(st.sampled_from(INTEGERS))
    arg = draw(terms(type_, depth - 1))
    plain = Not(Binary(Op.EQ, arg.plain, make.const(0, type_), BOOL))
    return Pair(plain, make.as_condition(arg.made))


def _denied(draw: st.DrawFn, depth: int) -> Pair:
    arg = draw(_conditions(depth - 1))
    return Pair(Not(arg.plain), make.negate(arg.made))


def _joined(draw: st.DrawFn, depth: int) -> Pair:
    args = draw(st.lists(_conditions(depth - 1), max_size=3))
    if args and draw(st.booleans()):
        args.append(Pair(Not(args[0].plain), make.negate(args[0].made)))
    plain = tuple(arg.plain for arg in args)
    made = [arg.made for arg in args]
    if draw(st.booleans()):
        return Pair(And(plain), make.conj(made))
    return Pair(Or(plain), make.disj(made))
