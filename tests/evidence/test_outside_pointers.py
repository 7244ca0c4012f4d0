"""Bugs behind pointers from outside: replays, what a trace says, and C tests that build objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from predabs.concrete.inputs import RandomInputs, RecordingInputs, as_input
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.evidence import test_pieces
from predabs.evidence.given_inputs import GivenInputs, MissingPointers
from predabs.evidence.native_run import NativeRun, run_test
from predabs.evidence.replay import Confirmed, NotReplayed, replay
from predabs.evidence.testcase import CTest, c_test
from predabs.frontend.load import load
from predabs.ir.address_space import end_of_objects, environment_ranges
from predabs.ir.cfa import Coord, Program
from predabs.ir.expr import FunctionAddress
from predabs.ir.ops import Call, Havoc, Source
from predabs.ir.types import INT, UCHAR, VOID, ArrayType, DataModel, PointerType
from predabs.pipeline.json_report import _input
from predabs.verdict import Input
from support.c_programs import program_of_c, write_c
from support.compilers import needs_compiler

HIGH = end_of_objects(64)
POINTER = PointerType(VOID, 64)
NOWHERE = Coord("a.c", 0, 0)


def content(address: int, data: bytes) -> Input:
    return Input(Source.ENVIRONMENT, hex(address), ArrayType(UCHAR, len(data)), data, NOWHERE)


def number(address: int, value: int, size: int = 4) -> Input:
    return content(address, value.to_bytes(size, "little"))


def pointer(address: int, value: int) -> Input:
    return number(address, value, 8)


def result(program: Program, name: str, *values: int) -> list[Input]:
    """What a function without a body returns, or the environment's ("*"), in its only call."""
    for function in program.functions.values():
        for edge in function.edges:
            match edge.op:
                case Call(target, FunctionAddress(called, _), _) if called == name and target:
                    source = Source.EXTERN
                case Call(target, callee, _) if name == "*" and target:
                    if isinstance(callee, FunctionAddress):
                        continue
                    source = Source.EXTERN
                case Havoc(target, source, called) if called == name:
                    pass
                case _:
                    continue
            return [Input(source, name, target.type, value, edge.coord) for value in values]
    raise AssertionError(name)


DEVICE = """struct dev { int flags; int count; struct dev *next; int (*open)(struct dev *); };
struct dev *get(void);
int main(void) {
  struct dev *d = get();
  if (d && d->count > 3 && d->next->count == 7) {
    d->next->count += 2;
    if (d->open(d) == 5 && d->next->count == 9) reach_error();
  }
  return 0;
}"""


def device_inputs(program: Program) -> list[Input]:
    return [
        number(HIGH + 68, 7),
        *result(program, "get", HIGH),
        number(HIGH + 4, 4),
        pointer(HIGH + 8, HIGH + 64),
        pointer(HIGH + 16, HIGH + (1 << 30)),
        *result(program, "*", 5),
    ]


def test_a_bug_behind_two_pointers_replays() -> None:
    program = program_of_c(DEVICE)
    found = replay(program, device_inputs(program))
    assert isinstance(found, Confirmed)
    again = replay(program, found.inputs)
    assert isinstance(again, Confirmed) and again.inputs == found.inputs
    assert found.environment.touched == ((HIGH + 4, 20), (HIGH + 68, 4))
    assert found.environment.called == ((HIGH + (1 << 30), INT),)


def test_it_rests_on_what_lies_there() -> None:
    program = program_of_c(DEVICE)
    inputs = device_inputs(program)
    for number_ in range(len(inputs)):
        rest = [item for place, item in enumerate(inputs) if place != number_]
        found = replay(program, rest)
        # pointers that are not given are found; the numbers behind the first are lost with it
        is_pointer = number_ == 4
        assert isinstance(found, Confirmed if is_pointer else NotReplayed), number_


def test_the_trace_and_the_inputs_say_what_lies_where() -> None:
    program = program_of_c(DEVICE)
    found = replay(program, device_inputs(program))
    assert isinstance(found, Confirmed)
    text = found.trace.text()
    assert "d->count = 4 (from outside)" in text
    assert "d->next = outside#2 (from outside)" in text
    assert "d->next->count = 7 (from outside)" in text
    assert text.count("(from outside)") == 4
    assert "outside#1->count (memory of the environment) = 4\n" in text
    first = next(item for item in found.inputs if item.source is Source.ENVIRONMENT)
    assert _input(first) | {"place": ""} == {
        "source": "environment",
        "name": hex(HIGH + 4),
        "type": "int",
        "value": 4,
        "place": "",
    }


