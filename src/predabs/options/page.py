"""The table as a page of the documentation, docs/options.md."""

from __future__ import annotations

from collections.abc import Iterator

from .option import Kind, Row, rows
from .table import COMMANDS, Options

_HEAD = """# All options

This page is made from the table in `src/predabs/options`, by `python -m predabs.options`; so are
the command line, its `--help` and the arguments of `predabs.check`. An option means the same in all
commands: `--timeout` limits wall-clock time, `--memory` the memory of the analysis, and `--numeric`
chooses the numeric abstract domain. Only `bench` speaks of the runs that it starts. The
[glossary](glossary.md) explains the words.
"""
_FILES = {
    "bebop": "FILE.bp",
    "bench": "TASKS",
    "explain": "RESULT.json",
    "validate": "WITNESS FILE...",
}


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for command, tables in COMMANDS.items():
        parts.append(f"\n## `predabs {command} {_FILES.get(command, 'FILE...')}`\n")
        shown = command == "check"  # what has no word on the command line has one in Python
        found = [(row, t) for t in tables for row in rows(t) if row.words or shown]
        if not found:
            parts.append("\nNo options.\n")
        for group in dict.fromkeys(row.option.group for row, _ in found):
            mine = [(row, table) for row, table in found if row.option.group is group]
            parts.append(f"\n**{group.title[0].upper()}{group.title[1:]}**{_colon(group.text)}\n")
            python = command == "check" and any(issubclass(table, Options) for _, table in mine)
            parts.extend(_table(mine, python))
    return "".join(parts)


def _colon(text: str) -> str:
    return f": {text[0].lower()}{text[1:]}" if text else ""


def _table(mine: list[tuple[Row, type]], python: bool) -> Iterator[str]:
    """With `python`, a column for the keyword argument."""
    names = ["option", *(["in Python"] if python else []), "default", "means"]
    yield f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}\n"
    for row, table in mine:
        keyword = f"`{row.keyword}`" if issubclass(table, Options) else ""
        cells = [_written(row), *([keyword] if python else [])]
        cells += [_default(row), _escaped(row.help)]
        yield f"| {' | '.join(cells)} |\n"


def _written(row: Row) -> str:
    """All words of an option, with what follows them."""
    if not row.words:
        return ""
    words = ", ".join(f"`{word}`" for word in row.words)
    if row.option.kind is Kind.SWITCH:
        return words
    if row.option.choices and row.option.metavar is None:
        return f"{words} {', '.join(f'`{word}`' for word in row.option.choices)}"
    return f"{words} {row.option.metavar}"


def _default(row: Row) -> str:
    if row.required:
        return "(must be given)"
    told = row.told_default
    return _escaped(told) if row.default is None or not told else f"`{told}`"


def _escaped(text: str) -> str:
    return text.replace("|", "&#124;").replace("__", "\\_\\_").replace("_*", "\\_\\*")
