"""Text of types, terms and operations: examples, and parsing it back."""

from __future__ import annotations

import re

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
    Field,
    FunctionAddress,
    Index,
    Ite,
    Not,
    ObjectSize,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    UnaryOp,
    Var,
)
from predabs.ir.ops import (
    Alloc,
    AllocKind,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    ErrorKind,
    Fill,
    Free,
    Halt,
    Havoc,
    Operation,
    Print,
    Return,
    Skip,
    Source,
)
from predabs.ir.show import show_expr, show_op, show_type, unique_name
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
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
    Type,
)
from support.c_expressions import CSyntaxError, Tree, parse, without_one_group
from support.ir_terms import Pair, terms


def pointer(target: Type) -> PointerType:
    return PointerType(target, 64)


S = RecordType("struct s", 24)
X, Y, Z = (Var(f"main::{name}", INT) for name in "xyz")
U = Var("main::u", UINT)
P = Var("main::p", pointer(INT))
Q = Var("main::q", pointer(S))
A = Var("a", ArrayType(INT, 4))
M = Var("m", ArrayType(ArrayType(INT, 4), 3))
R = Var("r", S)
FLOATING = Var("main::d", DOUBLE)
ZERO, ONE, TWO, THREE = (make.const(n, INT) for n in range(4))
AT0, AT2 = make.const(0, LLONG), make.const(2, LLONG)


def op(sign: str, left: Expr, right: Expr) -> Expr:
    found = Op(sign)
    return Binary(found, left, right, BOOL if found.is_comparison else left.type)


def neg(e: Expr) -> Expr:
    return Unary(UnaryOp.NEG, e, e.type)


LESS = op("<", X, Y)
FUNCTION = FunctionType(INT, (INT, INT), False)

