"""Ghost state: what becomes provable, what must stay an error, and runs with and without it."""

from __future__ import annotations

from random import Random

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import ListInputs, RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import AssumeFailed, ErrorReached, Outcome, RunFault
from predabs.engines.engine import EngineTask, decide
from predabs.ir.cfa import Program
from predabs.ir.ops import Assume
from predabs.ir.show import show_expr
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.spec.checks import add_checks
from predabs.verdict import Safe
from support.c_programs import program_of_c
from support.pointer_programs import pointer_program
from support.selection import mostly_long

CHECKS = frozenset(["deref", "free", "leak"])
HEAD = (
    "void free(void *); void *realloc(void *, unsigned long);"
    "void *memset(void *, int, unsigned long);\n"
)


def checked(text: str, model: DataModel = DataModel.LP64) -> Program:
    return add_checks(program_of_c(HEAD + text, data_model=model), CHECKS)


def proved(program: Program, engine: str = "lazy") -> bool:
    task = EngineTask(ProgramFacts(program), Options())
    return isinstance(decide(engine, task, Budget.of(60.0)), Safe)


def outcomes(program: Program, values: list[int], seed: int = 0) -> tuple[Outcome, Outcome]:
    """How a run ends, without and with ghost state."""
    ghosts = ProgramFacts(program).ghosts.program
    plain, ghostly = (
        execute(made, ListInputs(values, RandomInputs(seed)), max_steps=100_000)
        for made in (program, ghosts)
    )
    return plain, ghostly


def _cases(text: str) -> dict[str, str]:
    """Programs by their names, which stand in front of them as comments."""
    parts = (part.split("\n", 1) for part in text.split("// ")[1:])
    return {part[0]: part[1] for part in parts}


# Each is safe for every input.
SAFE = _cases(
    """
// alloca in a loop
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; for (int k
= 1; k < n; k++) { char *p = __builtin_alloca(k); p[k - 1] = 1; } return 0; }
// an array of symbolic length
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; int *p =
malloc(n * sizeof(int)); for (int i = 0; i < n; i++) p[i] = i; free(p); return 0; }
// a pointer that runs
int main(void) { int a[10], *p = a; for (int n = 10; n > 0; n--) *p++ = 1; return 0; }
// passed to a function
void f(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; } int main(void) { int n =
__VERIFIER_nondet_int(); if (n < 1 || n > 99) return 0; int *p = __builtin_alloca(n *
sizeof(int)); f(p, n); return 0; }
// two sizes
void f(char *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; } int main(void) { char a[3],
b[7]; f(a, 3); f(b, 7); return 0; }
// returned
int a[5]; int *f(void) { return a; } int main(void) { for (int i = 0; i < 5; i++) *(f() + i) =
i; return 0; }
// members
struct S { int x; int y[4]; }; int main(void) { struct S a[3], *p = a; for (int i = 0; i < 3;
i++) { p[i].x = 1; for (int j = 0; j < 4; j++) p[i].y[j] = 2; } return 0; }
// made and freed in a loop
int main(void) { while (__VERIFIER_nondet_int()) { int *p = malloc(8); p[1] = 0; free(p); }
return 0; }
// a string of symbolic length
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0;
char *s = __builtin_alloca(n), *p; for (int i = 0; i < n - 1; i++) s[i] = __VERIFIER_nondet_int();
s[n - 1] = 0; for (p = s; *p; p++) ; return 0; }
// a string in an array
int main(void) { char a[100]; memset(a, 0, 100); a[__VERIFIER_nondet_int() ? 1 : 2] = 7;
char *p = a; int n = 0; while (*p) { p++; n++; } return n; }
// a global string
char text[] = "some text"; int main(void) { char *p = text; while (*p) p++; return 0; }
// a pointer that runs to another
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0;
int *a = malloc(n * sizeof(int)), *e = a + n; for (int *p = a; p != e; p++) *p = 1;
for (int *p = a; p < e; p++) *p = 2; free(a); return 0; }
// freed by a function
void f(char *p) { free(p); } int main(void) { int n = __VERIFIER_nondet_int();
if (n < 1 || n > 9) return 0; char *p = malloc(n); p[n - 1] = 0; f(p); return 0; }
// a copied string
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0;
char *s = __builtin_alloca(n), *t = __builtin_alloca(n); int i; s[n - 1] = 0;
for (i = 0; s[i]; i++) t[i] = s[i]; t[i] = 0; return 0; }
"""
)


