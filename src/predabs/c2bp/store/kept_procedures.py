"""Answers about procedures, and procedures, in a store: of this version, or not used at all.

Soundness duty: what is read is what was written, by this version of predabs.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from ... import __version__
from ...errors import InternalError
from ...store.database import Store, StoreProblem
from .answers import Answers
from .codec import Damaged, decode, encode
from .stored_procedure import StoredProcedure

_FORMAT = "3"  # of the rows; the names of classes are a part of it
_MOST_ANSWERS = 20000  # of one procedure; those that were not used for longest go first
ANSWERS, PROCEDURE = "answers", "procedure"


class KeptProcedures:
    """A store with answers about procedures, and with procedures."""

    def __init__(self, path: str) -> None:
        self.store = Store(path)
        self._notes: list[str] = []
        self._answers: dict[str, Answers] = {}
        self._new: dict[tuple[str, str], bytes | None] = {}  # to be written

    @property
    def messages(self) -> list[str]:
        """For the user."""
        return [*self.store.messages, *self._notes]

    def note(self, text: str) -> None:
        """Something that the user has to know."""
        self._notes.append(text)

    # --- answers ----------------------------------------------------------------------------------

    def answers(self, procedure: str) -> Answers:
        if procedure not in self._answers:
            old = self.read(ANSWERS, procedure)
            self._answers[procedure] = Answers({} if old is None else old)
        return self._answers[procedure]

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
                raise InternalError(f"{self.store.path}: {name}: {problem}") from None
            if changed:
                self.note(f"the stored {name} is not used: {changed[0]} has changed since")
            elif isinstance(kept, StoredProcedure):
                found[name] = kept
        return found

    def keep(self, kept: StoredProcedure, files: Iterable[str]) -> None:
        """Note a procedure, with the state of the files that it comes from."""
        sources = {str(Path(file).absolute()): _state(Path(file)) for file in files}
        self.write(PROCEDURE, kept.name, {"sources": sources, "procedure": encode(kept)})

    def forget(self, name: str) -> None:
        """What was kept of a procedure is not true any more."""
        self._new[PROCEDURE, name] = None

    # --- the store --------------------------------------------------------------------------------

    def read(self, kind: str, procedure: str) -> Any:
        """What was written; None if there is nothing, or nothing that can be trusted."""
        try:
            value = self.store.item(kind, procedure)
            data = None if value is None else json.loads(zlib.decompress(value))
        except StoreProblem as problem:
            self.note(f"the store was not used: {problem}")
            return None
        except (UnicodeDecodeError, ValueError, RecursionError, zlib.error):
            return None
        if not isinstance(data, dict) or data.get("head") != _head(kind, procedure):
            return None
        return data.get("content")

    def write(self, kind: str, procedure: str, content: object) -> None:
        """Note a row; `save` writes it."""
        data = {"head": _head(kind, procedure), "content": content}
        self._new[kind, procedure] = zlib.compress(json.dumps(data).encode())

    def save(self) -> None:
        """Write what is new, all of it or nothing."""
        for procedure, answers in self._answers.items():
            if answers.new:
                unused = (key for key in reversed(list(answers.old)) if key not in answers.used)
                room = max(_MOST_ANSWERS - len(answers.used), 0)
                kept = {key: answers.old[key] for key in reversed(list(islice(unused, room)))}
                self.write(ANSWERS, procedure, {**kept, **answers.used})
        if self._new:
            rows = [(kind, name, value) for (kind, name), value in self._new.items()]
            try:
                self.store.put_items(rows)
            except StoreProblem as problem:
                self.note(f"the store was not written: {problem}")
            self._new.clear()


def _head(kind: str, procedure: str) -> dict[str, str]:
    return {"predabs": __version__, "format": _FORMAT, "kind": kind, "name": procedure}


def _state(path: Path) -> str:
    """A digest of a file; empty if it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _other(path: Path, known: str) -> bool:
    """Is the file there, with another content?"""
    return _state(path) not in ("", known)