def test_bits_and_temporaries_in_the_trace() -> None:
    program = program_of_c(
        "struct s { unsigned a : 3; int b : 5; struct s *n; } *get(void);"
        "int f(struct s *p) { return p->n->b; }"
        "int main(void) { if (f(get()) == -3) reach_error(); }"
    )
    inputs = [pointer(HIGH + 8, HIGH), number(HIGH, 0b11101 << 3, 1), *result(program, "get", HIGH)]
    found = replay(program, inputs)
    assert isinstance(found, Confirmed)
    assert "p->n->b = -3 (from outside)" in found.trace.text()


# --- pointers that are not given ------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "struct s *p = get(); p->a = 1; p->n->n->a = 2; reach_error();",
        "if (!get()) reach_error();",
        "struct s *h = get(); for (struct s *p = h->n; p != h; p = p->n) p->a = 1; reach_error();",
        "for (struct s *p = get(); p; p = p->n) p->a = 1; if (get()) reach_error();",
        "struct s *p = get(), *q = get(); p->a = 1; q->a = 2; if (p->a == 1) reach_error();",
    ],
    ids=["fresh", "null", "circular", "shallow", "distinct"],
)
def test_pointers_that_are_not_given_are_tried_in_several_ways(body: str) -> None:
    program = program_of_c(
        f"struct s {{ struct s *n; int a; }} *get(void); int main(void) {{ {body} return 0; }}"
    )
    assert isinstance(replay(program, []), Confirmed)


def test_without_pointers_there_is_one_way() -> None:
    program = program_of_c("int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); }")
    assert replay(program, []) == NotReplayed("the program ends, with status 0")


def test_invented_addresses_keep_away_from_given_ones() -> None:
    for bits in (32, 64):
        first, last = environment_ranges(bits)[1]
        type_ = PointerType(VOID, bits)
        taken = [first + 100, first + (3 << 20) - 1]
        given = [Input(Source.NONDET, "f", type_, value, NOWHERE) for value in taken]
        inputs = GivenInputs(given, MissingPointers.FRESH)
        made = [int(inputs.scalar(Source.EXTERN, "g", type_, None)) for _ in range(50)]
        assert len({*made}) == 50 and inputs.invented == 50
        assert all(first <= address <= last for address in made)
        assert all(abs(address - other) > 1 << 15 for address in made for other in taken)


def test_uninitialised_pointers_are_null_if_that_will_do() -> None:
    for text, is_null in (("", True), ("*p = 1;", False)):
        program = program_of_c(f"int main(void) {{ int *p; {text} reach_error(); return *p; }}")
        found = replay(program, [])
        assert isinstance(found, Confirmed) and (found.inputs[0].value == 0) is is_null


def test_a_given_pointer_into_the_program_is_not_believed() -> None:
    program = program_of_c(
        "int x; int *get(void); int main(void) { int *p = get(); if (p == &x) reach_error(); }"
    )
    for address in range(0x1000000, 0x1000100, 16):
        assert isinstance(replay(program, result(program, "get", address)), NotReplayed)


# --- C tests --------------------------------------------------------------------------------------


def built(folder: Path, text: str, *inputs: Input, entry: str = "main") -> tuple[CTest, NativeRun]:
    """The test for the run with these inputs, and what became of it."""
    file = write_c(folder, text)
    program = load([file], DataModel.LP64, entry)
    placed = [
        result(program, item.name, item.value)[0]
        if item.source is Source.EXTERN and isinstance(item.value, int)
        else item
        for item in inputs
    ]
    found = replay(program, placed)
    assert isinstance(found, Confirmed), found
    test = c_test(program, found)
    out = folder / "out.c"
    out.write_text(test.text)
    return test, run_test(test, out, [file])


def extern(name: str, value: int) -> Input:
    return Input(Source.EXTERN, name, POINTER, value, NOWHERE)


