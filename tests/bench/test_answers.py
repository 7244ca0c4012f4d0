"""Answers of a benchmark: they are made from a report, written as they come, and read again."""

from __future__ import annotations

import doctest
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from bench.answers import Answer, Record, answer_of, failed, read
from bench.runner import Settings
from bench.tasks import NoTasks, Task

from bench import answers, causes, configurations, tasks, text

TASK = Task("loops/a.yml", Path("loops/a.c"), True, "ILP32", 10)
FULL = Answer(
    "loops/a.yml",
    "loops",
    True,
    "UNKNOWN",
    'a "reason", with a comma',
    1.25,
    2.5,
    "",
    "auto",
    "bounded: no",
    7,
    3,
    100,
    20,
    0.75,
    4,
    55,
    1.5,
    "abstraction 1.00; bdd 0.50",
    "alpha post 0.250/31; join 0.015/4",
    60,
)


@pytest.mark.parametrize(
    "module", [answers, causes, configurations, tasks, text], ids=lambda m: m.__name__
)
def test_examples(module: object) -> None:
    assert doctest.testmod(module).failed == 0


def test_answers_are_written_and_read(tmp_path: Path) -> None:
    record = Record(tmp_path / "a.csv", resume=False)
    record.add(FULL)
    record.add(Answer("b.yml", "b", False, "FALSE"))
    assert read([tmp_path / "a.csv"]) == [FULL, Answer("b.yml", "b", False, "FALSE")]


def test_a_run_is_taken_up_again(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    Record(path, resume=True).add(FULL)
    with path.open("a") as stream:
        stream.write("b.yml,b,tr")  # the run was stopped here
    record = Record(path, resume=True)
    assert record.answers == {FULL.task: FULL}
    record.add(Answer("b.yml", "b", True, "TRUE"))
    assert [answer.task for answer in read([path])] == [FULL.task, "b.yml"]
    assert Record(path, resume=False).answers == {}
    assert read([path]) == []


def test_a_file_without_the_columns_of_today_is_taken_up_again(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("task,category,expected,verdict,cpu\na.yml,a,true,TRUE,1.50\n")
    old = Answer("a.yml", "a", True, "TRUE", cpu=1.5)
    assert read([path]) == [old] and old.operation_use == {} and old.limit is None
    Record(path, resume=True).add(FULL)
    assert read([path]) == [old, FULL]
    assert list(tmp_path.iterdir()) == [path]


def test_of_two_rows_the_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    record = Record(path)
    record.add(FULL)
    record.add(replace(FULL, verdict="TRUE"))
    assert [answer.verdict for answer in read([path])] == ["TRUE"]
    assert Record(path, resume=True).answers == record.answers
    assert path.read_text().count(FULL.task) == 1


def test_answers_need_no_file(tmp_path: Path) -> None:
    record = Record()
    record.add(FULL)
    assert record.answers == {FULL.task: FULL}


@pytest.mark.parametrize(
    ("reason", "ended"),
    [
        ("the time limit was reached", True),
        ("the time limit of 1.5 s was reached (numpred)", True),
        ("a limit of CPU time was reached (slicing)", True),
        ("the memory limit of 4096 MiB was reached (slicing)", False),
        ("a.c:3:1: a spurious path has 4 edges, and nothing new excludes it", False),
    ],
)
def test_what_more_time_may_help(reason: str, ended: bool) -> None:
    answer = Answer("a.yml", "a", True, "UNKNOWN", reason, limit=10)
    assert answer.may_go_on(11) == ended and not answer.may_go_on(10)
    assert replace(answer, limit=None).may_go_on(1) == ended  # nobody knows
    assert not replace(answer, verdict="ERROR").may_go_on(11)


def test_later_files_win(tmp_path: Path) -> None:
    Record(tmp_path / "1.csv", resume=False).add(FULL)
    Record(tmp_path / "2.csv", resume=False).add(Answer(FULL.task, "loops", True, "TRUE"))
    (answer,) = read([tmp_path / "1.csv", tmp_path / "2.csv"])
    assert answer.verdict == "TRUE" and answer.solved


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("task,verdict\na,TRUE\n")
    with pytest.raises(NoTasks, match="no column category"):
        read([tmp_path / "a.csv"])
    with pytest.raises(NoTasks, match="cannot read"):
        read([tmp_path / "none.csv"])


def test_reports_become_answers() -> None:
    report = {
        "verdict": "FALSE",
        "reason": "",
        "engine": "auto",
        "predicates": {"total": 5, "active": 2},
        "solver": {"calls": 9, "cached": 1, "seconds": 2.0},
        "iterations": 3,
        "test": {"reached": True},
        "stats": {
            "nodes": 12,
            "seconds": {"refinement": 0.5, "abstraction": 3.0, "front end": 0.25},
            "native": {"solver": 2.0, "bdd": 0.5, "clang": 0.25},
            "operations": {
                "apply": {"calls": 12, "seconds": 1.25},
                "alpha post": {"calls": 3, "seconds": 0.0004},
            },
        },
        "tried": ["bounded: nothing in 2 s", "lazy: a bug"],
    }
    answer = answer_of(TASK, report, 4.0, 5.0)
    assert answer.wrong and not answer.solved and answer.test == "reached"
    assert (answer.predicates, answer.active, answer.calls, answer.cached) == (5, 2, 9, 1)
    assert (answer.nodes, answer.refinements, answer.native) == (12, 3, 2.75)
    assert answer.phases == "abstraction 3.00; refinement 0.50; front end 0.25"
    assert answer.tried == "bounded: nothing in 2 s; lazy: a bug"
    assert answer.operation_use == {"apply": (1.25, 12), "alpha post": (0.0, 3)}


def test_reports_may_lack_numbers() -> None:
    answer = answer_of(TASK, {"verdict": "UNKNOWN", "reason": "two\nlines"}, 1.0, 1.0)
    assert answer.reason == "two lines" and answer.nodes is None and answer.native is None
    solver = {"verdict": "TRUE", "solver": {"calls": 1, "seconds": 0.5}}
    assert answer_of(TASK, solver, 1.0, 1.0).native == 0.5  # as far as it is known
    assert failed(TASK, "Segmentation\nfault", 1.0, 1.0).verdict == "ERROR"


def test_the_engine_is_told_a_limit_of_its_own() -> None:
    words = Settings(60, 4096, 1.5, "lazy").command(TASK, Path("out"), Path("p.prp"))
    told = dict(pairwise(words))
    assert (told["--timeout"], told["--memory"], told["--engine"]) == ("90", "4096", "lazy")
