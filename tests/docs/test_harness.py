"""docs/harness.md: its commands are run, and print what the page says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from predabs.cli import main
from predabs.options.command_options import HarnessOptions
from predabs.options.option import rows
from support.places import ROOT
from support.sessions import commands, exit_code, matches, sessions

TEXT = (ROOT / "docs" / "harness.md").read_text("utf-8")
SESSIONS = sessions(TEXT)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda text: text.splitlines()[0])
def test_a_session(
    session: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for words, expected in commands(session):
        assert main(words) == exit_code(expected)
        printed = capsys.readouterr().out
        assert matches(expected, printed), printed


def test_there_are_sessions() -> None:
    assert len(SESSIONS) == 4
    assert sum(len(commands(session)) for session in SESSIONS) == TEXT.count("$ predabs") == 7


def test_every_option_is_told_of() -> None:
    words = [row.words[0] for row in rows(HarnessOptions)]
    assert "--table" in words
    assert [word for word in words if word not in TEXT] == []


def test_the_fixed_device_differs_in_one_place() -> None:
    bug, fixed = (
        (ROOT / "examples" / name).read_text("utf-8") for name in ("device.c", "device_fixed.c")
    )
    wrong = "  if (size > ROOM - used)\n    return -1;\n"
    right = "  if (size > ROOM - used) {\n    unlock();\n    return -1;\n  }\n"
    assert bug.count(wrong) == 1
    assert bug.replace(wrong, right) == fixed
