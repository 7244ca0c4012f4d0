"""What an UNKNOWN may come from in memory: it is named as the source has it."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.pipeline.imprecise_memory import Imprecision, imprecise_memory
from support.c_programs import program_of_c

BEGIN = """extern int *get(void); extern int any(void); int (*unset)(int); int numbers[9];
static int twice(int x) { return 2 * x; }  static int once(int x) { return x; }
struct s { int a; short b; } one, two; union u { int whole; char part[4]; } bits;
"""


@pytest.mark.parametrize(
    ("body", "kind", "name", "among"),
    [
        ("int *p = get(); if (p && *p) reach_error();", "unknown", "p", ()),
        ("if (unset) unset(3);", "callee", "unset", ()),
        (
            "int (*f)(int) = any() ? twice : once; if (f(2) == 3) reach_error();",
            "callees",
            "f",
            ("once", "twice"),
        ),
        (
            "struct s *q = any() ? &one : &two; if (q->a) reach_error();",
            "objects",
            "q",
            ("one", "two"),
        ),
        (
            "bits.whole = any(); if (bits.part[any() & 3]) reach_error();",
            "bytes",
            "bits.whole",
            ("bits",),
        ),
        ("int i = any() & 7; if (numbers[i]) reach_error();", "elements", "numbers", ()),
    ],
)
def test_it_is_named(body: str, kind: str, name: str, among: tuple[str, ...]) -> None:
    program = program_of_c(f"{BEGIN} int main(void) {{ {body} return 0; }}")
    found = imprecise_memory(ProgramFacts(program))
    told = [(item.kind, item.name, item.among) for item in found]
    assert (Imprecision(kind), name, among) in told


def test_what_is_known_exactly_is_not_named() -> None:
    text = "int main(void) { int x = any(), *p = &x; *p = 3; if (x == 4) reach_error(); return 0; }"
    assert imprecise_memory(ProgramFacts(program_of_c(BEGIN + text))) == ()
