"""A verification task: C files, a property, and the verdict that is expected, if one is known."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from ..errors import InputError
from ..options import CHECKS, GROUPS
from ..records import dataclass
from .texts import texts_of

ASSERT = "assert"
_CALL = "CHECK( init(main()), LTL(G ! call(%s())) )\n"
_FORMULA = "CHECK( init(main()), LTL(%s) )\n"

# the properties of SV-COMP by name, for tasks whose files do not come with them; older programs
# call the error function by its older name
STANDARD = {
    "unreach-call": _CALL % "__VERIFIER_error" + _CALL % "reach_error",
    "valid-memsafety": "".join(
        _FORMULA % f"G {name}" for name in ("valid-free", "valid-deref", "valid-memtrack")
    ),
    "valid-memcleanup": _FORMULA % "G valid-memcleanup",
    "no-overflow": _FORMULA % "G ! overflow",
    "def-behavior": _FORMULA % "G def-behavior",
    "termination": _FORMULA % "F end",
    "no-data-race": _FORMULA % "G ! data-race",
}


@dataclass(frozen=True, slots=True)
class TaskProperty:
    """What is asked of a program: a name such as `unreach-call`, and the text of its file. Those of
    predabs alone have none: `assert`, and the checks (`memory`, `overflow` ...)."""

    name: str
    suffix: str = ""  # .prp or .rule
    text: str = ""

    @property
    def file_name(self) -> str:
        return f"{self.name}{self.suffix}"


def property_named(word: str, folder: Path | None = None) -> TaskProperty:
    """The property that a word names: `assert`, a check, a file, or a property of SV-COMP. A file
    that is not there, but is called like one of those, stands for it.

    >>> property_named("unreach-call").file_name, property_named("x/no-overflow.prp").name
    ('unreach-call.prp', 'no-overflow')
    """
    if word == ASSERT or all(part in CHECKS or part in GROUPS for part in word.split(",")):
        return TaskProperty(word)
    path = (folder or Path()) / word
    if path.suffix in (".prp", ".rule") and path.is_file():
        return TaskProperty(path.stem, path.suffix, _text(path))
    name = path.name.removesuffix(".prp")
    if name not in STANDARD:
        known = ", ".join((ASSERT, *STANDARD, *GROUPS))
        raise InputError(
            f"{word}: no such property; there is {known}, or name a .prp or .rule file"
        )
    return TaskProperty(name, ".prp", STANDARD[name])


def printable(text: str) -> str:
    """On one line, and as UTF-8, whatever a file is called.

    >>> print(printable("new\\nline, \\udcff"))
    new\\nline, \\udcff
    """
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path}: cannot read the property: {problem}") from problem


@dataclass(frozen=True, slots=True)
class Task:
    """A program and what is asked of it. `flags` are those of a compiler: -I, -D and their like,
    with folders that are absolute."""

    name: str
    category: str
    files: tuple[Path, ...]
    wanted: TaskProperty
    expected: bool | None = None  # does the property hold?
    subproperty: str = ""  # of a property of several parts, the one that is violated
    data_model: str = "LP64"
    flags: tuple[str, ...] = ()
    lines: int = 0  # if somebody has counted them

    @property
    def key(self) -> tuple[str, str]:
        """What tells it apart from the others of a collection."""
        return self.name, self.wanted.name

    @property
    def file(self) -> Path:
        """Its only file, or the first."""
        return self.files[0]

    @property
    def title(self) -> str:
        return f"{self.name} ({self.wanted.name})"

    def digest(self) -> str:
        """Changes with the text of its files and of the headers beside them, the property or the
        flags."""
        found = hashlib.sha256()
        for part in self._parts():
            found.update(len(part).to_bytes(8, "big"))
            found.update(part)
        return found.hexdigest()

    def _parts(self) -> Iterable[bytes]:
        yield "\0".join((self.data_model, self.wanted.file_name, *self.flags)).encode()
        yield self.wanted.text.encode()
        texts = texts_of(self.files, self.flags)
        yield from (texts.pop(path) for path in self._paths())
        yield from (text for _, text in sorted(texts.items()))

    def _paths(self) -> list[Path]:
        return list(dict.fromkeys(Path(os.path.normpath(file)) for file in self.files))
