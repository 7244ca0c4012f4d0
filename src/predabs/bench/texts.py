"""The texts of a program: its files, and what they include from their own folders and those of -I.

Headers of the system are not among them. An #include whose name is a macro takes all headers of
these folders along.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import InputError

_INCLUDE = re.compile(
    rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(\w))', re.M
)
_HEADERS = ("*.h", "*.inc")
FOLDER_FLAGS = ("-isystem", "-I")
_FILE_FLAG = "-include"


def texts_of(files: Sequence[Path], flags: Sequence[str]) -> dict[Path, bytes]:
    """The files, and those that they include, as far as they are found in folders of the task.
    Raises `InputError` if one cannot be read."""
    found: dict[Path, bytes] = {}
    folders = [folder for _, folder in folder_flags(flags)]
    forced = [Path(word) for flag, word in flag_pairs(flags) if flag == _FILE_FLAG]
    todo = [*files, *forced]
    while todo:
        path = Path(os.path.normpath(todo.pop()))
        if path in found:
            continue
        try:
            found[path] = path.read_bytes()
        except OSError as problem:
            raise InputError(f"{path}: cannot read this file: {problem.strerror}") from problem
        for quoted, angular, macro in _INCLUDE.findall(found[path]):
            if macro:
                todo += [p for folder in (path.parent, *folders) for p in _headers(folder)]
                continue
            name = os.fsdecode(quoted or angular)
            starts = (path.parent, *folders) if quoted else folders
            todo += [start / name for start in starts if (start / name).is_file()]
    return found


def _headers(folder: Path) -> Iterator[Path]:
    for pattern in _HEADERS:
        yield from folder.glob(pattern)


def flag_pairs(flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each flag that names a file or folder, with the name."""
    before = ""
    for word in flags:
        if before in (*FOLDER_FLAGS, _FILE_FLAG):
            yield before, word
            before = ""
            continue
        before = word
        for flag in FOLDER_FLAGS:
            if word.startswith(flag) and word != flag:
                yield flag, word[len(flag) :]


def folder_flags(flags: Sequence[str]) -> Iterator[tuple[str, Path]]:
    return ((flag, Path(word)) for flag, word in flag_pairs(flags) if flag in FOLDER_FLAGS)
