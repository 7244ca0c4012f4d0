"""`--extern-pointers null`: which inputs become null."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs

POINTERS = """extern void reach_error(void);
int *get(void); extern int *shared; extern void *__VERIFIER_nondet_pointer(void);
int main(int argc, char **argv) {
    int *p = get(), *q = __VERIFIER_nondet_pointer();
    if (%s) reach_error();
    return 0;
}
"""


@pytest.mark.parametrize("pointer", ["p", "q", "argv", "shared"])
def test_each_pointer_from_outside_is_null_if_asked_for(pointer: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(POINTERS % pointer)
    null = predabs.check([file], extern_pointers="null", timeout=30)
    assert null.verdict.value == "TRUE"
    assert any("--extern-pointers null" in text for text in null.assumptions)
    assert predabs.check([file], timeout=30).verdict.value == "FALSE"


def test_numbers_stay_inputs(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(POINTERS % "argc == 7")
    assert predabs.check([file], extern_pointers="null", timeout=30).verdict.value == "FALSE"
