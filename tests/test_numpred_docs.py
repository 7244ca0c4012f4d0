"""docs/numpred.md: its session, its table and its examples are run, on the program it shows."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "numpred.md"
TEXT = PAGE.read_text("utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| .* \| (\w+) \|$", TEXT, re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    (tmp_path / "ways.c").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)


def predabs(*words: str) -> str:
    """What a process of its own prints, as at a prompt."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "predabs", *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=90, env=environment, check=False
    ).stdout


def test_the_session() -> None:
    ((words, expected),) = re.findall(r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", TEXT)
    assert predabs(*words.split()) == expected


@pytest.mark.parametrize(("structure", "verdict"), ROWS)
def test_the_table(structure: str, verdict: str) -> None:
    """A proof that does not come takes long to give up."""
    seconds = "60" if verdict == "TRUE" else "3"
    words = ("--engine", "numpred", "--domain", structure, "--timeout", seconds)
    printed = predabs("check", "ways.c", *words)
    assert printed.splitlines()[-1].startswith(f"VERDICT: {verdict}")


@pytest.mark.parametrize("numbers", ["octagon", "polyhedra"])
def test_numbers_can_be_chosen(numbers: str) -> None:
    """Intervals do not relate x and i."""
    words = ("check", "ways.c", "--engine", "numpred", "--domain", "nex", "--numeric")
    assert predabs(*words, numbers) == "VERDICT: TRUE\n"
    assert predabs(*words, "box", "--timeout", "3").startswith("VERDICT: UNKNOWN")


def test_the_table_has_all_domains() -> None:
    assert len(ROWS) == 6


def test_the_examples() -> None:
    flags = doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert result.attempted > 8
    assert result.failed == 0
