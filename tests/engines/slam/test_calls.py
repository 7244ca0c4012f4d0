"""Calls as the slam engine sees them: small programs with what it must say of each, and pairs of
which one is safe and the other is not."""

from __future__ import annotations

import pytest

from support.slam_setup import searched

SAFE = {
    "a result": """int id(int x) { return x; } int add(int x, int y) { return x + y; }
        int main(void) { if (add(id(1), id(2)) != 3) reach_error(); return 0; }""",
    "one after the other": """int f(int x) { return x + 1; }
        int main(void) { int x = 0; x = f(x); x = f(x); if (x != 2) reach_error(); return 0; }""",
    "a narrow result": """unsigned char f(int c) { return c; }
        int main(void) { if (f(__VERIFIER_nondet_int()) > 255) reach_error(); return 0; }""",
    "a global and a local": """int g; void f(void) { g = g + 1; } int main(void) {
        int x = __VERIFIER_nondet_int(); g = x; f(); if (g != x + 1) reach_error(); return 0; }""",
    "a global as the target": """int g; int f(void) { g = 1; return 5; }
        int main(void) { g = f(); if (g == 1) reach_error(); return 0; }""",
    "where the result goes is settled before the call": """int a, b; int *p = &a;
        int f(void) { p = &b; return 3; }
        int main(void) { *p = f(); if (a != 3) reach_error(); return 0; }""",
    "two places": """void f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) reach_error(); }
        int main(void) { int x, y; f(&x, &y); f(&y, &x); return 0; }""",
    "a parameter and a global of one name": """int x; int f(int x) { x = x + 1; return x; }
        int k(void) { x = x + 1; return x; } int main(void) {
        x = 1; int a = f(5), b = k(); if (a != 6 || b != 2 || x != 2) reach_error(); return 0; }""",
    "the entry function calls itself": """int g; int main(void) {
        if (g > 2) reach_error(); g++; if (g < 3) return main(); return 0; }""",
    "nobody returns": """void exit(int); int f(int n) { if (n > 3) exit(0); return f(n + 1); }
        int main(void) { f(0); reach_error(); return 0; }""",
    "a table of functions": """int a(int x) { return x + 1; } int b(int x) { return x - 1; }
        int (*t[2])(int) = {a, b}; int main(void) {
        if (t[__VERIFIER_nondet_int() & 1](1) == 1) reach_error(); return 0; }""",
    "a struct as an argument": """struct s { int a, b; };
        int f(struct s x) { x.a = x.b; return x.a; }
        int main(void) { struct s t; t.a = 1; t.b = 2; int u = f(t);
        if (u != 2 || t.a != 1) reach_error(); return 0; }""",
    "a parameter of another call": """int *gp; int f(int n) {
        if (n == 0) { if (*gp != 1) reach_error(); return 0; } gp = &n; return f(n - 1); }
        int main(void) { return f(1); }""",
    "allocated inside": """int *mk(int v) { int *p = malloc(4); *p = v; return p; }
        int main(void) { int *a = mk(1); int *b = mk(2); if (*b != 2) reach_error(); return 0; }""",
}

UNSAFE = {
    "where the result goes": """int a, b; int *p = &a; int f(void) { p = &b; return 3; }
        int main(void) { *p = f(); if (b != 3) reach_error(); return 0; }""",
    "which element the result goes to": """int a[3]; int i; int f(void) { i = 1; return 3; }
        int main(void) { a[i] = f(); if (a[0] == 3) reach_error(); return 0; }""",
    "one place twice": """void f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) reach_error(); }
        int main(void) { int x, y; f(&x, &y); f(&x, &x); return 0; }""",
    "a narrow argument": """int f(unsigned char c) { return c; } int main(void) {
        int x = __VERIFIER_nondet_int(); if (f(x) != x) reach_error(); return 0; }""",
    "wrap-around": """int inc(int x) { return x + 1; } int main(void) {
        int x = __VERIFIER_nondet_int(); if (inc(x) <= x) reach_error(); return 0; }""",
    "wrap-around in a recursion": """int add(int x, int y) { return y ? add(x + 1, y - 1) : x; }
        int main(void) { if (add(2147483647, 1) < 0) reach_error(); return 0; }""",
    "a global and a local": """int g; void f(int *p) { *p = *p + 1; g = *p; } int main(void) {
        int x = 0; f(&x); f(&x); if (g == 2 && x == 2) reach_error(); return 0; }""",
    "two inputs of one function": """int n(void) { return __VERIFIER_nondet_int(); }
        int main(void) { int x = n(), y = n(); if (x == 1 && y == 2) reach_error(); return 0; }""",
    "a variable of each call": """int f(int n) { int x; if (n == 0) return x;
        int y = f(n - 1); return x - y; }
        int main(void) { if (f(1) == 3) reach_error(); return 0; }""",
    "the entry function calls itself": """int g; int main(void) {
        if (g == 2) reach_error(); g++; main(); return 0; }""",
    "somebody returns": """void exit(int); int f(int n) {
        if (n > 3) exit(0); if (__VERIFIER_nondet_int()) return 0; return f(n + 1); }
        int main(void) { f(0); reach_error(); return 0; }""",
    "a table of functions": """int a(int x) { return x + 1; } int b(int x) { return x - 1; }
        int (*t[2])(int) = {a, b}; int main(void) {
        if (t[__VERIFIER_nondet_int() & 1](1) == 0) reach_error(); return 0; }""",
    "a pointer to a function changes": """int a(void) { return 1; } int b(void) { return 2; }
        int (*f)(void) = a; void c(void) { f = b; }
        int main(void) { c(); if (f() == 2) reach_error(); return 0; }""",
    "no result": """int f(int x) { if (x) return 1; } int main(void) {
        int y = f(__VERIFIER_nondet_int()); if (y == 5) reach_error(); return 0; }""",
    "a pointer is set": """void f(int **pp, int *q) { *pp = q; } int main(void) {
        int x = 1, y = 2; int *p = &x; f(&p, &y); *p = 3;
        if (y == 3 && x == 1) reach_error(); return 0; }""",
    "bytes": """void f(char *p) { p[0] = 1; } int main(void) {
        int x = 256; f((char *)&x); if (x == 257) reach_error(); return 0; }""",
    "a recursion with two results": """int odd(unsigned);
        int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
        int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
        int main(void) { if (odd(3)) reach_error(); return 0; }""",
}

