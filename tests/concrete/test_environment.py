"""Memory of the environment: made at first use, asked for once, apart from objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.concrete.codec import codec
from predabs.concrete.environment import EnvironmentMemory
from predabs.concrete.inputs import ListInputs, RandomInputs, RecordingInputs, ZeroInputs, as_input
from predabs.concrete.interpreter import execute
from predabs.concrete.memory import ByteMemory, ObjectKind
from predabs.concrete.outcome import ErrorReached, ExecutedStep, Exited, Failure, RunFault
from predabs.evidence.given_inputs import GivenInputs
from predabs.ir.address_space import FIRST_OBJECT, end_of_objects, environment_ranges
from predabs.ir.cfa import Coord, Edge, ExternPointers, Program
from predabs.ir.ops import Source
from predabs.ir.types import (
    CHAR,
    INT,
    UCHAR,
    ULLONG,
    VOID,
    ArrayType,
    FunctionType,
    PointerType,
    ScalarType,
)
from predabs.verdict import Input
from support.c_programs import program_of_c

HIGH = end_of_objects(64)
LAST = environment_ranges(64)[1][1]
POINTER = PointerType(VOID, 64)


class Asked:
    """Gives the low bytes of the addresses, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, ScalarType | None]] = []

    def __call__(self, address: int, size: int, type_: ScalarType | None) -> bytes:
        self.asked.append((address, size, type_))
        return bytes((address + place) % 251 for place in range(size))


def initial(address: int, size: int) -> bytes:
    return Asked()(address, size, None)


def made() -> tuple[ByteMemory, Asked]:
    asked = Asked()
    return ByteMemory(64, EnvironmentMemory(64, asked)), asked


def test_a_byte_is_asked_for_once_and_a_written_one_never() -> None:
    memory, asked = made()
    memory.write(HIGH + 2, b"xy")
    assert memory.read(HIGH, 6) == initial(HIGH, 2) + b"xy" + initial(HIGH + 4, 2)
    assert memory.read(HIGH, 6) == initial(HIGH, 2) + b"xy" + initial(HIGH + 4, 2)
    assert asked.asked == [(HIGH, 2, None), (HIGH + 4, 2, None)]


def test_scalars_are_asked_for_with_their_type() -> None:
    memory, asked = made()
    loads = [memory.loader(codec(type_)) for type_ in (INT, POINTER, CHAR)]
    values = [load(HIGH + 16 * number) for number, load in enumerate(loads)]
    assert asked.asked == [(HIGH, 4, INT), (HIGH + 16, 8, POINTER), (HIGH + 32, 1, CHAR)]
    assert values == [load(HIGH + 16 * number) for number, load in enumerate(loads)]
    assert len(asked.asked) == 3


def test_bytes_are_read_as_what_they_were_written_as() -> None:
    """Or the run ends; as bytes, they can always be read."""
    memory, _ = made()
    first = replace(codec(INT), marks=(32, 33, 34, 35))
    second = replace(codec(INT), marks=(64, 65, 66, 67))
    here = HIGH + 254  # in two pages
    memory.storer(first)(here, 5)
    assert memory.loader(first)(here) == 5
    assert memory.read(here, 4) == b"\5\0\0\0"
    for form, at in ((second, here), (first, here + 2), (second, here - 1)):
        with pytest.raises(Failure, match="something else"):
            memory.loader(form)(at)
    memory.storer(second)(here, 6)
    assert memory.loader(second)(here) == 6
    memory.write(here, b"abcd")
    assert memory.loader(first)(here) == int.from_bytes(b"abcd", "little")


def test_members_of_two_records_are_apart() -> None:
    """A run in which they are in the same bytes is not followed."""
    program = program_of_c(
        """struct a { int n; }; struct b { int m; }; struct a *one(void); struct b *two(void);
        int main(void) { struct a *p = one(); struct b *q = two(); p->n = 1; q->m = 2;
        if (p->n == 2) reach_error(); return 0; }"""
    )
    assert isinstance(execute(program, Same(HIGH)), RunFault)


class Same(ZeroInputs):
    """All pointers are the same."""

    def __init__(self, address: int) -> None:
        self._address = address

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        return self._address if isinstance(type_, PointerType) else 0


