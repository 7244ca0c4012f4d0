"""A verdict says that it takes accesses for valid, unless it is plain that they are."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.analysis.facts import ProgramFacts
from predabs.evidence.unchecked import assumed_valid
from support.c_programs import program_of_c, write_c

HEAD = (
    "typedef __SIZE_TYPE__ size_t; void *malloc(size_t); void free(void *); size_t strlen(const "
    "char *); void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t);\n"
    "char *strcpy(char *, const char *);\n"
)


def place(text: str, *checks: str) -> int | None:
    """The line of the first access that may be invalid; the program begins in line 1."""
    program = program_of_c(HEAD + text)
    match assumed_valid(ProgramFacts(program), frozenset(checks)):
        case ():
            return None
        case (line,):
            assert line.startswith("no invalid memory access (first at ")
            return int(line.split(")")[0].rpartition(":")[2]) - 2
    raise AssertionError


VALID = {
    "no pointers": "int main(void) { int x = 1; return x; }",
    "a pointer to a global": "int g; int main(void) { int *p = &g; *p = 1; return *p; }",
    "an element": "int a[4]; int main(void) { int *p = a + 2; return p[1]; }",
    "a counted loop": "int main(void) { int a[9]; for (int i = 0; i < 9; i++) a[i] = i; }",
    "a loop through a pointer": "static int sum(int *p, unsigned n) { int s = 0;"
    " for (unsigned i = 0; i < n && i < 9; i++) s += p[i]; return s; }"
    " int main(void) { int a[9] = {0}; return sum(a, __VERIFIER_nondet_uint()); }",
    "a local for a callee": "static void set(int *p) { *p = 1; }"
    " static int twice(void) { int x; set(&x); return x; } int main(void) { return twice(); }",
    "a member": "struct s { int a, b; } s; static void set(struct s *p) { p->b = 1; }"
    " int main(void) { set(&s); return 0; }",
    "an allocated object": "int main(void) { int *p = malloc(8); p[1] = 1; return 0; }",
    "a null pointer that is looked at": "int g; int main(void) { int *p = 0;"
    " if (__VERIFIER_nondet_int()) p = &g; if (p) *p = 1; return 0; }",
    "a result": "int g; static int *f(void) { return &g; } int main(void) { return *f(); }",
    "a block": "int main(void) { char a[9]; memset(a, 0, sizeof a); return a[0]; }",
    "free of null": "int main(void) { free(0); return 0; }",
    "a fault that no run comes to": "int g; int main(void) { int *p = &g; return *p;\n *p = 2; }",
}


@pytest.mark.parametrize("name", VALID)
def test_nothing_is_assumed_of_what_is_valid(name: str) -> None:
    assert place(VALID[name]) is None


INVALID = {
    "an index": "int a[4];\n int main(void) {\n return a[__VERIFIER_nondet_int()]; }",
    "one past": "int a[4]; int main(void) { int *p = a;\n\n return p[4]; }",
    "before": "int a[4]; int main(void) { int *p = a;\n\n return p[-1]; }",
    "a loop too long": "int a[4]; int main(void) { int *p = a;\n for (int i = 0; i <= 4; i++)\n"
    " p[i] = 0; return 0; }",
    "a loop that moves the pointer": "int a[4]; int main(void) { int *p = a;\n while (p != a + 4)\n"
    " *p++ = 0; return 0; }",
    "null": "int main(void) { int *p = 0;\n\n return *p; }",
    "null, maybe": "int g; int main(void) { int *p = 0; if (__VERIFIER_nondet_int()) p = &g;\n\n"
    " return *p; }",
    "a sum with null": "int g; int main(void) { int *p = 0; if (__VERIFIER_nondet_int()) p = &g;\n"
    " int *q = p + 1; if (q)\n return q[-1]; return 0; }",
    "not set": "int g; int main(void) { int *p; if (__VERIFIER_nondet_int()) p = &g;\n\n"
    " return *p; }",
    "a number": "int g; int main(void) { int *p = &g; if (__VERIFIER_nondet_int()) p = (int *)64;"
    "\n if (p)\n return *p; return 0; }",
    "a parameter of the entry": "int main(int n, char **v)\n {\n return v[0][0]; }",
    "a parameter that is null in one call": "int g; static int f(int *p)\n {\n return *p; }"
    " int main(void) { return f(&g) + f(0); }",
    "a local that is gone": "static int *f(void) { int x = 1; int *p = &x; return p; }\n\n"
    " int main(void) { return *f(); }",
    "a local that is gone, by a global": "int *g; static void f(void) { int x = 1; g = &x; }\n"
    " int main(void) { f();\n return *g; }",
    "a local of a call before": "static int f(int again) { static int *old; int x = 1; if (again)\n"
    "\n return *old; old = &x; return 0; } int main(void) { f(0); return f(1); }",
    "freed": "int main(void) { int *p = malloc(4);\n\n free(p); return 0; }",
    "used after it was freed": "int main(void) { int *p = malloc(4); for (;;) {\n"
    "\n *p = 1;\n free(p); } }",
    "an object that is too small": "int main(void) { char *p = malloc(4);\n int *q = (int *)p;\n"
    " return q[1]; }",
    "a size that is an input": "int main(void) { char *p = malloc(__VERIFIER_nondet_uint());\n\n"
    " return p[1]; }",
    "a block too large": "int main(void) { char a[4], b[8];\n memset(b, 0, 8);\n memcpy(a, b, 8);"
    " return a[0]; }",
    "a string literal": 'int main(void) { char *p = "x";\n\n p[0] = 1; return 0; }',
    "a model, at its call": 'int main(void) { char a[4];\n\n strcpy(a, "hello"); return 0; }',
}


@pytest.mark.parametrize("name", INVALID)
def test_what_may_be_invalid_is_assumed_not_to_be_with_its_place(name: str) -> None:
    assert place(INVALID[name]) == 3


def test_what_is_checked_is_not_assumed() -> None:
    read, freed = INVALID["null"], INVALID["freed"]
    assert place(read, "deref") is None
    assert place(read, "free") == place(freed, "deref") == 3
    assert place(freed, "free", "deref") is None


def test_a_proof_says_so_and_the_check_finds_it(tmp_path: Path) -> None:
    text = "int main(void) { int x = 0, *p = 0;\n if (__VERIFIER_nondet_int()) *p = 1;\n"
    text += " if (x) reach_error(); return 0; }"
    file = write_c(tmp_path, text)
    result = predabs.check([file])
    assert result.verdict.value == "TRUE"
    (line,) = [line for line in result.all_assumptions() if "invalid memory access" in line]
    assert f"{file}:" in line
    assert predabs.check([file], checks=("memory",)).verdict.value == "FALSE"