@pytest.mark.parametrize("name", mostly_long(list(SAFE), 3))
def test_what_is_proved(name: str) -> None:
    assert proved(checked(SAFE[name]))


def test_numbers_prove_it_too() -> None:
    assert proved(checked(SAFE["an array of symbolic length"]), "numpred")


# Each goes wrong, with these inputs or any.
WRONG = _cases(
    """
// one behind the end
int main(void) { int a[3], *p = a; for (int i = 0; i <= 3; i++) p[i] = 1; return 0; }
// one before the start
int main(void) { int a[3], *p = a + 1; p -= 2; return *p; }
// freed
int main(void) { int *p = malloc(4), *q = p; *p = 1; free(p); return *q; }
// freed by a function
void f(int *p) { free(p); } int main(void) { int *p = malloc(4); f(p); *p = 1; return 0; }
// freed twice
int main(void) { int *p = malloc(4); free(p); free(p); return 0; }
// freed in the middle
int main(void) { char *p = malloc(4); free(p + 1); return 0; }
// freed though not of the heap
int main(void) { int x, *p = &x; free(p); return 0; }
// a global to what is freed
int *g; int main(void) { int *p = malloc(4); g = p; free(p); return *g; }
// freed through a global
int *g; void f(void) { free(g); } int main(void) { int *p = malloc(4); g = p; f(); return *p;
}
// a local that ended
int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { return *f(); }
// a global to a local that ended
int *g; void f(void) { int x = 1; g = &x; } int main(void) { f(); return *g; }
// an outer call's local
int *f(int n) { int x = n, *p = &x; if (n) return f(n - 1); return p; } int main(void) { int
*p = f(2); return *p; }
// alloca that ended
char *f(void) { char *p = __builtin_alloca(4); return p; } int main(void) { return *f(); }
// moved by realloc
int main(void) { int *p = malloc(4), *q = p; *p = 1; p = realloc(p, 8); return p ? *q : *q; }
// null and a distance
int main(void) { int *p = 0, *q; q = p + 4; return *q; }
// a member of null
struct S { int a, b; }; int main(void) { struct S *s = 0; int *p = &s->b; return *p; }
// not set on one path
int main(void) { int x = 1, *p; if (__VERIFIER_nondet_int() == 5) p = &x; return *p; }
// a number
int main(void) { int *p = (int *)(unsigned long)__VERIFIER_nondet_int(); return *p; }
// too short for the type
int main(void) { char *c = malloc(3); int *p = (int *)c; *p = 1; return 0; }
// a string literal
int main(void) { char *c = "abc"; *c = 1; return 0; }
// a block too long
int main(void) { char a[8], *p = a + 1; memset(p, 0, 8); return 0; }
// a block of null
int main(void) { char *p = 0; memset(p, 0, 8); return 0; }
// a union
union U { char *p; long n; }; int main(void) { char c; union U u; u.p = &c; u.n += 9; return
*u.p; }
// a string without an end
int main(void) { char a[4], *p = a; a[0] = a[1] = a[2] = a[3] = 1; while (*p) p++; return 0; }
// a string whose end is overwritten
int main(void) { char *a = malloc(4), *p = a; a[0] = a[1] = a[2] = 1; a[3] = 0;
a[__VERIFIER_nondet_int() + 3] = 1; while (*p) p++; return 0; }
// a string whose end is overwritten through another pointer
char g[4]; void f(char *p, char *q) { *(p - 1) = 1; while (*q) q++; }
int main(void) { char h[4]; g[0] = g[1] = g[2] = 1; f(h + 4, g); f(g + 4, g); return 0; }
// a string whose end is overwritten by a block
int main(void) { char a[4], *p = a; memset(a, 0, 4); memset(a, 1, 4); while (*p) p++; return 0; }
// a string whose end is overwritten by a wider number
int main(void) { char a[4], *p = a; a[3] = 0; *(int *)a = 0x01010101; while (*p) p++; return 0; }
// a string of an earlier call
void f(int n) { char a[4], *p = a; a[0] = a[1] = a[2] = 1; a[3] = 1; if (n) a[3] = 0;
while (*p) p++; }
int main(void) { f(1); f(0); return 0; }
// a string whose end is the result of a call
char *g; char f(void) { g[3] = 0; return 1; }
int main(void) { char a[4], *p = a; g = a; a[0] = a[1] = a[2] = 1; a[3] = f();
while (*p) p++; return 0; }
// a pointer that runs to null
int main(void) { int a[4], *p = a, *e = 0; if (__VERIFIER_nondet_int()) e = a + 4;
for (; p != e; p++) *p = 1; return 0; }
// a pointer that runs to another object
int main(void) { char *p = 0, *q = 0; for (int i = 0; i < 2; i++) { p = q; q = malloc(4); }
for (; p != q + 4; p++) *p = 1; free(q); return 0; }
// one of two freed
int main(void) { int *p = malloc(4), *q = malloc(4), *r = p; if (!__VERIFIER_nondet_int()) r = q;
free(r); return *q; }
// lost
int main(void) { int *p = malloc(4); p = 0; return 0; }
// one of two lost
int main(void) { int *p = malloc(4); p = malloc(4); free(p); return 0; }
// a size that wraps around
int main(void) { unsigned n = 1073741825u; int *p = malloc(n * 4u); for (unsigned i = 0; i <
n; i++) p[i] = 1; return 0; }
"""
)