def test_all_kinds_of_access_reach_the_environment() -> None:
    memory, _ = made()
    home = memory.allocate(8, ObjectKind.GLOBAL, "'x'").base
    memory.storer(codec(INT))(HIGH, -2)
    assert memory.loader(codec(INT))(HIGH) == -2
    memory.store_bits(HIGH, 3, 2, 0)
    assert memory.load_bits(HIGH, 0, 8) == 0b11100110
    memory.fill(HIGH + 100, ord("a"), 3)
    memory.write(HIGH + 103, b"\0")
    assert memory.string(HIGH + 100) == b"aaa"
    assert memory.string(HIGH + 100, 2) == b"aa"
    memory.copy(home, HIGH + 100, 4)
    memory.copy(HIGH + 5000, home, 4)
    assert memory.read(HIGH + 5000, 4) == b"aaa\0"


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 1100),
            st.one_of(st.integers(1, 600), st.binary(min_size=1, max_size=600)),
        ),
        max_size=12,
    )
)
def test_it_is_like_one_array_of_bytes(accesses: list[tuple[int, int | bytes]]) -> None:
    """Reads and writes of any size, across the pages that it is made of."""
    memory, asked = made()
    model = bytearray(initial(HIGH, 2000))
    for offset, what in accesses:
        if isinstance(what, bytes):
            memory.write(HIGH + offset, what)
            model[offset : offset + len(what)] = what
        else:
            assert memory.read(HIGH + offset, what) == model[offset : offset + what]
    bytes_asked = [a + n for a, size, _ in asked.asked for n in range(size)]
    assert len(bytes_asked) == len(set(bytes_asked))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 900), st.integers(1, 300)), max_size=8))
def test_what_was_used_is_known(accesses: list[tuple[int, int]]) -> None:
    environment = EnvironmentMemory(64, Asked())
    for number, (offset, size) in enumerate(accesses):
        if number % 2:
            environment.read(HIGH + offset, size)
        else:
            environment.write(HIGH + offset, bytes(size))
    used = {HIGH + at + n for at, size in accesses for n in range(size)}
    pieces = environment.use().touched
    assert {first + n for first, size in pieces for n in range(size)} == used
    assert all(a + n < b for (a, n), (b, _) in pairwise(pieces))


@pytest.mark.parametrize(
    ("address", "size"),
    [
        (0, 4),
        (16, 4),
        (0x5000, 4),
        (FIRST_OBJECT - 8, 4),
        (HIGH - 2, 4),
        (LAST - 2, 4),
        (LAST + 1, 1),
        ((1 << 64) - 8, 4),
        (1 << 64, 4),
        (-8, 4),
    ],
)
def test_elsewhere_is_no_memory(address: int, size: int) -> None:
    memory, asked = made()
    for access in (
        lambda: memory.read(address, size),
        lambda: memory.write(address, bytes(size)),
        lambda: memory.fill(address, 1, size),
        lambda: memory.loader(codec(INT))(address),
        lambda: memory.storer(codec(INT))(address, 1),
    ):
        with pytest.raises(Failure):
            access()
    assert not asked.asked


def test_without_an_environment_nothing_lies_there() -> None:
    with pytest.raises(Failure, match="outside any object"):
        ByteMemory(64).read(HIGH, 1)


def test_the_lower_range_begins_near_a_pointer_that_was_given() -> None:
    environment = EnvironmentMemory(64, Asked())
    assert not environment.has(16, 4)
    environment.take(0x3000, POINTER)
    assert environment.has(0x2000, 1) and environment.has(0xFFFF, 1)
    assert not environment.has(0x1FFF, 1) and not environment.has(0xFFFD, 4)
    environment.take(8, POINTER)
    assert environment.has(1, 1) and not environment.has(0, 1)


def test_a_low_number_counts_when_it_is_made_a_pointer() -> None:
    environment = EnvironmentMemory(64, Asked())
    environment.take(8, ULLONG)
    assert not environment.has(8, 1)
    environment.as_pointer(9)
    assert not environment.has(8, 1)
    environment.as_pointer(8)
    assert environment.has(8, 1)


def test_a_pointer_from_outside_leads_to_no_object_of_the_program() -> None:
    environment = EnvironmentMemory(64, Asked())
    with pytest.raises(Failure, match="object of the program"):
        environment.take(FIRST_OBJECT, POINTER)
    environment.take((1 << 64) - 5, POINTER)
    environment.take(0x10010, PointerType(FunctionType(INT, (), False), 64))