# each call has variables of its own, at addresses of their own
EACH_CALL = {
    "the inner one stays": """int f(int *p, int n) { int x = 0; if (n == 0) return f(&x, 1);
        *p = 5; if (x == 0) reach_error(); return 0; }
        int main(void) { int y; f(&y, 0); return 0; }""",
    "the outer one changes": """int f(int *p, int n) { int x = 0;
        if (n == 0) { f(&x, 1); if (x == 5) reach_error(); return 0; } *p = 5; return 0; }
        int main(void) { int y; f(&y, 0); return 0; }""",
    "through a global": """int *gp; int f(int n) { int x = n; if (n == 0) { *gp = 7; return x; }
        gp = &x; f(n - 1); if (x == 7) reach_error(); return 0; }
        int main(void) { return f(1); }""",
    "a parameter": """int *gp;
        int f(int n) { if (n == 0) { if (*gp == 1) reach_error(); return 0; }
        gp = &n; return f(n - 1); } int main(void) { return f(1); }""",
    "addresses": """int *gp;
        int f(int n) { int x; if (n == 0) { if (gp != &x) reach_error(); return 0; }
        gp = &x; return f(n - 1); } int main(void) { return f(1); }""",
}

# Horn clauses know one address of x, and so the predicates that come from them do; whether the bug
# is found depends on what Spacer finds in its time
ADDRESSES = {
    "addresses as numbers": """int *gp;
        int id(int n) { if (n == 0) return 0; return 1 + id(n - 1); }
        void f(int n) { int x; if (n == 0) {
          if (gp != &x) { if (id(2) == 3) reach_error(); if (id(1) == 1) reach_error(); } return; }
        gp = &x; f(n - 1); } int main(void) { f(1); return 0; }""",
    "one call after the other": """int *gp;
        int id(int n) { if (n == 0) return 0; return 1 + id(n - 1); }
        void f(int n) { int x; if (n == 0) {
          if (gp != &x) { if (id(2) == 3) reach_error(); if (id(1) == 1) reach_error(); } return; }
        gp = &x; } int main(void) { f(1); f(0); return 0; }""",
    "the order of addresses": """int *gp;
        int id(int n) { if (n == 0) return 0; return 1 + id(n - 1); }
        void f(int n) { int x; if (n == 0) { if (gp < &x) if (id(2) == 2) reach_error(); return; }
        gp = &x; f(n - 1); }
        int main(void) { int r = id(2); if (r != 2) reach_error(); f(1); return 0; }""",
}


@pytest.mark.parametrize("name", SAFE)
def test_safe(name: str) -> None:
    found = searched(SAFE[name])
    assert found.kind == "Safe", found.verdict


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe(name: str) -> None:
    found = searched(UNSAFE[name])
    assert found.kind == "Unsafe", found.verdict


@pytest.mark.parametrize("name", EACH_CALL)
def test_each_call_has_its_own_variables(name: str) -> None:
    found = searched(EACH_CALL[name])
    assert found.kind == "Unsafe", found.verdict


@pytest.mark.parametrize("name", ADDRESSES)
def test_addresses_are_no_numbers(name: str) -> None:
    assert searched(ADDRESSES[name]).kind != "Safe"


def test_a_struct_gets_no_symbolic_constant() -> None:
    """It was an internal error to ask for one."""
    text = """struct s { int k; } s; int f(int a) { int r = a + s.k; return r; }
        int main(void) { int t = f(1); if (t != 1) reach_error(); return 0; }"""
    assert searched(text).kind == "Safe"
