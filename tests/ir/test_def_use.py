"""What each operation reads and writes, and operations with other variables."""

from __future__ import annotations

from typing import get_args

import pytest

from predabs.errors import InternalError
from predabs.ir import make
from predabs.ir.def_use import map_op, op_reads, op_target, op_values, op_writes
from predabs.ir.expr import Binary, Cast, Deref, Expr, FunctionAddress, Index, Op, Var
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
    Sweep,
)
from predabs.ir.types import BOOL, INT, ULLONG, VOID, ArrayType, FunctionType, PointerType
from predabs.ir.walk import rename, variables

POINTER = PointerType(INT, 64)
X, Y, Z, N = (Var(f"f::{name}", INT) for name in "xyzn")
P, Q = (Var(f"f::{name}", POINTER) for name in "pq")
A = Var("f::a", ArrayType(INT, 4))
ONE = make.const(1, INT)


def plus(left: Expr, right: Expr) -> Expr:
    return Binary(Op.ADD, left, right, INT)


NAME = FunctionAddress("g", PointerType(FunctionType(INT, (INT,), False), 64))
AT_P, AT_Q = Deref(P, VOID), Deref(Q, VOID)
ELEMENT = Index(A, N, INT)
CONDITION = Binary(Op.LT, X, Y, BOOL)
OPERATIONS: list[tuple[Operation, set[Expr], set[Expr]]] = [
    (Skip(), set(), set()),
    (Assign(X, plus(X, Y)), {X, Y}, {X}),
    (Assign(ELEMENT, X), {X, N}, {ELEMENT}),
    (Assign(Deref(P, INT), X), {X, P}, {Deref(P, INT)}),
    (Assume(CONDITION), {X, Y}, set()),
    (Havoc(ELEMENT, Source.NONDET, "nondet"), {N}, {ELEMENT}),
    (Call(X, NAME, (Y, Z)), {Y, Z}, {X}),
    (Call(None, Var("fp", NAME.type), (Y,)), {Var("fp", NAME.type), Y}, set()),
    (Return(X), {X}, set()),
    (Return(None), set(), set()),
    (Alloc(P, Cast(X, ULLONG), AllocKind.HEAP, False), {X}, {P}),
    (Free(P), {P}, {AT_P}),
    (Fill(P, X, Cast(Y, ULLONG)), {P, X, Y}, {AT_P}),
    (Copy(P, Q, Cast(Y, ULLONG)), {P, Q, Y, AT_Q}, {AT_P}),
    (Sweep(ELEMENT, X, Var("f::i", INT), Y, 4), {X, N, Y}, {ELEMENT}),
    (Print(X, "printf", (P, Y)), {P, Y, AT_P}, {X}),
    (Print(None, "putchar", (Y,)), {Y}, set()),
    (Error(ErrorKind.ASSERTION, "x"), set(), set()),
    (Halt("exit", X), {X}, set()),
    (Halt("abort", None), set(), set()),
]


@pytest.mark.parametrize("op, read, written", OPERATIONS, ids=lambda case: type(case).__name__)
def test_operations(op: Operation, read: set[Expr], written: set[Expr]) -> None:
    assert set(op_reads(op)) == read
    assert set(op_writes(op)) == written
    assert map_op(op, lambda e: e) is op


@pytest.mark.parametrize("op", [op for op, _, _ in OPERATIONS], ids=lambda op: type(op).__name__)
def test_mapping_an_operation_and_back(op: Operation) -> None:
    fresh = {var: Var(var.name + "'", var.type) for var in (X, Y, Z, N, P, Q, A)}
    old = {new: var for var, new in fresh.items()}
    mapped = map_op(op, lambda e: rename(e, fresh))
    assert type(mapped) is type(op)
    used = {v for e in op_values(mapped) for v in variables(e)}
    target = op_target(mapped)
    used |= set(variables(target)) if target is not None else set()
    assert not used & set(fresh)
    assert map_op(mapped, lambda e: rename(e, old)) == op


def test_every_operation_has_values_and_maybe_a_target() -> None:
    """The tables know all operations, and agree with the dataclasses about targets."""
    assert {type(op) for op, _, _ in OPERATIONS} == set(get_args(Operation))
    for op, _, _ in OPERATIONS:
        assert op_target(op) is getattr(op, "target", None)
        assert isinstance(op_values(op), tuple)


def test_a_target_must_stay_an_lvalue() -> None:
    with pytest.raises(InternalError, match="lvalue"):
        map_op(Assign(X, Y), lambda e: ONE)
    assert map_op(Assign(X, Y), lambda e: ONE if e is Y else e) == Assign(X, ONE)
