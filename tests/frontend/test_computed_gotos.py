"""Computed gotos: a case for each label whose address is taken, and a fault for all else."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from support.c_programs import write_c

_TABLE = "static void *t[] = {&&a, &&b, &&c}; int n = __VERIFIER_nondet_int(), s = 0; "
_LABELS = " goto *t[n]; a: s++; b: s++; c: if (s != 2 - n) reach_error(); return 0; }"


def _check(folder: Path, body: str, *checks: str) -> predabs.Result:
    return predabs.check([write_c(folder, f"int main(void) {{ {body}")], checks=checks, jobs=1)


def test_each_label_is_where_its_address_leads(tmp_path: Path) -> None:
    right = f"{_TABLE} if (n < 0 || n > 2) return 0; {_LABELS}"
    assert _check(tmp_path, right, "memory").verdict is predabs.Answer.TRUE
    wrong = right.replace("2 - n", "n")
    assert _check(tmp_path, wrong).verdict is predabs.Answer.FALSE


@pytest.mark.parametrize("value", ["0", "(void *)__VERIFIER_nondet_long()", "&&a + 1"])
def test_a_goto_to_no_label_is_an_invalid_access(value: str, tmp_path: Path) -> None:
    body = f"void *p = &&a; p = {value}; goto *p; a: return 0; }}"
    assert _check(tmp_path, body, "memory").verdict is predabs.Answer.FALSE
    unchecked = _check(tmp_path, body)
    assert unchecked.verdict is predabs.Answer.TRUE
    assert any("--check memory" in line for line in unchecked.assumptions)


def test_variables_that_the_jump_passes_over_hold_anything(tmp_path: Path) -> None:
    body = "void *p = &&a; goto *p; { int x = 1; a: if (x != 1) reach_error(); } return 0; }"
    assert _check(tmp_path, body).verdict is predabs.Answer.FALSE


def test_without_a_goto_the_address_of_a_label_is_any_value(tmp_path: Path) -> None:
    body = "a: if ((unsigned long)&&a == 4096) reach_error(); return 0; }"
    assert _check(tmp_path, body).verdict is predabs.Answer.UNKNOWN
