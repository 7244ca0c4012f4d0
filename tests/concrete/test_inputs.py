"""Inputs: lists, random numbers, and runs that are recorded and replayed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.concrete.inputs import (
    ListInputs,
    RandomInputs,
    RecordingInputs,
    TakenInput,
    ZeroInputs,
    fitted,
)
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ExecutedStep, Exited, Value
from predabs.errors import InputError
from predabs.ir import make
from predabs.ir.cfa import Edge
from predabs.ir.expr import Cast, Deref, Op, Var
from predabs.ir.ops import Alloc, AllocKind, Assign, Call, Havoc, Return, Source
from predabs.ir.types import (
    CBOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    UCHAR,
    UINT,
    ArrayType,
    IntType,
    ScalarType,
    Type,
)
from support.concrete_builder import (
    HERE,
    SIZE,
    address,
    element,
    global_,
    number,
    pointer,
    program,
    straight,
    unknown,
)

X, Y, D = Var("main::x", INT), Var("main::y", UCHAR), Var("main::d", DOUBLE)
A = Var("main::a", ArrayType(UINT, 3))
P = Var("main::p", pointer(UINT))
ARGC, OUTSIDE = Var("main::argc", INT), Var("outside", UINT)
BUFFER = Var("buffer", ArrayType(CHAR, 6))
VOLATILE = Havoc(X, Source.VOLATILE, "port")
EVERYTHING = program(
    straight(
        "main",
        Havoc(X, Source.NONDET, "__VERIFIER_nondet_int"),
        Havoc(Y, Source.UNINITIALIZED, "y"),
        Havoc(A, Source.UNINITIALIZED, "a"),
        Alloc(P, number(4, SIZE), AllocKind.HEAP, False),
        Call(D, unknown("real", DOUBLE), ()),
        VOLATILE,
        Assign(X, make.binary(Op.XOR, X, Cast(element(A, 1), INT))),
        Assign(X, make.binary(Op.XOR, X, Cast(Deref(P, UINT), INT))),
        Assign(X, make.binary(Op.XOR, X, Cast(OUTSIDE, INT))),
        Assign(X, make.binary(Op.ADD, X, Cast(D, INT))),
        Assign(X, make.binary(Op.ADD, X, Cast(element(BUFFER, 2), INT))),
        Return(make.binary(Op.ADD, X, ARGC)),
        params=[ARGC],
        local=[X, Y, D, A, P],
    ),
    globals_=[global_(OUTSIDE, external=True), global_(BUFFER, external=True)],
)


class Again:
    """The inputs of a recorded run once more; zeros after its end."""

    def __init__(self, taken: Sequence[TakenInput]) -> None:
        self._values = iter([item.value for item in taken])

    def scalar(self, *_: object) -> Any:
        return next(self._values, 0)

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> Any:
        return next(self._values, bytes(size))

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Any:
        return next(self._values, held)


def test_zeros() -> None:
    assert execute(EVERYTHING, ZeroInputs()) == Exited(0)


def test_only_nondet_calls_take_from_the_list() -> None:
    assert execute(EVERYTHING, ListInputs([41])) == Exited(41)
    assert execute(EVERYTHING, ListInputs([])) == Exited(0)


@pytest.mark.parametrize("seed", range(5))
def test_a_recorded_run_can_be_replayed(seed: int) -> None:
    recording = RecordingInputs(ListInputs([7], RandomInputs(seed)))
    steps: list[ExecutedStep] = []
    outcome = execute(EVERYTHING, recording, trace=steps.append)
    again: list[ExecutedStep] = []
    assert execute(EVERYTHING, Again(recording.taken), trace=again.append) == outcome
    assert steps == again
    assert execute(EVERYTHING, Again(recording.taken)) == outcome
    assert execute(EVERYTHING, ListInputs([7], RandomInputs(seed))) == outcome


def test_what_is_recorded() -> None:
    recording = RecordingInputs(ListInputs([300]))
    execute(EVERYTHING, recording)
    assert [(t.source, t.name, t.type, t.value) for t in recording.taken] == [
        (Source.EXTERN, "outside", UINT, 0),
        (Source.EXTERN, "buffer", None, bytes(6)),
        (Source.PARAMETER, "argc", INT, 0),
        (Source.NONDET, "__VERIFIER_nondet_int", INT, 300),
        (Source.UNINITIALIZED, "y", UCHAR, 0),
        (Source.UNINITIALIZED, "a", None, bytes(12)),
        (Source.UNINITIALIZED, "malloc", None, bytes(4)),
        (Source.EXTERN, "real", DOUBLE, 0.0),
        (Source.VOLATILE, "port", INT, 300),
    ]
    assert [t.coord and t.coord.line for t in recording.taken] == [None] * 3 + [1, 2, 3, 4, 5, 6]


def test_values_are_recorded_as_they_are_used() -> None:
    main = straight("main", Havoc(Y, Source.NONDET, "n"), Return(Cast(Y, INT)), local=[Y])
    recording = RecordingInputs(ListInputs([300]))
    assert execute(program(main), recording) == Exited(44)
    assert recording.taken[0].value == 44


def test_a_volatile_object_keeps_its_value_unless_an_input_says_otherwise() -> None:
    main = straight("main", Assign(X, number(3)), VOLATILE, Return(X), local=[X])
    assert execute(program(main), ZeroInputs()) == Exited(3)
    assert execute(program(main), RandomInputs(1)) == Exited(3)
    taken = TakenInput(Source.VOLATILE, "port", INT, 9, HERE)
    assert execute(program(main), Again([taken])) == Exited(9)
    assert execute(program(main), Again([])) == Exited(3)


def test_a_volatile_record_keeps_its_bytes() -> None:
    fill = Assign(element(A, 1), number(5, UINT))
    renew = Havoc(A, Source.VOLATILE, "a")
    main = straight("main", fill, renew, Return(Cast(element(A, 1), INT)), local=[A])
    assert execute(program(main), ZeroInputs()) == Exited(5)


def test_a_fraction_is_no_integer() -> None:
    main = program(straight("main", Havoc(X, Source.NONDET, "n"), Return(X), local=[X]))
    with pytest.raises(InputError, match=r"the input 1\.5"):
        execute(main, ListInputs([1.5]))
    real = straight("main", Havoc(D, Source.NONDET, "n"), Return(Cast(D, INT)), local=[D])
    assert execute(program(real), ListInputs([1.5])) == Exited(1)
    assert execute(program(real), ListInputs([2])) == Exited(2)


@settings(max_examples=100)
@given(
    st.sampled_from([INT, UINT, CHAR, CBOOL, FLOAT, DOUBLE, IntType(3, True), pointer(INT)]),
    st.integers(0, 2**32),
)
def test_random_inputs_have_their_type(type_: ScalarType, seed: int) -> None:
    inputs = RandomInputs(seed)
    for _ in range(5):
        value = inputs.scalar(Source.NONDET, "n", type_, None)
        once = fitted(type_, value)
        assert repr(once) == repr(fitted(type_, once))  # NaN is not equal to itself
        if isinstance(type_, IntType):
            assert isinstance(value, int) and type_.low <= value <= type_.high


def test_an_external_scalar_whose_address_is_taken() -> None:
    read = Deref(address(OUTSIDE), UINT)
    main = straight("main", Return(Cast(Deref(Cast(address(OUTSIDE), P.type), UINT), INT)))
    subject = program(main, globals_=[global_(OUTSIDE, external=True)])
    assert read.type is UINT
    taken = [TakenInput(Source.EXTERN, "outside", UINT, 77, None)]
    assert execute(subject, Again(taken)) == Exited(77)
