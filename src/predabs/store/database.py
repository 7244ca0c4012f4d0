"""The SQLite file of the store: rows that are whole, of this format, or not there.

A row about a check has a key (the same check again), a context (checks that may learn from each
other) and features: what it shares with other checks, such as the content of one function. Other
rows have a kind and a key. Each operation opens the file and closes it again, so that a process
that is forked in between has no connection of its parent's.

The file is in WAL mode: many may read while one writes, writers wait for each other, and a writer
that is killed leaves what was there before. A new file is made under another name and linked into
place, so nobody sees half of one. A file that is damaged, of another program or of a newer format
is renamed, and a new one takes its place.

Soundness duty: none for verdicts: whoever reads a row checks what it says. No operation fails but
with `StoreProblem`.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path

from ..records import dataclass

FORMAT = 1
_APPLICATION = 0x70726461  # SQLite's header says with it whose file it is
_READ_SECONDS, _WRITE_SECONDS = 1.0, 10.0  # to wait for others
_MOST_CHECKS = 5000  # those that were not used for longest go first
_MOST_BYTES = 256 << 20
_DAY = 24 * 3600
_ENDINGS = (".sqlite", ".sqlite3", ".db")  # of files that are renamed if they are of no use
_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
_SCHEMA = """
CREATE TABLE checks (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, context TEXT NOT NULL,
  value BLOB NOT NULL, sum BLOB NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL);
CREATE TABLE features (
  feature INTEGER NOT NULL,
  check_id INTEGER NOT NULL REFERENCES checks ON DELETE CASCADE,
  PRIMARY KEY (feature, check_id)) WITHOUT ROWID;
