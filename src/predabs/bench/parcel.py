"""A run that travels to another machine: the texts of the program go with it.

The files of the task travel, and what they include from their own folders and those of -I (see
`texts`); headers of the system are those of the other machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .. import __version__
from ..records import dataclass, replace
from .answer import Answer
from .configuration import Configuration
from .execute import Limits
from .perform import Run
from .task import Task
from .texts import FOLDER_FLAGS, flag_pairs, folder_flags, texts_of


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
    folders = [folder for _, folder in folder_flags(task.flags)]
    texts = texts_of(task.files, task.flags)
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
    for _, place in folder_flags(task.flags):
        place.mkdir(parents=True, exist_ok=True)
    return Run(task, parcel.configuration, parcel.limits)


def delivered(parcel: Parcel, answer: Answer) -> Answer:
    """The answer of the other machine, to the task as it is here."""
    return replace(answer, digest=parcel.digest if answer.digest else "")


def _moved(flags: Sequence[str], move: Callable[[Path], Path]) -> Iterator[str]:
    """The flags, with other names of files and folders."""
    named = {word for _, word in flag_pairs(flags)}
    for word in flags:
        flag = next((f for f in FOLDER_FLAGS if word.startswith(f) and word != f), None)
        if word in named:
            yield str(move(Path(word)))
        elif flag is not None:
            yield f"{flag}{move(Path(word[len(flag) :]))}"
        else:
            yield word