EXAMPLES: list[tuple[Expr, str]] = [
    # names and constants
    (X, "x"),
    (make.const(-5, INT), "-5"),
    (make.const(-1, UINT), "4294967295"),
    (make.const(65, CHAR), "65"),
    (Const(0, pointer(INT)), "0"),
    (Const(4096, pointer(INT)), "(int *)0x1000"),
    (TRUE, "true"),
    (FALSE, "false"),
    (make.float_const(0.5, DOUBLE), "0.5"),
    (make.float_const(-0.0, FLOAT), "-0.0f"),
    (make.float_const(float("inf"), DOUBLE), "INFINITY"),
    (make.float_const(float("nan"), FLOAT), "NAN"),
    (make.float_const(1e30, FloatType(80, 16)), "1e+30L"),
    (FunctionAddress("f", pointer(FUNCTION)), "f"),
    # arithmetic and precedence
    (op("+", X, op("*", Y, Z)), "x + y * z"),
    (op("*", op("+", X, Y), Z), "(x + y) * z"),
    (op("-", op("-", X, Y), Z), "x - y - z"),
    (op("-", X, op("-", Y, Z)), "x - (y - z)"),
    (op("+", X, op("+", Y, Z)), "x + (y + z)"),
    (op("&", op("<<", X, ONE), TWO), "x << 1 & 2"),
    (op("==", op("&", X, ONE), ZERO), "(x & 1) == 0"),
    (op("|", op("^", X, Y), op("&", Y, Z)), "x ^ y | y & z"),
    (op("+", X, make.const(-1, INT)), "x - 1"),
    (op("-", X, make.const(-1, INT)), "x + 1"),
    (op("+", X, make.const(-(2**31), INT)), "x + -2147483648"),
    (op("*", X, make.const(-1, INT)), "x * -1"),
    (neg(neg(X)), "-(-x)"),
    (neg(make.const(-1, INT)), "-(-1)"),
    (op("-", X, neg(Y)), "x - -y"),
    (neg(op("+", X, Y)), "-(x + y)"),
    (Unary(UnaryOp.INVERT, neg(X), INT), "~-x"),
    (Cast(X, UINT), "(unsigned int)x"),
    (Cast(op("+", X, Y), CHAR), "(char)(x + y)"),
    (Cast(Cast(X, CHAR), LLONG), "(long long)(char)x"),
    (op("/", U, make.const(3, UINT)), "u / 3"),
    # conditions
    (op("<", ZERO, X), "x > 0"),
    (op("<=", ZERO, X), "x >= 0"),
    (op("<", X, ZERO), "x < 0"),
    (op("<", ZERO, ONE), "0 < 1"),
    (op("==", ONE, X), "x == 1"),
    (Not(op("==", X, ZERO)), "x != 0"),
    (Not(op("==", ZERO, X)), "x != 0"),
    (Not(op("<", FLOATING, make.float_const(1.0, DOUBLE))), "!(d < 1.0)"),
    (Not(And((LESS, op("==", Y, Z)))), "!(x < y && y == z)"),
    (Not(Not(LESS)), "!!(x < y)"),
    (And((LESS, Or((op("<", Y, Z), op("==", X, Z))))), "x < y && (y < z || x == z)"),
    (Or((And((LESS, op("<", Y, Z))), op("==", X, Z))), "x < y && y < z || x == z"),
    (And((And((LESS, op("<", Y, Z))), LESS)), "x < y && y < z && x < y"),
    (And((LESS, And((op("<", Y, Z), LESS)))), "x < y && (y < z && x < y)"),
    (And(()), "true"),
    (Or(()), "false"),
    (Not(Or(())), "!false"),
    (Or((LESS,)), "x < y"),
    (op("==", LESS, op("<", Y, Z)), "x < y == y < z"),
    (Cast(LESS, INT), "x < y"),
    (op("+", Cast(LESS, INT), ONE), "(x < y) + 1"),
    (Cast(LESS, IntType(1, True)), "(int1)(x < y)"),
    (Ite(LESS, X, Y, INT), "x < y ? x : y"),
    (Ite(LESS, X, Ite(op("<", Y, Z), Y, Z, INT), INT), "x < y ? x : y < z ? y : z"),
    (Ite(LESS, Ite(op("<", Y, Z), Y, Z, INT), X, INT), "x < y ? y < z ? y : z : x"),
    (op("+", Ite(LESS, X, Y, INT), ONE), "(x < y ? x : y) + 1"),
    (Ite(Ite(LESS, TRUE, FALSE, BOOL), X, Y, INT), "(x < y ? true : false) ? x : y"),
    # memory
    (Deref(P, INT), "*p"),
    (op("*", Deref(P, INT), Deref(P, INT)), "*p * *p"),
    (Deref(PointerAdd(P, X, P.type), INT), "p[x]"),
    (PointerAdd(P, X, P.type), "p + x"),
    (PointerAdd(P, make.const(-2, INT), P.type), "p - 2"),
    (PointerDiff(P, make.decay(A, 64), LLONG), "p - a"),
    (Deref(P, CHAR), "*(char *)p"),
    (Deref(Cast(P, pointer(CHAR)), CHAR), "*(char *)p"),
    (Field(Deref(Q, S), "f", INT), "q->f"),
    (Field(R, "f", INT), "r.f"),
    (Field(Deref(PointerAdd(Q, X, Q.type), S), "f", INT), "q[x].f"),
    (Field(Deref(Cast(P, pointer(S)), S), "f", INT), "((struct s *)p)->f"),
    (Field(Deref(P, S), "f", INT), "(*(struct s *)p).f"),
    (Index(A, op("+", X, ONE), INT), "a[x + 1]"),
    (Index(Index(M, X, M.type.element), Y, INT), "m[x][y]"),
    (Index(Deref(Var("t", pointer(A.type)), A.type), X, INT), "(*t)[x]"),
    (AddressOf(X, pointer(INT)), "&x"),
    (AddressOf(X, pointer(VOID)), "(void *)&x"),
    (AddressOf(Index(A, AT2, INT), pointer(INT)), "&a[2]"),
    (AddressOf(Field(Deref(Q, S), "f", INT), pointer(INT)), "&q->f"),
    (AddressOf(A, pointer(A.type)), "&a"),
    (make.decay(A, 64), "a"),
    (Deref(make.decay(A, 64), INT), "*a"),
    (AddressOf(Index(A, AT0, INT), pointer(CHAR)), "(char *)&a[0]"),
    (AddressOf(Index(Index(M, AT0, A.type), AT0, INT), pointer(INT)), "m[0]"),
    (ObjectSize(P, ULLONG), "object_size(p)"),
    (Not(op("==", P, Const(0, P.type))), "p != 0"),
]


