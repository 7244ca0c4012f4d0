"""C tests: compiled with the program they reach the error, or say what they cannot force."""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from predabs.concrete.inputs import RecordingInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Value
from predabs.evidence import native_run
from predabs.evidence.native_run import NativeRun, run_test
from predabs.evidence.replay import Confirmed, replay
from predabs.evidence.testcase import CTest, c_test
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, Program
from predabs.ir.ops import Source
from predabs.ir.types import UCHAR, ArrayType, DataModel, ScalarType, Type
from predabs.spec.checks import add_checks
from predabs.supervise import ChildFinished, ProcessLimits, Send, supervise
from predabs.verdict import Input
from support.c_programs import write_c
from support.compilers import builds, needs_compiler
from support.processes import is_alive, soon


class Everything:
    """Gives the values in order, whoever asks; then zeros."""

    def __init__(self, values: Iterable[Value]) -> None:
        self._values = iter(list(values))

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        value = next(self._values, 0)
        assert not isinstance(value, bytes)
        return value

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        value = next(self._values, b"")
        assert isinstance(value, bytes)
        return value.ljust(size, b"\0")

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        return next(self._values, 0)


def confirmed(program: Program, values: Iterable[Value]) -> Confirmed:
    recording = RecordingInputs(Everything(values))
    execute(program, recording)
    start = program.functions[program.entry].coord
    inputs = [
        Input(t.source, t.name, t.type or ArrayType(UCHAR, 0), t.value, t.coord or start)
        for t in recording.taken
    ]
    found = replay(program, inputs)
    assert isinstance(found, Confirmed), found
    return found


def made(
    folder: Path,
    text: str,
    *values: Value,
    model: DataModel = DataModel.LP64,
    entry: str = "main",
) -> tuple[CTest, NativeRun]:
    """The test for the run with these inputs, and what became of it."""
    file = write_c(folder, text)
    program = load([file], model, entry)
    test = c_test(program, confirmed(program, values))
    out = folder / "out.c"
    out.write_text(test.text)
    return test, run_test(test, out, [file])


def reaches(folder: Path, text: str, *values: Value, entry: str = "main") -> CTest:
    test, run = made(folder, text, *values, entry=entry)
    assert run == NativeRun(True, "reached")
    return test


@needs_compiler
def test_results_of_several_functions_in_one_sequence(tmp_path: Path) -> None:
    reaches(
        tmp_path,
        "char __VERIFIER_nondet_char(void); _Bool __VERIFIER_nondet_bool(void);"
        "unsigned long __VERIFIER_nondet_ulong(void); double __VERIFIER_nondet_double(void);"
        "float __VERIFIER_nondet_float(void); short __VERIFIER_nondet_short(void);"
        "void *__VERIFIER_nondet_pointer(void);"
        "int main(void) { int a = __VERIFIER_nondet_int(); char c = __VERIFIER_nondet_char();"
        "_Bool t = __VERIFIER_nondet_bool(); unsigned long u = __VERIFIER_nondet_ulong();"
        "int b = __VERIFIER_nondet_int(); double d = __VERIFIER_nondet_double();"
        "float f = __VERIFIER_nondet_float(); short s = __VERIFIER_nondet_short();"
        "void *p = __VERIFIER_nondet_pointer();"
        "if (a == -7 && c == -3 && t && u == 18446744073709551615ul && b == 8 && d == 0.1"
        " && f == 2.5f && s == -2 && p == (void *)4660) __VERIFIER_error(); return 0; }",
        *(-7, -3, 1, (1 << 64) - 1, 8, 0.1, 2.5, -2, 4660),
    )


@needs_compiler
def test_functions_without_a_body_also_when_their_result_is_not_used(tmp_path: Path) -> None:
    reaches(
        tmp_path,
        "int get(int, char *); void note(const char *, ...); struct s { int a; char b[30]; };"
        "struct s make(void); struct t { short x, y; } small(void);"
        'int main(void) { note("%d", 1); get(1, 0); int x = get(2, 0);'
        "get(3, 0); int y = get(4, 0);"
        "struct s s = make(); struct t t = small();"
        "if (x == 5 && y == 6 && s.a == 258 && t.y == 3) __VERIFIER_error(); return 0; }",
        *(5, 6, bytes([2, 1, 0, 0]), bytes([9, 0, 3, 0])),
    )


@needs_compiler
def test_variables_without_a_definition(tmp_path: Path) -> None:
    reaches(
        tmp_path,
        "extern int limit; extern struct { char a; int b; } config;"
        "int main(void) { if (limit == 77 && config.b == 3) __VERIFIER_error(); return 0; }",
        *(77, bytes([0, 0, 0, 0, 3, 0, 0, 0])),
    )


