"""Walks over terms: meaning, sharing, and terms of any depth."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.errors import InternalError
from predabs.ir import make
from predabs.ir.expr import (
    AddressOf,
    And,
    Binary,
    Bound,
    Cast,
    Deref,
    Expr,
    Field,
    Forall,
    FunctionAddress,
    Index,
    Initialised,
    Ite,
    NoLeak,
    Not,
    ObjectSize,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Roots,
    Unary,
    UnaryOp,
    ValidAccess,
    ValidFree,
    Var,
)
from predabs.ir.types import (
    BOOL,
    CHAR,
    DOUBLE,
    INT,
    LLONG,
    ULLONG,
    ArrayType,
    FunctionType,
    PointerType,
    RecordType,
)
from predabs.ir.walk import (
    Folding,
    children,
    evaluated,
    fold,
    operands,
    reads,
    rebuild,
    rename,
    substitute,
    subterms,
    unseen,
    variables,
)
from support.ir_evaluate import State, Undefined
from support.ir_terms import INTEGERS, PLACES, VARIABLES, Pair, states, terms

DEEP = 100_000
POINTER = PointerType(INT, 64)
S = RecordType("struct s", 8)
X, Y, Z, N = (Var(f"f::{name}", INT) for name in "xyzn")
P, Q = (Var(f"f::{name}", POINTER) for name in "pq")
A = Var("f::a", ArrayType(INT, 4))
R, T = Var("f::r", S), Var("f::t", S)
ZERO, ONE, TWO = (make.const(n, INT) for n in range(3))


def plus(left: Expr, right: Expr) -> Expr:
    return Binary(Op.ADD, left, right, INT)


def deep_term(depth: int = DEEP) -> Expr:
    e: Expr = X
    for level in range(depth):
        e = plus(e, Y) if level % 2 else Unary(UnaryOp.NEG, e, INT)
    return e


# --- children, rebuild, subterms, fold ---


@given(terms())
def test_subterms_come_once_and_after_their_children(pair: Pair) -> None:
    seen: set[Expr] = set()
    for term in subterms(pair.plain):
        assert term not in seen
        assert all(child in seen for child in children(term))
        seen.add(term)
    assert pair.plain in seen


@given(terms())
def test_rebuilding_with_the_same_children_is_the_same_object(pair: Pair) -> None:
    assert rebuild(pair.plain, children(pair.plain)) is pair.plain
    assert fold(pair.plain, rebuild) is pair.plain


def test_rebuilding_with_a_child_of_another_type_is_a_bug() -> None:
    with pytest.raises(InternalError, match="long long"):
        rebuild(plus(X, Y), (X, Var("w", LLONG)))


def test_fold_computes_once_for_a_shared_subterm() -> None:
    e: Expr = X
    for _ in range(200):  # a tree of 2 ** 200 leaves
        e = plus(e, e)
    calls = 0

    def leaves(term: Expr, below: tuple[int, ...]) -> int:
        nonlocal calls
        calls += 1
        return sum(below) or 1

    assert fold(e, leaves) == 2**200
    assert calls == 201
    assert substitute(e, {X: ONE}) is not e


def test_every_kind_of_term_has_its_children() -> None:
    """Renamed and renamed back, each term is the same object: no part of it is forgotten."""
    function = FunctionAddress("g", PointerType(FunctionType(INT, (), False), 64))
    less, same = Binary(Op.LT, X, Y, BOOL), Binary(Op.EQ, X, Y, BOOL)
    cases: list[tuple[Expr, tuple[Expr, ...]]] = [
        (ONE, ()),
        (make.float_const(1.5, DOUBLE), ()),
        (function, ()),
        (X, ()),
        (Unary(UnaryOp.INVERT, X, INT), (X,)),
        (plus(X, Y), (X, Y)),
        (Cast(X, LLONG), (X,)),
        (PointerAdd(P, N, POINTER), (P, N)),
        (PointerDiff(P, Q, LLONG), (P, Q)),
        (Deref(P, INT), (P,)),
        (Field(R, "f", INT), (R,)),
        (Index(A, N, INT), (A, N)),
        (AddressOf(X, POINTER), (X,)),
        (ObjectSize(P, ULLONG), (P,)),
        (ValidAccess(P, N, True), (P, N)),
        (ValidFree(P), (P,)),
        (Initialised(P), (P,)),
        (NoLeak(Roots.GLOBALS), ()),
        (Ite(less, X, Y, INT), (less, X, Y)),
        (Not(same), (same,)),
        (And((less, same)), (less, same)),
        (Or((less, same)), (less, same)),
        (Bound("k", INT), ()),
        (Forall((Bound("k", INT),), less), (less,)),
    ]
    fresh = {var: Var(var.name + "'", var.type) for var in (X, Y, P, Q, N, R, A)}
    back = {new: old for old, new in fresh.items()}
    assert {type(e) for e, _ in cases} == set(get_args(Expr))
    for e, expected in cases:
        assert children(e) == expected
        renamed = rename(e, fresh)
        assert type(renamed) is type(e)
        assert renamed.type is e.type
        assert set(variables(renamed)) == {fresh[var] for var in variables(e)}
        assert rename(renamed, back) is e


def test_variables_are_named_once_in_order() -> None:
    e = plus(plus(Deref(PointerAdd(AddressOf(Y, POINTER), X, POINTER), INT), Y), X)
    assert variables(e) == (Y, X)


# --- substitution ---


def value(state: State, e: Expr) -> int | None:
    try:
        return state.value(e)
    except Undefined:
        return None


class Overlay(State):
    """A state in which some variables, when read, have other values."""

    def __init__(self, state: State, values: dict[Expr, int]) -> None:
        super().__init__(state.places, state.records, state.seed)
        self.values = values

    def value(self, e: Expr) -> int:
        return self.values[e] if e in self.values else super().value(e)


@settings(max_examples=150)
@given(st.data(), terms(depth=3), states())
def test_substitution_is_evaluation_in_the_changed_state(
    data: st.DataObject, pair: Pair, state: State
) -> None:
    mapping: dict[Expr, Expr] = {}
    for type_ in data.draw(st.lists(st.sampled_from(INTEGERS), max_size=3)):
        for var in VARIABLES[type_]:
            mapping[var] = data.draw(terms(type_, 1)).plain
    images = {var: value(state, image) for var, image in mapping.items()}
    if None in images.values():
        return
    changed = Overlay(state, {var: image for var, image in images.items() if image is not None})
    expected = value(changed, pair.plain)
    if expected is not None:
        assert value(state, substitute(pair.plain, mapping)) == expected


def test_substitution_is_simultaneous_and_takes_the_largest_key() -> None:
    assert substitute(plus(X, Y), {X: Y, Y: X}) is plus(Y, X)
    assert substitute(plus(X, Y), {X: plus(X, ONE)}) is plus(plus(X, ONE), Y)
    element = Index(A, N, INT)
    assert substitute(plus(element, N), {element: X, N: ONE}) is plus(X, ONE)
    assert substitute(plus(X, Y), {plus(X, Y): Z, X: ONE}) is Z


def test_unchanged_subterms_stay_the_same_objects() -> None:
    raw = Binary(Op.ADD, ZERO, Binary(Op.ADD, ONE, TWO, INT), INT)  # could be simplified
    assert substitute(raw, {X: Y}) is raw
    assert children(substitute(plus(raw, X), {X: Y}))[0] is raw


def test_results_are_simplified() -> None:
    assert substitute(plus(X, Y), {X: ONE, Y: ONE}) is TWO
    assert substitute(Deref(P, INT), {P: AddressOf(X, POINTER)}) is X


def test_an_address_is_not_a_use() -> None:
    address = AddressOf(X, POINTER)
    assert substitute(address, {X: ONE}) is address
    member = AddressOf(Field(R, "f", INT), POINTER)
    assert substitute(member, {R: T, Field(R, "f", INT): ONE}) is member
    element = AddressOf(Index(A, N, INT), POINTER)
    assert substitute(element, {N: ONE, A: A}) is AddressOf(Index(A, ONE, INT), POINTER)
    both = Binary(Op.EQ, Deref(PointerAdd(address, X, POINTER), INT), X, BOOL)
    assert substitute(both, {X: Y}) is Binary(
        Op.EQ, Deref(PointerAdd(address, Y, POINTER), INT), Y, BOOL
    )
    inside = AddressOf(Field(Deref(Var("f::k", PointerType(S, 64)), S), "f", INT), POINTER)
    other = Var("f::m", PointerType(S, 64))
    (pointer,) = variables(inside)
    assert variables(substitute(inside, {pointer: other})) == (other,)


def test_members_of_a_copied_record() -> None:
    member = Field(R, "f", INT)
    assert substitute(member, {R: T}) is Field(T, "f", INT)
    assert substitute(member, {R: T, member: ONE}) is ONE


def test_a_type_cannot_change() -> None:
    with pytest.raises(InternalError, match="long long"):
        substitute(X, {X: Var("w", LLONG)})


def test_a_value_cannot_stand_for_a_place() -> None:
    cond = Binary(Op.LT, X, Y, BOOL)
    with pytest.raises(InternalError, match="lvalue"):
        substitute(Field(R, "f", INT), {R: Ite(cond, R, T, S)})


def test_renaming_reaches_addresses() -> None:
    assert rename(plus(Deref(P, INT), X), {X: Y, P: Q}) is plus(Deref(Q, INT), Y)
    assert rename(AddressOf(X, POINTER), {X: Y}) is AddressOf(Y, POINTER)


@pytest.mark.parametrize(
    "walk",
    [
        lambda e: sum(1 for _ in subterms(e)) == DEEP + 2,
        lambda e: variables(e) == (X, Y),
        lambda e: set(reads(e)) == {X, Y},
        lambda e: fold(e, lambda term, below: 1 + max(below, default=0)) == DEEP + 1,
        lambda e: variables(substitute(e, {X: Z})) == (Z, Y),
        lambda e: variables(rename(e, {X: Z})) == (Z, Y),
    ],
)
def test_depth_does_not_matter(walk: Callable[[Expr], bool]) -> None:
    assert walk(deep_term())


def test_deep_places() -> None:
    type_, e = POINTER, P
    lvalue: Expr = e
    for _ in range(DEEP):
        lvalue = Deref(AddressOf(lvalue, PointerType(POINTER, 64)), type_)
    assert substitute(lvalue, {P: Q}) is lvalue  # only its address is used
    assert P not in reads(AddressOf(P, PointerType(POINTER, 64)))
    assert len(reads(lvalue)) == 1


# --- reads ---


def test_reads_of_an_expression() -> None:
    member = Field(Index(A, N, S), "f", INT)
    assert reads(plus(Deref(P, INT), member)) == (Deref(P, INT), P, member, N)
    assert reads(AddressOf(Index(A, N, INT), POINTER)) == (N,)
    assert reads(AddressOf(X, POINTER)) == ()
    assert reads(plus(X, X)) == (X,)


def test_what_a_value_is_made_from() -> None:
    """Each subterm once and after its operands; an object around an element is not among them."""
    total: Expr = X
    for _ in range(20_000):
        total = Binary(Op.ADD, total, X, INT)
    order = list(evaluated(total))
    assert len(order) == 20_001 and order[0] is X and order[-1] is total
    element = Index(A, make.binary(Op.ADD, X, ONE), INT)
    assert A not in list(evaluated(element)) and X in list(evaluated(element))
    assert operands(make.address_of(element, PointerType(INT, 64))) == operands(element)


def test_subterms_of_many_terms_come_once() -> None:
    seen: set[Expr] = set()
    first = list(unseen((plus(X, Deref(P, INT)), X), seen))
    assert first[0] is X and set(first) == {X, P, Deref(P, INT), plus(X, Deref(P, INT))}
    assert list(unseen((Deref(P, INT), plus(X, ONE)), seen)) == [plus(X, ONE), ONE]
    assert len(first) + 2 == len(seen)


def test_a_fold_of_many_terms_asks_about_a_shared_one_once() -> None:
    asked: list[Expr] = []

    def size(term: Expr, parts: tuple[int, ...]) -> int:
        asked.append(term)
        return 1 + sum(parts)

    sizes = Folding(size)
    total: Expr = X
    for _ in range(20_000):
        total = Binary(Op.ADD, total, ONE, INT)
        sizes(total)
    assert sizes(total) == fold(total, lambda _, parts: 1 + sum(parts)) == 40_001
    assert len(asked) == 20_002


def test_the_sample_variables_have_places() -> None:
    """The random terms speak only of variables that a state knows."""
    assert all(var in PLACES for group in VARIABLES.values() for var in group)
    assert CHAR in VARIABLES