@pytest.mark.parametrize("e, text", EXAMPLES, ids=[text for _, text in EXAMPLES])
def test_expressions(e: Expr, text: str) -> None:
    assert show_expr(e) == text


def test_unique_names() -> None:
    assert show_expr(op("+", X, Index(A, Y, INT)), unique_name) == "main::x + a[main::y]"


@pytest.mark.parametrize(
    "type_, name, text",
    [
        (INT, "x", "int x"),
        (pointer(INT), "", "int *"),
        (pointer(pointer(CHAR)), "argv", "char **argv"),
        (ArrayType(ArrayType(INT, 4), 3), "m", "int m[3][4]"),
        (ArrayType(INT, 4), "", "int[4]"),
        (pointer(ArrayType(INT, 4)), "p", "int (*p)[4]"),
        (ArrayType(pointer(INT), 4), "p", "int *p[4]"),
        (pointer(FUNCTION), "f", "int (*f)(int, int)"),
        (ArrayType(pointer(FUNCTION), 2), "table", "int (*table[2])(int, int)"),
        (FunctionType(pointer(VOID), (), False), "f", "void *f(void)"),
        (FunctionType(VOID, (pointer(FUNCTION),), True), "f", "void f(int (*)(int, int), ...)"),
        (pointer(S), "q", "struct s *q"),
    ],
)
def test_types(type_: Type, name: str, text: str) -> None:
    assert show_type(type_, name) == text


CALLEE = FunctionAddress("f", pointer(FUNCTION))
HANDLER = Var("main::h", pointer(FUNCTION))
TABLE = Var("table", ArrayType(pointer(FUNCTION), 2))
SIZE = Cast(X, ULLONG)


@pytest.mark.parametrize(
    "operation, text",
    [
        (Skip(), "skip;"),
        (Assign(X, op("+", Y, ONE)), "x = y + 1;"),
        (Assume(op("<", X, THREE)), "[x < 3]"),
        (Havoc(X, Source.NONDET, "__VERIFIER_nondet_int"), "x = __VERIFIER_nondet_int();"),
        (Havoc(X, Source.EXTERN, "getpid"), "x = getpid();  // no body: any value"),
        (Havoc(X, Source.UNINITIALIZED, "x"), "x = *;  // uninitialised"),
        (Havoc(X, Source.VOLATILE, "port"), "x = *;  // volatile port"),
        (Havoc(X, Source.PARAMETER, "x"), "x = *;  // parameter of the entry function"),
        (Havoc(X, Source.ASM, "asm"), "x = *;  // inline assembly"),
        (Havoc(X, Source.UNKNOWN, "sinl"), "x = *;  // not computed: sinl"),
        (Call(X, CALLEE, (Y, ONE)), "x = f(y, 1);"),
        (Call(None, CALLEE, ()), "f();"),
        (Call(X, HANDLER, (Y,)), "x = (*h)(y);"),
        (Call(None, Index(TABLE, X, HANDLER.type), (Y,)), "(*table[x])(y);"),
        (Call(None, Ite(LESS, HANDLER, CALLEE, HANDLER.type), ()), "(*(x < y ? h : f))();"),
        (Return(None), "return;"),
        (Return(X), "return x;"),
        (Alloc(P, SIZE, AllocKind.HEAP, False), "p = malloc((unsigned long long)x);"),
        (Alloc(P, SIZE, AllocKind.HEAP, True), "p = malloc((unsigned long long)x);  // zeroed"),
        (Alloc(P, SIZE, AllocKind.STACK, False), "p = alloca((unsigned long long)x);"),
        (Free(P), "free(p);"),
        (Fill(P, X, SIZE), "memset(p, x, (unsigned long long)x);"),
        (Copy(P, make.decay(A, 64), SIZE), "memmove(p, a, (unsigned long long)x);"),
        (Print(None, "putchar", (X,)), "putchar(x);"),
        (Print(Y, "printf", (P, X)), "y = printf(p, x);"),
        (Error(ErrorKind.ASSERTION, "assertion failed: x > 0"), "ERROR: assertion failed: x > 0"),
        (Halt("abort", None), "HALT: abort"),
        (Halt("exit", X), "HALT: exit(x)"),
    ],
)
def test_operations(operation: Operation, text: str) -> None:
    assert show_op(operation) == text


# --- the text parses back to the term, and no parentheses are too many ---


