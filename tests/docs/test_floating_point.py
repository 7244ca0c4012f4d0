"""docs/floating-point.md: its sessions are run, on the programs it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import DOCS
from support.sessions import matches

TEXT = (DOCS / "floating-point.md").read_text("utf-8")
SESSIONS = re.findall(r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", TEXT)
PROGRAMS = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)


def test_a_stable_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (number,) = (n for n, (words, _) in enumerate(SESSIONS) if words == "check filter.c")
    (tmp_path / "filter.c").write_text(PROGRAMS[number], "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "filter.c", "--no-store"]) == 0
    assert matches(SESSIONS[number][1], capsys.readouterr().out)


@pytest.mark.parametrize("number", range(2))
def test_the_sessions(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words, expected = SESSIONS[number]
    (tmp_path / words.split()[1]).write_text(PROGRAMS[number], "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == number
    assert matches(expected, capsys.readouterr().out)
