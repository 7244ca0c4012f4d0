"""What C has and predabs has no exact meaning for: any value, from a source that no FALSE rests on,
instead of a refusal; and what nobody reaches is not even read."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.errors import UnsupportedFeature
from predabs.ir.cfa import Program
from predabs.ir.expr import Deref, Var
from predabs.ir.ops import Assume, Call, Havoc, Operation, Source
from predabs.ir.types import UCHAR, ArrayType, size_of
from support.c_programs import program_of_c, write_c

SIZE = "typedef unsigned long size_t;\n"


def operations(program: Program, function: str = "main") -> list[Operation]:
    return [edge.op for edge in program.functions[function].edges]


def inputs(program: Program, source: Source, function: str = "main") -> list[Havoc]:
    found = [op for op in operations(program, function) if isinstance(op, Havoc)]
    return [op for op in found if op.source is source]


# --- scanf ----------------------------------------------------------------------------------------


SSCANF = "int sscanf(const char *, const char *, ...);"


def test_sscanf_writes_the_whole_array() -> None:
    text = SSCANF + 'int main(void) { char b[10]; sscanf("a", "%s", b); return b[0]; }'
    (write,) = inputs(program_of_c(text), Source.UNKNOWN)
    assert isinstance(write.target, Var) and size_of(write.target.type) == 10


def test_a_width_limits_what_sscanf_writes() -> None:
    text = (
        """int main(void) { char b[10]; int n; sscanf("a", "%3s%*d %c%d", b, b, &n); return n; }"""
    )
    found = inputs(program_of_c(SSCANF + text), Source.UNKNOWN)
    assert [size_of(write.target.type) for write in found] == [4, 1, 4]
    assert isinstance(found[0].target, Deref) and found[0].target.type is ArrayType(UCHAR, 4)


def test_what_scanf_reads_is_an_input() -> None:
    text = 'int scanf(const char *, ...);int main(void) { int n; return scanf("%d", &n) + n; }'
    assert [write.name for write in inputs(program_of_c(text), Source.EXTERN)] == ["scanf", "scanf"]


# --- addresses of library functions ---------------------------------------------------------------


def test_a_table_may_hold_library_functions() -> None:
    text = (
        SIZE
        + """
    extern int snprintf(char *, size_t, const char *, ...); extern double erf(double);
    extern int printf(const char *, ...); extern void exit(int);
    struct { int (*s)(char *, size_t, const char *, ...); double (*c)(double);
      int (*p)(const char *, ...); void (*e)(int); } o = {snprintf, erf, printf, exit};
    int main(void) { char b[4]; o.s(b, 4, "x"); o.e(o.p("x")); return o.c(1.0) > b[0]; }"""
    )
    program = program_of_c(text)
    assert inputs(program, Source.FORMATTED, "__predabs_snprintf")
    for name in ("erf", "printf"):
        assert inputs(program, Source.UNKNOWN, f"__predabs_{name}")
    assert program.externals == {}


def test_what_writes_through_further_arguments_has_no_address() -> None:
    text = """extern int sscanf(const char *, const char *, ...);
    int main(void) { int (*f)(const char *, const char *, ...) = sscanf; return f("", ""); }"""
    with pytest.raises(UnsupportedFeature, match="the address of sscanf"):
        program_of_c(text)


# --- builtins, labels and assembly ----------------------------------------------------------------


def test_a_builtin_without_a_model_writes_what_it_is_given() -> None:
    text = "int main(void) { int x = 0; __builtin_nontemporal_store(3, &x); return x; }"
    assert inputs(program_of_c(text), Source.UNKNOWN)


@pytest.mark.parametrize("call", ["__builtin_return_address(0)", "__builtin_frame_address(0)"])
def test_addresses_of_code_and_frames_are_unknown(call: str) -> None:
    assert inputs(program_of_c(f"int main(void) {{ return {call} != 0; }}"), Source.UNKNOWN)


def test_the_address_of_a_label_is_unknown() -> None:
    text = "int main(void) { return ({ __label__ here; here: (unsigned long)&&here; }) != 0; }"
    assert inputs(program_of_c(text), Source.UNKNOWN)


JUMP = '#define JUMP(l) __asm__ goto("" :::: l)\n'


@pytest.mark.parametrize(
    ("statement", "targets"),
    [('asm goto("jmp %l[there]" : : "r"(x) : : there);', 1), ("JUMP(there);", 2)],
)
def test_asm_goto_goes_on_here_or_there(statement: str, targets: int) -> None:
    """In a macro, its target may be any label of the function."""
    text = f"""
    {JUMP} int main(void) {{ int x = 1;
      {statement} {{ int y = 2; x = y; there: x += y; }} other: return x; }}"""
    program = program_of_c(text)
    choices = [op for op in inputs(program, Source.ASM) if op.name == "asm goto"]
    tests = [op for op in operations(program) if isinstance(op, Assume)]
    assert len(choices) == targets and len(tests) == 2 * targets
    # y holds any value there: its declaration was passed over
    skipped = inputs(program, Source.UNINITIALIZED)
    assert [op.name for op in skipped] == ["y"]


def test_other_assembly_goes_on() -> None:
    text = 'int main(void) { int x; asm("" : "=r"(x)); there: return x; }'
    assert [op.name for op in inputs(program_of_c(text), Source.ASM)] == ["asm"]


@pytest.mark.parametrize("text", ['asm(".globl x");', '\n#define A __asm__("nop");\nA\n'])
def test_assembly_outside_of_functions_is_an_assumption(text: str) -> None:
    program = program_of_c(text + "int main(void) { return 0; }")
    (note,) = program.assumptions
    assert "assembly outside of functions" in note


# --- inputs and what is not reached ---------------------------------------------------------------


def test_an_uninitialised_pointer_is_an_input() -> None:
    text = """struct d { int x; }; int probe(struct d *p) { return p->x; }
    int main(void) { struct d *never_set; return probe(never_set); }"""
    program = program_of_c(text)
    (declared,) = inputs(program, Source.UNINITIALIZED)
    assert declared.name == "never_set"
    assert any(isinstance(op, Call) for op in operations(program))


@pytest.mark.parametrize(
    "unused",
    [
        "_Complex double c(_Complex double x) { return x; }",
        "int v(int n) { void *t = &&a; goto *t; a: return n; }",
        'int real(void) { return 1; } int other(void) __attribute__((alias("real")));',
        "__float128 q;",
        "typedef int v4 __attribute__((vector_size(16))); v4 add(v4 a) { return a + a; }",
    ],
)
def test_what_the_entry_cannot_reach_is_not_read(unused: str) -> None:
    program = program_of_c(f"{unused}\nint main(void) {{ return 0; }}")
    assert list(program.functions) == ["main"]


def test_volatile_objects_count_wherever_they_are_declared() -> None:
    """A read through a pointer to volatile is an input if any object is volatile, also one that
    comes to light only after the read."""
    text = """int get(volatile int *p) { return *p; } void later(void) %s
    int main(void) { int x = 3; int y = get(&x); later(); return y; }"""
    assert not inputs(program_of_c(text % "{ int v = 0; v++; }"), Source.VOLATILE, "get")
    assert inputs(program_of_c(text % "{ volatile int v = 0; v++; }"), Source.VOLATILE, "get")


def test_the_address_of_a_frame_may_be_that_of_a_variable(tmp_path: Path) -> None:
    text = (
        "int main(void) { char c; if (__builtin_frame_address(0) == &c) reach_error(); return 0; }"
    )
    result = predabs.check([write_c(tmp_path, text)], jobs=1)
    assert result.verdict is predabs.Answer.UNKNOWN