# --- programs -------------------------------------------------------------------------------------

DEVICE = """struct dev { int flags; int count; struct dev *next; int (*open)(struct dev *); };
struct dev *get(void);
int main(void) {
  struct dev *d = get();
  if (d && d->count > 3 && d->next->count == 7) {
    d->next->count += 2;
    if (d->open(d) == 5 && d->next->count == 9) reach_error();
  }
  return d ? d->flags : -1;
}"""


def given_input(source: Source, name: str, type_: ScalarType, value: int, line: int) -> Input:
    """An input whose column does not matter: the tests have one call of a name in a program."""
    return Input(source, name, type_, value, Coord("", line, 0))


class ByName:
    """Gives numbers by the name of the input, or by its address."""

    def __init__(self, **values: int) -> None:
        self._values = {name.replace("star", "*"): value for name, value in values.items()}
        self.environment: dict[int, int] = {}

    def scalar(self, source: Source, name: str, type_: ScalarType, edge: object) -> int:
        if source is Source.ENVIRONMENT:
            return self.environment.get(int(name, 0), 0)
        return self._values.get(name, 0)

    def memory(self, source: Source, name: str, size: int, edge: object) -> bytes:
        return bytes(size)

    def volatile(self, name: str, held: object, type_: object, edge: object) -> object:
        return held


def device() -> ByName:
    inputs = ByName(get=HIGH, star=5)
    inputs.environment = {HIGH + 4: 4, HIGH + 8: HIGH + 64, HIGH + 16: HIGH + 8, HIGH + 68: 7}
    return inputs


def test_a_bug_behind_pointers_from_outside() -> None:
    program = program_of_c(DEVICE)
    steps: list[ExecutedStep] = []
    assert isinstance(execute(program, device()), ErrorReached)
    assert isinstance(execute(program, device(), trace=steps.append), ErrorReached)
    found = [(item.address - HIGH, item.value) for step in steps for item in step.found]
    assert found == [(4, 4), (8, HIGH + 64), (68, 7), (16, HIGH + 8)]


def test_the_place_of_the_first_read_is_recorded() -> None:
    for trace in (None, lambda step: None):
        recording = RecordingInputs(device())
        execute(program_of_c(DEVICE), recording, trace=trace)
        taken = [(t.name, t.coord.line) for t in recording.taken if t.coord]
        addresses = [HIGH + offset for offset in (4, 8, 68, 16)]
        lines = zip(map(hex, addresses), (5, 5, 5, 7), strict=True)
        assert taken == [("get", 4), *lines, ("*", 7)]


def test_zeros_are_null_pointers_and_zero_content() -> None:
    program = program_of_c(DEVICE)
    assert execute(program, ZeroInputs()) == Exited(-1)
    assert execute(program, ByName(get=HIGH)) == Exited(0)
    null = program_of_c("struct s { int a, b; } *get(void); int main(void) { return get()->b; }")
    assert isinstance(execute(null, ZeroInputs()), RunFault)
    assert isinstance(execute(null, ByName(get=(1 << 64) - 12)), RunFault)


@pytest.mark.parametrize("mode", [ExternPointers.ANY, ExternPointers.NULL])
def test_other_modes_have_no_such_memory(mode: ExternPointers) -> None:
    fresh = program_of_c(DEVICE)
    program = Program(
        fresh.functions,
        fresh.globals,
        fresh.records,
        fresh.entry,
        fresh.data_model,
        fresh.externals,
        fresh.assumptions,
        fresh.files,
        mode,
    )
    outcome = execute(program, device())
    assert isinstance(outcome, RunFault) and "outside any object" in outcome.text


def test_functions_of_the_environment_return_anything() -> None:
    program = program_of_c(
        "struct s { int a; double b; }; typedef struct s (*f)(int); f get(void);"
        "int main(void) { f g = get(); g(3); struct s r = g(1); return r.a; }"
    )
    recording = RecordingInputs(ByName(get=HIGH))
    assert execute(program, recording) == Exited(0)
    assert [(t.source, t.name) for t in recording.taken if t.name != "r"] == [
        (Source.EXTERN, "get"),
        (Source.EXTERN, "*"),
    ]
    null = execute(program, ByName())
    assert isinstance(null, RunFault) and "call of null" in null.text


