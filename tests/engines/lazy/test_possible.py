"""Programs whose error can be reached, each in a way that formulas or the tree could miss."""

from __future__ import annotations

import pytest

from predabs.evidence.replay import NotReplayed, replay
from predabs.options import Budget, Options
from predabs.verdict import Unsafe
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import checked

# declarations, and what main does
POSSIBLE = {
    "a local that was not written": (
        "int f(int set) { int n; if (set) n = 5; return n; }",
        "f(1); if (f(0) == 4) reach_error();",
    ),
    "an array that was not written": (
        "int f(int set) { int b[2], i = set & 1; if (set) b[i] = 5; return b[i]; }",
        "f(1); if (f(0) == 4) reach_error();",
    ),
    "a local in memory that was not written": (
        "void g(int *p, int v) { *p = v; } int f(int set) { int n; if (set) g(&n, 5); return n; }",
        "f(1); if (f(0) == 4) reach_error();",
    ),
    "a member that was not written": (
        "struct s { int a, b; }; int f(int set) { struct s s; if (set) s.a = 5; return s.a; }",
        "f(1); if (f(0) == 4) reach_error();",
    ),
    "a variable is new in each round": (
        "",
        """int s = 0; for (int i = 0; i < 3; i++) { int n; if (i == 0) n = 5; s = n; }
        if (s == 4) reach_error();""",
    ),
    "a jump back over a declaration": (
        "",
        """int s = 0, i = 0; again: ; int n; if (i == 0) n = 5; s = n; i++; if (i < 3) goto again;
        if (s == 4) reach_error();""",
    ),
    "allocated memory holds anything": (
        "",
        "int *p = malloc(4); *p = 5; p = malloc(4); if (*p == 4) reach_error();",
    ),
    "a variable from outside": ("extern int e;", "if (e == 4) reach_error();"),
    "a static local": (
        "int f(void) { static int n; return ++n; }",
        "f(); f(); if (f() == 3) reach_error();",
    ),
    "a volatile variable": ("volatile int v;", "int a = v, b = v; if (a != b) reach_error();"),
    "a function without a body": (
        "int g(int);",
        "int a = g(1), b = g(1); while (__VERIFIER_nondet_int()) ; if (a != b) reach_error();",
    ),
    "a pointer to a function that may be null": (
        "int x; void f(void) { x = 1; } void (*h)(void);",
        "if (__VERIFIER_nondet_int()) h = f; if (h) h(); if (x == 1) reach_error();",
    ),
    "a loop at the start": ("int n;", "while (n < 3) n++; reach_error();"),
    "a loop at the start, with the error inside": (
        "int n;",
        "do { n++; if (n == 2) reach_error(); } while (__VERIFIER_nondet_int());",
    ),
    "a jump back to the start": ("int n;", "again: if (n++ < 3) goto again; reach_error();"),
    "a loop in a call in the first loop": (
        "int x; int f(int n) { int r = 0; while (n > 1) { n--; r = 1; } return r; }",
        "do { if (f(x)) reach_error(); x++; } while (x < 3);",
    ),
    "a jump into a loop": (
        "",
        """int x = 0; if (__VERIFIER_nondet_int()) goto in;
        while (x < 4) { x++; in: x = x + 2; if (x == 5) reach_error(); }""",
    ),
    "a switch in a loop": (
        "",
        """int s = 0, n = 0; while (1) switch (s) { case 0: s = 1; break;
        case 1: n++; s = n > 1 ? 2 : 0; break; case 2: reach_error(); }""",
    ),
    "two numbers that meet": (
        "",
        """int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
        while (a != b) { if (a > b) a--; else b--; if (a == 3 && b == 3) reach_error(); }""",
    ),
    "one of two calls": (
        "int f(int n) { return n - 10; } int g(int n) { return n + 1; }",
        """int x = __VERIFIER_nondet_int(); while (__VERIFIER_nondet_int()) x = x > 0 ? f(x) : g(x);
        if (x == -7) reach_error();""",
    ),
    "records as results": (
        "struct s { int x, y; }; struct s f(int n) { struct s r; r.x = n; r.y = 2 * n; return r; }",
        """struct s a = f(1), b = f(2); while (__VERIFIER_nondet_int()) ;
        if (a.x + b.x == 3 && b.y == 4) reach_error();""",
    ),
    "two variables behind one parameter": (
        "void inc(int *p) { ++*p; }",
        """int a = 0, b = 0; while (__VERIFIER_nondet_int()) inc(__VERIFIER_nondet_int() ? &a : &b);
        if (a == 2 && b == 1) reach_error();""",
    ),
    "equal pointers": (
        "",
        """int a, *p = &a, *q = __VERIFIER_nondet_int() ? p : 0; while (__VERIFIER_nondet_int()) ;
        if (p == q) reach_error();""",
    ),
    "a list": (
        "struct n { int v; struct n *next; };",
        """struct n *h = 0; int k = 0; while (__VERIFIER_nondet_int() && k < 2) {
        struct n *t = malloc(sizeof *t); t->v = k++; t->next = h; h = t; }
        if (h && h->next && h->v + h->next->v == 1) reach_error();""",
    ),
    "a hidden variable": (
        "int g; int f(int n) { g = n; { int n = 9; g += n - 9; } return n; }",
        "int n = f(3); while (__VERIFIER_nondet_int()) ; if (n == 3 && g == 3) reach_error();",
    ),
    "an unsigned number wraps around": (
        "",
        """unsigned x = __VERIFIER_nondet_uint(), y = x + 1; while (__VERIFIER_nondet_int()) ;
        if (y < x) reach_error();""",
    ),
    "a signed number wraps around": (
        "",
        "int x = 2147483647; if (__VERIFIER_nondet_int()) x++; if (x < 0) reach_error();",
    ),
    "a character wraps around": (
        "",
        """unsigned char c = 254; while (__VERIFIER_nondet_int()) c++;
        if (c == 1) reach_error();""",
    ),
    "a bit-field wraps around": (
        "",
        """struct { unsigned a : 3; } s; s.a = 6; while (__VERIFIER_nondet_int()) s.a++;
        if (s.a == 0) reach_error();""",
    ),
    "bytes of a number": (
        "",
        """union { int i; unsigned char c[4]; } u; u.i = 0x01020304;
        while (__VERIFIER_nondet_int()) ; if (u.c[1] == 3) reach_error();""",
    ),
}


@pytest.mark.parametrize("block", ["loop", "basic"])
@pytest.mark.parametrize("name", POSSIBLE)
def test_the_error_is_found(name: str, block: str) -> None:
    declarations, body = POSSIBLE[name]
    program = program_of_c(f"{declarations} int main(void) {{ {body} return 0; }}")
    options = Options(block=block)
    with counted_time():
        verdict = checked("lazy", program, options, Budget.of(LONG))
    assert isinstance(verdict, Unsafe)
    assert not isinstance(replay(program, verdict.inputs), NotReplayed)
