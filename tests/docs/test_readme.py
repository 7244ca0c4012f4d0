"""README.md: its commands print what it shows, its links lead somewhere."""

from __future__ import annotations

import re

import pytest

from predabs.cli import main
from support.places import DOCS, ROOT
from support.sessions import commands, exit_code, matches, sessions

TEXT = (ROOT / "README.md").read_text("utf-8")
COMMANDS = [command for session in sessions(TEXT) for command in commands(session)]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]


@pytest.mark.parametrize(("words", "expected"), COMMANDS, ids=lambda value: str(value)[:40])
def test_a_command(
    words: list[str],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(words) == exit_code(expected)
    printed = capsys.readouterr().out
    assert matches(expected, printed), printed


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 2


def test_the_source_is_the_example() -> None:
    (shown,) = re.findall(r"```c\n((?:.*\n)*?)```", TEXT)
    assert shown in (ROOT / "examples" / "queue.c").read_text("utf-8")


def test_every_page_is_linked() -> None:
    linked = set(re.findall(r"\(docs/([\w-]+\.md)", TEXT))
    assert sorted({page.name for page in DOCS.glob("*.md")} - linked) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: object) -> None:
    """To a file, and in a page to one of its headings."""
    path = next(known for known in PAGES if known == page)
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if ":" not in target:
            name, _, anchor = target.partition("#")
            file = path.parent / name if name else path
            assert file.exists(), target
            assert not anchor or anchor in anchors(file.read_text("utf-8")), target


def anchors(text: str) -> set[str]:
    """The headings of a page, as links name them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