@needs_compiler
def test_the_test_builds_the_objects(tmp_path: Path) -> None:
    program = program_of_c(DEVICE)
    _, run = built(tmp_path, DEVICE, *device_inputs(program))
    assert run == NativeRun(True, "reached")


@needs_compiler
def test_distances_order_and_last_bits_are_kept(tmp_path: Path) -> None:
    text = """struct s { long a, b; }; struct s *one(void), *two(void), *three(void);
int main(void) {
  struct s *p = one(), *q = two(), *r = three();
  p->a = 1; r->a = 2;
  if (q == p + 3 && r > q && ((unsigned long)p & 0xfff) == 0x120 && q[-3].a == 1)
    reach_error();
}"""
    inputs = [extern("one", HIGH + 0x120), extern("two", HIGH + 0x150), extern("three", HIGH << 5)]
    test, run = built(tmp_path, text, *inputs)
    assert run.reached and not test.notes
    assert test.text.count("predabs_environment + ") == 3


@needs_compiler
def test_error_numbers_stay_numbers(tmp_path: Path) -> None:
    text = """char *one(void); int main(void) {
  char *p = one();
  if ((unsigned long)p >= (unsigned long)-4095 && (long)p == -12) reach_error();
}"""
    test, run = built(tmp_path, text, extern("one", (1 << 64) - 12))
    assert run.reached and "predabs_environment" not in test.text


@needs_compiler
def test_numbers_that_are_addresses_are_moved(tmp_path: Path) -> None:
    text = """unsigned long where(void); int main(void) {
  char *p = (char *)where();
  if (p[3] == 'x' && p[4] == 'y') reach_error();
}"""
    test, run = built(tmp_path, text, extern("where", HIGH), content(HIGH + 3, b"xy"))
    assert run.reached and not test.notes


@needs_compiler
def test_low_addresses_are_told(tmp_path: Path) -> None:
    text = """int *one(void); int main(void) {
  int *p = one();
  if (*p == 3 && (unsigned long)p < 2012) reach_error();
}"""
    test, run = built(tmp_path, text, extern("one", 64), number(64, 3))
    assert not run.reached and "low addresses" in test.notes[0]
    test, run = built(tmp_path, text.replace("*p == 3 &&", ""), extern("one", 64))
    assert run.reached and not test.notes


@needs_compiler
def test_parameters_of_the_entry(tmp_path: Path) -> None:
    text = """int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] == 'x' && argv[1][1] == 0) reach_error();
}"""
    inputs = [
        Input(Source.PARAMETER, "argc", INT, 2, NOWHERE),
        Input(Source.PARAMETER, "argv", POINTER, HIGH, NOWHERE),
        pointer(HIGH + 8, HIGH + 0x1000),
        content(HIGH + 0x1000, b"x"),
    ]
    test, run = built(tmp_path, text, *inputs)
    assert run.reached and not test.notes


@needs_compiler
def test_pointers_in_globals_structs_and_copies(tmp_path: Path) -> None:
    text = """struct s { long a; struct s *n; }; extern struct s *start; struct s give(void);
int main(void) {
  struct s local = *start, given = give();
  if (local.n->a == 7 && given.n == local.n && given.n->n == start) reach_error();
}"""
    file = write_c(tmp_path, text)
    program = load([file], DataModel.LP64, "main")
    (given,) = result(program, "give", 0)
    data = (5).to_bytes(8, "little") + (HIGH + 64).to_bytes(8, "little")
    inputs = [
        extern("start", HIGH),
        Input(Source.EXTERN, "give", given.type, data, given.coord),
        content(HIGH, bytes(8) + (HIGH + 64).to_bytes(8, "little")),
        number(HIGH + 64, 7, 8),
        pointer(HIGH + 72, HIGH),
    ]
    found = replay(program, inputs)
    assert isinstance(found, Confirmed), found
    test = c_test(program, found)
    out = tmp_path / "out.c"
    out.write_text(test.text)
    assert run_test(test, out, [file]).reached


