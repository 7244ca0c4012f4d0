"""`--volatile plain`: a volatile object holds what the program wrote."""

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
    assert predabs.check([file]).verdict.value == "FALSE"
    plain = predabs.check([file], volatile="plain")
    assert plain.verdict.value == "TRUE"
    assert any("--volatile plain" in line for line in plain.all_assumptions())


def test_nothing_is_assumed_without_volatile_objects(tmp_path: Path) -> None:
    file = write_c(tmp_path, "int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }")
    plain = predabs.check([file], volatile="plain")
    assert plain.verdict.value == "TRUE"
    assert not plain.all_assumptions()
