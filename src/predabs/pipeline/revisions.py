"""The files of a program as they were at a revision of its git repository.

The tree of the revision is written into a scratch folder, headers and all, and the program is read
from there, with the same flags. Nothing in the repository or its index changes.
"""

from __future__ import annotations

import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError
from ..frontend.compiler_flags import CompilerFlags, SourceFlags
from ..records import dataclass, replace


@dataclass(frozen=True, slots=True)
class OldSources:
    """The files that were there, as they were, and their flags."""

    files: tuple[str, ...]
    flags: SourceFlags


@contextmanager
def sources_at(revision: str, files: Sequence[str], flags: SourceFlags) -> Iterator[OldSources]:
    """The files at a revision, while the context is open."""
    root = _git(Path(files[0]).resolve().parent, "rev-parse", "--show-toplevel", about=files[0])
    commit = _git(
        root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", about=revision
    )
    with tempfile.TemporaryDirectory(prefix="predabs-revision-") as folder:
        _export(root, commit, folder)
        moved = _Moved(os.path.realpath(root), folder)
        there = {file: moved.path(os.path.realpath(file)) for file in files}
        old = {file: path for file, path in there.items() if os.path.exists(path)}
        own = {path: moved.flags(flags.of(file)) for file, path in old.items()}
        yield OldSources(
            tuple(old.values()), replace(flags, common=moved.flags(flags.common), own=own)
        )


@dataclass(frozen=True, slots=True)
class _Moved:
    """What lies below one folder, in another one."""

    root: str
    folder: str

    def path(self, path: str) -> str:
        inside = os.path.relpath(os.path.join(self.root, path), self.root)
        return path if inside.startswith("..") else os.path.join(self.folder, inside)

    def flags(self, flags: CompilerFlags) -> CompilerFlags:
        """Folders and files in flags; a relative one is meant from here."""
        return replace(
            flags,
            include=tuple(map(self._given, flags.include)),
            force_include=tuple(map(self._given, flags.force_include)),
            entry=tuple(self._given(word) if os.path.isabs(word) else word for word in flags.entry),
        )

    def _given(self, word: str) -> str:
        return self.path(os.path.realpath(word)) if os.path.exists(word) else word


def _export(root: str, commit: str, folder: str) -> None:
    with subprocess.Popen(
        ["git", "-C", root, "archive", "--format=tar", commit], stdout=subprocess.PIPE
    ) as archive:
        assert archive.stdout is not None
        try:
            with tarfile.open(fileobj=archive.stdout, mode="r|") as tree:
                tree.extractall(folder, filter="data")
        except (tarfile.TarError, OSError) as problem:
            raise InputError(f"git archive {commit}: {problem}") from None


def _git(folder: Path | str, *words: str, about: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, check=False
        )
    except OSError as problem:
        raise InputError(f"--changed-since needs git: {problem.strerror}") from None
    if done.returncode:
        told = done.stderr.strip().splitlines()
        why = told[-1] if told else "git knows no such revision"
        raise InputError(f"--changed-since: {about}: {why}")
    return done.stdout.strip()
