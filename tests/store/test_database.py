"""The file of the store: rows, several processes, kills, and files that are of no use."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from predabs.store import database
from predabs.store.database import FORMAT, Store, StoreInfo, StoreProblem
from predabs.store.place import users_store

WRITER = """
import sys
from predabs.store.database import Store
store, name, count = Store(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in range(count):
    store.keep(f"{name} {number}", "c", [number, hash(name) % 1000], name.encode() * 400)
    print(number, flush=True)
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def whole(path: Path) -> bool:
    with sqlite3.connect(path) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))


def test_what_is_kept_is_found(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "s.sqlite")
    assert store.find("k") is None and store.nearest("c", [1]) is None
    assert not store.path.exists()  # reading makes no file
    store.keep("k", "c", [1, 2, 2, -(2**63)], b"first")
    store.keep("k", "c", [1, 2, 3], b"second")
    assert store.find("k") == b"second" and store.find("other") is None
    store.put_items([("answers", "f", b"a"), ("answers", "g", b"b")])
    store.put_items([("answers", "g", None)])
    assert store.item("answers", "f") == b"a" and store.item("answers", "g") is None
    assert store.info().checks == 1 and store.info().items == 1
    assert [row[:2] for row in store.rows()] == [("answers", "f"), ("check", "k")]
    store.clear()
    assert (store.info().checks, store.info().items, list(store.rows())) == (0, 0, [])


