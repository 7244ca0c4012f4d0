"""Sessions of the command line in pages: what is typed and printed, and how that is compared."""

from __future__ import annotations

import re

SESSION = re.compile(r"```console\n((?:.*\n)*?)```")
EXIT_CODES = {"TRUE": 0, "FALSE": 1, "UNKNOWN": 3}


def sessions(page: str) -> list[str]:
    return SESSION.findall(page)


def commands(session: str) -> list[tuple[list[str], str]]:
    """The words of each command, and what it prints."""
    parts = re.split(r"^\$ predabs (.*)\n", session, flags=re.MULTILINE)
    assert parts[0] == ""
    return [
        (words.split(), printed) for words, printed in zip(parts[1::2], parts[2::2], strict=True)
    ]


def exit_code(expected: str) -> int:
    """The exit code that goes with what is printed."""
    verdict = re.search(r"^VERDICT: (\w+)", expected, re.MULTILINE)
    return EXIT_CODES[verdict[1]] if verdict else 0


def without_figures(text: str) -> str:
    """Seconds, and what fits into them; the number of questions is the solver's mood."""
    return re.sub(r"\d+\.\d s|\d+ rounds?|\d+ calls|\d+ more known", "*", text)


def matches(expected: str, printed: str) -> bool:
    """A line of three dots stands for any lines, at the start too."""
    parts = f"\n{without_figures(expected)}".split("\n...\n")
    pattern = r"\n(?:.*\n)*".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, f"\n{without_figures(printed)}") is not None
