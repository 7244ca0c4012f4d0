"""docs/spark.md: its sessions are run, on the programs that it shows."""

from __future__ import annotations

import re

import pytest

from predabs.cli import main
from support.places import DOCS, ROOT
from support.sessions import commands, exit_code, matches, sessions

TEXT = (DOCS / "spark.md").read_text("utf-8")
COMMANDS = [command for session in sessions(TEXT) for command in commands(session)]


@pytest.mark.parametrize(("words", "expected"), COMMANDS, ids=lambda value: str(value)[:40])
def test_sessions(
    words: list[str],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(words) == exit_code(expected)
    assert matches(expected, capsys.readouterr().out)


def test_the_examples_are_shown_as_they_are() -> None:
    shown = re.findall(r"```ada\n((?:.*\n)*?)```", TEXT)
    files = [ROOT / "examples" / name for name in ("counter.adb", "step.adb")]
    assert shown == [file.read_text() for file in files]


def test_the_fix_of_the_counter_is_proved(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "examples" / "counter.adb").read_text()
    file = f"{tmp_path}/counter.adb"
    with open(file, "w") as out:
        out.write(text.replace("Value <= Level'Last", "Value < Level'Last"))
    assert main(["check", file]) == 0