def test_the_nearest_shares_the_most(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    store.keep("a", "c", [1, 2, 3], b"a")
    store.keep("b", "c", [2, 3, 4], b"b")
    store.keep("z", "another context", [1, 2, 3, 4], b"z")
    assert store.nearest("c", [1, 2, 3, 9]) == b"a"
    assert store.nearest("c", [2, 3, 4]) == b"b"
    assert store.nearest("c", [9]) is None and store.nearest("c", []) is None
    store.keep("b", "c", [9], b"b")  # its old features are gone
    assert store.nearest("c", [3, 4]) == b"a"
    store.forget("a")
    assert store.nearest("c", [1, 2, 3]) is None


def test_old_checks_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_MOST_CHECKS", 3)
    monkeypatch.setattr(database, "_MOST_BYTES", 1000)
    store = Store(tmp_path / "s.sqlite")
    for name in "abcd":
        store.keep(name, "c", [1], name.encode())
    assert [store.find(name) for name in "abcd"] == [None, b"b", b"c", b"d"]
    store.keep("e", "c", [1], b"e" * 999)
    assert [store.find(name) for name in "cde"] == [None, b"d", b"e" * 999]
    with sqlite3.connect(store.path) as connection:
        assert connection.execute("SELECT count(*) FROM features").fetchone() == (2,)


def test_a_row_that_was_changed_is_not_there(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    store.keep("k", "c", [1], b"value")
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE checks SET value = x'00'")
    assert store.find("k") is None and store.nearest("c", [1]) is None and not list(store.rows())


def test_four_processes_write_at_once(tmp_path: Path) -> None:
    """Also the first rows, when there is no file yet."""
    path, count = tmp_path / "s.sqlite", 60
    writers = [writer(path, name, count) for name in "abcd"]
    errors = [process.communicate()[1] for process in writers]
    assert errors == [""] * 4
    found = {(key, value) for _, key, _, value in Store(path).rows()}
    assert found == {(f"{n} {i}", n.encode() * 400) for n in "abcd" for i in range(count)}
    assert whole(path)
    assert [file.name for file in tmp_path.iterdir() if "aside" in file.name] == []


def test_a_writer_that_is_killed_leaves_no_damage(tmp_path: Path) -> None:
    """What it said it had written is there."""
    path, chance = tmp_path / "s.sqlite", random.Random(1)
    said: set[str] = set()
    for turn in range(8):
        process = writer(path, f"w{turn}", 10_000)
        assert process.stdout is not None
        if turn:  # the first may be killed while it makes the file
            said.add(f"w{turn} {process.stdout.readline().strip()}")
        time.sleep(chance.uniform(0.0, 0.15))
        process.send_signal(signal.SIGKILL)
        said |= {f"w{turn} {line.strip()}" for line in process.stdout if line.endswith("\n")}
        process.communicate()
        store = Store(path)
        store.keep("mine", "c", [turn], b"mine")
        assert store.find("mine") == b"mine" and store.messages == []
        assert whole(path)
    assert said <= {key for _, key, _, _ in Store(path).rows()}


def harmed(path: Path, harm: str) -> None:
    """A file that is no store, or one that something happened to."""
    Store(path).keep("k", "c", [1], b"value" * 3000)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    match harm:
        case "text":
            path.write_text("int main(void) { return 0; }\n" * 50)
        case "cut":
            path.write_bytes(path.read_bytes()[:3000])
        case "noise":
            data = bytearray(path.read_bytes())
            data[100:] = random.Random(3).randbytes(len(data) - 100)
            path.write_bytes(bytes(data))
        case "foreign":
            path.unlink()
            with sqlite3.connect(path) as connection:
                connection.execute("CREATE TABLE checks (recipe TEXT)")
        case "newer":
            with sqlite3.connect(path) as connection:
                connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
        case "tables":
            with sqlite3.connect(path) as connection:
                connection.execute("DROP TABLE features")


@pytest.mark.parametrize("harm", ["text", "cut", "noise", "foreign", "newer", "tables"])
def test_a_file_of_no_use_is_put_aside(harm: str, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    harmed(path, harm)
    before = path.read_bytes()
    store = Store(path)
    for _ in range(2):  # the first operation may notice it too late for itself
        try:
            store.find("k")
            store.keep("new", "c", [1], b"new")
        except StoreProblem:
            assert harm in ("cut", "noise", "tables")
    assert store.find("new") == b"new"
    assert store.find("k") is None
    [message] = store.messages
    aside = tmp_path / "s.sqlite.aside-1"
    assert message.endswith(f"it was renamed to {aside}")
    assert aside.read_bytes()[:100] == before[:100]
    if harm == "newer":
        assert "a newer predabs has written it" in message
    if harm == "foreign":
        assert "the file of another program" in message


def test_a_file_with_another_name_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "driver.c"
    path.write_text("int main(void) { return 0; }\n" * 50)
    with pytest.raises(StoreProblem, match="no store, and not named like one"):
        Store(path).find("k")
    assert [file.name for file in tmp_path.iterdir()] == ["driver.c"]


def test_one_process_puts_aside(tmp_path: Path) -> None:
    """Who comes second finds a new file, and does not rename that."""
    path = tmp_path / "s.sqlite"
    harmed(path, "text")
    first, second = Store(path), Store(path)
    first.keep("k", "c", [1], b"value")
    second._put_aside("it was no store when I looked")
    assert second.messages == [] and second.find("k") == b"value"


def test_a_locked_file_is_a_problem_soon(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    store.patience = 0.1
    store.keep("k", "c", [1], b"value")
    with sqlite3.connect(store.path, isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreProblem, match="locked"):
            store.keep("l", "c", [1], b"value")
        assert store.find("k") == b"value"  # readers do not wait for writers
        connection.execute("ROLLBACK")
    store.keep("l", "c", [1], b"value")


@pytest.mark.parametrize("where", ["file/s.sqlite", "folder"])
def test_a_place_where_nothing_can_be_written(where: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreProblem):
        Store(tmp_path / where).keep("k", "c", [1], b"value")
    assert (tmp_path / "folder").is_dir() and (tmp_path / "file").is_file()


def test_on_read_only_media_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There, SQLite cannot make the log beside a file in WAL mode."""
    store = Store(tmp_path / "a b?#.sqlite")
    store.keep("k", "c", [1], b"value")
    Path(f"{store.path}-wal").mkdir()
    with pytest.raises(StoreProblem, match="unable to open"):
        store.find("k")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert store.find("k") == b"value" and store.nearest("c", [1]) == b"value"
    assert store.info().checks == 1 and len(list(store.rows())) == 1
    with pytest.raises(StoreProblem, match="readonly"):
        store.keep("other", "c", [1], b"value")


def test_a_full_disk_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "s.sqlite")
    store.keep("k", "c", [1], b"value")
    connect = sqlite3.connect

    def small(*args: object, **words: object) -> sqlite3.Connection:
        made: sqlite3.Connection = connect(*args, **words)  # type: ignore[call-overload]
        made.execute("PRAGMA max_page_count = 12")
        return made

    with monkeypatch.context() as patch:
        patch.setattr(database.sqlite3, "connect", small)
        with pytest.raises(StoreProblem, match="full"):
            store.keep("l", "c", [1], bytes(1 << 20))
    assert store.find("k") == b"value" and store.find("l") is None and store.messages == []


def test_nothing_is_left_of_making_it(tmp_path: Path) -> None:
    Store(tmp_path / "s.sqlite").keep("k", "c", [1], b"value")
    assert [file.name for file in tmp_path.iterdir()] == ["s.sqlite"]
    assert stat.S_ISREG(os.stat(tmp_path / "s.sqlite").st_mode)
    assert Store(tmp_path / "none.sqlite").info() == StoreInfo(0, 0, 0)


def test_which_file_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREDABS_STORE", raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert users_store() == "/home/me/.cache/predabs/store.sqlite"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert users_store() == "/home/me/.cache/predabs/store.sqlite"
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache")
    assert users_store() == "/var/cache/predabs/store.sqlite"
    monkeypatch.setenv("PREDABS_STORE", "/else/where.db")
    assert users_store() == "/else/where.db"
    for word in ("", "off"):
        monkeypatch.setenv("PREDABS_STORE", word)
        assert users_store() is None
