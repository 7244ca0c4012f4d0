"""`--changed-since`: which errors depend on a change, and what becomes of the others."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import predabs
from predabs.cli import main
from predabs.errors import InputError
from predabs.ir.fingerprint import fingerprint
from predabs.pipeline import store_session
from predabs.pipeline.changes import Changes, changes, errors_of, with_errors
from predabs.pipeline.preparation import prepared, sliced
from predabs.pipeline.result import Answer, Result
from support.c_programs import DECLARATIONS, program_of_c

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")

PROGRAM = """#include "limit.h"
int low(int n) { if (n > LIMIT) n = LIMIT; return n; }
int high(int n) { if (n < 5) n = 5; return n; }
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (m > 0) { if (low(n) > 10) reach_error(); }
  else { if (high(m) < 5) __assert_fail("high", "a.c", 7, "main"); }
  return 0;
}"""
PLAIN = PROGRAM.replace('#include "limit.h"', "").replace("LIMIT", "10")


def compared(now: str, before: str) -> Changes:
    def slice_of(program: Any) -> str:
        return fingerprint(sliced(prepared(program).whole).program).whole

    return changes(program_of_c(now), program_of_c(before), slice_of)


@pytest.mark.parametrize(
    "old, new, changed",
    [
        ("int low", "\n// a comment\nint low", 0),
        ("n > 10)", "n >= 10)", 1),
        ("n < 5)", "n < 6)", 1),
        ("return 0;", "int k = 7; return k;", 0),
        ("m > 0", "m > 1", 2),
        ("if (low(n) > 10)", "if (n == 3 && low(n) > 10)", 1),
    ],
)
def test_the_slices_are_compared(old: str, new: str, changed: int) -> None:
    found = compared(PLAIN.replace(old, new), PLAIN)
    assert len(found.changed) == changed and len(found.changed) + len(found.unchanged) == 2


def test_a_new_error_is_a_change() -> None:
    found = compared(PLAIN.replace("return 0;", "if (n == m) reach_error(); return 0;"), PLAIN)
    assert [name[2:] for name in found.changed][-1] == ("reach_error() is called", None, 1)


def test_each_part_has_its_own_errors() -> None:
    program = program_of_c(PLAIN)
    first, second = errors_of(program)
    for name in (first, second):
        assert list(errors_of(with_errors(program, [name]))) == [name]
    assert list(errors_of(program)) == [first, second]


class Repository:
    """A git repository with a program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "repository"
        self.folder.mkdir()
        self.store = str(folder / "s.sqlite")
        self.git("init", "--quiet")
        self.write(PROGRAM, "10")
        self.git("add", ".")
        self.git("-c", "user.name=me", "-c", "user.email=me@x", "commit", "--quiet", "-m", "one")

    def git(self, *words: str) -> None:
        subprocess.run(["git", "-C", str(self.folder), *words], check=True)

    def write(self, program: str, limit: str) -> None:
        (self.folder / "a.c").write_text(f"{DECLARATIONS}\n#line 1\n{program}")
        (self.folder / "limit.h").write_text(f"#define LIMIT {limit}\n")

    def check(self, **options: Any) -> Result:
        words = {"changed_since": "HEAD", "store": self.store, **options}
        return predabs.check([self.folder / "a.c"], **words)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setattr(store_session, "_WORTH_KEEPING", 0.0)
    return Repository(tmp_path)


@needs_git
def test_a_change_in_a_header(repository: Repository) -> None:
    """What does not depend on it is carried over from the store, the second time."""
    found = repository.check()
    assert found.verdict is Answer.TRUE
    assert found.changes[0] == "none of 2 properties depends on what changed since HEAD"
    repository.write(PROGRAM, "9")
    for last in ("checked, with what the store knows", "from the store, checked again"):
        found = repository.check()
        assert found.verdict is Answer.TRUE
        assert found.changes[0].startswith("1 of 2 properties depend on what changed since HEAD: ")
        assert "reach_error() is called" in found.changes[0]
        assert last in found.changes[1]
    repository.write(PROGRAM, "11")
    found = repository.check()
    assert found.verdict is Answer.FALSE and found.violation is not None
    assert found.changes[1] == "the other properties were skipped, as there is a violation"


@needs_git
def test_a_bug_that_was_there_before_is_found_too(repository: Repository) -> None:
    wrong = PROGRAM.replace("n = 5", "n = 4")
    repository.write(wrong, "10")
    repository.git("-c", "user.name=me", "-c", "user.email=me@x", "commit", "-q", "-a", "-m", "two")
    repository.write(wrong, "9")
    found = repository.check(store=None)
    assert found.verdict is Answer.FALSE
    assert found.changes[1] == (
        "properties that depend on no change: FALSE, checked in full: there is no store"
    )


@needs_git
def test_what_cannot_be_compared(repository: Repository, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no-such-revision"):
        repository.check(changed_since="no-such-revision")
    new = repository.folder / "new.c"
    new.write_text(DECLARATIONS.replace("\n", " ") + PLAIN)
    found = predabs.check([new], changed_since="HEAD")
    assert found.changes == ("the files are new since HEAD: all was checked",)
    (tmp_path / "a.c").write_text(PLAIN)
    assert main(["check", str(tmp_path / "a.c"), "--changed-since", "HEAD"]) == 2
