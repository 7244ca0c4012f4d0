"""The folder of `--reuse`: a file for each procedure, which is whole and of this version, or not
used at all.

Soundness duty: what is read is what was written, by this version of predabs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from ... import __version__
from ...errors import InputError, InternalError
from ...output import write_atomically
from .answers import Answers
from .codec import Damaged, decode, encode
from .stored_procedure import StoredProcedure

_FORMAT = "2"  # of the files; the names of classes are a part of it
_MOST_ANSWERS = 20000  # of one procedure; those that were not used for longest go first
ANSWERS, PROCEDURE = "answers", "procedure"


class Folder:
    """A folder with answers about procedures, and with procedures."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.messages: list[str] = []  # for the user
        self._answers: dict[str, Answers] = {}
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{path}: this is not a folder")

    # --- answers ----------------------------------------------------------------------------------

    def answers(self, procedure: str) -> Answers:
        if procedure not in self._answers:
            old = self.read(ANSWERS, procedure)
            self._answers[procedure] = Answers({} if old is None else old)
        return self._answers[procedure]

    def save(self) -> None:
        """Write what is new."""
        for procedure, answers in self._answers.items():
            if answers.new:
                unused = (key for key in reversed(list(answers.old)) if key not in answers.used)
                room = max(_MOST_ANSWERS - len(answers.used), 0)
                kept = {key: answers.old[key] for key in reversed(list(islice(unused, room)))}
                self.write(ANSWERS, procedure, {**kept, **answers.used})

    # --- procedures -------------------------------------------------------------------------------

    def procedures(self, names: Iterable[str]) -> dict[str, StoredProcedure]:
        """Those of the procedures that are here, and whose sources did not change since."""
        found: dict[str, StoredProcedure] = {}
        for name in names:
            content = self.read(PROCEDURE, name)
            if content is None:
                continue
            try:
                changed = [f for f, known in content["sources"].items() if _other(Path(f), known)]
                kept = decode(content["procedure"])
            except (Damaged, AttributeError, KeyError, TypeError) as problem:
                raise InternalError(f"{self.file(PROCEDURE, name)}: {problem}") from None
            if changed:
                self.messages.append(
                    f"{self.file(PROCEDURE, name)} is not used: {changed[0]} has changed since"
                )
            elif isinstance(kept, StoredProcedure):
                found[name] = kept
        return found

    def keep(self, kept: StoredProcedure, files: Iterable[str]) -> None:
        """Write a procedure, with the state of the files that it comes from."""
        sources = {str(Path(file).absolute()): _state(Path(file)) for file in files}
        self.write(PROCEDURE, kept.name, {"sources": sources, "procedure": encode(kept)})

    def forget(self, name: str) -> None:
        """What was kept of a procedure is not true any more."""
        self.file(PROCEDURE, name).unlink(missing_ok=True)

    # --- files ------------------------------------------------------------------------------------

    def file(self, kind: str, procedure: str) -> Path:
        """Where something about a procedure is kept."""
        name = re.sub(r"[^A-Za-z0-9_]", "_", procedure)
        if name != procedure:
            name += "-" + sha256(procedure.encode()).hexdigest()[:8]
        return self.path / f"{name}.{kind}.json"

    def read(self, kind: str, procedure: str) -> Any:
        """What was written; None if there is nothing, or nothing that can be trusted."""
        try:
            text = self.file(kind, procedure).read_text(encoding="utf-8")
            data = json.loads(text)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise InputError(
                f"{self.file(kind, procedure)}: cannot be read: {problem.strerror}"
            ) from None
        except (UnicodeDecodeError, ValueError, RecursionError):
            data = None
        head = _head(kind, procedure)
        if isinstance(data, dict) and all(data.get(k) == v for k, v in head.items()):
            content = data.get("content")
            if data.get("checksum") == _checksum(head, content):
                return content
        file = self.file(kind, procedure)
        self.messages.append(f"{file} is not used: it is damaged, or of another version")
        return None

    def write(self, kind: str, procedure: str, content: object) -> None:
        """Put a file in place at once."""
        head = _head(kind, procedure)
        data = {**head, "checksum": _checksum(head, content), "content": content}
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{self.path}: cannot be made: {problem.strerror}") from None
        write_atomically(self.file(kind, procedure), json.dumps(data, indent=1) + "\n")


def _head(kind: str, procedure: str) -> dict[str, str]:
    return {"predabs": __version__, "format": _FORMAT, "kind": kind, "name": procedure}


def _checksum(head: dict[str, str], content: object) -> str:
    return sha256(json.dumps([head, content], sort_keys=True).encode()).hexdigest()


def _state(path: Path) -> str:
    """A digest of a file; empty if it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _other(path: Path, known: str) -> bool:
    """Is the file there, with another content?"""
    return _state(path) not in ("", known)