CREATE INDEX by_check ON features (check_id);
CREATE TABLE items (
  kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, sum BLOB NOT NULL,
  size INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
"""


class StoreProblem(Exception):
    """The store cannot be used now, and why."""


class _Unusable(Exception):
    """The file is none of ours, or damaged."""


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """How much there is in a store."""

    checks: int
    items: int
    bytes: int  # of the file, with its log


@dataclass(slots=True)
class Store:
    """One file. `messages` are for the user: what was put aside, and why. Nothing is put aside for
    somebody who only `looks`."""

    path: Path
    looks: bool
    messages: list[str]
    patience: float  # seconds that a writer waits for others

    def __init__(self, path: str | os.PathLike[str], looks: bool = False) -> None:
        self.path = Path(path)
        self.looks = looks
        self.messages = []
        self.patience = _WRITE_SECONDS

    # --- checks -----------------------------------------------------------------------------------

    def find(self, key: str) -> bytes | None:
        """What is known of the same check."""
        return self._read("SELECT value, sum, used, id FROM checks WHERE key = ?", key)

    def nearest(self, context: str, features: Iterable[int]) -> bytes | None:
        """What is known of the check in this context that shares the most features."""
        return self._read(
            "SELECT value, sum, used, id FROM checks WHERE id = ("
            "SELECT c.id FROM features f JOIN checks c ON c.id = f.check_id "
            "WHERE f.feature IN (SELECT value FROM json_each(?)) AND c.context = ? "
            "GROUP BY c.id ORDER BY count(*) DESC, c.used DESC, c.id DESC LIMIT 1)",
            json.dumps(sorted(set(features))),
            context,
        )

    def keep(self, key: str, context: str, features: Iterable[int], value: bytes) -> None:
        """Note what was found out in a check, instead of what was known of it."""
        with self._writing() as database:
            database.execute("DELETE FROM checks WHERE key = ?", (key,))
            row = (key, context, value, _sum(value), len(value), int(time.time()))
            made = database.execute(
                "INSERT INTO checks (key, context, value, sum, size, used) VALUES (?,?,?,?,?,?)",
                row,
            ).lastrowid
            database.executemany(
                "INSERT OR REPLACE INTO features VALUES (?, ?)",
                [(feature, made) for feature in sorted(set(features))],
            )
            _make_room(database)

    def forget(self, key: str) -> None:
        """What is known of a check was of no use."""
        with self._writing() as database:
            database.execute("DELETE FROM checks WHERE key = ?", (key,))

    # --- other rows -------------------------------------------------------------------------------

    def item(self, kind: str, key: str) -> bytes | None:
        return self._read(
            "SELECT value, sum, used, 0 FROM items WHERE kind = ? AND key = ?", kind, key
        )

    def put_items(self, rows: Iterable[tuple[str, str, bytes | None]]) -> None:
        """Write rows of a kind, a key and a value (None: there is none any more), all or none."""
        now = int(time.time())
        with self._writing() as database:
            for kind, key, value in rows:
                if value is None:
                    database.execute("DELETE FROM items WHERE kind = ? AND key = ?", (kind, key))
                else:
                    database.execute(
                        "INSERT OR REPLACE INTO items VALUES (?,?,?,?,?,?)",
                        (kind, key, value, _sum(value), len(value), now),
                    )

    # --- the whole --------------------------------------------------------------------------------

    def info(self) -> StoreInfo:
        with self._reading() as database:
            if database is None:
                return StoreInfo(0, 0, 0)
            checks = database.execute("SELECT count(*) FROM checks").fetchone()[0]
            items = database.execute("SELECT count(*) FROM items").fetchone()[0]
        sizes = (_size(file) for file in _files(self.path))
        return StoreInfo(checks, items, sum(sizes))

    def rows(self) -> Iterator[tuple[str, str, int, bytes]]:
        """All rows that are whole: kind, key, when they were used, value."""
        with self._reading() as database:
            if database is None:
                return
            for kind, key, used, value, noted in database.execute(
                "SELECT 'check', key, used, value, sum FROM checks "
                "UNION ALL SELECT kind, key, used, value, sum FROM items ORDER BY 1, 2"
            ):
                if _sum(value) == noted:
                    yield kind, key, used, value

    def clear(self) -> None:
        """Forget everything."""
        if not self.path.exists():
            return
        with self._writing() as database:
            for table in ("features", "checks", "items"):
                database.execute(f"DELETE FROM {table}")
        with self._opened(_WRITE_SECONDS) as database:
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # --- the file ---------------------------------------------------------------------------------

    def _read(self, query: str, *given: str) -> bytes | None:
        with self._reading() as database:
            row = None if database is None else database.execute(query, given).fetchone()
            if row is None:
                return None
            value, noted, used, number = row
            if not isinstance(value, bytes) or _sum(value) != noted:
                return None
            if database is not None and number and used < time.time() - _DAY:
                now = (int(time.time()), number)
                with contextlib.suppress(sqlite3.OperationalError):  # it may be read-only
                    database.execute("UPDATE checks SET used = ? WHERE id = ?", now)
            return value

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """The file, if there is one."""
        if not self.path.exists():
            yield None
            return
        with self._opened(_READ_SECONDS) as database:
            yield database

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction."""
        with self._opened(self.patience) as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")

    @contextmanager
    def _opened(self, seconds: float) -> Iterator[sqlite3.Connection]:
        try:
            try:
                database = self._connect(seconds)
            except _Unusable as why:
                self._put_aside(str(why))
                database = self._connect(seconds)
            with closing(database):
                yield database
        except sqlite3.DatabaseError as problem:
            if _is_corrupt(problem):
                self._put_aside(str(problem))
            raise StoreProblem(f"{self.path}: {problem}") from None
        except (OSError, sqlite3.Error, _Unusable) as problem:
            raise StoreProblem(f"{self.path}: {problem}") from None

    def _connect(self, seconds: float) -> sqlite3.Connection:
        if not self.path.exists():
            self._make()
        try:
            return self._connected(seconds)
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CANTOPEN:
                raise
            if not self.path.is_file() or os.access(self.path.parent, os.W_OK):
                raise
            # on read-only media, there is no place for the log beside it
            return self._connected(seconds, immutable=True)

    def _connected(self, seconds: float, immutable: bool = False) -> sqlite3.Connection:
        name = f"{self.path.absolute().as_uri()}?immutable=1" if immutable else str(self.path)
        database = sqlite3.connect(name, timeout=seconds, isolation_level=None, uri=immutable)
        try:
            _examine(database)
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            database.close()
            raise
        return database

    def _make(self) -> None:
        """A new file, whole; if another process was faster, that of the other."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.path.parent, prefix=".predabs-") as folder:
            new = Path(folder, "new.sqlite")
            with closing(sqlite3.connect(new, isolation_level=None)) as database:
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(_SCHEMA)
                database.execute(f"PRAGMA application_id = {_APPLICATION}")
                database.execute(f"PRAGMA user_version = {FORMAT}")
            with contextlib.suppress(FileExistsError):
                os.link(new, self.path)

    def _put_aside(self, why: str) -> None:
        """Rename a file that is of no use; another process may have done so before."""
        if self.looks:
            raise StoreProblem(f"{self.path}: {why}")
        if self.path.suffix not in _ENDINGS:  # who knows what it is
            raise StoreProblem(f"{self.path} is no store, and not named like one: {why}")
        with _locked(self.path.with_name(f".{self.path.name}.lock")):
            if self.path.exists() and (problem := _problem(self.path)) is not None:
                aside = _free_name(self.path)
                for file in _files(self.path):
                    with contextlib.suppress(FileNotFoundError):
                        os.rename(file, str(file).replace(str(self.path), str(aside), 1))
                self.messages.append(f"{self.path}: {problem}; it was renamed to {aside}")


def _examine(database: sqlite3.Connection) -> None:
    """Is it a file of ours, of this format?"""
    try:
        application = database.execute("PRAGMA application_id").fetchone()[0]
        format_ = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as problem:
        if _is_corrupt(problem):
            raise _Unusable(f"it is no store, or damaged ({problem})") from None
        raise
    if application != _APPLICATION:
        raise _Unusable("it is the file of another program")
    if format_ > FORMAT:
        raise _Unusable(f"a newer predabs has written it (format {format_}, this one has {FORMAT})")
    if format_ != FORMAT:
        raise _Unusable(f"it has the format {format_}, this predabs has {FORMAT}")


def _is_corrupt(problem: sqlite3.DatabaseError) -> bool:
    code: int | None = getattr(problem, "sqlite_errorcode", None)  # Python's own errors have none
    return code is not None and code & 0xFF in _CORRUPT


def _problem(path: Path) -> str | None:
    """What is wrong with a file, if anything is."""
    try:
        with closing(sqlite3.connect(path, timeout=_WRITE_SECONDS)) as database:
            _examine(database)
            for table in ("checks", "features", "items"):
                database.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
            found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    except (_Unusable, sqlite3.DatabaseError) as problem:
        return str(problem)
    return None if found == "ok" else f"it is damaged ({found})"


def _make_room(database: sqlite3.Connection) -> None:
    """Drop the checks that were not used for longest, if there are too many."""
    count, size = database.execute("SELECT count(*), sum(size) FROM checks").fetchone()
    if count <= _MOST_CHECKS and size <= _MOST_BYTES:
        return
    kept = total = 0
    for number, size in database.execute(
        "SELECT id, size FROM checks ORDER BY used DESC, id DESC"
    ).fetchall():
        kept, total = kept + 1, total + size
        if kept > _MOST_CHECKS or total > _MOST_BYTES:
            database.execute("DELETE FROM checks WHERE id = ?", (number,))


def _files(path: Path) -> list[Path]:
    return [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.aside-{number}")).exists():
        number += 1
    return aside


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """One process at a time."""
    with open(file, "wb") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _sum(value: bytes) -> bytes:
    return blake2b(value, digest_size=16).digest()
