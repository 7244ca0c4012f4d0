"""Annotated SPARK programs: each holds, and with the line behind `--  bug:` it does not.

`--  entry: P` names the subprogram that is checked for all callers; without it, the main procedure
is run, or every subprogram of the packages is checked.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import predabs
from support.places import PROGRAMS
from support.selection import mostly_long

FILES = sorted((PROGRAMS / "spark").glob("*.adb"))
_BUG = re.compile(r"^( *)(\S.*?) +--  bug: (.*)$", re.MULTILINE)
_SECONDS = 120.0  # far more than any takes


def with_bug(text: str) -> str:
    return _BUG.sub(r"\1\3", text)


def entry(text: str) -> str:
    found = re.search(r"--  entry: (\w+)", text)
    return "main" if found is None else found[1]


def test_there_are_enough() -> None:
    assert len(FILES) >= 40
    assert all(len(_BUG.findall(file.read_text())) == 1 for file in FILES)


CASES = [(file, wrong) for file in FILES for wrong in (False, True)]


@pytest.mark.parametrize(
    ("file", "wrong"),
    mostly_long(CASES, 14, lambda case: f"{case[0].stem}-{'bug' if case[1] else 'holds'}",
                ("factorial-holds", "paper_counter-bug", "binary_search-holds")),
)  # fmt: skip
def test_verdicts(file: Path, wrong: bool, tmp_path: Path) -> None:
    text = file.read_text()
    if wrong:
        file = tmp_path / file.name
        file.write_text(with_bug(text))
    result = predabs.check([file], entry=entry(text), timeout=_SECONDS)
    assert result.verdict.value == ("FALSE" if wrong else "TRUE"), result.reason
    if wrong:
        assert result.violation is not None


@pytest.mark.long
@pytest.mark.parametrize("engine", ["bounded", "lazy", "slam", "numpred", "kinduction"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_engine_is_wrong(file: Path, engine: str, tmp_path: Path) -> None:
    text = file.read_text()
    wrong = tmp_path / file.name
    wrong.write_text(with_bug(text))
    for path, false in ((file, "FALSE"), (wrong, "TRUE")):
        result = predabs.check([path], entry=entry(text), engine=engine, timeout=10.0)  # type: ignore[arg-type]
        assert result.verdict.value != false
