"""The check `uninit`: a local variable that was never written decides something."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited
from predabs.spec.checks import add_checks
from predabs.spec.uninitialised import with_flags
from support.c_programs import program_of_c, write_c

INPUT = "__VERIFIER_nondet_int()"
HEAD = (
    "static int none(void) { } int g, *h; static int id(int n) { return n; }"
    "void *memset(void *, int, unsigned long); void free(void *); int printf(const char *, ...);"
)


def error(body: str, *inputs: int) -> str | None:
    program = program_of_c(f"{HEAD} int main(void) {{ {body} return 0; }}")
    found = execute(add_checks(program, frozenset(["uninit"])), ListInputs(inputs))
    if isinstance(found, ErrorReached):
        return found.text
    assert isinstance(found, Exited), found
    return None


WRONG = {
    "a branch": "int x; if (x) g = 1;",
    "a loop": "int n; for (int i = 0; i < n; i++) g = 1;",
    "a switch": "int x; switch (x) { case 3: g = 1; }",
    "a choice": "int x; g = x ? 1 : 2;",
    "an address": "int *p; g = *p;",
    "an address that is written to": "int *p; *p = 1;",
    "an index": "int a[3] = {0}, i; g = a[i];",
    "a size": "unsigned long n; void *p = malloc(n);",
    "a block": "char a[3]; unsigned long n; memset(a, 0, n);",
    "an argument": "int x; g = id(x);",
    "a function": "int (*f)(int); g = f(1);",
    "what is freed": "void *p; free(p);",
    "what is printed": 'int x; printf("%d", x);',
    "what is stored": "int x; g = x;",
    "what is stored in a local that has an address": "int x, y; h = &y; y = x;",
    "the result": "int x; return x;",
    "a copy": "int x; int y = x; if (y) g = 1;",
    "a copy of a copy": "int x, y, z; y = x + 1; z = 2 * y; if (z) g = 1;",
    "only written on the other way": f"int x; if ({INPUT}) x = 1; if (x) g = 1;",
    "a block that is entered again": "for (int i = 0; i < 2; i++) { int x; if (i) g = x; x = 1; }",
    "one of two": f"int x, y = !{INPUT}; if (y && x) g = 1;",
    "chosen": f"int x, y = !{INPUT}, z; z = y ? x : 2; if (z) g = 1;",
    "itself": "int x; x = x + 1; if (x) g = 1;",
    "a pointer that moves itself": "int **p; p = *p;",
    "after another value": f"int x = 1, y; if (!{INPUT}) x = y; if (x) g = 1;",
    "behind a jump": "goto in; { int x = 1; in: if (x) g = 1; }",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_was_not_written_must_not_decide(name: str) -> None:
    text = error(WRONG[name])
    assert text is not None and text.endswith("is used and was never written")


FINE = {
    "not used": "int x;",
    "copied only": "int x; int y = x; y = 3; if (y) g = 1;",
    "written": "int x; x = 1; if (x) g = 1;",
    "an input": f"int x = {INPUT}; if (x) g = 1;",
    "a result": "int x; x = id(3); if (x) g = 1;",
    "written on all ways": f"int x; if ({INPUT}) x = 1; else x = 2; if (x) g = 1;",
    "written when it is used": f"int x, y = {INPUT}; if (y) x = 1; if (y && x) g = 1;",
    "chosen": f"int x, y = {INPUT}, z; if (y) x = 1; z = y ? x : 2; if (z) g = 1;",
    "one of two": f"int x, y = {INPUT}; if (y) x = 1; if (!y || x) g = 1;",
    "written again": "int x, y; x = y; x = 2; if (x) g = 1;",
    "a parameter": "g = id(2);",
    "a result that is missing and not used": "none();",
    "a volatile one": "volatile int x = 1; if (x) g = 1;",
    "another variable of the block": "for (int i = 0; i < 2; i++) { int x; x = i; g = x; }",
    "allocated": "int *p = malloc(4); *p = 1;",
    "a record": "struct s { int a; } s, t; t = s; t.a = 1; g = t.a;",
    "by its address": "int x; h = &x; *h = 3; g = x;",
}


@pytest.mark.parametrize("name", FINE)
@pytest.mark.parametrize("value", [0, 1])
def test_what_was_written_may(name: str, value: int) -> None:
    assert error(FINE[name], value) is None


def test_only_doubtful_variables_get_flags() -> None:
    text = "int main(void) { int x, y; if (%s) x = 1; else x = 2; y = 3; return x + y; }"
    program = program_of_c(text % INPUT)
    assert with_flags(program).functions["main"] is program.functions["main"]


@pytest.mark.parametrize("engine", ["bounded", "lazy", "slam", "numpred"])
def test_all_engines_decide(engine: str, tmp_path: Path) -> None:
    text = f"int main(void) {{ int x, y = {INPUT}; if (y > 3) x = 1; if (y > %s) return x; }}"
    for least, verdict in ((3, "TRUE"), (2, "FALSE")):
        file = write_c(tmp_path, text % least)
        found = predabs.check([file], checks=("uninit",), engine=engine)
        assert found.verdict.value == verdict
        if found.violation is not None:
            assert found.violation.subproperty == "uninit"
