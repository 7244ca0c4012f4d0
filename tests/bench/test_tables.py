"""Tables of a benchmark: verdicts by category, costs of families, causes of what is unsolved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.answers import Answer
from bench.causes import cause_of, causes
from bench.tables import by_category, family, main, native_share, published, tables

from support.bench_runs import answer, keep

LOCK = Answer(
    "locks/test_locks_5.yml",
    "locks",
    True,
    "TRUE",
    cpu=3.0,
    wall=8.0,
    predicates=11,
    active=6,
    calls=120,
    cached=30,
    solver=5.0,
    refinements=4,
    nodes=40,
    native=6.0,
)
LOOP = Answer("loops/a.yml", "loops", True, "FALSE", cpu=1.0, wall=1.0, test="reached")
LIST = Answer("list-simple/b.yml", "list-simple", False, "UNKNOWN", "a pointer that may ...", 9.0)


def test_wrong_verdicts_are_named() -> None:
    text = by_category([LOCK, LOOP, LIST]).text()
    assert "WRONG: loops/a.yml: FALSE, expected TRUE" in text
    assert "native tests of FALSE verdicts: reached 1" in text
    row = next(line.split() for line in text.splitlines() if line.startswith("all"))
    assert row == ["all", "3", "1/2", "0/1", "1", "1", "0", "13.0", "3.0"]


def test_published_categories_are_summed_up() -> None:
    rows = published([LOCK, LOOP, LIST]).rows
    assert [row[0] for row in rows] == ["locks", "loop*", "all"]
    assert rows[-1] == ("all", "2", "1", "50%", "3.0")
    assert published([LIST]).rows == []


def test_families_have_a_row_for_each_task() -> None:
    (row,) = family([LOCK, LOOP], "locks/test_locks_*").rows
    assert row[:4] == ("test_locks_5", "TRUE", "3.0", "8.0")
    assert row[4:] == ("11", "6", "120", "30", "5.0", "40", "4", "75%")
    (bare,) = family([LIST], "list-simple/*").rows
    assert bare[4:] == ("-",) * 8


def test_native_time_counts_in_long_runs() -> None:
    short = replace(LOCK, wall=4.9)
    slow = replace(LOCK, task="systemc/a.yml", category="systemc", wall=12.0, native=4.0)
    rows = native_share([LOCK, short, slow, LIST]).rows
    assert rows[0] == ("locks/test_locks_*", "1", "8", "6", "75%")
    assert rows[-1] == ("all", "2", "20", "10", "50%")
    assert native_share([short, LIST]).rows == []


TIME = "the time limit was reached"
UNROLLED = "bounded: loops were followed for 8 rounds"
CUT = "bounded: a.c:1:1: an access through a pointer that may point anywhere"


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (replace(LIST, verdict="ERROR", reason="a pointer"), "failure of the tool"),
        (replace(LIST, reason="a.c:1:2: an access through a pointer ..."), "memory model"),
        (replace(LIST, reason="a.c:1:2: `asm goto` is not supported"), "front end"),
        (replace(LIST, reason="the memory limit of 4096 MiB was reached (x)"), "memory limit"),
        (
            replace(LIST, reason="a possible violation (x) did not replay: no end in 9 steps"),
            "a violation does not replay",
        ),
        (replace(LIST, reason="main calls itself: recursion"), "recursion"),
        (replace(LIST, reason="the refinement diverges: x = 0, x = 1"), "refinement diverges"),
        (replace(LIST, reason="the solver could not decide whether ..."), "solver time"),
        (replace(LIST, reason="an image has more than 5000 models"), "all-sat"),
        (replace(LIST, reason="who knows"), "other"),
        (replace(LIST, reason=f"{TIME}; lazy: x is a union; {UNROLLED}"), "memory model"),
        (replace(LIST, reason=f"lazy: left out, because of recursion: f; {CUT}"), "recursion"),
        (replace(LIST, reason=f"lazy: no proof yet; {CUT}"), "other"),
        (replace(LIST, reason=TIME, refinements=100, wall=60.0), "refinement diverges"),
        (replace(LIST, reason=TIME, solver=50.0, wall=60.0), "solver time"),
        (replace(LIST, reason=TIME, engine="bounded"), "time limit: bounded"),
        (replace(LIST, reason=TIME, phases="bdd 30.00; slice 1.00"), "time limit: bdd"),
        (
            replace(LIST, reason="the time limit of 60 s was reached (lazy: 3 nodes)"),
            "time limit: lazy",
        ),
    ],
)
def test_causes(answer: Answer, cause: str) -> None:
    assert cause_of(answer) == cause


def test_unsolved_tasks_are_counted_by_cause() -> None:
    table = causes([LOCK, LOOP, LIST, replace(LIST, task="list-simple/c.yml")])
    assert table.rows == [("memory model", "2", "list-simple 2"), ("all", "2", "")]
    assert causes([LOCK]).rows == []


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [answer("locks/test_locks_5", "TRUE", True), answer("list-simple/b", "UNKNOWN", False)]
    path = keep(tmp_path / "a.sqlite", rows)
    assert main([str(path)]) == 0
    assert "locks/test_locks_*" in capsys.readouterr().out
    keep(path, [answer("loops/a", "FALSE", True)])
    assert main([str(path), "--markdown"]) == 1
    assert "| category | tasks |" in capsys.readouterr().out
    assert tables([LOCK])[0].title == "verdicts by category"
