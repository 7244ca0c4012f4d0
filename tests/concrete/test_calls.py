"""Calls in runs: recursion, records, pointers to functions, functions without a body."""

from __future__ import annotations

import pytest

from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import (
    Exhausted,
    Exited,
)
from predabs.ir import make
from predabs.ir.cfa import Function, Program
from predabs.ir.expr import Cast, Deref, FunctionAddress, Op, Var
from predabs.ir.ops import (
    Assign,
    Assume,
    Call,
    Return,
    Source,
)
from predabs.ir.types import (
    CHAR,
    DOUBLE,
    INT,
    LLONG,
    VOID,
    ArrayType,
    FunctionType,
    Member,
    Record,
    RecordType,
)
from support.concrete_builder import (
    address,
    callee,
    element,
    function,
    global_,
    number,
    pointer,
    program,
    run,
    straight,
    unknown,
)

X, Y, N = Var("main::x", INT), Var("main::y", INT), Var("main::n", INT)


def fibonacci() -> Function:
    n, a, b = (Var(f"fib::{name}", INT) for name in "nab")
    me = FunctionAddress("fib", pointer(FunctionType(INT, (INT,), False)))
    small = make.less(n, number(2))
    return function(
        "fib",
        [
            (0, Assume(small), 1),
            (0, Assume(make.negate(small)), 2),
            (1, Return(n), 999),
            (2, Call(a, me, (make.binary(Op.SUB, n, number(1)),)), 3),
            (3, Call(b, me, (make.binary(Op.SUB, n, number(2)),)), 4),
            (4, Return(make.binary(Op.ADD, a, b)), 999),
        ],
        params=[n],
        local=[a, b],
    )


def test_recursion() -> None:
    main = straight("main", Call(X, callee(fibonacci()), (number(15),)), Return(X), local=[X])
    assert run(program(main, fibonacci())) == Exited(610)


def descent(depth: int, stored: bool) -> Program:
    """A function that calls itself `depth` times; its variable has bytes or not."""
    n, x = Var("f::n", INT), Var("f::x", INT)
    me = FunctionAddress("f", pointer(FunctionType(INT, (INT,), False)))
    done = make.equal(n, number(0))
    keep = Assign(x, n)
    if stored:
        keep = Assign(Deref(address(x), INT), n)
    f = function(
        "f",
        [
            (0, keep, 1),
            (1, Assume(done), 2),
            (1, Assume(make.negate(done)), 3),
            (2, Return(number(0)), 999),
            (3, Call(n, me, (make.binary(Op.SUB, n, number(1)),)), 4),
            (4, Return(make.binary(Op.ADD, n, make.cast(make.less(number(0), x), INT))), 999),
        ],
        params=[n],
        local=[x],
    )
    return program(straight("main", Call(X, callee(f), (number(depth),)), Return(X), local=[X]), f)


@pytest.mark.parametrize("stored", [False, True])
def test_recursion_may_be_deep_but_not_endless(stored: bool) -> None:
    assert execute(descent(50_000, stored), ZeroInputs()) == Exited(50_000)
    found = execute(descent(200_000, stored), ZeroInputs())
    assert isinstance(found, Exhausted)
    assert found.text == "more than 100000 calls are open" and found.edge is not None


def test_records_are_passed_and_returned() -> None:
    pair = RecordType("struct pair", 8)
    record = Record(pair, (Member("a", INT, 0, False), Member("b", INT, 32, False)), False)
    p, r, x = Var("swap::p", pair), Var("swap::r", pair), Var("main::x", pair)
    swap = straight(
        "swap",
        Assign(make.field(r, "a", INT), make.field(p, "b", INT)),
        Assign(make.field(r, "b", INT), make.field(p, "a", INT)),
        Assign(make.field(p, "a", INT), number(77)),
        Return(r),
        params=[p],
        local=[r],
        result=pair,
    )
    main = straight(
        "main",
        Assign(make.field(x, "a", INT), number(1)),
        Assign(make.field(x, "b", INT), number(5)),
        Call(x, callee(swap), (x,)),
        Return(make.binary(Op.SUB, make.field(x, "a", INT), make.field(x, "b", INT))),
        local=[x],
    )
    assert run(program(main, swap, records=[record])) == Exited(4)


