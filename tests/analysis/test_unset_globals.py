"""Global pointers that nothing sets."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs

TEXT = """extern void reach_error(void); struct dev { int state; };
%sstruct dev *device;
void set(struct dev *d) { device = d; }
int main(void) {
    if (device->state == 3) reach_error();
    %s
    return 0;
}
"""


@pytest.mark.parametrize(
    ("linkage", "more", "verdict"),
    [
        ("", "", "FALSE"),  # another file may set it
        ("static ", "", "TRUE"),  # always null: the access ends each run
        ("", "set(0);", "TRUE"),  # the program sets it
    ],
)
def test_which_globals_come_from_outside(
    linkage: str, more: str, verdict: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.c"
    file.write_text(TEXT % (linkage, more))
    result = predabs.check([file], timeout=30)
    assert result.verdict.value == verdict
    named = any("`device`" in text for text in result.assumptions)
    assert named == (verdict == "FALSE")


def test_one_that_nobody_follows_is_null(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "extern void reach_error(void); int *p; int main(void) { if (p) reach_error(); return 0; }"
    )
    assert predabs.check([file], timeout=30).verdict.value == "TRUE"
