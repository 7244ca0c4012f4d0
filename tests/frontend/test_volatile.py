"""`--volatile`: what a read of a volatile object gives, and what a violation may rest on."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from support.c_programs import write_c


@pytest.mark.parametrize(
    "body",
    [
        "volatile int x = 1; if (x != 1) reach_error();",
        "struct s { volatile int m; } s; s.m = 2; struct s *p = &s; if (p->m != 2) reach_error();",
        "static volatile int a[2]; a[1] = 3; if (a[1] != 3 || a[0]) reach_error();",
    ],
)
def test_a_read_gives_what_was_written(body: str, tmp_path: Path) -> None:
    file = write_c(tmp_path, f"int main(void) {{ {body} return 0; }}")
    assert predabs.check([file], volatile="any").verdict.value == "FALSE"
    doubted = predabs.check([file])
    assert doubted.verdict.value == "UNKNOWN"
    assert "--volatile any" in doubted.reason
    plain = predabs.check([file], volatile="plain")
    assert plain.verdict.value == "TRUE"
    assert any("--volatile plain" in line for line in plain.all_assumptions())


def test_nothing_is_assumed_without_volatile_objects(tmp_path: Path) -> None:
    file = write_c(tmp_path, "int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }")
    plain = predabs.check([file], volatile="plain")
    assert plain.verdict.value == "TRUE"
    assert not plain.all_assumptions()


@pytest.mark.parametrize(
    "text",
    [
        # of another file, or behind a pointer from outside: nobody knows who writes it
        "extern volatile int port; int main(void) { if (port != port) reach_error(); }",
        "volatile int *get(void); volatile int v; int main(void) {"
        " volatile int *p = get(); if (p && *p != *p) reach_error(); }",
        # a violation that rests on nothing of that kind
        "volatile int v; int main(void) { v = __VERIFIER_nondet_int(); if (v == 7) reach_error();}",
    ],
)
def test_other_violations_stay(text: str, tmp_path: Path) -> None:
    assert predabs.check([write_c(tmp_path, text)]).verdict.value == "FALSE"
