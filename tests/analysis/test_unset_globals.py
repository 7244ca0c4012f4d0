"""Global pointers that nothing sets."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs

TEXT = """extern void reach_error(void); struct dev { int state; }; void begin(void);
%sstruct dev *device;
void set(struct dev *d) { device = d; }
int main(void) {
    %s
    if (device->state == 3) reach_error();
    %s
    return 0;
}
"""


@pytest.mark.parametrize(
    ("linkage", "first", "more", "verdict"),
    [
        ("", "begin();", "", "FALSE"),  # another file may set it
        ("static ", "begin();", "", "TRUE"),  # always null: the access ends each run
        ("", "begin();", "set(0);", "TRUE"),  # the program sets it
    ],
)
def test_which_globals_are_told(
    linkage: str, first: str, more: str, verdict: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.c"
    file.write_text(TEXT % (linkage, first, more))
    result = predabs.check([file], timeout=30)
    assert result.verdict.value == verdict
    named = any("`device`" in text for text in result.assumptions)
    assert named == (verdict == "FALSE")


def test_a_global_that_is_passed_on(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        """extern void reach_error(void); int *unset, *other;
        int get(int *p) { return *p; }
        int main(void) { int n = get(unset); if (other && n == 7) reach_error(); return 0; }"""
    )
    result = predabs.check([file], timeout=30)
    assert result.verdict.value == "TRUE"  # the other one is null
    assert [text for text in result.assumptions if "`unset`" in text]
    assert not [text for text in result.assumptions if "`other`" in text]


def test_one_that_nobody_follows_is_null(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "extern void reach_error(void); int *p; int main(void) { if (p) reach_error(); return 0; }"
    )
    assert predabs.check([file], timeout=30).verdict.value == "TRUE"
