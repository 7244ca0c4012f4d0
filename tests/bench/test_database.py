"""The file of answers: what is written is read, nothing twice, nobody else at the same time."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from predabs.bench.configuration import Configuration
from predabs.bench.database import Database, read_answers
from predabs.bench.execute import Limits
from predabs.errors import InputError
from predabs.records import replace
from support.bench_runs import answer, keep, kept

FULL = answer(
    "loops/a",
    "UNKNOWN",
    None,
    reason="the 'reason'",
    expected_part="valid-deref",
    part="valid-free",
    cpu=1.25,
    wall=2.5,
    memory=1 << 40,
    limit="cpu",
    limits=Limits(60.0, 90.0, 4096),
    host="here",
    digest="12ab",
    details={"engine": "lazy", "stats": {"nodes": 3}},
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    others = [answer("loops/b", "TRUE", True), answer("loops/c", "FALSE", False)]
    assert kept(keep(tmp_path / "a.sqlite", [FULL, *others])) == [FULL, *others]


def test_a_task_has_one_answer(tmp_path: Path) -> None:
    with Database(tmp_path / "a.sqlite", write=True) as database:
        assert database.add(FULL)
        assert not database.add(replace(FULL, verdict="TRUE"))
        assert [one.verdict for one in database.answers()] == ["UNKNOWN"]
        assert database.add(replace(FULL, verdict="TRUE"), instead=True)
        assert [one.verdict for one in database.answers()] == ["TRUE"]
        assert database.add(replace(FULL, configuration="other"))
        assert database.add(replace(FULL, property_name="no-overflow"))
        assert len(database.answers()) == 3 and len(database.answers(["other"])) == 1


def test_later_files_win(tmp_path: Path) -> None:
    first = keep(tmp_path / "1.sqlite", [FULL, answer("loops/b", "TRUE")])
    second = keep(tmp_path / "2.sqlite", [replace(FULL, verdict="TRUE")])
    assert [one.verdict for one in read_answers([first, second])] == ["TRUE", "TRUE"]


def test_a_name_stands_for_the_same_words(tmp_path: Path) -> None:
    with Database(tmp_path / "a.sqlite", write=True) as database:
        lazy = Configuration("a", words=("--engine", "lazy"))
        database.add_configuration(lazy, "1")
        database.add_configuration(lazy, "1")
        (known,) = database.configurations()
        assert (known.name, known.tool, known.words) == ("a", "predabs", ("--engine", "lazy"))
        with pytest.raises(InputError, match="a was run as 'predabs --engine lazy'"):
            database.add_configuration(Configuration("a"), "1")
        with pytest.raises(InputError, match="those of '1', and this is '2'"):
            database.add_configuration(lazy, "2")


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with Database(path, write=True) as database:
        database.add(FULL)
        database._connection.execute("PRAGMA max_page_count = 1")
        long = replace(FULL, task="loops/b", reason="x" * 100_000)
        with pytest.raises(InputError, match=r"a.sqlite: cannot write the answer: .*full"):
            database.add(long)
    assert kept(path) == [FULL]


def test_one_writes_others_read(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with Database(path, write=True) as database:
        database.add(FULL)
        with pytest.raises(InputError, match="another bench is writing"):
            Database(path, write=True)
        assert kept(path) == [FULL]
    with Database(path, write=True) as database:
        assert database.answers() == [FULL]


def test_other_files_are_refused_and_stay(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("this is no database, but a text that somebody may still need\n" * 100)
    foreign = tmp_path / "foreign.sqlite"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE answer (x)")
    newer = keep(tmp_path / "newer.sqlite", [FULL])
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    for path, told in (
        (text, "no answers of a bench"),
        (foreign, "another program's file"),
        (newer, "another version of predabs"),
    ):
        before = path.read_bytes()
        for write in (True, False):
            with pytest.raises(InputError, match=told):
                Database(path, write=write)
        assert path.read_bytes() == before
    with pytest.raises(InputError, match="no such file"):
        Database(tmp_path / "none.sqlite")
    with pytest.raises(InputError, match="cannot write"):
        Database(tmp_path / "none" / "a.sqlite", write=True)