def tree(e: Expr) -> Tree:
    """What the text of a term must parse to, by plain recursion."""
    match e:
        case Var():
            return ("leaf", e.short)
        case Const(value, PointerType() as type_) if value:
            return ("cast", " ".join(re.findall(r"\w+|\*|[^\s\w]", show_type(type_))), _hex(value))
        case Const(value, type_):
            if type_ is BOOL:
                return ("leaf", "true" if value else "false")
            return ("unary -", ("leaf", str(-value))) if value < 0 else ("leaf", str(value))
        case Unary(sign, arg, _):
            return (f"unary {sign.value}", tree(arg))
        case Cast(arg, IntType(bits, signed)) if arg.type is BOOL and (bits, signed) != (1, True):
            return tree(arg)
        case Cast(arg, type_):
            return ("cast", _words(type_), tree(arg))
        case Binary(sign, left, right, _):
            return _operator(sign, left, right)
        case PointerAdd(left, right, _):
            return _operator(Op.ADD, left, right)
        case PointerDiff(left, right, _):
            return _operator(Op.SUB, left, right)
        case Deref(PointerAdd(base, index, _), _):
            return ("[]", tree(base), tree(index))
        case Deref(arg, _):
            return ("unary *", tree(arg))
        case Field(Deref(arg, _), name, _) if not isinstance(arg, PointerAdd):
            return ("->", tree(arg), name)
        case Field(base, name, _):
            return (".", tree(base), name)
        case Index(base, index, _):
            return ("[]", tree(base), tree(index))
        case AddressOf(Index(base, Const(0, _), _), _):
            return tree(base)
        case AddressOf(target, _):
            return ("unary &", tree(target))
        case Ite(cond, then, other, _):
            return ("?:", tree(cond), tree(then), tree(other))
        case Not(Binary(Op.EQ, left, right, _)):
            if isinstance(left, Const) and not isinstance(right, Const):
                left, right = right, left
            return ("!=", tree(left), tree(right))
        case Not(arg):
            return ("unary !", tree(arg))
        case And(args):
            return _joined("&&", args, "true")
        case Or(args):
            return _joined("||", args, "false")
    raise AssertionError(e)


def _hex(value: int) -> Tree:
    return ("leaf", hex(value))


def _words(type_: Type) -> str:
    return " ".join(re.findall(r"\w+|[^\s\w]", show_type(type_)))


def _operator(sign: Op, left: Expr, right: Expr) -> Tree:
    mirrored = {Op.EQ: "==", Op.LT: ">", Op.LE: ">="}
    if sign in mirrored and isinstance(left, Const) and not isinstance(right, Const):
        return (mirrored[sign], tree(right), tree(left))
    swapped = {Op.ADD: "-", Op.SUB: "+"}
    if sign in swapped and isinstance(right, Const):
        type_ = right.type
        if isinstance(type_, IntType) and type_.low < right.value < 0:
            return (swapped[sign], tree(left), ("leaf", str(-right.value)))
    return (sign.value, tree(left), tree(right))


def _joined(sign: str, args: tuple[Expr, ...], empty: str) -> Tree:
    if not args:
        return ("leaf", empty)
    result = tree(args[0])
    for arg in args[1:]:
        result = (sign, result, tree(arg))
    return result


@settings(max_examples=300)
@given(terms())
def test_text_parses_back(pair: Pair) -> None:
    for e in pair:
        assert parse(show_expr(e)) == tree(e)


@settings(max_examples=100)
@given(terms())
def test_every_parenthesis_is_needed(pair: Pair) -> None:
    text = show_expr(pair.plain)
    for shorter in without_one_group(text):
        try:
            assert parse(shorter) != parse(text)
        except CSyntaxError:
            continue


def test_deep_terms() -> None:
    levels = 100_000
    e: Expr = X
    for level in range(levels):
        e = op("+", e, Y) if level % 2 else Unary(UnaryOp.INVERT, e, INT)
    text = show_expr(e)
    assert text.count("~") == levels // 2
    assert text.endswith(") + y) + y")
    cond: Expr = LESS
    for _ in range(levels):
        cond = And((cond,))
    assert show_expr(cond) == "x < y"


def test_unsigned_bytes() -> None:
    assert show_expr(op("+", Cast(Var("c", UCHAR), INT), make.const(255, INT))) == "(int)c + 255"