@pytest.mark.parametrize("engine", ["lazy", "slam", "numpred"])
@pytest.mark.parametrize("name", mostly_long(list(WRONG), 6))
def test_what_is_wrong_is_not_proved(name: str, engine: str) -> None:
    assert not proved(checked(WRONG[name]), engine)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_stays_an_error(name: str) -> None:
    for program in (checked(WRONG[name]), checked(WRONG[name], DataModel.ILP32)):
        plain, ghosts = outcomes(program, [0])
        assert isinstance(plain, ErrorReached)
        assert isinstance(ghosts, ErrorReached)


def test_a_program_without_questions_is_the_same() -> None:
    facts = ProgramFacts(checked("int main(void) { int x = 1; return x; }"))
    assert facts.ghosts is facts


def test_elements() -> None:
    """The index is counted in elements, so that it has no factors."""
    program = checked(SAFE["an array of symbolic length"])
    conds = {
        show_expr(edge.op.cond)
        for edge in ProgramFacts(program).ghosts.program.functions["main"].edges
        if isinstance(edge.op, Assume)
    }
    assert any(".length" in cond and "* 4" not in cond for cond in conds)


@pytest.mark.parametrize("model", DataModel)
def test_random_programs(model: DataModel) -> None:
    """A run that comes to an error does so with ghost state; it never faults unseen."""
    for seed in range(6):
        program = add_checks(program_of_c(pointer_program(seed), data_model=model), CHECKS)
        for number in range(8):
            random = Random(number)
            values = [random.choice((0, 0, 1, 1, 2, 3, 4, -1)) for _ in range(100)]
            plain, ghosts = outcomes(program, values, number)
            assert isinstance(ghosts, ErrorReached) or not isinstance(plain, ErrorReached)
            for kind in (RunFault, AssumeFailed):
                assert isinstance(plain, kind) or not isinstance(ghosts, kind)
