"""Predicates of a SPARK program: in its `--% predicate` comments, and in a predicates file.

The file has the form of `file`: sections `global:` and `SUBPROGRAM:`, one expression on each line,
here in Ada's syntax, with comments behind `--` or `#`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ...errors import InputError
from ...ir.cfa import Coord
from ...ir.expr import Expr
from .file import GLOBAL, PredicatesFile, SourcePredicate

_SECTION = re.compile(r"\s*(?P<name>\w+(?:\.\w+)*)\s*:\s*\Z")


class AdaNote(Protocol):
    """A `--%` annotation."""

    @property
    def word(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def coord(self) -> Coord: ...


class AdaRemark(Protocol):
    """An annotation in a subprogram."""

    @property
    def annotation(self) -> AdaNote: ...
    @property
    def function(self) -> str: ...


class AdaSource(Protocol):
    """What the front end of SPARK knows about the source of a program."""

    @property
    def remarks(self) -> Sequence[AdaRemark]: ...
    def predicate(self, function: str, text: str, coord: Coord) -> Expr: ...
    def named(self, name: str) -> str | None: ...


def ada_predicates(source: AdaSource, file: Path | None) -> PredicatesFile:
    """All predicates of a program: those of its comments, then those of a file."""
    sections: dict[str, dict[Expr, SourcePredicate]] = {GLOBAL: {}}

    def add(function: str, text: str, coord: Coord) -> None:
        expr = source.predicate("" if function == GLOBAL else function, text, coord)
        shown = " ".join(text.split())
        found = sections.setdefault(function, {})
        found.setdefault(expr, SourcePredicate(shown, expr, coord.line))

    for remark in source.remarks:
        note = remark.annotation
        if note.word == "predicate":
            known = source.named(remark.function)
            if known is not None:
                add(known, note.text, note.coord)
    if file is not None:
        _read(source, file, add)
    return PredicatesFile(
        tuple(sections[GLOBAL].values()),
        {name: tuple(found.values()) for name, found in sections.items() if name != GLOBAL},
        {},
    )


class _Add(Protocol):
    def __call__(self, function: str, text: str, coord: Coord) -> None: ...


def _read(source: AdaSource, file: Path, add: _Add) -> None:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{file}: cannot be read: {problem}") from None
    section: str | None = None
    for number, line in enumerate(lines, 1):
        text = re.split(r"--|#", line)[0].rstrip()
        if not text.strip():
            continue
        coord = Coord(str(file), number, len(text) - len(text.lstrip()) + 1)
        begun = _SECTION.match(text)
        if begun is not None:
            name = begun["name"]
            section = GLOBAL if name.lower() == GLOBAL else source.named(name)
            if section is None:
                raise InputError(f"{coord}: {name} is no subprogram of the program")
        elif section is None:
            raise InputError(f"{coord}: `global:` or the name of a subprogram must come first")
        else:
            add(section, text.strip(), coord)
