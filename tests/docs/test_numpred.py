"""docs/numpred.md: its session, its table and its examples are run, on the program it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from predabs.cli import main
from support.counted_time import PLENTY, counted_time
from support.places import DOCS

PAGE = DOCS / "numpred.md"
TEXT = PAGE.read_text("utf-8")
ENOUGH = 10.0  # seconds after which a proof is not expected any more
ROWS = re.findall(r"^\| `(\w+)` \| .* \| (\w+) \|$", TEXT, re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    (tmp_path / "ways.c").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints; a second of its time limit is so much work."""
    with counted_time():
        main(list(words))
    return capsys.readouterr().out


def test_the_session(capsys: pytest.CaptureFixture[str]) -> None:
    ((words, expected),) = re.findall(r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", TEXT)
    assert printed(capsys, *words.split()) == expected


@pytest.mark.parametrize(("structure", "verdict"), ROWS)
def test_the_table(structure: str, verdict: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A proof that does not come takes long to give up."""
    seconds = str(PLENTY if verdict == "TRUE" else ENOUGH)
    words = ("--engine", "numpred", "--domain", structure, "--timeout", seconds)
    last = printed(capsys, "check", "ways.c", *words).splitlines()[-1]
    assert last.startswith(f"VERDICT: {verdict}")


@pytest.mark.parametrize(
    "numbers", ["octagon", pytest.param("polyhedra", marks=pytest.mark.needs_polyhedra)]
)
def test_numbers_can_be_chosen(numbers: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("check", "ways.c", "--engine", "numpred", "--domain", "nex", "--numeric")
    assert printed(capsys, *words, numbers) == "VERDICT: TRUE\n"


def test_intervals_do_not_relate_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("check", "ways.c", "--engine", "numpred", "--domain", "nex", "--numeric", "box")
    found = printed(capsys, *words, "--timeout", str(ENOUGH))
    assert found.startswith("VERDICT: UNKNOWN")


def test_the_table_has_all_domains() -> None:
    assert len(ROWS) == 6


def test_the_examples() -> None:
    flags = doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert result.attempted > 8
    assert result.failed == 0