@needs_compiler
def test_contents_of_allocated_memory(tmp_path: Path) -> None:
    reaches(
        tmp_path,
        "void free(void *); int main(void) { int *p = malloc(12); int *q = malloc(4);"
        "if (p[2] == 7 && q[0] == 1) { free(p); p = malloc(12);"
        "if (p[0] == 0) __VERIFIER_error(); } return 0; }",
        *(bytes([0] * 8 + [7]), bytes([1]), b""),
    )


@needs_compiler
def test_uninitialised_variables_are_zero(tmp_path: Path) -> None:
    test = reaches(
        tmp_path,
        "void fill(void) { volatile int t[40]; for (int i = 0; i < 40; i++) t[i] = 7; }"
        "int use(void) { int x[30]; return x[3]; }"
        "int main(void) { fill(); if (use() == 0) __VERIFIER_error(); return 0; }",
    )
    assert not test.notes and not test.presets


@needs_compiler
def test_a_copy_of_the_program_gives_uninitialised_variables_their_values(tmp_path: Path) -> None:
    test, run = made(
        tmp_path,
        """int main(void) {
          int n = 3; const char *s = "a;b"; /* ; */
          int x, *p = &n, y; struct { char c; int v[2]; } z; int v[n];
          int sum = 0;
          for (int i = 0; i < 2; i++) { int k; sum = 10 * sum + k; }
          if (x == 77 && y == -5 && z.v[1] == 258 && v[2] == 9 && sum == 34) __VERIFIER_error();
          return 0;
        }""",
        *(77, -5, bytes([0] * 8 + [2, 1]), bytes([0] * 8 + [9]), 3, 4),
    )
    assert run == NativeRun(True, "reached, with values put into uninitialised variables")
    assert len(test.presets) == 5
    assert any("x is not initialised; the run has 77 there" in note for note in test.notes)


@needs_compiler
def test_a_place_where_nothing_can_be_inserted_is_told(tmp_path: Path) -> None:
    test, run = made(
        tmp_path,
        "int main(void) { for (int i; i == 5; ) { __VERIFIER_error(); } return 0; }",
        5,
    )
    assert not test.presets and "i is not initialised" in test.notes[0]
    assert run.reached is False


@needs_compiler
def test_parameters_and_another_entry(tmp_path: Path) -> None:
    reaches(
        tmp_path,
        "int main(int argc, char **argv) { if (argc == 17) __VERIFIER_error(); return 0; }",
        *(17, 0),
    )
    reaches(
        tmp_path,
        "void start(unsigned char c, double d) { if (c == 200 && d == 0.5) __VERIFIER_error(); }"
        "int main(void) { return 1; }",
        *(200, 0.5),
        entry="start",
    )


@needs_compiler
@pytest.mark.parametrize(
    "definition",
    [
        "void reach_error(void) { }",
        'void reach_error() { __assert_fail("0", "a.c", 3, "reach_error"); }',
        "void abort(void); void reach_error(void) __attribute__((noinline)); void reach_error(void)"
        " { abort(); }",
    ],
)
def test_an_error_function_that_the_program_defines(tmp_path: Path, definition: str) -> None:
    reaches(tmp_path, f"{definition}\nint main(void) {{ reach_error(); return 0; }}")


@needs_compiler
def test_assertions(tmp_path: Path) -> None:
    reaches(
        tmp_path,
        "\n#include <assert.h>\nint main(void) { assert(__VERIFIER_nondet_int() != 3); return 0; }",
        3,
    )


@needs_compiler
def test_assumptions_hold_on_the_way(tmp_path: Path) -> None:
    body = "int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 4); reach_error();"
    reaches(tmp_path, f"int main(void) {{ {body} }}", 5)


@needs_compiler
def test_inline_functions_have_definitions(tmp_path: Path) -> None:
    reaches(
        tmp_path,
        "inline int one(void) { return 1; } extern __inline int two(void) { return 2; }"
        "static inline int three(void) { return 3; }"
        "int main(void) { if (one() + two() == three()) reach_error(); return 0; }",
    )


@needs_compiler
def test_an_option_that_the_compiler_does_not_know_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_run, "_INITIALISED", "-fno-such-option")
    (tmp_path / "p.c").write_text("int main(void) { return 3; }")
    (tmp_path / "t.c").write_text("")
    test = CTest("", ("-w", "-fno-such-option"), (), (), True)
    assert run_test(test, tmp_path / "t.c", [str(tmp_path / "p.c")]).reached is False


@needs_compiler
def test_functions_that_are_not_called_may_lack_anything(tmp_path: Path) -> None:
    reaches(
        tmp_path,
        "void missing(int); extern int nowhere; void unused(void) { missing(nowhere); }"
        "int main(void) { reach_error(); return 0; }",
    )


