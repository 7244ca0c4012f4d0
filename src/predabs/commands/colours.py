"""Lines for a person in colours, with the library rich. The text stays the same."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from ..evidence.trace.steps import StepKind
from ..evidence.trace.text import TraceLine
from .terminal import Line, LinePrinter

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


def coloured(stream: TextIO) -> LinePrinter:
    """Prints lines to a terminal."""
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
