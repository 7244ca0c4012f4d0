"""Pointers in zeroed memory that nothing sets."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.analysis.unset_members import with_unset_members
from support.c_programs import program_of_c

TEXT = """#include <stdlib.h>
extern void start(void *); extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
struct disk { int sectors; };
struct device { long number; struct disk *disk; struct device *next; };
struct other { long count; long more; long most; };
void *make(unsigned long size) { return __VERIFIER_nondet_int() ? calloc(1, size) : 0; }
int main(void) {
    struct device *d = (struct device *)make(sizeof(struct device));
    if (!d) return 0;
    start(d);
    %s
    return 0;
}
"""


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("if (d->disk->sectors == 3) reach_error();", "FALSE"),
        ("struct disk *k = d->disk; if (k && k->sectors == 3) reach_error();", "FALSE"),
        ("if (d->disk) reach_error();", "TRUE"),  # nobody follows it: it is null
        ("if (d->number || d->next) reach_error();", "TRUE"),  # zero
        ("if (d->disk->sectors == 3 && d->number) reach_error();", "TRUE"),
        ("d->disk = 0; if (d->disk->sectors == 3) reach_error();", "TRUE"),  # the program sets it
        (
            "struct disk **k = &d->disk; *k = 0; if (d->disk->sectors == 3) reach_error();",
            "TRUE",
        ),
        (  # an object of the same size has a number there
            "struct other *o = (struct other *)make(sizeof(struct other));"
            "if (d->disk->sectors == 3 || (o && o->more)) reach_error();",
            "TRUE",
        ),
    ],
)
def test_which_members_come_from_outside(body: str, verdict: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(TEXT % body)
    result = predabs.check([file], engine="bounded", timeout=60)
    assert result.verdict.value == verdict
    if verdict == "FALSE":
        assert [text for text in result.assumptions if "`disk` of struct device" in text]


@pytest.mark.parametrize(
    ("start", "verdict"),
    [
        ("int start(void *p) { return __VERIFIER_nondet_int(); }", "FALSE"),
        (
            "int any(void) { return __VERIFIER_nondet_int(); }int start(void *p) { return any(); }",
            "FALSE",
        ),
        ("int start(void *p) { return p ? __VERIFIER_nondet_int() : 0; }", "TRUE"),
        ("int start(void *p) { return 0; }", "TRUE"),
        ("void start(void *p) { int n = __VERIFIER_nondet_int(); p = 0; }", "TRUE"),
    ],
)
def test_a_function_may_stand_for_one_that_is_elsewhere(
    start: str, verdict: str, tmp_path: Path
) -> None:
    """If it looks at nothing, and returns anything: else the program is a whole one."""
    file = tmp_path / "a.c"
    text = (
        TEXT.replace("extern void start(void *);", "") % "if (d->disk->sectors == 3) reach_error();"
    )
    file.write_text(text.replace("int main", f"{start}\nint main"))
    assert predabs.check([file], engine="bounded", timeout=60).verdict.value == verdict


def test_a_program_without_such_members_is_not_changed() -> None:
    text = (TEXT % "d->number = 1;").replace("#include <stdlib.h>", "")
    program = program_of_c("void *calloc(unsigned long, unsigned long);" + text)
    assert with_unset_members(program) is program


def test_in_a_whole_program_they_are_null(tmp_path: Path) -> None:
    text = (TEXT % "if (d->disk->sectors == 3) reach_error();").replace("start(d);", "")
    file = tmp_path / "a.c"
    file.write_text(text)
    assert predabs.check([file], engine="bounded", timeout=60).verdict.value == "TRUE"
