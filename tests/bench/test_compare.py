"""Configurations compared: what each solves, what several together solve, and the operations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.__main__ import main
from bench.answers import Answer
from bench.compare import comparison

from predabs.bench.text_table import Table
from support.bench_runs import answer, keep

A = Answer("loops/a.yml", "loops", True, "TRUE", cpu=1.0, wall=2.0, limit=5)
B = Answer("locks/b.yml", "locks", False, "FALSE", cpu=2.0, wall=4.0, limit=5)
C = Answer("locks/c.yml", "locks", True, "TRUE", cpu=8.0, wall=8.0, limit=60)
NEX = [
    replace(A, operations="join 0.500/10; leq 0.100/5"),
    B,
    replace(C, operations="join 1.500/30; apply 2.000/4"),
]
NDD = [replace(A, cpu=0.5, operations="alpha post 1.000/2"), replace(B, verdict="UNKNOWN"), C]
PURE = [replace(A, cpu=4.0), replace(B, cpu=1.0), replace(C, verdict="ERROR", cpu=0.5)]
ALL = {"nex": NEX, "ndd": NDD, "pure": PURE}


def tables(**unions: tuple[str, ...]) -> dict[str, Table]:
    return {table.title: table for table in comparison(ALL, unions)}


def test_each_configuration_has_a_row() -> None:
    table = tables()["configurations"]
    assert table.heads[1:] == (
        *("tasks", "true", "false", "wrong", "error", "cpu s", "common", "median", "alone"),
    )
    assert table.rows == [
        ("nex", "3", "2/2", "1/1", "0", "0", "11.0", "1.0", "2.0", "0"),
        ("ndd", "3", "2/2", "0/1", "0", "0", "10.5", "0.5", "4.2", "0"),
        ("pure", "3", "1/2", "1/1", "0", "1", "5.5", "4.0", "2.5", "0"),
    ]
    assert table.notes == [
        "limit of CPU time: 5, 60 s",
        "common: the CPU seconds of the 1 tasks that all of them solve",
    ]


def test_what_only_one_solves() -> None:
    (table, *_) = comparison({"nex": NEX, "pure": PURE}, {})
    assert [row[-1] for row in table.rows] == ["1", "0"]


def test_tasks_that_lack_an_answer_are_left_out() -> None:
    (table, *_) = comparison({"nex": NEX, "pure": PURE[:2]}, {})
    assert [row[1] for row in table.rows] == ["2", "2"]
    assert "left out: 1 tasks that not all have an answer for" in table.notes


def test_wrong_answers_are_named() -> None:
    wrong = [replace(A, verdict="FALSE"), *PURE[1:]]
    (table, *_) = comparison({"nex": NEX, "pure": wrong}, {})
    assert table.rows[1][4] == "1"
    assert "pure: WRONG: loops/a.yml: FALSE, expected TRUE" in table.notes


def test_categories_with_a_column_for_each_union() -> None:
    table = tables(both=("ndd", "pure"))["solved by category"]
    assert table.heads == ("category", "tasks", "nex", "ndd", "pure", "both")
    assert table.rows == [
        ("locks", "2", "2", "1", "1", "2"),
        ("loops", "1", "1", "1", "1", "1"),
        ("all", "3", "3", "2", "2", "3"),
    ]


def test_a_union_is_compared_with_those_outside() -> None:
    """The union's seconds are those of its fastest member."""
    table = tables(two=("nex", "ndd"))["unions"]
    assert table.rows == [("two", "pure", "3", "2", "1", "0", "2", "2.5", "5.0")]
    table = tables(two=("ndd", "pure"))["unions"]
    assert table.rows == [("two", "nex", "3", "3", "0", "0", "3", "9.5", "11.0")]
    assert "unions" not in tables()


def test_operations() -> None:
    """Those of [GC10, table 4] first, then the others by their seconds."""
    found = tables()
    solved = found["wall-clock seconds by operation, tasks that it solves"]
    assert solved.heads == ("configuration", "num", "total", "join", "alpha post", "apply", "leq")
    assert solved.rows == [
        ("nex", "3", "14.0", "2.00 (14%)", "-", "2.00 (14%)", "0.10 (1%)"),
        ("ndd", "2", "10.0", "-", "1.00 (10%)", "-", "-"),
        ("pure", "2", "6.0", "-", "-", "-", "-"),
    ]
    common = found["wall-clock seconds by operation, tasks that all solve"]
    assert common.rows[0] == ("nex", "1", "2.0", "0.50 (25%)", "-", "0.10 (5%)")
    assert found["wall-clock seconds by operation, all tasks"].rows[1][:3] == ("ndd", "3", "14.0")
    each = found["microseconds a call, all tasks"]
    assert each.rows[0][3:] == ("50000", "-", "500000", "20000")


def test_without_operations_there_is_no_table_of_them() -> None:
    found = comparison({"pure": PURE, "again": PURE}, {})
    assert [table.title for table in found] == ["configurations", "solved by category"]


def write(path: Path, answers: list[Answer]) -> str:
    """As a bench keeps them, under the configuration that the file is called like."""
    rows = [
        answer(one.task, one.verdict, one.expected, configuration=path.stem, cpu=one.cpu)
        for one in answers
    ]
    path.parent.mkdir(exist_ok=True)
    return str(keep(path, rows))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [write(tmp_path / f"{name}.sqlite", found) for name, found in ALL.items()]
    assert main(["compare", *files, "--markdown", "--union", "two=nex,ndd"]) == 0
    out = capsys.readouterr().out
    assert "| ndd | 3 | 2/2 | 0/1 |" in out and "| two | pure | 3 |" in out
    with pytest.raises(SystemExit):
        main(["compare", *files, "--union", "two=nex,bdd"])
    assert "no configuration is called 'bdd'" in capsys.readouterr().err


def test_parts_of_a_configuration_in_several_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        write(tmp_path / "1" / "nex.sqlite", NEX[:1]),
        write(tmp_path / "2" / "nex.sqlite", NEX[1:]),
        write(tmp_path / "2" / "pure.sqlite", [replace(A, verdict="FALSE"), *PURE[1:]]),
    ]
    assert main(["compare", *files]) == 1  # there is a wrong one
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["nex", "3", "2/2", "1/1", "0", "0", "11.0", "2.0", "2.0", "2"] in rows


def test_the_four_structures_are_taken_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("nexpoint", "nex", "mtndd", "ndd", "predicate")
    files = [write(tmp_path / f"{name}.sqlite", NEX) for name in names]
    assert main(["compare", *files]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[1] for row in rows if row[:1] == ["nexpoint+nex+mtndd+ndd"]] == ["predicate"]
