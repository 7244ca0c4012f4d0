"""Fingerprints: the same for the same program elsewhere in the source, another for another one."""

from __future__ import annotations

import pytest

from predabs.ir.fingerprint import Fingerprint, fingerprint
from predabs.ir.types import DataModel
from support.c_programs import program_of_c

PROGRAM = """struct s { int a; int b; }; struct unused { long c; };
int g = 3; struct s r;
int inc(int x) { while (x < 10) x++; return x; }
int main(void) { r.b = inc(g); if (r.b > 10) reach_error(); return 0; }"""


def of(text: str, model: DataModel = DataModel.LP64) -> Fingerprint:
    return fingerprint(program_of_c(text, data_model=model))


@pytest.mark.parametrize(
    "old, new",
    [
        ("int inc", "\n\n/* adds one */\nint inc"),
        ("x++;", "\n    x++ ;"),
        ("long c;", "long d; char e;"),  # nobody uses it
    ],
)
def test_what_does_not_count(old: str, new: str) -> None:
    assert of(PROGRAM.replace(old, new)) == of(PROGRAM)


@pytest.mark.parametrize(
    "old, new, functions",
    [
        ("x < 10", "x < 11", {"inc"}),
        ("x < 10", "x <= 9 + 1", {"inc"}),
        ("x++", "x += 2", {"inc"}),
        ("g = 3", "g = 4", set()),
        ("int a; int b;", "int b; int a;", set()),
        ("int a; int b;", "long a; int b;", {"main"}),
        ("r.b > 10", "r.a > 10", {"main"}),
        ("int g", "unsigned g", {"main"}),
    ],
)
def test_what_counts(old: str, new: str, functions: set[str]) -> None:
    before, after = of(PROGRAM), of(PROGRAM.replace(old, new))
    assert before.whole != after.whole
    changed = {name for name in before.functions if before.functions[name] != after.functions[name]}
    assert changed == functions


def test_the_data_model_counts() -> None:
    assert of(PROGRAM).whole != of(PROGRAM, DataModel.ILP32).whole
