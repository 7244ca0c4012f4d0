"""The check `uninit`: something that was never written decides something."""

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
    "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);"
    "void *realloc(void *, unsigned long); void *memcpy(void *, const void *, unsigned long);"
    "unsigned long strlen(const char *); char *strcpy(char *, const char *);"
    "struct S { int a, b; }; static int second(struct S s) { return s.b; }"
    "struct n { struct n *next; }; static void set(int *p) { *p = 3; }"
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

# in memory: variables with an address, arrays, records, allocated objects
WRONG_IN_MEMORY = {
    "an element": "int a[3]; a[0] = a[2] = 1; if (a[1]) g = 1;",
    "an element of some index": f"int a[3], i = {INPUT}; a[0] = a[2] = 1; if (a[i + 1]) g = 1;",
    "a member": "struct s { int a, b; } s; s.a = 1; if (s.b) g = 1;",
    "a member of a copy": "struct s { int a, b; } s, t; s.a = 1; t = s; if (t.b) g = 1;",
    "a variable by its address": "int x; h = &x; if (*h) g = 1;",
    "a variable that has an address": "int x; h = &x; if (x) g = 1;",
    "allocated memory": "int *p = malloc(8); p[0] = 1; if (p[1]) g = 1;",
    "a byte of a number": "unsigned char *p = malloc(4); p[0] = p[1] = p[3] = 0; g = *(int *)p;",
    "a copied block": "int a[2], b[2]; a[0] = 1; memcpy(b, a, sizeof a); if (b[1]) g = 1;",
    "a copied element": "int a[2], b[2]; b[0] = a[1]; if (b[0]) g = 1;",
    "through a variable": "int a[2]; int x = a[1]; int y = x + 1; if (y) g = 1;",
    "a pointer": "int **p = malloc(8); g = **p;",
    "a string": "char a[3]; a[0] = 'x'; g = strlen(a);",
    "resized": "int *p = malloc(4); *p = 1; p = realloc(p, 8); if (p[1]) g = 1;",
    "an array of this round": (
        "for (int i = 0; i < 2; i++) { int a[2]; if (i) g = a[0]; a[0] = 1; h = a; }"
    ),
    "a variable that its new value depends on": "struct n *p = malloc(8); p = p->next; g = !p;",
}


@pytest.mark.parametrize("name", WRONG_IN_MEMORY)
def test_memory_that_was_not_written_must_not_decide(name: str) -> None:
    text = error(WRONG_IN_MEMORY[name])
    assert text is not None and "is used and was never written" in text


FINE_IN_MEMORY = {
    "an array with an initialiser": "int a[3] = {1}; if (a[2]) g = 1;",
    "an element": f"int a[2], i = {INPUT}; a[0] = a[1] = 1; if (a[i]) g = 1;",
    "a member": "struct s { int a, b; } s; s.a = 1; if (s.a) g = 1;",
    "a member of a copy": "struct s { int a, b; } s, t; s.a = 1; t = s; if (t.a) g = 1;",
    "a record with padding": (
        "struct s { char a; int b; } s, t; s.a = 1; s.b = 2; memcpy(&t, &s, sizeof s); g = t.b;"
    ),
    "only copied": "int a[2], b[2]; a[0] = 1; b[0] = a[0]; b[1] = a[1]; if (b[0]) g = 1;",
    "copied to a variable": "int a[2]; int x = a[0]; x = 3; if (x) g = 1;",
    "filled": "int a[3]; memset(a, 0, sizeof a); if (a[2]) g = 1;",
    "zeroed": "int *p = calloc(2, 4); if (p[1]) g = 1;",
    "a global": "if (g || h) g = 2;",
    "by its address": "int x; h = &x; *h = 3; if (x) g = 1;",
    "a bit-field": "struct s { int a : 3, b : 4; } s; s.a = 1; if (s.a) g = 1;",
    "not used": f"int a[2], i = {INPUT}; a[0] = 1; if (i > 3 && i < 3 && a[1]) g = 1;",
    "resized": "int *p = malloc(4); *p = 1; p = realloc(p, 8); if (p[0]) g = 1;",
    "a string": 'char a[3]; strcpy(a, "x"); g = strlen(a);',
}


@pytest.mark.parametrize("name", FINE_IN_MEMORY)
@pytest.mark.parametrize("value", [0, 1])
def test_memory_that_was_written_may(name: str, value: int) -> None:
    assert error(FINE_IN_MEMORY[name], value) is None


@pytest.mark.parametrize("name", WRONG_IN_MEMORY)
def test_the_bounded_engine_finds_what_is_wrong(name: str, tmp_path: Path) -> None:
    assert verdict("bounded", WRONG_IN_MEMORY[name], tmp_path) == "FALSE"


def test_a_record_that_is_passed_is_no_proof(tmp_path: Path) -> None:
    # as far as the interpreter tells, all of it is written: there is no replay
    body = "struct S s; s.a = 1; g = second(s);"
    assert verdict("bounded", body, tmp_path) == "UNKNOWN"
    assert verdict("lazy", body, tmp_path) == "UNKNOWN"


@pytest.mark.parametrize("name", FINE_IN_MEMORY)
def test_the_bounded_engine_proves_what_is_fine(name: str, tmp_path: Path) -> None:
    assert verdict("bounded", FINE_IN_MEMORY[name].replace("[i]", "[!!i]"), tmp_path) == "TRUE"


LOOP = f"for (int i = {INPUT}; i > 0; i--) if (%s) g = 1;"
PROVED = {
    "a variable that has an address": "int x; set(&x); " + LOOP % "x",
    "a member of what is allocated once": "struct S *p = malloc(8); p->b = 1; " + LOOP % "p->b",
    "a member of a record": "struct S s; s.b = 1; " + LOOP % "s.b",
    "zeroed": "int *p = calloc(2, 4); " + LOOP % "p[1]",
}
UNPROVED = {
    "a variable that has an address": "int x; h = &x; " + LOOP % "x",
    "a member of what is allocated once": "struct S *p = malloc(8); p->b = 1; " + LOOP % "p->a",
    "a member of a record": "struct S s; s.b = 1; " + LOOP % "s.a",
    "an element": "int a[9]; set(a); " + LOOP % "a[3]",
    "a copy": "struct S s; s.b = 1; struct S t = s; h = &t.a; " + LOOP % "t.a",
}


@pytest.mark.parametrize("engine", ["lazy", "slam", "numpred"])
@pytest.mark.parametrize("name", PROVED)
def test_flags_of_places_prove_loops(name: str, engine: str, tmp_path: Path) -> None:
    assert verdict(engine, PROVED[name], tmp_path) == "TRUE"


@pytest.mark.parametrize("engine", ["lazy", "slam", "numpred", "smg"])
@pytest.mark.parametrize("name", UNPROVED)
def test_no_engine_proves_what_is_wrong(name: str, engine: str, tmp_path: Path) -> None:
    assert verdict(engine, UNPROVED[name], tmp_path) != "TRUE"


def verdict(engine: str, body: str, folder: Path) -> str:
    file = write_c(folder, f"{HEAD} int main(void) {{ {body} return 0; }}")
    return predabs.check([file], checks=("uninit",), engine=engine, timeout=60).verdict.value


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
