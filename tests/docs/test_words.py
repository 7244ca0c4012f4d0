"""The words of the pages and of `--help` are those of docs/glossary.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from predabs.options.option import rows
from predabs.options.table import COMMANDS
from support.places import DOCS, ROOT

# a word that was in use, and the literature's for it
REPLACED = {
    r"control points?": "configuration",
    r"plain (?:integer )?variables?": "scalar variable",
    r"memory maps?": "memory region",
    r"points? of abstraction": "cut point",
    r"producers?": "interpolator",
    r"(?:takes?|took|in) turns": "time slice",
    r"number values?": "numeric element",
    r"without a wish": "by default",
}
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
CITED = "(control points, disjunctive completion, focus)"  # the words of [BPR01]


def replaced(text: str) -> list[str]:
    flat = " ".join(text.split()).replace(CITED, "")
    return [old for old in REPLACED if re.search(rf"\b{old}\b", flat, re.IGNORECASE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page(page: Path) -> None:
    assert replaced(page.read_text("utf-8")) == []


def test_the_help_texts() -> None:
    texts = [row.help for tables in COMMANDS.values() for table in tables for row in rows(table)]
    assert len(texts) > 30
    assert [text for text in texts if replaced(text)] == []


def test_the_new_words_are_in_the_glossary() -> None:
    terms = (DOCS / "glossary.md").read_text("utf-8")
    assert [new for new in REPLACED.values() if new != "by default" and new not in terms] == []


def test_how_words_are_found() -> None:
    assert replaced("at each control\npoint") and replaced("They take turns.")
    assert replaced("a section of its control flow, point by point") == []
