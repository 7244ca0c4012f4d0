"""docs/report.md: its commands are run, its pictures are small."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import DOCS, ROOT
from support.sessions import commands, exit_code, matches, sessions

TEXT = (DOCS / "report.md").read_text("utf-8")
COMMANDS = [command for session in sessions(TEXT) for command in commands(session)]


@pytest.mark.parametrize(("words", "expected"), COMMANDS, ids=lambda value: str(value)[:40])
def test_a_command(
    words: list[str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    assert main(words) == exit_code(expected)
    assert matches(expected, capsys.readouterr().out)
    written = (tmp_path / words[-1]).read_text("utf-8")
    assert written.startswith("<!doctype html>") and written.rstrip().endswith("</html>")


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 2


def test_pictures_are_small() -> None:
    pictures = list(DOCS.glob("report-*.png"))
    assert len(pictures) == 2
    assert all(picture.stat().st_size < 150_000 for picture in pictures)
