"""docs/certificates.md: its session is run, and its tables have the words of the code."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from predabs.cli import main
from predabs.evidence.proof_program import trusted
from predabs.ir.expr import Op
from predabs.verdict import Method
from support.places import DOCS
from support.sessions import commands, matches, sessions

TEXT = (DOCS / "certificates.md").read_text("utf-8")


def test_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(DOCS.parent / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    (session,) = sessions(TEXT)
    for words, expected in commands(session):
        assert main(words) == 0
        assert matches(expected, capsys.readouterr().out)
    written = json.loads((tmp_path / "queue.json").read_text())
    fields = re.findall(r"^\| (`.*`) \|", TEXT.partition("## The file")[2], re.MULTILINE)
    described = {name for cell in fields for name in re.findall(r"`([a-z ]+)`", cell)}
    assert set(written) <= described
    assert len(written["trusted"]) == len(trusted(Method.INVARIANTS))


def test_the_operators() -> None:
    shown = TEXT.replace("\\|", "|")
    for op in Op:
        if op.is_function:
            continue  # of floating point
        assert f'["{op.value}"' in shown or f"`{op.value}`" in shown
