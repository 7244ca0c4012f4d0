"""The measurements: tasks are read and chosen, and a table tells what came of them."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench.__main__ import main
from bench.tasks import NoTasks, chosen_tasks, read_tasks
from bench.verdicts import Answer, table

from c_programs import write_c

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Two tasks in two categories; the last one cannot be read."""
    for name, text in (
        ("good", "int main(void) { int x = 1; if (x == 2) __VERIFIER_error(); return 0; }"),
        ("bad", "int main(void) { if (sizeof(long) == 4) __VERIFIER_error(); return 0; }"),
        ("odd", "int main(void) { return }"),
    ):
        (tmp_path / name).mkdir()
        write_c(tmp_path / name, text)
    rows = ["good/a.yml,good/a.c,true,64,1", "bad/a.yml,bad/a.c,false,32,1"]
    rows.append("odd/a.yml,odd/a.c,true,64,1")
    target = tmp_path / "tasks.csv"
    target.write_text("task,file,expected,data_model,lines\n" + "\n".join(rows) + "\n")
    return target


def test_tasks_are_read(tasks: Path) -> None:
    good, bad, _ = read_tasks(tasks)
    assert (good.safe, good.data_model, good.category) == (True, "LP64", "good")
    assert (bad.safe, bad.data_model, bad.file) == (False, "ILP32", tasks.parent / "bad" / "a.c")


def test_tasks_are_chosen(tasks: Path) -> None:
    def names(**options: object) -> list[str]:
        every = {"tasks": tasks, "only": None, "category": [], "name": None, "sample": None}
        return [t.category for t in chosen_tasks(argparse.Namespace(**{**every, **options}))]

    assert names() == ["good", "bad", "odd"]
    assert names(only="false") == ["bad"]
    assert names(category=["odd", "good"]) == ["good", "odd"]
    assert len(names(sample=2)) == 2 and names(sample=2) == names(sample=2)
    with pytest.raises(NoTasks, match="no task fits"):
        names(name="nothing")


def test_missing_tasks_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frontend", "--tasks", str(tmp_path / "none.csv")]) == 2
    assert "--tasks" in capsys.readouterr().err
    (tmp_path / "odd.csv").write_text("a,b\n1,2\n")
    with pytest.raises(NoTasks, match="no column"):
        read_tasks(tmp_path / "odd.csv")


def test_the_list_of_measurements(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "frontend" in capsys.readouterr().out
    assert main(["nonsense"]) == 2


def test_reading_tasks_is_measured(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frontend", "--tasks", str(tasks)]) == 1
    out = capsys.readouterr().out
    assert "2 of 3 tasks became automata" in out and "failed  odd/a.yml" in out
    assert "1 as ILP32, 1 as LP64" in out


def test_verdicts_are_compared(tasks: Path, tmp_path: Path) -> None:
    words = ["--tasks", str(tasks), "--jobs", "2", "--limit", "30", "-o", str(tmp_path / "out.csv")]
    done = subprocess.run(
        [sys.executable, "-m", "bench", "check", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1].split()
    assert last[:6] == ["all", "3", "1/2", "1/1", "0", "0"]  # and one that cannot be read
    assert (tmp_path / "out.csv").read_text().splitlines()[0].startswith("task,expected,verdict")


def test_wrong_verdicts_are_named(tasks: Path) -> None:
    good, bad, _ = read_tasks(tasks)
    text = table(
        [
            Answer(good, "FALSE", "", 1.0, "reached"),
            Answer(bad, "UNKNOWN", "why", 3.0, ""),
        ]
    )
    assert "WRONG: good/a.yml: FALSE, expected TRUE" in text
    assert "native tests of FALSE verdicts: reached 1" in text
