"""The measurements: tasks are read and chosen, and a table tells what came of them."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench.__main__ import main
from bench.tasks import chosen_tasks

from predabs.bench.task_files import read_tasks
from predabs.errors import InputError
from support.bench_runs import kept
from support.c_programs import write_c
from support.places import ROOT


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
    good, bad, _ = read_tasks([str(tasks)])
    assert (good.expected, good.data_model, good.category) == (True, "LP64", "good")
    assert (bad.expected, bad.data_model, bad.file) == (
        False,
        "ILP32",
        tasks.parent / "bad" / "a.c",
    )


def test_tasks_are_chosen(tasks: Path) -> None:
    def names(**options: object) -> list[str]:
        every = dict.fromkeys(("only", "name", "sample", "shard"))
        every |= {"tasks": tasks, "category": []}
        return [t.category for t in chosen_tasks(argparse.Namespace(**{**every, **options}))]

    assert names() == ["good", "bad", "odd"]
    assert names(only="false") == ["bad"]
    assert names(category=["odd", "good"]) == ["good", "odd"]
    assert names(category=["*d", "g*"]) == ["good", "bad", "odd"]
    assert names(category=["b*"]) == ["bad"]
    assert len(names(sample=2)) == 2 and names(sample=2) == names(sample=2)
    assert names(shard=(1, 2)) == ["good", "odd"] and names(shard=(2, 2)) == ["bad"]
    with pytest.raises(InputError, match="no task fits"):
        names(name="nothing")


def test_missing_tasks_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frontend", "--tasks", str(tmp_path / "none.csv")]) == 2
    assert "none.csv: cannot read the tasks" in capsys.readouterr().err


def test_the_list_of_measurements(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "frontend" in capsys.readouterr().out
    assert main(["nonsense"]) == 2


def test_reading_tasks_is_measured(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frontend", "--tasks", str(tasks)]) == 1
    out = capsys.readouterr().out
    assert "2 of 3 tasks became automata" in out and "failed  odd/a.yml" in out
    assert "1 as ILP32, 1 as LP64" in out


def bench_check(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", "check", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        check=False,
    )


def test_verdicts_are_compared(tasks: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.sqlite"
    words = ["--tasks", str(tasks), "--jobs", "2", "--limit", "30", "-o", str(out)]
    done = bench_check(*words, "--shard", "1/2")
    assert done.returncode == 0, done.stderr
    assert {answer.task: answer.verdict for answer in kept(out)} == {
        "good/a.yml": "TRUE",
        "odd/a.yml": "ERROR",  # it cannot be read
    }
    done = bench_check(*words)
    assert done.returncode == 0, done.stderr
    assert "[1/1] ok" in done.stderr  # only the one that is missing
    row = next(line.split() for line in done.stdout.splitlines() if line.startswith("all"))
    assert row[:7] == ["all", "3", "1/2", "1/1", "0", "0", "1"]


def test_the_limit_of_cpu_time_is_kept(tmp_path: Path) -> None:
    """The analysis runs in a child of predabs: the limit holds there, and predabs says so."""
    program = """
        int main(void) {
          unsigned s = 1;
          for (unsigned i = 0; i < 4000000000u; i++) s = s * s + i;
          if (s == 1234567) __VERIFIER_error();
        }
        """
    (tmp_path / "slow").mkdir()
    write_c(tmp_path / "slow", program)
    tasks = tmp_path / "tasks.csv"
    tasks.write_text("task,file,expected,data_model,lines\nslow/a.yml,slow/a.c,true,64,1\n")
    out = tmp_path / "out.csv"
    limits = ["--limit", "1", "--wall-factor", "60"]
    done = bench_check("--tasks", str(tasks), *limits, "--engine", "bounded", "-o", str(out))
    assert done.returncode == 0, done.stderr
    (answer,) = kept(out)
    assert (
        answer.verdict == "UNKNOWN" and "the limit of 1 s of CPU time was reached" in answer.reason
    )
    assert answer.limit == "cpu"
    assert 1.0 <= answer.cpu < 30.0  # the start alone may take seconds; the wall's limit is 60
