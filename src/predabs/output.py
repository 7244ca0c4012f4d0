"""Writing results: to standard output, or to a file that is whole or not there at all."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from .errors import InputError


def write_result(text: str, path: str | None) -> None:
    """Write to the file, or to standard output if there is none (or it is `-`)."""
    if path is None or path == "-":
        sys.stdout.write(text)
    else:
        write_atomically(Path(path), text)


def check_writable(path: str | None) -> None:
    """Raises `InputError` if `write_result` could not write there: before the work, so that it is
    not done for nothing. Nothing is changed."""
    if path is None or path == "-":
        return
    target = Path(path).resolve()
    if target.is_dir():
        raise InputError(f"{path}: cannot write: it is a directory")
    if not target.parent.is_dir():
        raise InputError(f"{path}: cannot write: there is no folder {target.parent}")
    beside = target if target.exists() and not target.is_file() else target.parent
    if not os.access(beside, os.W_OK):
        raise InputError(f"{path}: cannot write: Permission denied")


def write_atomically(path: Path, text: str) -> None:
    """Replace the file at once: nobody ever sees half of it, and a failure leaves the old one."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        if path.exists() and not path.is_file():
            if path.is_dir():
                raise InputError(f"{path}: cannot write: it is a directory")
            path.write_bytes(data)  # a device or pipe is written to, not replaced
            return
        # where a link leads is replaced, not the link
        target = path.resolve()
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else _new_mode())
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise InputError(f"{path}: cannot write: {problem.strerror or problem}") from problem


def make_folder(path: Path) -> None:
    """Make sure that there is a folder to write into."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{path}: cannot be made: {problem.strerror or problem}") from problem


def _new_mode() -> int:
    """The permissions that an ordinary new file would get."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
