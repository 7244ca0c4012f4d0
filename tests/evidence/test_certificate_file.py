"""Certificates as files: what is written is read again; what is no certificate is refused."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given

from predabs.errors import InputError
from predabs.evidence.certificate_file import (
    Heading,
    ProofData,
    certificate_text,
    parsed,
    read_heading,
    read_proof,
)
from predabs.evidence.certificate_terms import TermReader, TermWriter
from predabs.ir import make
from predabs.ir.cfa import Global, Program
from predabs.ir.configuration import Configuration
from predabs.ir.expr import Binary, Cast, Expr, FloatConst, Not, Op, Unary, UnaryOp, Var
from predabs.ir.order import loop_heads
from predabs.ir.types import BOOL, DOUBLE, FLOAT, INT, UINT, DataModel
from predabs.ir.walk import subterms, variables
from predabs.verdict import Invariant, Method, Proof
from support.c_programs import program_of_c
from support.ir_terms import RECORD, Pair, terms

TEXT = """struct s { int m; } s; int x, a[3]; int *p = &x;
static void f(int n) { while (n > 0) { n--; x++; } }
int main(void) { f(3); s.m = *p; a[1] = 2; while (x < 9) x++; if (s.m > 9) reach_error();
  return 0; }"""
HEADING = Heading((("a.c", "00"),), {"entry": "main"}, "11")
PROOF = Proof("lazy", Method.INVARIANTS, "z3")


def example() -> tuple[Program, tuple[Invariant, ...]]:
    program = program_of_c(TEXT)
    x = Var("x", INT)
    small = make.less_equal(x, make.const(9, INT))
    (inner,) = loop_heads(program.functions["f"])
    (outer,) = loop_heads(program.functions["main"])
    call = next(e for e in program.functions["main"].edges if "Call" in type(e.op).__name__)
    n = Var("f::n", INT)
    both = make.conj((small, make.less_equal(make.const(0, INT), n)))
    return program, (Invariant(inner, (call,), both), Invariant(outer, (), small))


def written() -> tuple[Program, dict[str, Any]]:
    program, invariants = example()
    text = certificate_text(program, HEADING, ProofData(PROOF, invariants, None, None), (), ())
    return program, json.loads(text)


def test_what_is_written_is_read() -> None:
    program, invariants = example()
    data = ProofData(PROOF, invariants, None, None)
    text = certificate_text(program, HEADING, data, ("cvc5",), ("nothing",))
    assert read_proof(program, parsed(text)) == data
    assert read_heading(parsed(text)) == HEADING
    assert all(len(line) < 500 for line in text.splitlines()[10:])


@given(terms(BOOL))
def test_terms(pair: Pair) -> None:
    for condition in pair:
        writer = TermWriter()
        number = writer.number(condition)
        table = json.loads(json.dumps(writer.table))
        assert TermReader(holding(condition), table).condition(number) is condition


@cache
def _empty() -> Program:
    return program_of_c("int main(void) { return 0; }")


def holding(condition: Expr) -> Program:
    """A program with the variables and the records of a condition."""
    names = dict.fromkeys(variables(condition))
    base = _empty()
    nowhere = base.functions["main"].coord
    declared = tuple(Global(var, (), False, nowhere) for var in names)
    return Program(
        base.functions,
        declared,
        {RECORD.type.tag: RECORD},
        "main",
        DataModel.LP64,
        {},
        (),
        base.files,
    )


def test_deep_terms() -> None:
    x = Var("x", INT)
    deep: Expr = x
    for _ in range(20_000):
        deep = Binary(Op.MUL, deep, x, INT)
    writer = TermWriter()
    condition = make.less(deep, x)
    number = writer.number(condition)
    assert TermReader(holding(x), writer.table).condition(number) is condition
    assert sum(1 for _ in subterms(condition)) == len(writer.table)


F = Var("f", DOUBLE)
G = Var("g", FLOAT)


@pytest.mark.parametrize(
    "condition",
    [
        Binary(Op.LE, F, FloatConst("0x1.8p+1", DOUBLE), BOOL),
        Binary(Op.EQ, F, FloatConst("-nan", DOUBLE), BOOL),
        Binary(Op.LT, FloatConst("0.1", FLOAT), G, BOOL),
        Binary(Op.LT, FloatConst("1e400", FLOAT), Unary(UnaryOp.SQRT, G, FLOAT), BOOL),
        Binary(Op.LE, Binary(Op.ADD_DOWN, F, Cast(G, DOUBLE), DOUBLE), F, BOOL),
        Binary(Op.EQ, Cast(Binary(Op.FMOD, F, F, DOUBLE), INT), Cast(G, INT), BOOL),
        Not(Binary(Op.LT, Cast(Cast(F, UINT), FLOAT), Unary(UnaryOp.NEG, G, FLOAT), BOOL)),
    ],
)
def test_floating_point(condition: Expr) -> None:
    writer = TermWriter()
    number = writer.number(condition)
    table = json.loads(json.dumps(writer.table))
    read = TermReader(holding(condition), table).condition(number)
    again = TermWriter()
    assert again.number(read) == number
    assert again.table == table  # constants have one way to be written


def test_a_float_is_read_bit_by_bit() -> None:
    writer = TermWriter()
    writer.number(Binary(Op.EQ, FloatConst("0.1", FLOAT), FloatConst("-0.0", FLOAT), BOOL))
    assert writer.table[:2] == [
        ["float", "0x1.99999ap-4", ["float", 32, 4]],
        ["float", "-0x0.0p+0", ["float", 32, 4]],
    ]


BROKEN: list[tuple[str, Any, str]] = [
    ("format", "other", "no certificate"),
    ("version", 2, "version 2"),
    ("version", None, "version None"),
    ("terms", {}, "'terms' is no list"),
    ("terms", [["var", "y"]], "term 0: the program has no variable y"),
    ("terms", [["<=", 0, 0]], "term 0"),
    ("terms", [["const", 1 << 40, ["int", 32]]], "term 0"),
    ("terms", [["const", 1, ["int", 0]]], "term 0"),
    ("terms", [["var", "x"], ["+", 0, "0"]], "term 1"),
    ("terms", [["var", "x"], ["and", 0, 0]], "term 1: a part is no condition"),
    ("terms", [["var", "x"], ["member", 0, "m"]], "term 1"),
    ("terms", [["var", "s"], ["member", 0, "none"]], "term 1"),
    ("terms", [["var", "x"], ["deref", 0]], "term 1"),
    ("terms", [["var", "p"], ["var", "x"], ["<=", 0, 1]], "term 2: the types differ"),
    ("terms", [["var", "x"], ["fmod", 0, 0]], "term 1"),
    ("terms", [["float", "0.1", ["float", 32, 4]]], "term 0: it is no number"),
    ("terms", [["float", "0x1.99999ap-4", ["int", 32]]], "term 0: it is no type"),
    ("terms", [["float", "0x1.99999ap-4", ["float", 16, 2]]], "term 0: there is no such type"),
    ("terms", [["float", "nan:ffffffffffffffff", ["float", 32, 4]]], "term 0: it is no number"),
    ("terms", [["float", "nan:1", ["float", 32, 4]]], "term 0"),
    ("terms", [["float", "0x1.0p+999999999999", ["float", 32, 4]]], "term 0"),
    ("terms", [["float", "0x1.99999bp-4", ["float", 32, 4]]], "term 0: such a number"),
    ("terms", [["float", "inf", ["float", 32, 4]], ["var", "x"], ["+", 0, 1]], "term 2: the types"),
    ("terms", [["float", "inf", ["float", 32, 4]], ["&", 0, 0]], "term 1: no operator"),
    ("terms", [["float", "inf", ["float", 32, 4]], ["invert", 0]], "term 1: it is no number"),
    ("terms", [["var", "p"], ["cast", 0, ["float", 64, 8]]], "term 1: it cannot be converted"),
    ("terms", [[]], "term 0"),
    ("terms", [7], "term 0"),
    ("invariants", None, "'invariants' is no list"),
    ("invariants", [{}], "'invariants'"),
    ("proof", {}, "'proof'"),
    ("proof", [], "'proof'"),
]


@pytest.mark.parametrize(("key", "value", "message"), BROKEN)
def test_broken_files(key: str, value: Any, message: str) -> None:
    program, data = written()
    data[key] = value
    with pytest.raises(InputError) as caught:
        read_proof(program, parsed(json.dumps(data)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("invariants", 0, "location"), 999, "no location f:999"),
        (("invariants", 0, "function"), "g", "no location g"),
        (("invariants", 0, "calls", 0, "edge"), 999, "is no call"),
        (("invariants", 0, "calls", 0, "edge"), 1, "is no call"),
        (("invariants", 0, "conjuncts", 0, "term"), 999, "there is no term 999"),
        (("invariants", 0, "conjuncts", 0, "term"), 0, "is no condition"),
        (("invariants", 0, "conjuncts", 0), 3, "'conjuncts'"),
        (("proof", "k"), -1, "'k'"),
        (("proof", "k"), True, "'k'"),
        (("proof", "pieces"), "many", "'pieces'"),
        (("proof", "method"), "guesses", "'proof'"),
        (("proof", "method"), "shapes", "'shapes' is no list"),
        (("proof", "method"), "unrolling", "'pieces' must say"),
    ],
)
def test_broken_parts(path: tuple[str | int, ...], value: Any, message: str) -> None:
    program, data = written()
    inner: Any = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(InputError) as caught:
        read_proof(program, parsed(json.dumps(data)))
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"format": 3}', "[" * 100_000])
def test_no_certificate_at_all(text: str) -> None:
    with pytest.raises(InputError):
        parsed(text)


def test_calls_that_no_run_makes() -> None:
    program, data = written()
    call = data["invariants"][0]["calls"][0]
    data["invariants"][0]["calls"] = [call, call]
    with pytest.raises(InputError, match="recursive"):
        read_proof(program, parsed(json.dumps(data)))
    assert str(Configuration(program.functions["f"].entry, None)).startswith("f:")
