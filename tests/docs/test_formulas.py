"""docs/formulas.md: its examples are run, on the program that it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from support.places import DOCS

PAGE = DOCS / "formulas.md"


def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"```c\n((?:.*\n)*?)```", PAGE.read_text("utf-8"))
    (tmp_path / "lock.c").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 15
    assert result.failed == 0
