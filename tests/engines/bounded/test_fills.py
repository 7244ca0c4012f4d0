"""Loops that fill arrays: a proof or a violation, however many rounds they have."""

from __future__ import annotations

from random import Random

import pytest

from predabs.analysis.acceleration.program import accelerated
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.engines.engine import decide
from predabs.evidence.replay import refuted
from predabs.options import Budget
from predabs.verdict import Safe, Unsafe
from support.array_loops import random_array_loops
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import searching, task_of

START = (
    "int a[9000], b[9000]; struct { char c; int x; short y; } s[5000]; int i, j = 7;"
    " int n = __VERIFIER_nondet_int(); int *p = a + 10;"
)
QUERY = "int q = __VERIFIER_nondet_int(); if (q < 0 || q >= 4000) return 0; "


def verdict(body: str) -> Safe | Unsafe | None:
    program = program_of_c(f"int main(void) {{ {START} {body} return 0; }}")
    with searching(), counted_time():
        found = decide("bounded", task_of(program), Budget.of(LONG))
    if isinstance(found, Unsafe):
        assert refuted(program, found.inputs) is None
    return found if isinstance(found, Safe | Unsafe) else None


@pytest.mark.parametrize(
    ("loop", "wrong"),
    [
        ("for (i = 0; i < 9000; i++) a[i] = 5;", "a[q] != 5"),
        ("for (i = 0; i < 9000; i++) a[i] = 2 * i + j;", "a[q] != 2 * q + 7"),
        ("for (i = 8999; i >= 0; i--) a[i] = i ^ j;", "a[q] != (q ^ 7)"),
        ("for (i = 0; i < 9000; i++) p[i - 10] = i; ", "a[q] != q"),
        ("for (i = 0; i < 9000; i += 2) a[i] = 1; for (i = 1; i < 9000; i += 2) a[i] = 2;",
         "a[q] != 1 + q % 2"),
        ("for (i = 0; i < 9000; i++) a[i] = i; for (i = 0; i < 9000; i++) b[i] = a[i] + 1;",
         "b[q] != q + 1"),
        ("for (i = 0; i < 9000; i++) a[i] = i; for (i = 0; i < 9000; i++) a[i] = a[i] + i;",
         "a[q] != 2 * q"),
        ("for (i = 0; i < 5000; i++) { s[i].x = i; s[i].c = 3; }", "s[q].x != q || s[q].c != 3"),
    ],
)  # fmt: skip
def test_what_loops_put_into_arrays(loop: str, wrong: str) -> None:
    assert isinstance(verdict(f"{loop} {QUERY} if ({wrong}) reach_error();"), Safe)
    assert isinstance(
        verdict(f"{loop} {QUERY} if (!({wrong}) && q == 3210) reach_error();"), Unsafe
    )


def test_a_loop_that_leaves_its_array_goes_no_further() -> None:
    beyond = "for (i = 0; i < n; i++) a[i] = i; if (n > 9000) reach_error();"
    assert isinstance(verdict(beyond), Safe)
    assert isinstance(verdict(beyond.replace("n > 9000", "n == 9000")), Unsafe)


@pytest.mark.parametrize("seed", (0, 2))
def test_random_fills(seed: int) -> None:
    made = random_array_loops(Random(seed), lengths=(100, 130))
    program = program_of_c(made.searched())
    with searching(), counted_time():
        found = decide("bounded", task_of(program), Budget.of(LONG))
    every = accelerated(program_of_c(made.all_compared()))
    reached = any(
        isinstance(execute(every, ListInputs([m]), max_steps=100_000), ErrorReached)
        for m in range(-6, 7)
    )
    assert not (isinstance(found, Safe) and reached)
    if isinstance(found, Unsafe):
        assert reached and refuted(program, found.inputs) is None
