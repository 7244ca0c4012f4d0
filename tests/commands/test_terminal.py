"""Colours: only on a terminal that wants them, and never another text."""

from __future__ import annotations

import io
import re

import pytest

from predabs.commands.terminal import line_printer, wants_colours
from predabs.evidence.trace.steps import StepKind
from predabs.evidence.trace.text import TraceLine

LINES = [
    "inputs:",
    TraceLine("> ", "a.c:3  ", '  x = f("[red]", 3);  ', "x = 3", StepKind.STATEMENT),
    TraceLine("  ", "       ", "... 3 more rounds ...  ", "", StepKind.OMITTED),
    "error: a.c:3:4: [x] is wrong",
    "VERDICT: FALSE (deref)",
]
PLAIN = "\n".join(str(line) for line in LINES) + "\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def printed(stream: io.StringIO) -> str:
    show = line_printer(stream)
    for line in LINES:
        show(line)
    return stream.getvalue()


def test_plain_where_there_is_no_terminal() -> None:
    assert not wants_colours(io.StringIO())
    assert printed(io.StringIO()) == PLAIN


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_plain_where_nobody_wants_colours(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert not wants_colours(Terminal())
    assert printed(Terminal()) == PLAIN


def test_the_same_text_with_colours() -> None:
    shown = printed(Terminal())
    assert "\x1b[" in shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == PLAIN
