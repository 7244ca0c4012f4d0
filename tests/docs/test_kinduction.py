"""docs/k-induction.md: its session is run, on the program it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import DOCS
from support.sessions import matches

TEXT = (DOCS / "k-induction.md").read_text("utf-8")


def test_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    (tmp_path / "ring.c").write_text(program, "utf-8")
    monkeypatch.chdir(tmp_path)
    ((words, expected),) = re.findall(r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", TEXT)
    assert main(words.split()) == 0
    assert matches(expected, capsys.readouterr().out)
