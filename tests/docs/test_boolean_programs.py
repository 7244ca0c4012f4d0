"""docs/boolean-programs.md: every session and every piece of Python in it is run."""

from __future__ import annotations

import argparse
import re

import pytest

from predabs.commands import bebop as command
from support.places import ROOT

TEXT = (ROOT / "docs" / "boolean-programs.md").read_text("utf-8")
SESSIONS = re.findall(r"```console\n\$ predabs bebop (.*)\n((?:.*\n)*?)```", TEXT)


@pytest.mark.parametrize(("words", "expected"), SESSIONS, ids=[words for words, _ in SESSIONS])
def test_sessions(
    words: str,
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    command.run(parser.parse_args(words.split()))
    assert capsys.readouterr().out == expected


def test_python() -> None:
    pieces = re.findall(r"```python\n((?:.*\n)*?)```", TEXT)
    assert pieces
    for piece in pieces:
        exec(piece, {})


def test_there_are_sessions() -> None:
    assert len(SESSIONS) == 5
