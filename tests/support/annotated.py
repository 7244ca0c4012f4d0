"""C programs whose comments say what is expected of them, in the format of programs/README.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.places import PROGRAMS

_KEYS = "expect|models|inputs|steps|native|verdict|bounded|check|error|refused|extern|volatile"
_NOTE = re.compile(rf"//\s*({_KEYS}):\s*(.*?)\s*$")


@dataclass(frozen=True)
class Note:
    """An annotation: `// key: text`, with its place."""

    key: str
    text: str
    file: str
    line: int


@dataclass(frozen=True)
class Annotated:
    """A program of one or several files with its annotations."""

    name: str
    files: tuple[str, ...]
    notes: tuple[Note, ...]

    def note(self, key: str) -> Note | None:
        """The one annotation with this key, if there is one."""
        found = [note for note in self.notes if note.key == key]
        assert len(found) <= 1, f"{self.name}: more than one '{key}'"
        return found[0] if found else None

    def need(self, key: str) -> Note:
        found = self.note(key)
        assert found is not None, f"{self.name}: no '// {key}:'"
        return found

    def text(self, key: str, default: str = "") -> str:
        found = self.note(key)
        return default if found is None else found.text

    @property
    def models(self) -> list[str]:
        return self.text("models", "LP64 ILP32").split()


def programs(folder: str) -> list[Annotated]:
    """All programs of a folder: each C file is one, and each folder with C files."""
    found = []
    for path in sorted((PROGRAMS / folder).iterdir()):
        files = sorted(path.glob("*.c")) if path.is_dir() else [path] * (path.suffix == ".c")
        if files:
            notes = tuple(note for file in files for note in _notes(file))
            found.append(Annotated(path.stem, tuple(str(file) for file in files), notes))
    assert found, f"no programs in {folder}"
    return found


def _notes(file: Path) -> Iterator[Note]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = _NOTE.search(line)
        if match:
            yield Note(match[1], match[2], str(file), number)


def for_each_model(found: list[Annotated]) -> list[tuple[Annotated, str]]:
    return [(program, model) for program in found for model in program.models]
