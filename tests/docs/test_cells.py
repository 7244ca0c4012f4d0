"""docs/cells.md: its sessions are run, on the programs it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import DOCS
from support.sessions import matches

TEXT = (DOCS / "cells.md").read_text("utf-8")


def test_the_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    sessions = re.findall(r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", TEXT)
    assert len(programs) == len(sessions) == 3
    monkeypatch.chdir(tmp_path)
    for program, (words, expected) in zip(programs, sessions, strict=True):
        (tmp_path / words.split()[1]).write_text(program, "utf-8")
        assert main(words.split()) == 0
        assert matches(expected, capsys.readouterr().out)
