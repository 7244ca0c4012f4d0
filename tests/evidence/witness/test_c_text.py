"""Conditions of the IR in C: the text means what the condition means, in clang's reading."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import inf

from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.evidence.witness.c_text import c_condition, conjuncts
from predabs.ir import make
from predabs.ir.expr import (
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
    Unary,
    UnaryOp,
    Var,
)
from predabs.ir.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    UCHAR,
    UINT,
    ULLONG,
    ArrayType,
    IntType,
    PointerType,
    RecordType,
)
from support.c_programs import program_of_c
from support.ir_evaluate import into

TYPES = {"c": CHAR, "u": UCHAR, "i": INT, "n": UINT, "l": LLONG, "m": ULLONG}
NAMES = {"c": "signed char", "u": "unsigned char", "i": "int", "n": "unsigned", "l": "long long"}
NAMES["m"] = "unsigned long long"
ARITHMETIC = (Op.ADD, Op.SUB, Op.MUL, Op.AND, Op.OR, Op.XOR)
WIDE = IntType(128, True)


def value(chosen: random.Random, type_: IntType, depth: int) -> Expr:
    """A random term of this type, made without simplification."""
    if depth == 0 or chosen.random() < 0.25:
        fitting = [name for name, known in TYPES.items() if known is type_]
        if fitting and chosen.random() < 0.6:
            return Var(f"main::{fitting[0]}", type_)
        near = [type_.low, type_.high, 0, 1, -1, chosen.randint(-200, 200)]
        limits = (max(type_.low, -(2**62)), min(type_.high, 2**62))
        constant = into(type_, chosen.choice(near))
        if type_ is WIDE:
            constant = min(max(constant, limits[0]), limits[1])
        return Const(constant, type_)
    match chosen.randrange(5):
        case 0:
            return Unary(chosen.choice(list(UnaryOp)), value(chosen, type_, depth - 1), type_)
        case 1:
            source = chosen.choice([*TYPES.values(), WIDE])
            inner = value(chosen, source, depth - 1)
            return inner if source is type_ else Cast(inner, type_)
        case 2:
            cond = condition(chosen, depth - 1)
            return Ite(
                cond, value(chosen, type_, depth - 1), value(chosen, type_, depth - 1), type_
            )
    op = chosen.choice(ARITHMETIC)
    return Binary(op, value(chosen, type_, depth - 1), value(chosen, type_, depth - 1), type_)


def condition(chosen: random.Random, depth: int) -> Expr:
    if depth > 0 and chosen.random() < 0.4:
        parts = tuple(condition(chosen, depth - 1) for _ in range(2))
        match chosen.randrange(3):
            case 0:
                return Not(parts[0])
            case 1:
                return And(parts)
        return Or(parts)
    type_ = chosen.choice([*TYPES.values(), WIDE])
    op = chosen.choice([Op.EQ, Op.LT, Op.LE])
    return Binary(op, value(chosen, type_, depth), value(chosen, type_, depth), BOOL)


def evaluated(e: Expr, values: Mapping[str, int]) -> int:
    def inner(part: Expr) -> int:
        return evaluated(part, values)

    match e:
        case Var():
            return values[e.short]
        case Const(number, _):
            return number
        case Cast(arg, type_):
            return into(type_, inner(arg))
        case Unary(op, arg, type_):
            return into(type_, -inner(arg) if op is UnaryOp.NEG else ~inner(arg))
        case Ite(cond, then, other, _):
            return inner(then) if inner(cond) else inner(other)
        case Not(arg):
            return 1 - inner(arg)
        case And(args):
            return int(all(inner(arg) for arg in args))
        case Or(args):
            return int(any(inner(arg) for arg in args))
        case Binary(op, left, right, type_):
            a, b = inner(left), inner(right)
            match op:
                case Op.EQ:
                    return int(a == b)
                case Op.LT:
                    return int(a < b)
                case Op.LE:
                    return int(a <= b)
                case Op.ADD:
                    return into(type_, a + b)
                case Op.SUB:
                    return into(type_, a - b)
                case Op.MUL:
                    return into(type_, a * b)
                case Op.AND:
                    return into(type_, a & b)
                case Op.OR:
                    return into(type_, a | b)
                case Op.XOR:
                    return into(type_, a ^ b)
    raise AssertionError(e)


def test_the_text_means_the_condition() -> None:
    chosen = random.Random(11)
    conditions: list[Expr] = []
    texts: list[str] = []
    while len(texts) < 300:
        made = condition(chosen, 3)
        text = c_condition(made, lambda var: var.short)
        if text is not None:
            conditions.append(made)
            texts.append(text)
    for _ in range(3):
        values = {
            name: chosen.choice(
                [type_.low, type_.high, 0, 1, chosen.randint(type_.low, type_.high)]
            )
            for name, type_ in TYPES.items()
        }
        declared = "".join(
            f"{NAMES[name]} {name} = {_literal(number)};" for name, number in values.items()
        )
        body = "".join(f"putchar(({text}) ? '1' : '0');\n" for text in texts)
        program = program_of_c(f"int putchar(int); int main(void) {{ {declared}\n{body} }}")
        printed: list[bytes] = []
        execute(program, ZeroInputs(), output=printed.append)
        expected = "".join(str(evaluated(item, values)) for item in conditions)
        got = b"".join(printed).decode()
        wrong = [t for t, e, g in zip(texts, expected, got, strict=True) if e != g]
        assert wrong == [], values


def _literal(number: int) -> str:
    if number == -(2**63):
        return f"({number + 1}LL - 1)"
    return f"{number}LL" if number < 2**63 else f"{number}ULL"


def test_floating_point() -> None:
    """What is not less is not greater or equal: it may be a NaN."""
    x, f, k = Var("main::x", DOUBLE), Var("main::f", FLOAT), Var("main::k", INT)
    half = make.float_const(-0.5, DOUBLE)
    sum_ = make.binary(Op.ADD, make.cast(f, DOUBLE), make.unary(UnaryOp.NEG, x))

    def text(condition: Expr) -> str | None:
        return c_condition(condition, lambda var: var.short)

    assert text(make.negate(make.less(x, half))) == "!(x < (-0.5))"
    assert text(make.negate(make.less_equal(make.cast(k, DOUBLE), x))) == "!((double)(k) <= x)"
    assert text(make.less(f, make.float_const(0.25, FLOAT))) == "f < 0.25f"
    assert text(make.less_equal(sum_, x)) == "(((double)(f)) + (-(x))) <= x"
    assert text(make.less(make.cast(x, INT), k)) is None  # undefined where it does not fit
    assert text(make.less(x, make.float_const(inf, DOUBLE))) is None
    assert text(make.less(make.unary(UnaryOp.ABS, x), half)) is None


def test_lvalues() -> None:
    record = Var("main::s", RecordType("struct s", 12))
    array = Var("a", ArrayType(INT, 3))
    pointer = Var("main::p", PointerType(INT, 64))
    zero = make.const(0, INT)

    def text(lvalue: Expr) -> str | None:
        return c_condition(make.equal(lvalue, zero), lambda var: var.short)

    assert text(Field(record, "k", INT)) == "s.k == 0"
    assert text(Index(array, make.const(2, INT), INT)) == "a[2] == 0"
    assert text(Index(array, make.const(3, INT), INT)) is None
    assert text(Deref(pointer, INT)) is None
    assert c_condition(make.equal(Var("main::x", INT), zero), lambda var: None) is None


def test_conjuncts() -> None:
    x = Var("x", INT)
    parts = [make.less(make.const(n, INT), x) for n in range(3)]
    assert conjuncts(And((parts[0], And((parts[1], parts[2]))))) == parts
