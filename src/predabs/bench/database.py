"""The answers of a bench in one SQLite file, a transaction for each.

Killed at any moment, the file has whole answers only, and a later run goes on with what is missing.
A task has one answer under a configuration: the key of the table sees to that, whoever writes.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..records import dataclass
from .answer import Answer
from .configuration import Configuration
from .execute import Limits

_APPLICATION = 0x70724264  # of our files, where SQLite lets a program write its mark
_VERSION = 1
_PATIENCE_SECONDS = 60.0  # for somebody who looks into the file, and keeps it locked meanwhile
_TABLES = """
CREATE TABLE configuration (
    name TEXT PRIMARY KEY, tool TEXT NOT NULL, words TEXT NOT NULL, version TEXT NOT NULL);
CREATE TABLE answer (
    task TEXT NOT NULL, property TEXT NOT NULL, configuration TEXT NOT NULL,
    category TEXT NOT NULL, expected INTEGER, expected_part TEXT NOT NULL,
    verdict TEXT NOT NULL, part TEXT NOT NULL, reason TEXT NOT NULL,
    cpu REAL NOT NULL, wall REAL NOT NULL, memory INTEGER NOT NULL, reached TEXT NOT NULL,
    limit_cpu REAL NOT NULL, limit_wall REAL NOT NULL, limit_memory INTEGER NOT NULL,
    host TEXT NOT NULL, digest TEXT NOT NULL, details TEXT NOT NULL,
    PRIMARY KEY (task, property, configuration));
"""
_COLUMNS = (
    "task, property, configuration, category, expected, expected_part, verdict, part, reason, cpu,"
    " wall, memory, reached, limit_cpu, limit_wall, limit_memory, host, digest, details"
)
_INSERT = f"INTO answer ({_COLUMNS}) VALUES ({', '.join('?' * 19)})"


@dataclass(frozen=True, slots=True)
class Known:
    """A configuration, as it was run."""

    name: str
    tool: str
    words: tuple[str, ...]
    version: str


class Database:
    """An open file; with `write`, for one process alone."""

    def __init__(self, path: Path, write: bool = False) -> None:
        self._path = path
        if not write and not path.is_file():
            raise InputError(f"{path}: there are no answers: no such file")
        try:
            self._lock = path.open("ab") if write else None
        except OSError as problem:
            raise InputError(f"{path}: cannot write: {problem.strerror}") from problem
        try:
            if self._lock is not None:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{path}: another bench is writing to this file") from None
        try:
            self._open(write)
        except sqlite3.OperationalError as problem:  # a full disk, a folder that is read-only
            raise InputError(f"{path}: cannot use this file: {problem}") from problem
        except sqlite3.DatabaseError as problem:
            raise InputError(f"{path}: no answers of a bench ({problem})") from problem

    def _open(self, write: bool) -> None:
        # a reader, too, undoes what a killed writer has left half done, if it may
        mode = "rwc" if write else "rw" if os.access(self._path, os.W_OK) else "ro"
        uri = f"{self._path.absolute().as_uri()}?mode={mode}"
        self._connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=_PATIENCE_SECONDS
        )
        tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        mark = self._connection.execute("PRAGMA application_id").fetchone()[0]
        if write and not tables and not mark:
            self._connection.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {_APPLICATION};"
                f" PRAGMA user_version = {_VERSION}; COMMIT;"
            )
            return
        if not tables and not mark:
            raise InputError(f"{self._path}: there are no answers yet")
        if mark != _APPLICATION:
            raise InputError(f"{self._path}: no answers of a bench: another program's file")
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version != _VERSION:
            raise InputError(
                f"{self._path}: written by another version of predabs (format {version}, "
                f"this one has {_VERSION})"
            )

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def add_configuration(self, configuration: Configuration, version: str) -> None:
        """Make it known; a name stands for the same tool, version and words for ever."""
        words = json.dumps(configuration.words)
        row = (configuration.name, configuration.tool, words, version)
        with self._told("cannot write"):
            self._connection.execute("INSERT OR IGNORE INTO configuration VALUES (?, ?, ?, ?)", row)
        for known in self.configurations():
            if known.name != configuration.name:
                continue
            if (known.tool, known.words) != (configuration.tool, configuration.words):
                before = " ".join((known.tool, *known.words))
                raise InputError(
                    f"{self._path}: the configuration {known.name} was run as '{before}'; "
                    "give the new one another name, or write to another file (-o)"
                )
            if known.version != version:
                raise InputError(
                    f"{self._path}: the answers of the configuration {known.name} are those of "
                    f"'{known.version}', and this is '{version}'; give it another name, or write "
                    "to another file (-o)"
                )

    @contextlib.contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """A full disk or a damaged file is told."""
        try:
            yield
        except sqlite3.Error as problem:
            raise InputError(f"{self._path}: {what}: {problem}") from problem

    def configurations(self) -> list[Known]:
        with self._told("cannot read"):
            rows = self._connection.execute("SELECT * FROM configuration ORDER BY rowid").fetchall()
        return [
            Known(name, tool, tuple(json.loads(words)), version)
            for name, tool, words, version in rows
        ]

    def add(self, answer: Answer, instead: bool = False) -> bool:
        """Keep an answer. If there is one already, it stays (False), unless this one comes
        `instead`."""
        limits = answer.limits
        row = (
            answer.task,
            answer.property_name,
            answer.configuration,
            answer.category,
            answer.expected,
            answer.expected_part,
            answer.verdict,
            answer.part,
            answer.reason,
            answer.cpu,
            answer.wall,
            answer.memory,
            answer.limit,
            limits.cpu,
            limits.wall,
            limits.memory,
            answer.host,
            answer.digest,
            answer.details_text(),
        )
        how = "REPLACE" if instead else "IGNORE"
        with self._told("cannot write the answer"):
            return self._connection.execute(f"INSERT OR {how} {_INSERT}", row).rowcount == 1

    def answers(self, configurations: Sequence[str] = ()) -> list[Answer]:
        """Those of the configurations, or all, in the order of their coming."""
        query = f"SELECT {_COLUMNS} FROM answer"
        if configurations:
            query += f" WHERE configuration IN ({', '.join('?' * len(configurations))})"
        with self._told("cannot read"):
            rows = self._connection.execute(f"{query} ORDER BY rowid", tuple(configurations))
            return [_answer(row) for row in rows]


def _answer(row: Sequence[Any]) -> Answer:
    """A row as SQLite has it, in the order of `_COLUMNS`."""
    task, asked, name, category, expected, expected_part, verdict, part, reason = row[:9]
    cpu, wall, memory, reached, limit_cpu, limit_wall, limit_memory, host, digest, details = row[9:]
    return Answer(
        task,
        asked,
        category,
        None if expected is None else bool(expected),
        name,
        verdict,
        reason,
        expected_part,
        part,
        cpu,
        wall,
        memory,
        reached,
        Limits(limit_cpu, limit_wall, limit_memory),
        host,
        digest,
        json.loads(details),
    )


def read_answers(paths: Iterable[Path]) -> list[Answer]:
    """The answers of several files; of a task that is in more than one, the last."""
    found: dict[tuple[str, str, str], Answer] = {}
    for path in paths:
        with Database(path) as database:
            for answer in database.answers():
                found[(*answer.key, answer.configuration)] = answer
    return list(found.values())
