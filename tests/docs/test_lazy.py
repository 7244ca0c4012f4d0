"""docs/lazy.md: its session and its examples are run, on the program that it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from predabs.cli import main
from support.counted_time import counted_time
from support.places import DOCS

PAGE = DOCS / "lazy.md"
TEXT = PAGE.read_text("utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    (tmp_path / "lock.c").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_session(capsys: pytest.CaptureFixture[str]) -> None:
    ((words, expected),) = re.findall(r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", TEXT)
    with counted_time():
        assert main(words.split()) == 0
    assert without_figures(capsys.readouterr().out) == without_figures(expected)


def without_figures(text: str) -> str:
    """What depends on the machine is left out, the seconds, and what a cache has known."""
    return re.sub(r"\d+\.\d s|, \d+ more known before", "*", text)


def test_the_examples() -> None:
    flags = doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert result.attempted > 8
    assert result.failed == 0
