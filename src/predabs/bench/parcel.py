"""A run that travels to another machine: the texts of the program go with it.

The files of the task travel, and what they include from their own folders and those of -I; headers
of the system are those of the other machine. An #include whose name is a macro takes all headers of
these folders along.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .. import __version__
from ..errors import InputError
from ..records import dataclass, replace
from .answer import Answer
from .configuration import Configuration
from .execute import Limits
from .perform import Run
from .task import Task

_INCLUDE = re.compile(
    rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(\w))', re.M
)
_HEADERS = ("*.h", "*.inc")
_FOLDER_FLAGS = ("-isystem", "-I")
_FILE_FLAG = "-include"


@dataclass(frozen=True, slots=True)
class Parcel:
    """`files` has the texts by their names below a common folder; the names in the task and its
    flags are below it too."""

    task: Task
    configuration: Configuration
    limits: Limits
    files: tuple[tuple[str, bytes], ...]
    digest: str
    version: str = __version__

    def size(self) -> int:
        """Bytes of the texts."""
        return sum(len(text) for _, text in self.files)


def pack(run: Run) -> Parcel:
    """What has to travel. Raises `InputError` if a file cannot be read."""
    task = run.task
    folders = [folder for _, folder in _folder_flags(task.flags)]
    texts = _texts(task, folders)
    base = Path(os.path.commonpath([*(path.parent for path in texts), *folders]))

    def inside(path: Path) -> Path:
        return path.relative_to(base)

    packed = replace(
        task,
        files=tuple(inside(path) for path in task.files),
        flags=tuple(_moved(task.flags, inside)),
    )
    files = tuple((inside(path).as_posix(), text) for path, text in texts.items())
    return Parcel(packed, run.configuration, run.limits, files, task.digest())


def unpack(parcel: Parcel, folder: Path) -> Run:
    """Write the texts below the folder; the run that uses them."""
    for name, text in parcel.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    task = replace(
        parcel.task,
        files=tuple(folder / file for file in parcel.task.files),
        flags=tuple(_moved(parcel.task.flags, lambda path: folder / path)),
    )
    for _, place in _folder_flags(task.flags):
        place.mkdir(parents=True, exist_ok=True)
    return Run(task, parcel.configuration, parcel.limits)


def delivered(parcel: Parcel, answer: Answer) -> Answer:
    """The answer of the other machine, to the task as it is here."""
    return replace(answer, digest=parcel.digest if answer.digest else "")


def _texts(task: Task, folders: Sequence[Path]) -> dict[Path, bytes]:
    """The files, and those that they include, as far as they are found in folders of the task."""
    found: dict[Path, bytes] = {}
    forced = [Path(word) for flag, word in _pairs(task.flags) if flag == _FILE_FLAG]
    todo = [*task.files, *forced]
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


def _pairs(flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each flag that names a file or folder, with the name."""
    before = ""
    for word in flags:
        if before in (*_FOLDER_FLAGS, _FILE_FLAG):
            yield before, word
            before = ""
            continue
        before = word
        for flag in _FOLDER_FLAGS:
            if word.startswith(flag) and word != flag:
                yield flag, word[len(flag) :]


def _folder_flags(flags: Sequence[str]) -> Iterator[tuple[str, Path]]:
    return ((flag, Path(word)) for flag, word in _pairs(flags) if flag in _FOLDER_FLAGS)


def _moved(flags: Sequence[str], move: Callable[[Path], Path]) -> Iterator[str]:
    """The flags, with other names of files and folders."""
    named = {word for _, word in _pairs(flags)}
    for word in flags:
        flag = next((f for f in _FOLDER_FLAGS if word.startswith(f) and word != f), None)
        if word in named:
            yield str(move(Path(word)))
        elif flag is not None:
            yield f"{flag}{move(Path(word[len(flag) :]))}"
        else:
            yield word
