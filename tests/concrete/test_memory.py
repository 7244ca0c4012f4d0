"""Bytes: what is stored at one type and read at another, bit-fields, copies, initialisers."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.concrete.codec import codec
from predabs.concrete.memory import ByteMemory, ObjectKind
from predabs.concrete.outcome import Exited, Failure, Overrun
from predabs.ir import make
from predabs.ir.expr import Cast, Deref, Expr, Field, FloatConst, Lvalue, ObjectSize, Op, Var
from predabs.ir.ops import Alloc, AllocKind, Assign, Copy, Fill, Operation, Return
from predabs.ir.types import (
    CBOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    UCHAR,
    UINT,
    ULLONG,
    ArrayType,
    DataModel,
    IntType,
    Member,
    Record,
    RecordType,
    size_of,
)
from support.concrete_builder import (
    DIFF,
    SIZE,
    address,
    element,
    global_,
    number,
    pointer,
    program,
    run,
    straight,
    text,
    written,
)

SHORT, USHORT, WIDE = IntType(16, True), IntType(16, False), IntType(128, True)
TYPES = (CHAR, UCHAR, SHORT, USHORT, INT, UINT, LLONG, ULLONG, WIDE, CBOOL)
BYTES = Var("bytes", ArrayType(UCHAR, 40))


def at(offset: int, type_: IntType, through_pointer: bool) -> Lvalue:
    """The bytes from an offset on, seen as an integer."""
    start: Expr = address(element(BYTES, offset))
    if through_pointer:
        start = make.pointer_add(address(element(BYTES, 0)), number(offset, DIFF))
    return Deref(Cast(start, pointer(type_)), type_)


accesses = st.tuples(
    st.sampled_from(TYPES), st.integers(0, 40), st.integers(-(2**127), 2**127 - 1), st.booleans()
)


@settings(max_examples=150, deadline=None)
@given(st.lists(accesses, max_size=8), accesses)
def test_stores_and_loads_of_any_type_at_any_place(
    stores: list[tuple[IntType, int, int, bool]], load: tuple[IntType, int, int, bool]
) -> None:
    expected = bytearray(40)
    ops: list[Operation] = []
    for type_, offset, value, through_pointer in stores:
        size = size_of(type_)
        offset = min(offset, 40 - size)
        value = type_.wrap(value)
        ops.append(Assign(at(offset, type_, through_pointer), number(value, type_)))
        expected[offset : offset + size] = (value % 2 ** (8 * size)).to_bytes(size, "little")
    type_, offset, _, through_pointer = load
    size = size_of(type_)
    offset = min(offset, 40 - size)
    seen = type_.wrap(int.from_bytes(expected[offset : offset + size], "little"))
    ops.append(Return(at(offset, type_, through_pointer)))
    main = straight("main", *ops, result=type_)
    assert run(program(main, globals_=[global_(BYTES)])) == Exited(seen)


def test_floating_point_bytes() -> None:
    f, d = Var("f", FLOAT), Var("d", DOUBLE)
    ops = [
        Assign(f, FloatConst((1.5).hex(), FLOAT)),
        Assign(d, FloatConst((-0.1).hex(), DOUBLE)),
        Return(
            make.binary(
                Op.XOR,
                Cast(Deref(Cast(address(f), pointer(UINT)), UINT), ULLONG),
                Deref(Cast(address(d), pointer(ULLONG)), ULLONG),
            )
        ),
    ]
    (single,) = struct.unpack("<I", struct.pack("<f", 1.5))
    (double,) = struct.unpack("<Q", struct.pack("<d", -0.1))
    main = straight("main", *ops, result=ULLONG)
    assert run(program(main, globals_=[global_(f), global_(d)])) == Exited(single ^ double)


# --- bit-fields -------------------------------------------------------------------------------

FIELDS = RecordType("struct fields", 16)
layouts = st.lists(
    st.tuples(st.integers(0, 10), st.integers(1, 64), st.booleans()), min_size=1, max_size=6
)


@settings(max_examples=150, deadline=None)
@given(layouts, st.data())
def test_bit_fields_bit_by_bit(shape: list[tuple[int, int, bool]], data: st.DataObject) -> None:
    members: list[Member] = []
    bit = 0
    for gap, bits, signed in shape:
        if bit + gap + bits <= 128:
            members.append(Member(f"m{len(members)}", IntType(bits, signed), bit + gap, True))
            bit += gap + bits
    record = Record(FIELDS, tuple(members), False)
    subject = Var("main::subject", FIELDS)
    reached: tuple[Lvalue, ...] = (subject, Deref(address(subject), FIELDS))
    ops: list[Operation] = [Fill(address(subject), number(0xA5), number(16, SIZE))]
    bits_set = [0xA5 >> n % 8 & 1 for n in range(128)]
    for member, value in data.draw(
        st.lists(st.tuples(st.sampled_from(members), st.integers(-(2**63), 2**63)), max_size=8)
    ):
        assert isinstance(member.type, IntType)
        value = member.type.wrap(value)
        base = data.draw(st.sampled_from(reached))
        ops.append(Assign(Field(base, member.name, member.type), number(value, member.type)))
        for n in range(member.type.bits):
            bits_set[member.bit + n] = value >> n & 1
    wanted = data.draw(st.sampled_from(members))
    assert isinstance(wanted.type, IntType)
    base = data.draw(st.sampled_from(reached))
    ops.append(Return(Field(base, wanted.name, wanted.type)))
    whole = sum(bits_set[wanted.bit + n] << n for n in range(wanted.type.bits))
    main = straight("main", *ops, local=[subject], result=wanted.type)
    assert run(program(main, records=[record])) == Exited(wanted.type.wrap(whole))


# --- records, strings, blocks -----------------------------------------------------------------

PAIR = RecordType("struct pair", 8)
PAIRS = Record(PAIR, (Member("a", INT, 0, False), Member("b", INT, 32, False)), False)


def test_records_are_copied_as_bytes() -> None:
    x, y = Var("main::x", PAIR), Var("main::y", PAIR)
    ops = [
        Assign(make.field(x, "a", INT), number(3)),
        Assign(make.field(x, "b", INT), number(4)),
        Assign(y, x),
        Assign(make.field(x, "a", INT), number(99)),
        Return(make.binary(Op.SUB, make.field(y, "a", INT), make.field(y, "b", INT))),
    ]
    assert run(program(straight("main", *ops, local=[x, y]), records=[PAIRS])) == Exited(-1)


def test_a_record_may_be_copied_onto_a_part_of_itself() -> None:
    source = Deref(Cast(address(element(BYTES, 0)), pointer(PAIR)), PAIR)
    target = Deref(Cast(address(element(BYTES, 4)), pointer(PAIR)), PAIR)
    fill = [Assign(element(BYTES, n), number(n, UCHAR)) for n in range(12)]
    main = straight("main", *fill, Assign(target, source), Return(at(8, UINT, False)), result=UINT)
    assert run(program(main, globals_=[global_(BYTES)], records=[PAIRS])) == Exited(0x07060504)


def test_overlapping_copy_and_fill() -> None:
    def byte(n: int) -> Expr:
        return make.cast(address(element(BYTES, n)), pointer(UCHAR))

    ops = [
        *(Assign(element(BYTES, n), number(n, UCHAR)) for n in range(8)),
        Copy(byte(2), byte(0), number(6, SIZE)),
        Fill(byte(0), number(0x1FF), number(1, SIZE)),
        Fill(number(0, pointer(UCHAR)), number(7), number(0, SIZE)),
        Copy(number(0, pointer(UCHAR)), number(0, pointer(UCHAR)), number(0, SIZE)),
        Return(at(0, ULLONG, False)),
    ]
    main = straight("main", *ops, result=ULLONG)
    assert run(program(main, globals_=[global_(BYTES)])) == Exited(0x05040302010001FF)


def test_globals_start_as_initialised() -> None:
    table = Var("table", ArrayType(pointer(CHAR), 3))
    first = Var("str.0", ArrayType(CHAR, 3))
    entry = make.decay(first, 64)
    start = [
        Assign(element(table, 1), entry),
        Assign(element(table, 2), make.pointer_add(Cast(entry, pointer(CHAR)), number(1, DIFF))),
    ]
    third = Deref(element(table, 2), CHAR)
    main = straight(
        "main",
        Return(
            make.binary(
                Op.MUL,
                Cast(third, INT),
                make.cast(make.equal(element(table, 0), number(0, pointer(CHAR))), INT),
            )
        ),
    )
    subject = program(main, globals_=[global_(table, *start), text("str.0", "ok")])
    assert run(subject) == Exited(ord("k"))


def test_an_initialised_flexible_array_makes_the_object_larger() -> None:
    letters = ArrayType(CHAR, 0)
    type_ = RecordType("struct text", 4)
    record = Record(type_, (Member("n", INT, 0, False), Member("s", letters, 32, False)), False)
    g = Var("g", type_)
    chars = make.field(g, "s", letters)
    stores = [Assign(element(chars, n), number(65 + n, CHAR)) for n in range(3)]
    size = Cast(ObjectSize(address(g), SIZE), INT)
    value = make.binary(Op.ADD, Cast(element(chars, 2), INT), size)
    main = straight("main", Return(value))
    assert run(program(main, globals_=[global_(g, *stores)], records=[record])) == Exited(67 + 7)


def test_initialisers_that_are_not_constant_are_carried_out() -> None:
    x, y = Var("x", INT), Var("y", PAIR)
    z = Var("z", PAIR)
    init = [Assign(make.field(y, "b", INT), number(5))]
    main = straight("main", Return(make.binary(Op.ADD, x, make.field(z, "b", INT))))
    globals_ = [
        global_(y, *init),
        global_(x, Assign(x, make.field(y, "b", INT))),
        global_(z, Assign(z, y)),
    ]
    assert run(program(main, globals_=globals_, records=[PAIRS])) == Exited(10)


@pytest.mark.parametrize("model", DataModel)
def test_fresh_blocks_are_distinct_and_aligned(model: DataModel) -> None:
    type_ = model.pointer(INT)
    names = [Var(f"main::p{n}", type_) for n in range(4)]
    sizes = [0, 0, 1, 4]
    size_type = model.size_type
    ops = [
        Alloc(var, number(size, size_type), AllocKind.HEAP, True)
        for var, size in zip(names, sizes, strict=True)
    ]
    subject = program(straight("main", *ops, Return(number(0)), local=names), model=model)
    addresses = [value for _, value in written(subject)]
    assert len(set(addresses)) == 4 and all(isinstance(a, int) for a in addresses)
    assert all(a % 16 == 0 and a >= 4096 for a in addresses if isinstance(a, int))


# --- the memory itself ------------------------------------------------------------------------


def test_addresses_come_again_only_when_all_have_been_used() -> None:
    memory = ByteMemory(29)  # a small address space is used up fast
    blocks = [memory.allocate(1 << 16, ObjectKind.HEAP, "kept") for _ in range(3)]
    memory.free(blocks.pop(1).base)
    seen = [blocks[-1].base]
    for _ in range(4000):
        seen.append(memory.allocate(1 << 16, ObjectKind.HEAP, "block").base)
        memory.free(seen[-1])
        for block in blocks:
            assert seen[-1] >= block.base + block.size or seen[-1] + (1 << 16) <= block.base
    turns = [n for n in range(1, 4000) if seen[n + 1] < seen[n]]
    assert turns[0] > 1000 and all(block.live for block in blocks)


def test_many_objects_die() -> None:
    memory = ByteMemory(64)
    load = memory.loader(codec(INT))
    first = memory.allocate(4, ObjectKind.HEAP, "first")
    for _ in range(30_000):
        memory.free(memory.allocate(4, ObjectKind.HEAP, "block").base)
    assert load(first.base) == 0
    assert len(memory._objects) < 20_000


def test_there_is_an_end_to_memory() -> None:
    memory = ByteMemory(32)
    with pytest.raises(Overrun):
        memory.allocate(1 << 31, ObjectKind.HEAP, "block")
    memory.allocate(4, ObjectKind.HEAP, "block")


def test_a_remembered_object_that_has_ended_is_not_read() -> None:
    memory = ByteMemory(64)
    load, store = memory.loader(codec(INT)), memory.storer(codec(INT))
    block = memory.allocate(8, ObjectKind.HEAP, "the block")
    store(block.base + 4, -7)
    assert load(block.base + 4) == -7
    memory.free(block.base)
    with pytest.raises(Failure, match="read of 4 bytes in the block, which was freed"):
        load(block.base + 4)
    with pytest.raises(Failure, match="write of 4 bytes in the block, which was freed"):
        store(block.base + 4, 1)


def test_strings_end_at_zero_or_at_the_precision() -> None:
    memory = ByteMemory(64)
    block = memory.allocate(4, ObjectKind.HEAP, "the block")
    block.data[:] = b"ab\0c"
    assert memory.string(block.base) == b"ab"
    assert memory.string(block.base + 3, 1) == b"c"
    assert memory.string(block.base, 1) == b"a"
    assert memory.string(0, 0) == b""
    with pytest.raises(Failure, match=r"read of 1 byte past the end of the block \(offset 4"):
        memory.string(block.base + 3)
    with pytest.raises(Failure, match="past the end"):
        memory.string(block.base + 3, 2)
