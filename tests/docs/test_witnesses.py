"""docs/witnesses.md: its sessions are run on the examples, which are what they show."""

from __future__ import annotations

import pytest

from predabs.cli import main
from support.places import DOCS, ROOT
from support.sessions import commands, exit_code, matches, sessions

TEXT = (DOCS / "witnesses.md").read_text("utf-8")
COMMANDS = [command for session in sessions(TEXT) for command in commands(session)]


@pytest.mark.parametrize(("words", "expected"), COMMANDS, ids=lambda value: str(value)[:40])
def test_a_command(
    words: list[str],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(words) == exit_code(expected)
    printed = capsys.readouterr().out
    assert matches(expected, printed), printed


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 2
