"""A variable of an inner block is gone when its block is left, by whichever way."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.analysis.block_lifetimes import with_block_lifetimes
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited
from predabs.errors import UnsupportedFeature
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.ir.ops import Alloc
from predabs.spec.checks import add_checks
from support.c_programs import write_c

INPUT = "__VERIFIER_nondet_int()"
HEAD = (
    "void free(void *); int g, *h; static void set(int *q) { *q = 1; }"
    " static int get(int *q) { return *q; }"
)


def program(folder: Path, body: str) -> Program:
    file = write_c(folder, f"{HEAD} int main(void) {{ int *p = &g; {body} return 0; }}")
    return with_block_lifetimes(load([file], block_lifetimes=True))


def is_wrong(made: Program, *inputs: int) -> bool:
    checks = frozenset(["deref", "free", "leak"])
    found = execute(add_checks(made, checks), ListInputs(inputs), max_steps=10_000)
    assert isinstance(found, Exited | ErrorReached), found
    return isinstance(found, ErrorReached)


WRONG = {
    "behind the block": "{ int x = 1; p = &x; } g = *p;",
    "an array": "{ int a[2] = {1, 2}; p = a; } g = p[1];",
    "a member": "{ struct s { int a, b; } s; p = &s.b; } *p = 1;",
    "by a call": "{ int x = 1; p = &x; } set(p);",
    "in a global": "{ int x = 1; h = &x; } g = *h;",
    "in memory": "int **q = &p; { int x = 1; *q = &x; } g = *p;",
    "the next round": "for (int i = 0; i < 2; i++) { int x; if (i) g = *p; p = &x; }",
    "the next round of while": "int i = 0; while (i++ < 2) { int x; if (i == 2) g = *p; p = &x; }",
    "behind a loop": "for (int i = 0; i < 2; i++) { int x = i; p = &x; } g = *p;",
    "behind a break": "while (1) { int x = 1; p = &x; break; } g = *p;",
    "behind a continue": "for (int i = 0; i < 2; i++) { int x; if (i) { g = *p; }"
    " p = &x; continue; }",
    "behind a jump": "{ int x = 1; p = &x; goto out; } out: g = *p;",
    "behind a jump out of two": "{ int x = 1; { int y; p = &x; goto out; } } out: g = *p;",
    "behind a switch": "switch (1) { int x; case 1: x = 3; p = &x; } g = *p;",
    "behind the break of a switch": "switch (1) { case 1: { int x = 3; p = &x; break; } } g = *p;",
    "the inner block": "{ int x = 1; { int y = 2; p = &y; } g = *p + x; }",
    "a jump back before the block": "int n = 0; again: if (n) g = *p; { int x = 1; p = &x;"
    " if (!n++) goto again; }",
}
FINE = {
    "in the block": "{ int x = 1; p = &x; g = *p; set(p); }",
    "another one behind": "{ int x = 1; p = &x; } p = &g; g = *p;",
    "a variable of the function": "int y = 1; { p = &y; } g = *p;",
    "an outer block": "{ int x = 1; { int y; p = &x; y = 2; } g = *p; }",
    "each round its own": "for (int i = 0; i < 3; i++) { int x = i; p = &x; g += *p; }",
    "round by round": f"for (int i = 0; i < 3; i++) {{ int x; p = &x; if ({INPUT}) continue;"
    " *p = 1; }",
    "a jump inside the block": "int n = 0; { int x = 1; again: p = &x; set(p);"
    " if (!n++) goto again; }",
    "a jump back over the declaration": "int n = 0; { again: if (n) g = *p; int x = 1; p = &x;"
    " if (!n++) goto again; }",
    "a jump into the block": "goto in; { int x; in: p = &x; *p = 1; g = *p; }",
    "a switch into the block": "switch (1) { int x; case 1: p = &x; set(p); }",
    "a return": "{ int x = 1; p = &x; if (*p) return get(p) - 1; }",
    "a return of it": "{ int x = 0; p = &x; return x; }",
    "the end of the run": "{ int x = 1; p = &x; if (*p) __builtin_exit(0); }",
    "static": "{ static int x = 1; p = &x; } g = *p;",
    "two variables": "{ int x = 1, y[2] = {0}; p = &x; h = y; g = *p + h[1]; } h = 0; p = 0;",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_has_ended_is_gone(name: str, tmp_path: Path) -> None:
    assert is_wrong(program(tmp_path, WRONG[name]))


@pytest.mark.parametrize("name", FINE)
@pytest.mark.parametrize("value", [0, 1])
def test_what_lives_is_there(name: str, value: int, tmp_path: Path) -> None:
    assert not is_wrong(program(tmp_path, FINE[name]), value, value)


@pytest.mark.parametrize(
    "body",
    [
        "{ int x = 1; int *q = &x; g = *q; }",
        "{ int x = 1; set(&x); g = x; }",
        "for (int i = 0; i < 3; i++) { int a[3] = {0}; a[i] = 1; set(a); }",
        "int y; p = &y; { int x; x = *p; }",
    ],
)
def test_variables_that_no_pointer_outlives_stay_variables(body: str, tmp_path: Path) -> None:
    made = program(tmp_path, body)
    operations = [edge.op for function in made.functions.values() for edge in function.edges]
    assert not any(isinstance(op, Alloc) for op in operations)
    assert not any(".life" in var.name for f in made.functions.values() for var in f.locals)


@pytest.mark.parametrize("engine", ["auto", "bounded"])
def test_engines_decide(engine: str, tmp_path: Path) -> None:
    text = (
        "int g; int main(void) { int *p = &g; { int x = 1; if (%s) p = &x; g = *p; } return %s; }"
    )
    for last, verdict in (("g", "TRUE"), ("*p", "FALSE")):
        file = write_c(tmp_path, text % (INPUT, last))
        found = predabs.check([file], checks=("memory", "leak"), engine=engine)
        assert found.verdict.value == verdict


def test_a_variable_that_may_be_freed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFeature, match="inner block may be freed"):
        program(tmp_path, "{ int x = 1; h = &x; free(h); }")
