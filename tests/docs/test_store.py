"""docs/store.md: its session is run, on the program it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from predabs.cli import main
from predabs.pipeline import store_session
from support.places import DOCS
from support.sessions import commands, exit_code, matches, sessions

TEXT = (DOCS / "store.md").read_text("utf-8")


def test_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(store_session, "_WORTH_KEEPING", 0.0)  # whatever the machine
    (program,) = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    (tmp_path / "twice.c").write_text(program, "utf-8")
    monkeypatch.chdir(tmp_path)
    (session,) = sessions(TEXT)
    for words, expected in commands(session):
        assert main(words) == exit_code(expected)
        assert matches(expected, capsys.readouterr().out), words
