"""docs/numpred.md: its session, its table and its examples are run, on the program it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import predabs
from predabs.cli import main

PAGE = Path(__file__).parent.parent / "docs" / "numpred.md"
TEXT = PAGE.read_text("utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| .* \| (\w+) \|$", TEXT, re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    (tmp_path / "ways.c").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_session(capsys: pytest.CaptureFixture[str]) -> None:
    ((words, expected),) = re.findall(r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", TEXT)
    assert main(words.split()) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(("structure", "verdict"), ROWS)
def test_the_table(structure: str, verdict: str) -> None:
    """A proof that does not come takes long to give up."""
    seconds = 60 if verdict == "TRUE" else 3
    found = predabs.check(["ways.c"], engine="numpred", domain=structure, timeout=seconds)
    assert found.verdict.value == verdict


def test_the_table_has_all_domains() -> None:
    assert len(ROWS) == 6


def test_the_examples() -> None:
    flags = doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert result.attempted > 8
    assert result.failed == 0
