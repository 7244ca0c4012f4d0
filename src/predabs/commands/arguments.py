"""From the table of options to the command line: an argument for each option, and back."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeVar

from ..options.option import Kind, Option, Row, number_problem, rows
from ..options.table import COMMANDS

T = TypeVar("T")


def add_options(parser: argparse.ArgumentParser, command: str) -> None:
    """All options of the command, in groups."""
    groups: dict[str, argparse._ArgumentGroup] = {}
    for table in COMMANDS[command]:
        for row in rows(table):
            group = row.option.group
            if group.title not in groups:
                groups[group.title] = parser.add_argument_group(group.title, group.text or None)
            if row.words:
                _add(groups[group.title], row)


def chosen(table: type[T], args: argparse.Namespace) -> T:
    """The object of the table that the arguments describe; what is not among them has its
    default. Raises `InputError` for values that there are not."""
    given = vars(args)
    return table(**{row.name: given[row.name] for row in rows(table) if row.name in given})


def _add(group: argparse._ArgumentGroup, row: Row) -> None:
    option = row.option
    told = f" (default: {row.told_default})" if row.told_default else ""
    more: dict[str, Any] = {"dest": row.name, "help": _escaped(row.help + told)}
    match option.kind:
        case Kind.SWITCH:
            more["action"] = "store_false" if row.default is True else "store_true"
        case Kind.REPEATED:
            more |= {"action": "append", "default": [], "metavar": option.metavar}
        case Kind.PAIR:
            words = tuple((option.metavar or "").split())
            more |= {"default": row.default, "nargs": 2, "metavar": words}
        case _:
            more |= {"default": row.default, "required": row.required, "metavar": option.metavar}
            more["type"] = _reader(option)
            if option.choices and option.kind is Kind.WORD:
                more["choices"] = list(option.choices)
    group.add_argument(*row.words, **more)


def _escaped(text: str) -> str:
    """argparse takes `%` for a format."""
    return text.replace("%", "%%")


def _reader(option: Option) -> Callable[[str], Any]:
    match option.kind:
        case Kind.LIST:
            return lambda text: tuple(word.strip() for word in text.split(",") if word.strip())
        case Kind.WORD:
            return str
    read = float if option.kind is Kind.SECONDS else int

    def number(text: str) -> float:
        try:
            value = read(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
        if problem := number_problem(option, value):
            raise argparse.ArgumentTypeError(problem)
        return value

    return number
