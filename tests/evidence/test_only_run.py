"""A program without inputs is decided by its one run, and only such a program is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fuzz.generate import program as random_program

import predabs
from predabs.engines.engine import decide
from predabs.evidence.only_run import OnlyRun, is_deterministic
from predabs.evidence.replay import Confirmed, replay
from predabs.frontend.load import load
from predabs.ir.expr import TRUE
from predabs.ir.ops import Assume
from predabs.ir.types import DataModel
from predabs.options import Budget
from predabs.options.checks import expanded
from predabs.spec.checks import add_checks
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.annotated import Annotated, programs
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import searching, task_of
from support.selection import mostly_long

SECONDS = 20.0
END = 'printf("end %llx\\n", check);'
FILLED = "int a[20000]; int i; for (i = 0; i < 20000; i++) a[i] = i; "

SAFE = {
    "a long loop": "int s = 0; for (int i = 0; i < 50000; i++) s += i; if (s == 7) reach_error();",
    "an array without initial values": FILLED + "for (i = 0; i < 20000; i++)"
    " if (a[i] != i) reach_error();",
    "unwritten values that are only copied": "int a[4], b[4]; b[0] = a[0]; a[1] = 1;"
    " if (a[1] != 1) reach_error();",
    "abort": "abort(); reach_error();",
    "an assumption that fails": "int x = 1; __VERIFIER_assume(x == 2); reach_error();",
    "the heap": "int *p = malloc(8); p[1] = 3; if (p[1] != 3) reach_error(); free(p);",
    "recursion": "if (fib(15) != 610) reach_error();",
}
SILENT = {
    "an input": "if (__VERIFIER_nondet_int() == 77) reach_error();",
    "a late input": FILLED + "if (__VERIFIER_nondet_int() == 77) reach_error();",
    "an unwritten variable": "int x; if (x == 77) reach_error();",
    "an unwritten element": "int a[4]; a[0] = 0; if (a[1] == 77) reach_error();",
    "through a copy": "int a[4], b[4]; b[0] = a[0]; if (b[0] == 77) reach_error();",
    "computed from it": "int x; int y = 2 * x + 1; if (y == 77) reach_error();",
    "the heap holds anything": "int *p = malloc(8); if (p[1] == 77) reach_error();",
    "a size": "unsigned n; char *p = malloc(n % 9); p[5] = 0; reach_error();",
    "a bit-field": "struct { int b : 5; int c; } s; s.c = 1; if (s.b == 7) reach_error();",
    "a record that is passed": "struct pair s; s.a = 1; if (second(s) == 77) reach_error();",
    "a record that is returned": "struct pair s = half(); if (s.b == 77) reach_error();",
    "a record that is copied": "struct pair s, t; s.a = 1; t = s; if (t.b == 77) reach_error();",
    "an address as a number": "int x; if ((unsigned long)&x % 64 == 8) reach_error();",
    "order of addresses": "int x, y; if (&x < &y) reach_error();",
    "a volatile object": "volatile int v = 0; if (v == 77) reach_error();",
    "a fault": "int *p = 0; *p = 1;",
    "no end": "for (;;);",
}


def verdict(body: str, seconds: float = SECONDS) -> Verdict | None:
    text = (
        "struct pair { int a, b; }; int second(struct pair p) { return p.b; }"
        "struct pair half(void) { struct pair p; p.a = 1; return p; }"
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }"
    )
    return OnlyRun(program_of_c(f"{text} int main(void) {{ {body} return 0; }}")).verdict(seconds)


@pytest.mark.parametrize("name", SAFE)
def test_the_only_run_is_a_proof(name: str) -> None:
    assert verdict(SAFE[name]) == Safe()


@pytest.mark.parametrize("name", SILENT)
def test_several_runs_prove_nothing(name: str) -> None:
    found = verdict(SILENT[name], 0.5 if name == "no end" else SECONDS)
    assert not isinstance(found, Safe)


def test_a_violation_replays() -> None:
    program = program_of_c("int main(void) { int a[9]; a[8] = 1; if (a[8]) reach_error(); }")
    found = OnlyRun(program).verdict(SECONDS)
    assert isinstance(found, Unsafe)
    assert isinstance(replay(program, found.inputs), Confirmed)


def test_with_more_time_it_is_tried_again() -> None:
    text = "int main(void) { for (int i = 0; i < 300000; i++); reach_error(); }"
    run = OnlyRun(program_of_c(text))
    assert run.verdict(0.0) is None
    assert isinstance(run.verdict(SECONDS), Unsafe)
    assert run.verdict(SECONDS) is None  # it has had its say


def test_edges_that_may_both_be_taken() -> None:
    program = program_of_c("int main(void) { int x = 1; if (x) x = 2; return x; }")
    assert is_deterministic(program)
    main = program.functions["main"]
    either = tuple(
        replace(edge, op=Assume(TRUE)) if isinstance(edge.op, Assume) else edge
        for edge in main.edges
    )
    assert either != main.edges
    functions = {"main": replace(main, edges=either)}
    assert not is_deterministic(replace(program, functions=functions))


@pytest.mark.parametrize("seed", mostly_long(range(200), 8))
def test_random_programs(seed: int, tmp_path: Path) -> None:
    """The search is asked about the same programs."""
    file = tmp_path / "program.c"
    text = random_program(seed, size=1)
    file.write_text(
        "void reach_error(void);\n" + text.replace(END, f"if (check % 2) reach_error(); {END}")
    )
    program = load([str(file)], DataModel.LP64)
    found = OnlyRun(program).verdict(SECONDS)
    with searching(), counted_time():
        searched = decide("bounded", task_of(program), Budget.of(LONG))
    assert found is None or isinstance(searched, Unknown | type(found))


@pytest.mark.parametrize("program", programs("verdicts"), ids=lambda program: program.name)
def test_no_annotated_program_gets_a_wrong_verdict(program: Annotated) -> None:
    checks = expanded(program.text("check").split())
    loaded = add_checks(load(program.files, DataModel.LP64), checks)
    found = OnlyRun(loaded).verdict(0.5)
    if found is not None:
        assert program.need("verdict").text == ("TRUE" if isinstance(found, Safe) else "FALSE")


_PRINTS = """
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static void print(char *to, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsprintf(to, format, list);
  va_end(list);
}
"""


@pytest.mark.parametrize(
    "body",
    [
        'char s[] = "abcde"; sprintf(s + 3, "X"); if (s[3] == \'X\') reach_error();',
        'char s[9], t[] = "abc"; t[1] = 0; snprintf(s, 9, "%s%d", t, 7);'
        ' if (!strcmp(s, "a7")) reach_error();',
        'int (*f)(char *, const char *, ...) = sprintf; char s[9] = "abc"; f(s, "%.0f", 5.0);'
        " if (s[0] == '5') reach_error();",
    ],
)
def test_what_is_printed_to_memory_is_in_the_slice(body: str, tmp_path: Path) -> None:
    """The interpreter knows the text from the call alone, and the call was left out."""
    assert _checked(body, tmp_path) is predabs.Answer.FALSE


def test_strings_of_a_va_list_may_be_missing_in_a_slice(tmp_path: Path) -> None:
    body = (
        "char s[9], t[] = \"abc\"; t[0] = 'd'; print(s, \"%s\", t); if (s[0] == 'd') reach_error();"
    )
    assert _checked(body, tmp_path) is not predabs.Answer.TRUE


def test_what_nobody_reads_may_leave_its_memory(tmp_path: Path) -> None:
    """The slice has the check of the write, and lacks the call that knows its length."""
    body = 'char *s = malloc(4); sprintf(s, "%s", "abcdefgh"); free(s);'
    assert _checked(body, tmp_path, "deref", engine="bounded") is not predabs.Answer.TRUE


def _checked(body: str, folder: Path, *checks: str, engine: str = "auto") -> predabs.Answer:
    file = folder / "a.c"
    file.write_text(f"{_PRINTS} int main(void) {{ {body} return 0; }}")
    return predabs.check([str(file)], jobs=1, checks=checks, engine=engine).verdict