def test_numbers_that_become_pointers() -> None:
    text = "int main(void) {{ {type} n = __VERIFIER_nondet_{name}(); return *(int *)n; }}"
    long_ = program_of_c(text.format(type="long", name="long"))
    assert execute(long_, ListInputs([HIGH])) == Exited(0)
    assert execute(long_, ListInputs([16])) == Exited(0)
    for value in (0, 0x10000, FIRST_OBJECT, (1 << 64) - 4096):
        assert isinstance(execute(long_, ListInputs([value])), RunFault)
    null = program_of_c(
        "struct s { int a, b; }; int main(void) { long n = __VERIFIER_nondet_long();"
        " struct s *p = 0; return p->b + n; }"
    )
    assert isinstance(execute(null, ListInputs([8])), RunFault)


@pytest.mark.parametrize(("value", "ends"), [(64, Exited), (HIGH, Exited), (0, RunFault)])
def test_pointers_in_bytes_that_are_inputs(value: int, ends: type) -> None:
    class Bytes(ZeroInputs):
        def memory(self, source: Source, name: str, size: int, edge: object) -> bytes:
            is_given = source is Source.EXTERN
            return (bytes(size - 8) + value.to_bytes(8, "little")) if is_given else bytes(size)

    program = program_of_c(
        "struct s { int a; struct { long x; int *p; } b[2]; }; struct s give(void);"
        "int main(void) { struct s got = give(); return *got.b[1].p; }"
    )
    assert isinstance(execute(program, Bytes()), ends)


LIST = """struct node { long value; struct node *next; unsigned low : 3, high : 7; };
struct node *get(void);
void *other(int);
int main(void) {
  int sum = 0;
  struct node *start = get();
  for (struct node *n = start; n && sum < 1000; n = n->next) {
    sum += n->value + n->high;
    n->low = 2;
    if (n == other(sum)) n->next = start;
    if (__VERIFIER_nondet_int() == 3) return sum;
  }
  return sum % 100;
}"""


def runs(
    program: Program, inputs: Callable[[], RandomInputs | GivenInputs], trace: bool = False
) -> tuple[object, list[Input]]:
    recording = RecordingInputs(inputs())
    outcome = execute(
        program, recording, max_steps=3000, trace=(lambda step: None) if trace else None
    )
    start = program.functions[program.entry].coord
    return outcome, [as_input(item, start) for item in recording.taken]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([LIST, DEVICE]))
def test_a_random_run_is_repeated_by_its_seed_and_by_its_inputs(seed: int, text: str) -> None:
    program = program_of_c(text)
    first = runs(program, lambda: RandomInputs(seed, fresh=True))
    assert runs(program, lambda: RandomInputs(seed, fresh=True)) == first
    if "StepLimit" not in repr(first[0]):  # a cut run may have asked for more than it used
        assert runs(program, lambda: RandomInputs(seed, fresh=True), trace=True) == first
        assert runs(program, lambda: GivenInputs(first[1])) == first


@given(st.integers(0, 10**6))
def test_random_pointers_are_null_or_lead_to_the_environment(seed: int) -> None:
    inputs = RandomInputs(seed, fresh=True)
    types = (POINTER, PointerType(INT, 32))
    for bits, type_ in zip((64, 32), types, strict=True):
        values = [inputs.scalar(Source.NONDET, "f", type_, None) for _ in range(20)]
        low, high = environment_ranges(bits)[1]
        assert all(value == 0 or low <= value <= high for value in values)
    assert RandomInputs(seed).scalar(Source.NONDET, "f", POINTER, None) == 0


def test_content_is_given_in_bytes_or_as_numbers() -> None:
    data = [
        Input(Source.ENVIRONMENT, hex(HIGH), ArrayType(UCHAR, 2), b"\1\2", Coord("", 1, 1)),
        given_input(Source.ENVIRONMENT, hex(HIGH + 2), INT, 0x0403, 1),
    ]
    inputs = GivenInputs(data)
    assert inputs.memory(Source.ENVIRONMENT, hex(HIGH), 8, None) == b"\1\2\3\4\0\0\0\0"
    assert inputs.scalar(Source.ENVIRONMENT, hex(HIGH + 1), INT, None) == 0x040302
    assert inputs.scalar(Source.ENVIRONMENT, hex(HIGH + 40), INT, None) == 0
