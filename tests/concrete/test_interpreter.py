"""Runs: branches, how a run ends, limits, traces and output."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.concrete.inputs import ListInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import (
    AssumeFailed,
    ErrorReached,
    ExecutedStep,
    Exhausted,
    Exited,
    Outcome,
    RunFault,
    StepLimit,
    Stopped,
)
from predabs.errors import InputError, InternalError, UnsupportedFeature
from predabs.ir import make
from predabs.ir.cfa import Function, Program
from predabs.ir.expr import Cast, Deref, Expr, FloatConst, FunctionAddress, Op, Var
from predabs.ir.ops import (
    Alloc,
    AllocKind,
    Assign,
    Assume,
    Call,
    Error,
    ErrorKind,
    Halt,
    Havoc,
    Operation,
    Print,
    Return,
    Skip,
    Source,
)
from predabs.ir.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    UINT,
    VOID,
    ArrayType,
    DataModel,
    FunctionType,
)
from support.concrete_builder import (
    DIFF,
    SIZE,
    address,
    callee,
    function,
    global_,
    number,
    pointer,
    program,
    run,
    straight,
    text,
    written,
)

X, Y, N = Var("main::x", INT), Var("main::y", INT), Var("main::n", INT)
LOOP = function(
    "main",
    [
        (0, Assign(X, number(0)), 1),
        (1, Assume(make.less(X, number(10))), 2),
        (1, Assume(make.negate(make.less(X, number(10)))), 4),
        (2, Assign(Y, make.binary(Op.ADD, Y, X)), 3),
        (3, Assign(X, make.binary(Op.ADD, X, number(1))), 1),
        (4, Return(Y), 999),
    ],
    local=[X, Y],
)
NONDET = Havoc(X, Source.NONDET, "__VERIFIER_nondet_int")


# --- control ----------------------------------------------------------------------------------


def test_a_loop() -> None:
    assert run(program(LOOP)) == Exited(45)


def test_alternatives_are_tried_in_order() -> None:
    cases = [(0, Assume(make.equal(X, number(n))), n + 1) for n in range(3)]
    returns = [(n + 2, Return(number(10 * n)), 999) for n in range(4)]
    shifted = [(1, op, dst + 1) for _, op, dst in cases]
    main = function(
        "main",
        [
            (0, NONDET, 1),
            *shifted,
            (1, Assume(make.equal(X, number(1))), 5),  # never first
            (1, Skip(), 6),
            *returns,
            (6, Return(number(99)), 999),
        ],
        local=[X],
    )
    assert [run(program(main), n) for n in range(4)] == [Exited(n) for n in (0, 10, 20, 99)]


def test_floating_point_alternatives_are_not_negations() -> None:
    d = Var("main::d", DOUBLE)
    less = make.less(d, FloatConst((0.0).hex(), DOUBLE))
    more = make.less_equal(FloatConst((0.0).hex(), DOUBLE), d)
    main = function(
        "main",
        [
            (0, Assign(d, FloatConst("nan", DOUBLE)), 1),
            (1, Assume(less), 2),
            (1, Assume(more), 2),
            (2, Return(number(0)), 999),
        ],
        local=[d],
    )
    assert run(program(main)) == AssumeFailed(main.edges[2])


def test_how_runs_end() -> None:
    def ends(op: Operation) -> tuple[Outcome, Function]:
        main = straight("main", NONDET, op, local=[X])
        return run(program(main), 7), main

    assert ends(Return(X))[0] == Exited(7)
    assert ends(Return(None))[0] == Exited(0)
    assert ends(Halt("exit", make.binary(Op.MUL, X, number(2))))[0] == Exited(14)
    found, main = ends(Halt("abort", None))
    assert found == Stopped("abort", main.edges[1])
    found, main = ends(Error(ErrorKind.ASSERTION, "assertion failed: x"))
    assert found == ErrorReached(ErrorKind.ASSERTION, "assertion failed: x", main.edges[1])
    found, main = ends(Assume(make.equal(X, number(8))))
    assert found == AssumeFailed(main.edges[1])


def test_the_end_of_the_body_is_a_return() -> None:
    f = function("f", [(0, Assign(X, number(3)), 999)], result=VOID)
    main = straight("main", Call(None, callee(f), ()), Return(X))
    assert run(program(main, f, globals_=[global_(X)])) == Exited(3)
    alone = function("main", [(0, Skip(), 999)])
    assert run(program(alone)) == Exited(0)


def test_long_straight_code_and_deep_branches() -> None:
    ops: list[Operation] = [Assign(X, make.binary(Op.ADD, X, number(1))) for _ in range(1500)]
    assert run(program(straight("main", *ops, Return(X), local=[X]))) == Exited(1500)
    nested = []
    for n in range(300):
        cond = make.less(number(n), X)
        nested += [(n, Assume(cond), n + 1), (n, Assume(make.negate(cond)), 1000 + n)]
        nested.append((1000 + n, Return(number(n)), 999))
    nested.append((300, Return(number(-1)), 999))
    main = function(
        "main", [(0, NONDET, 2000), *((n or 2000, op, dst) for n, op, dst in nested)], local=[X]
    )
    found = [run(program(main), n) for n in (0, 1, 150, 299, 300)]
    assert found == [Exited(n) for n in (0, 1, 150, 299, -1)]


def test_programs_that_are_not_programs() -> None:
    nowhere = function("main", [(0, Skip(), 1)])
    with pytest.raises(InternalError, match="no edge leaves main:1"):
        run(program(nowhere))
    with pytest.raises(InternalError, match="no edge leaves main:1"):
        execute(program(nowhere), ZeroInputs(), trace=lambda step: None)
    both = function("main", [(0, Skip(), 1), (0, Skip(), 2)])
    with pytest.raises(InternalError, match="2 edges leave main:0"):
        run(program(both))
    with pytest.raises(InternalError, match="main::x is not declared"):
        run(program(straight("main", Return(X))))
    mixed = Assign(X, number(1, LLONG))
    with pytest.raises(InternalError, match=r"main\.c:1:1: a long long is assigned to a int"):
        run(program(straight("main", mixed, Return(X), local=[X])))
    with pytest.raises(InputError, match="no function 'main'"):
        run(program())


# --- limits -----------------------------------------------------------------------------------


def test_the_number_of_steps_is_exact() -> None:
    subject = program(LOOP)
    steps: list[ExecutedStep] = []
    assert execute(subject, ZeroInputs(), trace=steps.append) == Exited(45)
    total = len(steps)
    for most in (0, 1, 7, total - 1, total, total + 1):
        expected = Exited(45) if most >= total else StepLimit(most)
        seen: list[ExecutedStep] = []
        assert execute(subject, ZeroInputs(), max_steps=most) == expected
        assert execute(subject, ZeroInputs(), max_steps=most, trace=seen.append) == expected
        assert len(seen) == min(most, total)


def test_the_time_is_limited() -> None:
    endless = function("main", [(0, Skip(), 0)])
    found = execute(program(endless), ZeroInputs(), deadline=monotonic() + 0.05)
    assert found == Exhausted("the time is up", None)
    found = execute(
        program(endless), ZeroInputs(), deadline=monotonic() + 0.05, trace=lambda step: None
    )
    assert found == Exhausted("the time is up", None)


def test_memory_is_limited() -> None:
    p = Var("main::p", pointer(INT))
    main = straight(
        "main", Alloc(p, number(1 << 40, SIZE), AllocKind.HEAP, True), Return(number(0)), local=[p]
    )
    found = run(program(main))
    assert isinstance(found, Exhausted) and found.edge is main.edges[0]
    huge = Var("main::huge", ArrayType(CHAR, 1 << 40))
    over = "an object of 1099511627776 bytes is more memory than the interpreter gives"
    main = straight("main", Return(number(0)), local=[huge])
    assert run(program(main)) == Exhausted(over, None)
    main = straight("main", Return(number(0)))
    assert run(program(main, globals_=[global_(huge)])) == Exhausted(over, None)


# --- traces -----------------------------------------------------------------------------------


def test_a_trace_tells_what_each_step_writes() -> None:
    p, r = Var("f::p", INT), Var("f::r", INT)
    f = straight(
        "f", Assign(r, make.binary(Op.MUL, p, number(2))), Return(r), params=[p], local=[r]
    )
    main = straight("main", NONDET, Call(Y, callee(f), (X,)), Return(Y), local=[X, Y])
    steps: list[ExecutedStep] = []
    execute(program(main, f), ListInputs([21]), trace=steps.append)
    assert [(step.edge.src.function, step.values) for step in steps] == [
        ("main", ((X, 21),)),
        ("main", ((p, 21),)),
        ("f", ((r, 42),)),
        ("f", ((Y, 42),)),
        ("main", ()),
    ]


def test_a_trace_tells_the_value_that_was_written() -> None:
    """Also when the write changes where the lvalue points."""
    p = Var("main::p", pointer(pointer(INT)))
    through = Deref(p, pointer(INT))
    main = straight(
        "main",
        Assign(p, Cast(address(p), p.type)),
        Assign(through, number(0, pointer(INT))),
        Return(number(0)),
        local=[p],
    )
    steps: list[ExecutedStep] = []
    execute(program(main), ZeroInputs(), trace=steps.append)
    assert steps[1].values == ((through, 0),)


def test_a_trace_ends_with_the_last_edge_that_was_taken() -> None:
    error = Error(ErrorKind.ERROR_CALL, "reach_error() is called")
    for op, count in ((error, 2), (Halt("abort", None), 2), (Assume(make.FALSE), 1)):
        steps: list[ExecutedStep] = []
        execute(program(straight("main", Skip(), op)), ZeroInputs(), trace=steps.append)
        assert len(steps) == count
    steps = []
    fault = Assign(X, Deref(number(0, pointer(INT)), INT))
    execute(program(straight("main", Skip(), fault, local=[X])), ZeroInputs(), trace=steps.append)
    assert len(steps) == 1


# --- random programs --------------------------------------------------------------------------

operations = st.one_of(
    st.just(NONDET),
    st.tuples(st.sampled_from([X, Y, N]), st.sampled_from([X, Y, N]), st.integers(-3, 3)).map(
        lambda t: Assign(t[0], make.binary(Op.ADD, t[1], number(t[2])))
    ),
    st.tuples(st.sampled_from([X, Y]), st.integers(-2, 2)).map(
        lambda t: Assume(make.less(t[0], number(t[1])))
    ),
    st.sampled_from([X, Y]).map(lambda v: Assign(N, make.binary(Op.DIV, number(10), v))),
    st.just(Skip()),
    st.just(Call(Y, FunctionAddress("half", pointer(FunctionType(INT, (INT,), False))), (X,))),
    st.just(Error(ErrorKind.ERROR_CALL, "reach_error() is called")),
    st.just(Return(N)),
)


@st.composite
def automata(draw: st.DrawFn) -> Program:
    """Small automata with joins and loops; at most one edge of a location is no assumption."""
    size = draw(st.integers(2, 7))
    edges: list[tuple[int, Operation, int]] = []
    for src in range(size):
        for op in draw(st.lists(operations, max_size=2)):
            plain = not isinstance(op, Assume)
            if plain and any(s == src and not isinstance(o, Assume) for s, o, _ in edges):
                continue
            dst = 999 if isinstance(op, Return | Error) else draw(st.integers(0, size - 1))
            edges.append((src, op, dst))
        if not any(s == src for s, _, _ in edges):
            edges.append((src, Return(N), 999))
    main = function("main", edges, local=[X, N])
    p = Var("half::p", INT)
    half = straight("half", Return(make.binary(Op.DIV, p, number(2))), params=[p])
    return program(main, half, globals_=[global_(Y)])


@settings(max_examples=200, deadline=None)
@given(automata(), st.lists(st.integers(-3, 3), max_size=5), st.integers(0, 60))
def test_fast_and_stepwise_runs_are_the_same(
    subject: Program, values: list[int], most: int
) -> None:
    steps: list[ExecutedStep] = []
    slow = execute(subject, ListInputs(values), max_steps=most, trace=steps.append)
    assert execute(subject, ListInputs(values), max_steps=most) == slow
    for before, after in pairwise(steps):
        if before.edge.src.function == after.edge.src.function:
            assert isinstance(before.edge.op, Call) or before.edge.dst is after.edge.src


# --- output -----------------------------------------------------------------------------------


def printed(subject: Program) -> bytes:
    pieces: list[bytes] = []
    execute(subject, ZeroInputs(), output=pieces.append)
    again: list[bytes] = []
    execute(subject, ZeroInputs(), output=again.append, trace=lambda step: None)
    assert pieces == again
    return b"".join(pieces)


def literal(name: str, content: str) -> Expr:
    return make.decay(Var(name, ArrayType(CHAR, len(content) + 1)), 64)


def test_output() -> None:
    file = Var("stdout", pointer(VOID))
    other = Var("stderr", pointer(VOID))
    hello, line = literal("str.0", "n=%d %s\n"), literal("str.1", "line")
    ops = [
        Print(X, "printf", (hello, number(-3), line)),
        Print(Y, "puts", (line,)),
        Print(None, "putchar", (number(0x141),)),
        Print(None, "fprintf", (other, hello, number(1), line)),
        Print(None, "fprintf", (file, hello, number(2), line)),
        Print(None, "fputs", (line, Cast(file, pointer(INT)))),
        Print(None, "fputs", (line, other)),
        Print(None, "putc", (number(10), file)),
        Return(make.binary(Op.ADD, make.binary(Op.MUL, X, number(100)), Y)),
    ]
    globals_ = [
        text("str.0", "n=%d %s\n"),
        text("str.1", "line"),
        global_(file, external=True),
        global_(other, external=True),
    ]
    subject = program(straight("main", *ops, local=[X, Y]), globals_=globals_)
    assert printed(subject) == b"n=-3 line\nline\nAn=2 line\nline\n"
    assert run(subject) == Exited(100 * 10 + 5)


def test_output_that_is_not_supported() -> None:
    globals_ = [text("str.0", "%n")]
    main = straight(
        "main", Print(None, "printf", (literal("str.0", "%n"), number(0, pointer(INT))))
    )
    with pytest.raises(UnsupportedFeature, match=r"main.c:1:1: the format '%n' is not supported"):
        run(program(main, globals_=globals_))
    main = straight("main", Print(None, "scanf", (literal("str.0", "%n"),)))
    with pytest.raises(UnsupportedFeature, match=r"main.c:1:1: scanf with 1 arguments"):
        run(program(main, globals_=globals_))


def test_a_program_is_forgotten_with_its_code() -> None:
    subject = program(straight("main", Return(number(0))))
    run(subject)
    kept = weakref.ref(subject)
    del subject
    gc.collect()
    assert kept() is None


# --- data models ------------------------------------------------------------------------------


@pytest.mark.parametrize("model", DataModel)
def test_addresses_wrap_at_their_width(model: DataModel) -> None:
    type_ = model.pointer(INT)
    p = Var("main::p", type_)
    moved = make.pointer_add(p, number(-1, DIFF))
    main = straight(
        "main", Assign(p, number(0, type_)), Assign(p, moved), Return(number(0)), local=[p]
    )
    assert ("p", 2**model.pointer_bits - 4) in written(program(main, model=model))


def test_single_precision_is_rounded_each_time() -> None:
    f = Var("main::f", FLOAT)
    big = FloatConst(float(2**24).hex(), FLOAT)
    one = FloatConst((1.0).hex(), FLOAT)
    total = make.binary(Op.ADD, make.binary(Op.ADD, big, one), one)
    main = straight("main", Assign(f, total), Return(Cast(f, INT)), local=[f])
    assert run(program(main)) == Exited(2**24)
    large = make.binary(Op.MUL, FloatConst((1e30).hex(), FLOAT), FloatConst((1e30).hex(), FLOAT))
    main = straight("main", Assign(f, large), Return(number(0)), local=[f])
    assert written(program(main)) == [("f", float("inf"))]


def test_uint_conversions_of_pointers() -> None:
    type_ = DataModel.ILP32.pointer(INT)
    p = Var("main::p", type_)
    main = straight(
        "main",
        Assign(p, Cast(number(-1), type_)),
        Return(Cast(Cast(p, LLONG), INT)),
        local=[p],
    )
    assert run(program(main, model=DataModel.ILP32)) == Exited(-1)
    main = straight(
        "main", Assign(p, number(-1, type_)), Return(Cast(p, UINT)), local=[p], result=UINT
    )
    assert run(program(main, model=DataModel.ILP32)) == Exited(2**32 - 1)


def test_a_fault_in_a_long_piece_is_blamed_on_its_edge() -> None:
    ops: list[Operation] = [Assign(X, make.binary(Op.ADD, X, number(n))) for n in range(20)]
    fault = Assign(Y, make.binary(Op.DIV, X, Y))
    main = straight("main", *ops, fault, *ops, Return(X), local=[X, Y])
    assert run(program(main)) == RunFault("division by zero", main.edges[20])
    assert execute(program(main), ZeroInputs(), max_steps=21) == RunFault(
        "division by zero", main.edges[20]
    )
    assert execute(program(main), ZeroInputs(), max_steps=20) == StepLimit(20)
