"""docs/bench.md: its commands print what it shows, its tool is one, its columns are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from predabs.bench.configuration import TOOLS, configuration_of
from predabs.bench.execute import Ended
from predabs.bench.tools.tool import Output
from predabs.cli import main
from support.places import DOCS, ROOT
from support.sessions import commands, sessions

TEXT = (DOCS / "bench.md").read_text("utf-8")
COMMANDS = [command for session in sessions(TEXT) for command in commands(session)]


def without_figures(text: str) -> str:
    """Seconds and MiB are the machine's; so is the width of their columns."""
    return re.sub(r" +(\d+\.\d|\d{2,4})(?= |$)", " *", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("words", "expected"), COMMANDS, ids=lambda value: str(value)[:30])
def test_a_command(
    words: list[str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    assert main(words) == 0
    assert without_figures(capsys.readouterr().out) == without_figures(expected)


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 1


def test_the_tool_of_the_page(tmp_path: Path) -> None:
    (text,) = re.findall(r"```python\n((?:.*\n)*?)```", TEXT)
    (tmp_path / "mine.py").write_text(text)
    tool = configuration_of(f"mine={tmp_path / 'mine.py'}:Mine --fast").load()
    ended = Ended(0, 1.0, 1.0, 1)
    for printed, verdict in (("SAFE", "TRUE"), ("UNSAFE", "FALSE"), ("", "ERROR")):
        assert tool.told(Output(ended, printed, "", tmp_path)).verdict == verdict


def test_all_tools_are_told_of() -> None:
    assert [name for name in TOOLS if f"| `{name}` |" not in TEXT] == []
