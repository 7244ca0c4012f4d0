"""Which loops are commutative reducers, and which are not."""

from __future__ import annotations

import pytest

from predabs.analysis.cells.memory_accesses import MemoryAccesses
from predabs.analysis.cells.reducers import Reducer, reducers
from predabs.analysis.facts import ProgramFacts
from predabs.ir.types import DataModel
from support.c_programs import program_of_c

COMMUTATIVE = [
    "s = s + a[i];",
    "s += a[i] * a[i];",
    "s = s - a[i];",
    "s ^= a[i];",
    "s = s & a[i];",
    "s = a[i] | s;",
    "s = s < a[i] ? a[i] : s;",
    "if (a[i] <= s) s = a[i];",
    "if (a[i] > 3) s = s + 2; else s--;",
    "{ int v = a[i]; s = s + v; }",
    "c = c + a[i];",
    "int *p = a + i; s = s + *p;",
]
OTHERS = [
    "s = a[i] - s;",
    "s = 2 * s + a[i];",
    "s = a[i];",
    "s = s + a[i] + i;",
    "if (i > 2) s = s + a[i];",
    "if (s < 3) s = s + a[i];",
    "if (s < a[i]) s = a[i] + 1;",
    "if (a[i] > 3) s = s + 1; else s = s ^ 1;",
    "s = s + a[i + 1];",
    "s = s + a[n - 1 - i];",
    "s = s + a[i] + b[i];",
    "s = s + a[i]; a[i] = 0;",
    "s = s + a[i]; n--;",
    "s = s + a[i]; i++;",
    "s = s + a[i]; if (s > 100) break;",
    "s = s + a[i] + __VERIFIER_nondet_int();",
    "s = s * a[i] + t; t = s;",
    "t = (_Bool)(t + a[i]);",
]


def found(body: str, head: str = "i = 0; i < n; i++", start: str = "") -> list[Reducer]:
    program = program_of_c(
        "int main(void) { int a[9], b[9], i, n = 9, s = 0; char c = 0; _Bool t = 0;"
        f" {start} for ({head}) {{ {body} }} return s + c + t; }}",
        data_model=DataModel.ILP32,
    )
    return reducers(MemoryAccesses(ProgramFacts(program)))


@pytest.mark.parametrize("body", COMMUTATIVE)
def test_commutative(body: str) -> None:
    names = {item.accumulator.short for item in found(body)}
    assert names == {"c" if body.startswith("c") else "s"}


@pytest.mark.parametrize("body", OTHERS)
def test_others(body: str) -> None:
    assert not [item for item in found(body) if item.accumulator.short in ("s", "t")]


@pytest.mark.parametrize(
    "head", ["i = 0; i <= n; i += 2", "i = 0; i < n; i += 2", "i = 8; i > 0; i--"]
)
def test_each_element_once(head: str) -> None:
    assert not found("s = s + a[i];", head)


def test_no_jump_into_the_loop() -> None:
    assert not found("in: s = s + a[i];", start="i = 0; if (__VERIFIER_nondet_int()) goto in;")


def test_what_the_first_element_is_at_first() -> None:
    (plain,) = found("s = s + a[i];")
    (largest,) = found("if (s < a[i]) s = a[i];")
    (taken_away,) = found("s = s - a[i];")
    assert plain.seed is not None and largest.seed is not None and taken_away.seed is None


def test_equal_loops_have_equal_keys() -> None:
    ((one,), (same,), (other,)) = (
        found("s = s + a[i];"),
        found("int v = a[i]; s = s + v;"),
        found("s = s - a[i];"),
    )
    assert one.key == same.key != other.key