MANY = """struct node { long value; struct node *next, *prev; unsigned low : 3, high : 7;
  char name[8]; int (*op)(struct node *, int); };
struct node *get(void); void *other(int); extern struct node *head;
struct pair { struct node *a, *b; } two(void);
int main(void) {
  long sum = 0; int k = 0;
  struct node *start = get(), copy;
  struct pair p = two();
  if (head && head != start) sum += head->value;
  if (p.a && p.b == p.a) p.a->value += 3;
  for (struct node *n = start; n && k < 6; n = n->next, k++) {
    sum += n->value + n->high;
    n->low = 2;
    n->name[k] = 'x';
    copy = *n;
    if (n == other(k)) n->next = start;
    if (n->prev && n->prev->next == n) sum += 100;
    if (n->op && n->op(n, k) == 3) sum++;
    if (copy.name[0] != 'x' && copy.low == 2) k++;
  }
  if (k > 1) reach_error();
}"""


@needs_compiler
def test_random_runs_through_the_environment_are_repeated_natively(tmp_path: Path) -> None:
    file = write_c(tmp_path, MANY)
    program = load([file], DataModel.LP64, "main")
    out = tmp_path / "out.c"
    reached = 0
    for seed in range(200):
        recording = RecordingInputs(RandomInputs(seed, fresh=True))
        if not isinstance(execute(program, recording, max_steps=5000), ErrorReached):
            continue
        start = program.functions["main"].coord
        found = replay(program, [as_input(item, start) for item in recording.taken])
        assert isinstance(found, Confirmed)
        test = c_test(program, found)
        out.write_text(test.text)
        assert run_test(test, out, [file]).reached, seed
        reached += 1
        if reached == 4:
            return
    raise AssertionError("no run reaches the error")


@needs_compiler
def test_functions_of_the_environment_with_and_without_results(tmp_path: Path) -> None:
    text = """struct r { long a, b, c; }; struct ops { void (*on)(int); struct r (*get)(void); };
struct ops *find(void);
int main(void) {
  struct ops *o = find();
  o->on(3);
  struct r got = o->get();
  if (got.b == 5) reach_error();
}"""
    file = write_c(tmp_path, text)
    program = load([file], DataModel.LP64, "main")
    data = bytes(8) + (5).to_bytes(8, "little") + bytes(8)
    (star,) = result(program, "*", 0)
    inputs = [
        *result(program, "find", HIGH),
        pointer(HIGH, HIGH << 1),
        pointer(HIGH + 8, HIGH << 2),
        Input(Source.EXTERN, "*", star.type, data, star.coord),
    ]
    found = replay(program, inputs)
    assert isinstance(found, Confirmed), found
    test = c_test(program, found)
    out = tmp_path / "out.c"
    out.write_text(test.text)
    assert run_test(test, out, [file]).reached


def test_memory_that_is_too_large_is_told(tmp_path: Path) -> None:
    text = (
        "char *get(void); int main(void) { char *p = get();"
        " for (long i = 0; i < 600; i++) p[i << 15] = 1; if (p[0] == 1) reach_error(); }"
    )
    test, _ = built(tmp_path, text, extern("get", HIGH))
    assert "too much memory" in test.notes[0]
    assert test_pieces.MARKER in test.text


@pytest.mark.parametrize(
    ("text", "decides"),
    [
        ("d->a = x; if (d->a == 5) reach_error();", True),
        ("d->next->a = x; struct s *e = get(); if (e->next->a == 5) reach_error();", True),
        ("d->a = x; struct s c = *d; if (c.a == 5) reach_error();", True),
        ("d->next = (struct s *)(long)x; d->next->a = 1; reach_error();", True),
        ("d->a = x; if (d) reach_error();", False),
    ],
)
def test_what_is_computed_outside_of_c_must_not_decide_behind_such_pointers(
    text: str, decides: bool
) -> None:
    program = program_of_c(
        "struct s { int a; struct s *next; } *get(void); int main(void) { int x;"
        f' __asm__("nop" : "=r"(x)); struct s *d = get(); {text} return 0; }}'
    )
    edges = [e for e in program.functions["main"].edges if isinstance(e.op, Havoc)]
    (asm,) = (e for e in edges if e.op.source is Source.ASM)
    inputs = [
        Input(Source.ASM, asm.op.name, INT, 5, asm.coord),
        *(
            Input(Source.EXTERN, "get", POINTER, HIGH, e.coord)
            for e in program.functions["main"].edges
            if isinstance(e.op, Call)
        ),
        pointer(HIGH + 8, HIGH + 64),
    ]
    found = replay(program, inputs)
    assert isinstance(found, NotReplayed if decides else Confirmed), found