@pytest.mark.skipif(not builds("-m32"), reason="no C compiler for 32-bit programs here")
def test_the_other_data_model(tmp_path: Path) -> None:
    _, run = made(
        tmp_path,
        "int main(void) { long x = __VERIFIER_nondet_long(); long long get(void);"
        "if (sizeof(long) == 4 && x == -5 && get() == 1LL << 40) reach_error(); return 0; }",
        *(-5, 1 << 40),
        model=DataModel.ILP32,
    )
    assert run == NativeRun(True, "reached")


@needs_compiler
def test_a_run_that_leaves_the_recorded_one_is_told(tmp_path: Path) -> None:
    # C leaves open in which order arguments are evaluated; the compiler may go right to left
    text = (
        "int one(void); int two(void); int f(int a, int b) { return a == 1 && b == 2; }"
        "int main(void) { if (f(one(), two())) reach_error(); return 0; }"
    )
    _, run = made(tmp_path, text, 1, 2)
    assert run.reached is True or "other functions" in run.text


def test_a_fault_that_cannot_be_seen_is_not_run(tmp_path: Path) -> None:
    file = write_c(tmp_path, "int main(void) { char c = __VERIFIER_nondet_int(); return c; }")
    program = add_checks(load([file]), frozenset(["conversion"]))
    test = c_test(program, confirmed(program, [1000]))
    run = run_test(test, tmp_path / "out.c", [file])
    assert run.reached is None and "does not show" in run.text


def test_without_a_compiler_the_test_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_run, "COMPILERS", ("no-such-compiler",))
    _, run = made(tmp_path, "int main(void) { reach_error(); return 0; }")
    assert run == NativeRun(None, "not run: no C compiler (no-such-compiler) was found")


def test_the_comment_at_the_top_tells_how_to_use_it(tmp_path: Path) -> None:
    file = write_c(tmp_path, "int main(void) { reach_error(); return 0; }")
    program = load([file], DataModel.ILP32)
    test = c_test(program, confirmed(program, []), ["-Iinclude", "-DX=a b"])
    assert f"cc -Iinclude '-DX=a b' -x c -w -fwrapv -m32 {file} THIS_FILE.c -lm" in test.text
    assert "reach_error() is called" in test.text.splitlines()[1]


# --- limits ---------------------------------------------------------------------------------------


def hand_made(folder: Path, text: str) -> NativeRun:
    """What becomes of a test that is not ours."""
    program, test = folder / "p.c", folder / "t.c"
    program.write_text(text)
    test.write_text("")
    return run_test(CTest("", ("-w",), (), (), True), test, [str(program)])


@needs_compiler
def test_an_endless_test_is_ended_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is as long as it takes on this machine to start the test."""
    mark = tmp_path / "pid"
    text = (
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) { if (fork()) for (;;) sleep(1);"
        f'FILE *f = fopen("{mark}", "w"); fprintf(f, "%d", getpid()); fclose(f);'
        "for (;;) sleep(1); }"
    )
    for seconds in (1, 10, 100):
        monkeypatch.setattr(native_run, "_RUN_SECONDS", seconds)
        run = hand_made(tmp_path, text)
        assert run == NativeRun(False, f"not reached: no end within {seconds} s")
        if mark.exists() and mark.read_text():
            break
    pid = int(mark.read_text())
    assert soon(lambda: not is_alive(pid)), "a process of the test is left"


@needs_compiler
def test_large_files_and_crashes_are_stopped(tmp_path: Path) -> None:
    assert hand_made(tmp_path, "int main(void) { *(volatile int *)0 = 1; }") == NativeRun(
        False, "not reached: ended by SIGSEGV"
    )
    run = hand_made(
        tmp_path,
        '#include <stdio.h>\nint main(void) { FILE *f = fopen("big", "w");'
        'for (int i = 0; i < 30000; i++) fprintf(f, "%01000d", i); fclose(f); return 0; }',
    )
    assert run == NativeRun(False, "not reached: ended by SIGXFSZ")


@needs_compiler
def test_a_limit_that_is_in_force_already_stays(tmp_path: Path) -> None:
    def work(send: Send) -> NativeRun:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        return hand_made(tmp_path, "int main(void) { return 3; }")

    assert supervise(work, ProcessLimits()) == ChildFinished(
        NativeRun(False, "not reached: ended with exit code 3")
    )


@needs_compiler
def test_nothing_is_left_in_the_folder_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    assert hand_made(tmp_path, "int main(void) { return 3; }").text.endswith("exit code 3")
    assert os.listdir(scratch) == []


@needs_compiler
def test_an_exit_code_alone_proves_nothing(tmp_path: Path) -> None:
    assert hand_made(tmp_path, "int main(void) { return 113; }").reached is False


@needs_compiler
def test_what_does_not_compile_is_told(tmp_path: Path) -> None:
    run = hand_made(tmp_path, "int main(void) { return nothing_here }")
    assert run.reached is None and "does not compile" in run.text and "error" in run.text
