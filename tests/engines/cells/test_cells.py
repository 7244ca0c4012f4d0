"""The cells engine: proofs about all elements and all nodes, and no proof of what a run refutes."""

from __future__ import annotations

import pytest

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.engines.engine import decide
from predabs.evidence.invariants import loop_invariants
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown, Verdict
from support.c_programs import program_of_c
from support.engine_checks import task_of

HEAD = """
void *calloc(unsigned long, unsigned long); void free(void *);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
struct node { int v; struct node *next; int w; };
struct pair { int one, two; };
int alike; int global_alike(void) { return alike; }
void fill(int *a, int n, int v) { for (int i = 0; i < n; i++) a[i] = v; }
int filled(int *a, int n, int v) { for (int i = 0; i < n; i++) if (a[i] != v) return 0; return 1; }
int input(void) { return __VERIFIER_nondet_int(); }
"""
FILLED = "for (i = 0; i < n; i++) a[i] = 42;"
LIST = "while (input()) { p = malloc(sizeof *p); p->v = 1; p->w = 0; p->next = l; l = p; }"
EACH = "for (p = l; p; p = p->next)"

# what is proved: declarations and statements
SAFE = {
    "filled": "int i, n = 100000, a[100000]; "
    + FILLED
    + " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
    "variable length": "int i, n = input(); if (n < 1 || n > 1000) return 0; int a[n]; "
    + FILLED
    + " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
    "on the heap": "int i, n = input(); if (n < 1 || n > 1000) return 0;"
    " int *a = malloc(n * sizeof(int)); "
    + FILLED
    + " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
    "copied": "int i, a[500], b[500]; for (i = 0; i < 500; i++) a[i] = input();"
    " for (i = 0; i < 500; i++) b[i] = a[i];"
    " for (i = 0; i < 500; i++) if (a[i] != b[i]) reach_error();",
    "turned": "int i, a[500], b[500]; for (i = 0; i < 500; i++) b[i] = a[499 - i];"
    " for (i = 0; i < 500; i++) if (a[i] != b[499 - i]) reach_error();",
    "smallest": "int i, a[500]; for (i = 0; i < 500; i++) a[i] = input(); int m = a[0];"
    " for (i = 0; i < 500; i++) if (a[i] < m) m = a[i];"
    " for (i = 0; i < 500; i++) if (a[i] < m) reach_error();",
    "never written": "static int a[500]; int i; for (i = 0; i < 500; i++)"
    " if (a[i] != 0) reach_error();",
    "records": "static struct pair s[500]; int i; for (i = 0; i < 500; i++)"
    " { s[i].one = i; s[i].two = i; }"
    " for (i = 0; i < 500; i++) if (s[i].one != s[i].two) reach_error();",
    "rows": "static int a[20][30]; int i, j; for (i = 0; i < 20; i++) for (j = 0; j < 30; j++)"
    " a[i][j] = 7; for (i = 0; i < 20; i++) for (j = 0; j < 30; j++)"
    " if (a[i][j] != 7) reach_error();",
    "a flag": "int i, same = 1, a[500], b[500]; for (i = 0; i < 500; i++) { a[i] = input();"
    " b[i] = input(); } for (i = 0; i < 500; i++) if (a[i] != b[i]) same = 0;"
    " if (same) for (i = 0; i < 500; i++) if (a[i] != b[i]) reach_error();",
    "a flag of errors": "int i, good = 1, a[500]; for (i = 0; i < 500; i++) a[i] = 3;"
    " for (i = 0; i < 500; i++) if (a[i] != 3) good = 0; if (!good) reach_error();",
    "a function's answer": "int i, *a = malloc(2000); fill(a, 500, 3);"
    " if (!filled(a, 500, 3)) reach_error();",
    "a prefix": "int i, j = 0, a[500]; for (i = 0; i < 500; i++) a[i] = input();"
    " while (a[j] > 0) j++; for (i = 0; i < j; i++) if (a[i] <= 0) reach_error();",
    "a sentinel": "int i, n = __VERIFIER_nondet_int(), wanted = input(), a[500];"
    " if (n < 0 || n > 499) return 0; a[n] = wanted; i = 0;"
    " while (a[i] != wanted) i++; if (i > n) reach_error();",
    "memset": "int i, n = input(); if (n < 1 || n > 500) return 0; int *a = malloc(4 * n);"
    " memset(a, 0, 4 * n); for (i = 0; i < n; i++) if (a[i]) reach_error();",
    "records as a whole": "static struct pair s[500]; int i; for (i = 0; i < 500; i++)"
    " { struct pair p; p.one = 4; p.two = i; s[i] = p; }"
    " for (i = 0; i < 500; i++) { struct pair p = s[i]; if (p.one != 4) reach_error(); }",
    "a table": f"static int a[100] = {{{', '.join(str(n % 7) for n in range(100))}}}; int i;"
    " for (i = 0; i < 100; i++) if (a[i] > 6) reach_error();",
    "two at once": "int i, n = input(); if (n < 1 || n > 500) return 0; int a[2 * n];"
    " for (i = 1; i <= n; i++) { a[2 * i - 2] = 4; a[2 * i - 1] = 5; }"
    " for (i = 0; i < n; i++) if (a[2 * i] != 4 || a[2 * i + 1] != 5) reach_error();",
    "sums": "int i, n = input(); long long s = 0; if (n < 1 || n > 500) return 0; short a[n];"
    " for (i = 0; i < n; i++) a[i] = input(); for (i = 0; i < n; i++) s = s + a[i];"
    " for (i = 0; i < n; i++) s = s + a[i]; for (i = 0; i < n; i++) s = s - a[i];"
    " for (i = 0; i < n; i++) s = s - a[i]; if (s) reach_error();",
    "one index for all": "int i, m, n = input(); if (n < 1 || n > 500) return 0; int a[n];"
    " for (i = 0; i < n; i++) a[i] = input(); m = a[0];"
    " for (i = 1; i < n; i++) if (a[i] > m) m = a[i];"
    " for (i = 0; i < n; i++) if (a[i] > m) reach_error();",
    "parted": "int i, x = 0, y = 0, n = input(); if (n < 1 || n > 500) return 0;"
    " int a[n], b[n], c[n]; for (i = 0; i < n; i++) a[i] = input();"
    " for (i = 0; i < n; i++) if (a[i] >= 0) b[x++] = a[i]; else c[y++] = a[i];"
    " for (i = 0; i < x; i++) if (b[i] < 0) reach_error(); if (x + y != n) reach_error();",
    "steps of two": "int i, n = input(); if (n < 1 || n > 500) return 0; int a[2 * n];"
    " for (i = 0; i < n; i++) { a[2 * i] = 0; a[2 * i + 1] = 1; }"
    " for (i = 0; i < 2 * n; i += 2) if (a[i] != 0 || a[i + 1] != 1) reach_error();",
    "moved to the left": "int i, n = input(); if (n < 1 || n > 500) return 0; int a[n], b[n];"
    " for (i = 0; i < n; i++) { a[i] = input(); b[i] = a[i]; }"
    " for (i = 0; i + 1 < n; i++) a[i] = a[i + 1];"
    " for (i = 0; i + 1 < n; i++) if (a[i] != b[i + 1]) reach_error();",
    "an array of nodes": "struct node *a[500]; int i; for (i = 0; i < 500; i++)"
    " { a[i] = malloc(sizeof *a[i]); a[i]->v = 4; }"
    " for (i = 0; i < 500; i++) if (a[i]->v != 4) reach_error();",
    "ones": f"struct node *l = 0, *p; {LIST} {EACH} if (p->v != 1) reach_error();",
    "changed": f"struct node *l = 0, *p; {LIST} {EACH} p->v = -p->v;"
    f" {EACH} if (p->v != 1 && p->v != -1) reach_error();",
}
# what a run refutes, with its inputs
WRONG = {
    "one element is different": (
        "int i, n = 5, a[5]; " + FILLED + " a[3] = 1;"
        " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
        (),
    ),
    "the last is not written": (
        "int i, n = 5; static int a[5]; for (i = 0; i < n - 1; i++) a[i] = 42;"
        " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
        (),
    ),
    "through another pointer": (
        "int i, n = 5, a[5]; int *p = a + 2; " + FILLED + " *p = 1;"
        " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
        (),
    ),
    "through bytes": (
        "int i, n = 5, a[5]; " + FILLED + " ((char *)a)[9] = 1;"
        " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
        (),
    ),
    "a flag by another element": (
        "int i, good = 1, n = 5, a[5]; " + FILLED + " a[1] = 0;"
        " for (i = 0; i < n; i++) if (a[i] != 42) good = 0; if (!good) reach_error();",
        (),
    ),
    "a part of memset": (
        "int i, n = 5, a[5]; " + FILLED + " memset(a, 0, 15); memset(a, 0, 4 * (n - 1));"
        " for (i = 0; i < n; i++) if (a[i] != 0) reach_error();",
        (),
    ),
    "a number in a table": (
        f"static int a[100] = {{{', '.join(str(n) for n in range(100))}}}; int i;"
        " for (i = 0; i < 100; i++) if (a[i] > 98) reach_error();",
        (),
    ),
    "a member of a record": (
        "static struct pair s[5]; int i; for (i = 0; i < 5; i++) { struct pair p; p.one = 4;"
        " p.two = i; s[i] = p; } for (i = 0; i < 5; i++) if (s[i].two != 4) reach_error();",
        (),
    ),
    "a sum of a changed array": (
        "int i, n = 3, s = 0, a[3]; for (i = 0; i < n; i++) a[i] = i;"
        " for (i = 0; i < n; i++) s = s + a[i]; a[1] = 7;"
        " for (i = 0; i < n; i++) s = s - a[i]; if (s) reach_error();",
        (),
    ),
    "a sum up to another bound": (
        "int i, n = 3, s = 0, a[3]; for (i = 0; i < n; i++) a[i] = 1 + i;"
        " for (i = 0; i < n; i++) s = s + a[i]; n = 2;"
        " for (i = 0; i < n; i++) s = s - a[i]; if (s) reach_error();",
        (),
    ),
    "by memset": (
        "int i, n = 5, a[5]; " + FILLED + " memset(a, 1, 8);"
        " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
        (),
    ),
    "by memcpy": (
        "int i, n = 5, a[5], b[5]; "
        + FILLED
        + " for (i = 0; i < n; i++) b[i] = i; memcpy(a, b, 8);"
        " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
        (),
    ),
    "an inner row is left": (
        "static int a[3][4]; int i, j; for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) a[i][j] = 7;"
        " int *p = &a[0][0]; p[input()] = 1; for (i = 0; i < 3; i++) for (j = 0; j < 4; j++)"
        " if (a[i][j] != 7) reach_error();",
        (5,),
    ),
    "addresses wrap around": (
        "int i, n = 5; int *a = malloc(n * sizeof(int)); " + FILLED + " a[input()] = 1;"
        " for (i = 0; i < n; i++) if (a[i] != 42) reach_error();",
        ((1 << 30) + 1,),
    ),
    "one node is different": (
        f"struct node *l = 0, *p; {LIST} if (l) l->v = 2; {EACH} if (p->v != 1) reach_error();",
        (1, 0),
    ),
    "not initialised": (
        "struct node *l = 0, *p; while (input()) { p = malloc(sizeof *p); p->next = l; l = p; }"
        f" {EACH} if (p->v == 0) reach_error();",
        (1, 0),
    ),
    "a node is copied": (
        f"struct node *l = 0, *p; struct node o = {{2, 0, 0}}; {LIST} if (l) *l = o;"
        f" {EACH} if (p->v != 1) reach_error();",
        (1, 0),
    ),
    "an address is used again": (
        f"struct node *l = 0, *p; {LIST} if (l) {{ p = l->next; free(l); l = p;"
        " p = malloc(sizeof *p); p->v = 3; p->next = l; l = p; }"
        f" {EACH} if (p->v != 1) reach_error();",
        (1, 0),
    ),
    "a variable and a place with the same name": (
        "int alike = 5, *q = &alike; *q = input();"
        " if (*q == 5 && global_alike() == 0) reach_error();",
        (5,),
    ),
    "the next node": (
        f"struct node *l = 0, *p; {LIST} if (l && l->next) l->next->v = 2;"
        f" {EACH} if (p->next && p->next->v != 1) reach_error();",
        (1, 1, 0),
    ),
    "an element that leads to another": (
        "int i, a[4], b[4]; for (i = 0; i < 4; i++) { a[i] = 3 - i; b[i] = 0; }"
        " for (i = 1; i < 4; i++) b[a[i]] = 1;"
        " for (i = 0; i < 4; i++) if (b[a[i]] != 1) reach_error();",
        (),
    ),
    "a write that leads elsewhere": (
        "int i, a[4]; for (i = 0; i < 4; i++) a[i] = 0; a[a[0]] = 2;"
        " for (i = 0; i < 4; i++) if (a[i] == 2) reach_error();",
        (),
    ),
    "two reads of one cell": (
        "int i, a[5]; for (i = 0; i < 5; i++) a[i] = i; for (i = 0; i < 4; i++)"
        " if (a[i] != a[i + 1] - 1 || a[i] == 3) reach_error();",
        (),
    ),
    "sums of bytes with a sign and without": (
        "unsigned char a[4]; int i, s = 0, t = 0; for (i = 0; i < 4; i++) a[i] = input();"
        " for (i = 0; i < 4; i++) s = s + a[i];"
        " for (i = 0; i < 4; i++) t = t + ((signed char *)a)[i]; if (s != t) reach_error();",
        (200, 0, 0, 0),
    ),
    "a member that leads to the record itself": (
        "struct node x, y, z, *p = &x; int i, a[2]; x.next = &x; y.next = z.next = &z; x.v = 1;"
        " y.v = 2; z.v = 5; for (i = 0; i < 2; i++) a[i] = input(); *p->next = y;"
        " for (i = 0; i < 2; i++) if (a[i] == 7 && x.v == 2 && z.v == 5) reach_error();",
        (7, 0),
    ),
}


