"""docs/tutorial.md: its commands are run, and print what the page says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import ROOT
from support.sessions import commands, exit_code, matches, sessions

TEXT = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
SESSIONS = sessions(TEXT)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda text: text.splitlines()[0])
def test_a_session(session: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "--test" in session and shutil.which("cc") is None:
        pytest.skip("the page has a C compiler")
    for words, expected in commands(session):
        assert main(words) == exit_code(expected)
        printed = capsys.readouterr().out
        assert matches(expected, printed), printed


def test_there_are_sessions() -> None:
    assert len(SESSIONS) == 6
    assert sum(len(commands(session)) for session in SESSIONS) == TEXT.count("$ predabs") == 7


def test_the_program_is_the_example() -> None:
    (shown,) = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    assert shown == (ROOT / "examples" / "queue.c").read_text("utf-8")


def test_the_other_programs_differ_in_what_was_put_right() -> None:
    names = ("queue.c", "queue_fixed.c", "queue_locked.c")
    bug, fixed, locked = ((ROOT / "examples" / name).read_text("utf-8") for name in names)
    assert bug.replace("waiting <= SIZE) {", "waiting < SIZE) {") == fixed
    assert bug.splitlines()[14] == "  if (waiting <= SIZE) {"
    assert fixed.count("unlock();") + 1 == locked.count("unlock();")


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nb\nc\n", False),
        ("...\nd\n", "a\nb\nd\n", True),
        ("took 1.5 s\n", "took 22.0 s\n", True),
        ("a\n", "a\nb\n", False),
    ],
)
def test_how_texts_are_compared(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) == same
