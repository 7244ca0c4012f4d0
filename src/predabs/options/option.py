"""What an option is: a field of a data class that carries how it is written and what it means.

The name, the type and the default are those of the field; the rest is an `Option`.

>>> @dataclass(frozen=True, kw_only=True)
... class Tea:
...     cups: int = option(1, "how many", GENERAL, Kind.POSITIVE, metavar="N")
...     milk: bool = option(True, "with milk", GENERAL, Kind.SWITCH)
>>> [(row.words, row.told_default) for row in rows(Tea)]
[(('--cups',), '1'), (('--no-milk',), '')]
>>> check_values(Tea(cups=0))
Traceback (most recent call last):
predabs.errors.InputError: cups: 0 must be greater than 0
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import MISSING, Field, fields
from enum import Enum, auto
from typing import Any

from ..errors import InputError
from ..records import dataclass, field

_KEY = "option"


class Kind(Enum):
    """What is written behind the word of an option, and which values it may have."""

    WORD = auto()
    SWITCH = auto()  # nothing; if it is on by default, the word switches it off
    SECONDS = auto()  # a number, with a point if need be, greater than 0
    POSITIVE = auto()  # a whole number greater than 0
    NATURAL = auto()  # a whole number, 0 or greater
    INTEGER = auto()
    LIST = auto()  # words with commas between
    REPEATED = auto()  # one word; the option may be given several times
    PAIR = auto()  # two words, of which the first is one of the choices


@dataclass(frozen=True, slots=True)
class Group:
    """Options that are shown together: those of an engine, or of a purpose."""

    title: str
    text: str = ""


GENERAL = Group("general")
OUTPUT = Group("output")
CLUSTER = Group("cluster", "Runs on other machines, or in other processes (predabs[cluster]).")


@dataclass(frozen=True, slots=True)
class Option:
    """How an option is written and what it means. `flags` are its words if they do not follow from
    the name; an option of the Python function alone has none. `unset` says what happens if there is
    no value. `noun` names one choice in messages."""

    help: str
    group: Group
    kind: Kind
    choices: Collection[str]
    metavar: str | None
    flags: tuple[str, ...] | None
    unset: str
    noun: str
    most: int | None


def option(
    default: Any,
    help: str,
    group: Group,
    kind: Kind = Kind.WORD,
    *,
    choices: Collection[str] = (),
    metavar: str | None = None,
    flags: tuple[str, ...] | None = None,
    unset: str = "",
    noun: str = "",
    most: int | None = None,
) -> Any:
    """A field of a data class; `...` for an option that must be given."""
    kept = Option(help, group, kind, choices, metavar, flags, unset, noun, most)
    return field(default=MISSING if default is ... else default, metadata={_KEY: kept})


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    name: str  # of the keyword argument
    default: Any
    option: Option
    required: bool

    @property
    def words(self) -> tuple[str, ...]:
        """How it is written on the command line; nothing if it is not there."""
        if self.option.flags is not None:
            return self.option.flags
        word = self.name.replace("_", "-")
        return (f"--no-{word}",) if self.default is True else (f"--{word}",)

    @property
    def told_default(self) -> str:
        """The default in words; nothing where it needs none."""
        match self.default:
            case None:
                return self.option.unset
            case bool():
                return ""
            case tuple() | list() | frozenset():
                return ",".join(self.default)
        return str(self.default)

    @property
    def help(self) -> str:
        """What it means, and how a list is written on the command line."""
        match self.option.kind:
            case Kind.LIST:
                return f"{self.option.help} (separated by commas)"
            case Kind.REPEATED:
                return f"{self.option.help} (repeatable)"
        return self.option.help

    @property
    def keyword(self) -> str:
        """How it is written as an argument of the Python function."""
        return f"{self.name}=False" if self.default is True else self.name

    @property
    def noun(self) -> str:
        return self.option.noun or self.name.replace("_", " ")


def rows(table: Any) -> Iterator[Row]:
    """The options of a data class (or of an object of it), in their order."""
    for item in fields(table):
        kept = _option(item)
        if kept is not None:
            required = item.default is MISSING
            yield Row(item.name, None if required else item.default, kept, required)


def _option(item: Field[Any]) -> Option | None:
    kept: Option | None = item.metadata.get(_KEY)
    return kept


def check_values(options: Any) -> None:
    """Raise `InputError` if an option has a value that it cannot have."""
    for row in rows(options):
        value = getattr(options, row.name)
        if value is None and row.default is None:
            continue
        if row.option.kind in (Kind.LIST, Kind.REPEATED):
            if isinstance(value, str):
                raise InputError(f"{row.name}: {value!r} is one word; give a list of words")
            for word in value:
                _check_choice(row, word)
        elif row.option.choices:
            _check_choice(row, value[0] if row.option.kind is Kind.PAIR else value)
        elif problem := number_problem(row.option, value):
            raise InputError(f"{row.name}: {value} {problem}")


def _check_choice(row: Row, word: Any) -> None:
    choices = row.option.choices
    if choices and word not in choices:
        raise InputError(f"no such {row.noun}: {word}; there is {', '.join(choices)}")


def number_problem(option: Option, value: Any) -> str:
    """What is wrong with a number; nothing if it is right, or if no number is asked for."""
    match option.kind:
        case Kind.SECONDS | Kind.POSITIVE if not 0 < value < math.inf:
            return "must be greater than 0"
        case Kind.NATURAL if value < 0:
            return "must not be negative"
    if option.most is not None and value > option.most:
        return f"must not be greater than {option.most}"
    return ""