def verdict_of(text: str, model: DataModel = DataModel.ILP32, *, search: bool = True) -> Verdict:
    options = Options(cell_predicates=search)
    return decide("cells", task_of(whole(text, model), options), Budget.of(None))


def whole(text: str, model: DataModel = DataModel.ILP32) -> Program:
    return program_of_c(f"{HEAD} int main(void) {{ {text} return 0; }}", data_model=model)


@pytest.mark.parametrize("name", SAFE)
def test_what_is_proved(name: str) -> None:
    assert isinstance(verdict_of(SAFE[name]), Safe)


@pytest.mark.parametrize("name", WRONG)
def test_what_a_run_refutes_is_not_proved(name: str) -> None:
    text, inputs = WRONG[name]
    run = execute(whole(text), ListInputs(inputs), max_steps=10_000)
    assert isinstance(run, ErrorReached)
    assert isinstance(verdict_of(text, search=False), Unknown)


@pytest.mark.long
@pytest.mark.parametrize("name", WRONG)
def test_nor_with_predicates(name: str) -> None:
    assert isinstance(verdict_of(WRONG[name][0]), Unknown)


@pytest.mark.parametrize("model", DataModel)
def test_both_data_models(model: DataModel) -> None:
    assert isinstance(verdict_of(SAFE["on the heap"], model), Safe)


def test_the_invariant_has_a_quantifier() -> None:
    program = whole(SAFE["filled"])
    verdict = decide("cells", task_of(program), Budget.of(None))
    assert isinstance(verdict, Safe)
    assert "forall k: a[k] == 42" in [i.text for i in loop_invariants(program, verdict.invariants)]


def test_nothing_to_say_without_memory() -> None:
    verdict = verdict_of("if (input() == 3) reach_error();")
    assert verdict == Unknown("no error depends directly on an array or on the heap")
