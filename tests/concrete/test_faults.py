"""Each way in which an operation can go wrong, with the text that it is reported with."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from predabs.concrete.outcome import Exited, RunFault
from predabs.ir import make
from predabs.ir.cfa import Function, Global
from predabs.ir.expr import Cast, Deref, Expr, Lvalue, ObjectSize, Op, Var
from predabs.ir.ops import (
    Alloc,
    AllocKind,
    Assign,
    Call,
    Copy,
    Fill,
    Free,
    Operation,
    Print,
    Return,
)
from predabs.ir.types import (
    CHAR,
    INT,
    LLONG,
    UCHAR,
    VOID,
    ArrayType,
    FunctionType,
    Member,
    Record,
    RecordType,
)
from support.concrete_builder import (
    DIFF,
    SIZE,
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
    text,
)

A = Var("a", ArrayType(INT, 10))
GRID = Var("grid", ArrayType(ArrayType(INT, 3), 2))
LAST = ArrayType(INT, 2)
TAIL = RecordType("struct tail", 12)
MIDDLE = RecordType("struct middle", 12)
RECORDS = [
    Record(TAIL, (Member("n", INT, 0, False), Member("v", LAST, 32, False)), False),
    Record(MIDDLE, (Member("v", LAST, 0, False), Member("n", INT, 64, False)), False),
]
TAILED, MIDDLED = Var("t", TAIL), Var("m", MIDDLE)
P, Q = Var("main::p", pointer(INT)), Var("main::q", pointer(INT))
I = Var("main::i", LLONG)  # noqa: E741
X, Y = Var("main::x", INT), Var("main::y", INT)
GLOBALS = [global_(A), global_(GRID), global_(TAILED), global_(MIDDLED), text("str.0", "abc")]
NULL = number(0, pointer(INT))
HEAP = Alloc(P, number(8, SIZE), AllocKind.HEAP, True)


def outcome(*ops: Operation, functions: Sequence[Function] = ()) -> object:
    main = straight("main", *ops, Return(number(0)), local=[P, Q, I, X, Y])
    return run(program(main, *functions, globals_=GLOBALS, records=RECORDS))


def fault(*ops: Operation, functions: Sequence[Function] = ()) -> str:
    """The text of the fault that the last operation runs into."""
    found = outcome(*ops, functions=functions)
    assert isinstance(found, RunFault), found
    assert found.edge.coord.line == len(ops) and found.edge.op == ops[-1]
    return found.text


def read(lvalue: Lvalue) -> Operation:
    return Assign(X, make.cast(lvalue, INT))


def write(lvalue: Lvalue) -> Operation:
    return Assign(lvalue, number(1, lvalue.type))


def char_at(start: Expr, offset: int) -> Deref:
    displaced = make.pointer_add(Cast(start, pointer(CHAR)), number(offset, DIFF))
    return Deref(displaced, CHAR)


def test_null() -> None:
    assert fault(read(Deref(NULL, INT))) == "read of 4 bytes at null"
    assert fault(Assign(P, NULL), write(Deref(P, INT))) == "write of 4 bytes at null"
    near = make.field(Deref(number(0, pointer(MIDDLE)), MIDDLE), "n", INT)
    assert fault(write(near)) == "write of 4 bytes at address 0x8, near null"


def test_wild_addresses() -> None:
    wild = "read of 4 bytes at address 0x7000000000, outside any object"
    assert fault(read(Deref(number(0x7000000000, pointer(INT)), INT))) == wild
    top = fault(read(Deref(number(-4, pointer(INT)), INT)))
    assert top == "read of 4 bytes at address 0xfffffffffffffffc, outside any object"
    code = "read of 4 bytes at address 0x10000, where no data is"
    assert fault(read(Deref(number(0x10000, pointer(INT)), INT))) == code


@pytest.mark.parametrize("constant", [True, False])
def test_indices(constant: bool) -> None:
    def index(value: int) -> tuple[list[Operation], Expr]:
        if constant:
            return [], number(value, DIFF)
        return [Assign(I, number(value, LLONG))], I

    before, i = index(10)
    past = "past the end of 'a' (index 10, length 10)"
    assert fault(*before, read(element(A, i))) == f"read {past}"
    assert fault(*before, write(element(A, i))) == f"write {past}"
    before, i = index(-1)
    start = "before the start of 'a' (index -1, length 10)"
    assert fault(*before, read(element(A, i))) == f"read {start}"
    before, i = index(3)
    row = "write past the end of 'grid[1]' (index 3, length 3)"
    assert fault(*before, write(element(element(GRID, 1), i))) == row
    before, i = index(2)
    rows = "read past the end of 'grid' (index 2, length 2)"
    assert fault(*before, read(element(element(GRID, i), 0))) == rows
    member = "read past the end of 'm.v' (index 2, length 2)"
    assert fault(*before, read(element(make.field(MIDDLED, "v", LAST), i))) == member
    behind = make.field(Deref(Cast(address(MIDDLED), pointer(MIDDLE)), MIDDLE), "v", LAST)
    text_ = fault(*before, read(element(behind, i)))
    assert text_.startswith("read past the end of '") and text_.endswith("(index 2, length 2)")
    for inside in (0, 9):
        before, i = index(inside)
        assert outcome(*before, write(element(A, i)), read(element(A, i))) == Exited(0)


@pytest.mark.parametrize("constant", [True, False])
def test_an_array_at_the_end_of_a_record_may_be_longer(constant: bool) -> None:
    def index(value: int) -> tuple[list[Operation], Expr]:
        if constant:
            return [], number(value, DIFF)
        return [Assign(I, number(value, LLONG))], I

    before, i = index(2)
    past = "write of 4 bytes past the end of 't' (offset 12, size 12)"
    assert fault(*before, write(element(make.field(TAILED, "v", LAST), i))) == past
    before, i = index(-2)
    start = "read of 4 bytes before the start of 't' (offset -4, size 12)"
    assert fault(*before, read(element(make.field(TAILED, "v", LAST), i))) == start
    before, i = index(5)
    block = Deref(Cast(P, pointer(TAIL)), TAIL)
    room = Alloc(P, number(28, SIZE), AllocKind.HEAP, True)
    fits = element(make.field(block, "v", LAST), i)
    assert outcome(room, *before, write(fits), read(fits)) == Exited(0)
    before, i = index(6)
    over = fault(room, *before, read(element(make.field(block, "v", LAST), i)))
    assert over == "read of 4 bytes past the end of the 28 bytes allocated at main.c:1:1 " + (
        "(offset 28, size 28)"
    )


def test_an_address_out_of_bounds_may_be_computed() -> None:
    beyond = address(element(A, 10))
    far = address(element(A, 1000))
    assert outcome(Assign(P, beyond), Assign(P, far)) == Exited(0)
    past = "read of 4 bytes past the end of 'a' (offset 40, size 40)"
    assert fault(Assign(P, beyond), read(Deref(P, INT))) == past


def test_partly_outside() -> None:
    wide = Deref(Cast(address(element(A, 9)), pointer(LLONG)), LLONG)
    past = "write of 8 bytes past the end of 'a' (offset 36, size 40)"
    assert fault(write(wide)) == past
    before = "read of 1 byte before the start of 'grid' (offset -1, size 24)"
    assert fault(read(char_at(address(GRID), -1))) == before
    first = "read of 1 byte before the start of 'a' (offset -1, size 40)"
    assert fault(read(char_at(address(A), -1))) == first


def test_string_literals_are_not_written() -> None:
    letters = Var("str.0", ArrayType(CHAR, 4))
    expected = "write of 1 byte in a string literal"
    assert fault(write(element(letters, 1))) == expected
    assert fault(write(char_at(address(element(letters, 0)), 1))) == expected
    assert outcome(read(element(letters, 1))) == Exited(0)


def test_heap() -> None:
    block = "the 8 bytes allocated at main.c:1:1"
    past = f"read of 4 bytes past the end of {block} (offset 8, size 8)"
    assert fault(HEAP, read(Deref(make.pointer_add(P, number(2, DIFF)), INT))) == past
    freed = f"write of 4 bytes in {block}, which was freed"
    assert fault(HEAP, Free(P), write(Deref(P, INT))) == freed
    assert fault(HEAP, Free(P), Free(P)) == f"second free of {block}"
    inside = f"free of an address 4 bytes inside {block}"
    assert fault(HEAP, Free(make.pointer_add(P, number(1, DIFF)))) == inside
    assert fault(Free(address(element(A, 0)))) == "free of 'a', which is not on the heap"
    assert fault(Free(number(64, pointer(INT)))) == (
        "free of address 0x40, near null, where no object is"
    )
    assert outcome(Free(NULL), HEAP, Free(P)) == Exited(0)


def test_stack_objects_end_with_their_function() -> None:
    local = Var("f::local", INT)
    f = straight("f", Return(address(local)), local=[local], result=pointer(INT))
    ended = "read of 4 bytes in 'local', which ended with its function"
    assert fault(Call(P, callee(f), ()), read(Deref(P, INT)), functions=[f]) == ended
    cell = Var("g::cell", pointer(INT))
    g = straight(
        "g",
        Alloc(cell, number(4, SIZE), AllocKind.STACK, False),
        Return(cell),
        local=[cell],
        result=pointer(INT),
    )
    ended = "write of 4 bytes in the 4 bytes allocated at g.c:1:1, which ended with its function"
    assert fault(Call(P, callee(g), ()), write(Deref(P, INT)), functions=[g]) == ended
    assert fault(Call(P, callee(f), ()), Free(P), functions=[f]) == (
        "free of 'local', which is not on the heap"
    )


def test_blocks_of_bytes() -> None:
    start = Cast(address(element(A, 0)), pointer(UCHAR))
    past = "write of 41 bytes past the end of 'a' (offset 0, size 40)"
    assert fault(Fill(start, number(0), number(41, SIZE))) == past
    huge = fault(Copy(start, Cast(NULL, pointer(UCHAR)), number(-1, SIZE)))
    assert huge == "read of 18446744073709551615 bytes at null"
    assert outcome(Fill(start, number(0), number(40, SIZE))) == Exited(0)


def test_size_of_objects() -> None:
    size = Var("main::x", INT)
    assert fault(Assign(size, Cast(ObjectSize(NULL, SIZE), INT))) == "size at null"
    inside = make.pointer_add(P, number(2, DIFF))  # just behind the end is still the same object
    check = Assign(X, make.binary(Op.DIV, number(8), Cast(ObjectSize(inside, SIZE), INT)))
    assert outcome(HEAP, check) == Exited(0)
    empty = Alloc(P, number(0, SIZE), AllocKind.HEAP, True)
    assert outcome(empty, Assign(size, Cast(ObjectSize(P, SIZE), INT))) == Exited(0)


def test_calls() -> None:
    type_ = pointer(FunctionType(VOID, (), False))
    assert fault(Call(None, number(0, type_), ())) == "call of null"
    data = Cast(address(A), type_)
    assert fault(Call(None, data, ())).startswith("call of address 0x1")
    assert fault(Call(None, data, ())).endswith(", where no function is")
    f = function("f", [(0, Return(None), 999)], params=[Var("f::x", TAIL)], result=VOID)
    through = Cast(callee(f), type_)
    wrong = "call of 'f' through a pointer: a value of type int stands for one of type struct tail"
    assert (
        fault(Assign(P, Cast(through, P.type)), Call(None, Cast(P, type_), (X,)), functions=[f])
        == wrong
    )


def test_the_place_of_a_result_is_checked_after_the_call() -> None:
    f = straight("f", Return(number(1)))
    past = "write past the end of 'a' (index 10, length 10)"
    found = outcome(Call(element(A, 10), callee(f), ()), functions=[f])
    assert isinstance(found, RunFault) and found.text == past and found.edge.coord.file == "main.c"


def test_division() -> None:
    quotient = make.binary(Op.DIV, number(1), X)
    assert fault(Assign(X, number(0)), Assign(Y, quotient)) == "division by zero"
    rest = make.binary(Op.REM, X, Y)
    assert fault(Assign(Y, rest)) == "division by zero"


def test_output_of_what_is_no_string() -> None:
    unended = Var("str.1", ArrayType(CHAR, 2))
    globals_: list[Global] = [
        global_(unended, *(Assign(element(unended, n), number(65, CHAR)) for n in (0, 1)))
    ]
    main = straight("main", Print(None, "puts", (make.decay(unended, 64),)), Return(number(0)))
    found = run(program(main, globals_=globals_))
    assert isinstance(found, RunFault)
    assert found.text == "read of 1 byte past the end of 'str.1' (offset 2, size 2)"