def test_a_parameter_whose_address_is_taken() -> None:
    p = Var("f::p", INT)
    f = straight(
        "f",
        Assign(Deref(address(p), INT), make.binary(Op.ADD, p, number(1))),
        Return(p),
        params=[p],
    )
    main = straight("main", Call(X, callee(f), (number(41),)), Return(X), local=[X])
    assert run(program(main, f)) == Exited(42)


def test_the_target_of_a_result_is_that_before_the_call() -> None:
    a, i = Var("a", ArrayType(INT, 4)), Var("i", LLONG)
    f = straight("f", Assign(i, number(3, LLONG)), Return(number(9)))
    main = straight(
        "main",
        Assign(i, number(1, LLONG)),
        Call(element(a, i), callee(f), ()),
        Return(make.binary(Op.SUB, element(a, 1), element(a, 3))),
    )
    assert run(program(main, f, globals_=[global_(a), global_(i)])) == Exited(9)


def test_a_function_without_a_body_gives_any_value() -> None:
    d, p = Var("main::d", DOUBLE), Var("main::p", pointer(INT))
    main = straight(
        "main",
        Call(None, unknown("nothing"), ()),
        Call(X, unknown("some", INT), (number(1),)),
        Call(d, unknown("real", DOUBLE), ()),
        Call(p, unknown("place", pointer(INT)), ()),
        Return(X),
        local=[X, d, p],
    )
    asked: list[tuple[Source, str]] = []

    class Given(ZeroInputs):
        def scalar(self, source, name, type_, edge):
            asked.append((source, name))
            return 300 if type_ is INT else 2

    assert run(program(main), inputs=Given()) == Exited(300)
    assert asked == [(Source.EXTERN, name) for name in ("some", "real", "place")]


def test_calls_through_pointers_convert() -> None:
    """The callee takes (char, double) and gives a long; it is called with (int), for an int."""
    c, d = Var("f::c", CHAR), Var("f::d", DOUBLE)
    f = straight(
        "f",
        Return(make.binary(Op.ADD, Cast(c, LLONG), Cast(d, LLONG))),
        params=[c, d],
        result=LLONG,
    )
    wrong = pointer(FunctionType(INT, (INT,), False))
    p = Var("main::p", wrong)
    main = straight(
        "main",
        Assign(p, Cast(callee(f), wrong)),
        Call(X, p, (number(0x1FF), number(7))),
        Return(X),
        local=[p, X],
    )
    assert run(program(main, f)) == Exited(6)
    few = straight(
        "main",
        Assign(p, Cast(callee(f), wrong)),
        Call(X, p, (number(5),)),
        Return(X),
        local=[p, X],
    )

    class Given(ZeroInputs):
        def scalar(self, source, name, type_, edge):
            assert (source, name, type_) == (Source.UNINITIALIZED, "d", DOUBLE)
            return 2.5

    assert run(program(few, f), inputs=Given()) == Exited(7)


def test_a_pointer_to_a_function_without_a_body() -> None:
    type_ = pointer(FunctionType(INT, (), False))
    p = Var("main::p", type_)
    main = straight(
        "main", Assign(p, FunctionAddress("far", type_)), Call(X, p, ()), Return(X), local=[p, X]
    )

    class Given(ZeroInputs):
        def scalar(self, source, name, type_, edge):
            assert (source, name) == (Source.EXTERN, "far")
            return 12

    assert run(program(main), inputs=Given()) == Exited(12)


def test_a_missing_result_is_any_value() -> None:
    f = straight("f", Return(None), result=VOID)
    main = straight("main", Call(X, callee(f), ()), Return(X), local=[X])

    class Given(ZeroInputs):
        def scalar(self, source, name, type_, edge):
            assert source is Source.UNINITIALIZED
            return 5

    assert run(program(main, f), inputs=Given()) == Exited(5)


def test_functions_have_addresses_of_their_own() -> None:
    f, g = straight("f", Return(number(1))), straight("g", Return(number(2)))
    same = make.cast(make.equal(callee(f), callee(g)), INT)
    zero = make.cast(make.equal(callee(f), number(0, callee(f).type)), INT)
    assert run(program(straight("main", Return(make.binary(Op.ADD, same, zero))), f, g)) == Exited(
        0
    )
