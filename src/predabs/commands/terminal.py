"""Lines for a person: with colours on a terminal, plain elsewhere.

The text is the same in both. NO_COLOR (https://no-color.org) and TERM=dumb ask for plain text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TextIO, TypeAlias

from ..evidence.trace.steps import StepKind
from ..evidence.trace.text import TraceLine

Line: TypeAlias = str | TraceLine
LinePrinter: TypeAlias = Callable[[Line], None]

# how lines begin, and how they look
_STYLES = {
    "VERDICT: TRUE": "bold green",
    "VERDICT: FALSE": "bold red",
    "VERDICT: UNKNOWN": "bold yellow",
    "error:": "bold red",
    "       where": "red",
    "note:": "yellow",
    "try:": "yellow",
    "unconfirmed:": "bold yellow",
    "assumed:": "dim",
    "tried:": "dim",
    "inputs:": "bold",
    "run:": "bold",
}


def line_printer(stream: TextIO | None = None) -> LinePrinter:
    """Prints lines to standard output, or to the stream."""
    out = sys.stdout if stream is None else stream
    if wants_colours(out):
        return _coloured(out)
    return lambda line: print(line, file=out)


def wants_colours(stream: TextIO) -> bool:
    """Is the stream a terminal whose user has nothing against colours?"""
    environment = os.environ
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return stream.isatty() and not plain


def _coloured(stream: TextIO) -> LinePrinter:
    # here, because it takes a while to load and output into files and pipes does without
    from rich.console import Console
    from rich.syntax import Syntax
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    syntax = Syntax("", "c", theme="ansi_dark")

    def highlighted(text: str) -> Text:
        shown = syntax.highlight(text)
        shown.rstrip()  # a lexer ends the line
        return shown + " " * (len(text) - len(shown))

    def show(line: Line) -> None:
        if isinstance(line, TraceLine):
            if line.kind is StepKind.OMITTED:
                statement = Text(line.statement, "dim")
            else:
                statement = highlighted(line.statement)
            mark, place = Text(line.mark, "bold red"), Text(line.place, "cyan")
            shown = Text.assemble(mark, place, statement, Text(line.values, "green"))
            shown.rstrip()
        else:
            style = next((look for start, look in _STYLES.items() if line.startswith(start)), "")
            shown = Text(line, style)
        console.print(shown, soft_wrap=True)

    return show
