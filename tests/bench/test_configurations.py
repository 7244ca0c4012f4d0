"""Several configurations on the same tasks: their order, their files, and going on with them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from bench.__main__ import main
from bench.answers import read

from predabs.bench.tools.predabs_tool import PredabsTool
from predabs.bench.tools.tool import Request
from support.bench_runs import kept
from support.c_programs import write_c

PROGRAM = """int main(void) { int x = 0;
  while (x < 10) x++;
  if (x != 10) __VERIFIER_error(); return 0; }"""
ANSWERING = '{"verdict": "%s", "reason": "%s", "stats": {"seconds": {}}}'


@pytest.fixture
def tasks(tmp_path: Path) -> str:
    rows = ["task,file,expected,data_model,lines"]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_c(tmp_path / name, PROGRAM)
        rows.append(f"{name}/a.yml,{name}/a.c,true,64,3")
    (tmp_path / "tasks.csv").write_text("\n".join(rows) + "\n")
    return str(tmp_path / "tasks.csv")


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of predabs, something that answers with the words of a configuration."""

    def command(self: PredabsTool, request: Request) -> list[str]:
        verdict, reason = request.words
        file = request.folder / "answer.json"
        text = f"open({str(file)!r}, 'w').write({ANSWERING % (verdict, reason)!r})"
        return [sys.executable, "-c", text]

    monkeypatch.setattr(PredabsTool, "command", command)


def order(err: str) -> list[tuple[str, str]]:
    """Which configuration was run on which task, one after the other."""
    return re.findall(r"s  (\w+): (\w+)/a.yml", err)


def words(line: str) -> list[str]:
    """What is no number: those of a file are rounded."""
    return re.findall(r"[a-z]+", line)


def test_engines_side_by_side(
    tasks: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    out = tmp_path / "answers.sqlite"
    asked = ["configurations", "--tasks", tasks, "--category", "on*", "--limit", "30"]
    asked += ["--jobs", "1", "-o", str(out)]
    asked += ["--run", "nex=--engine numpred --domain nex", "--run", "runs=--engine bounded"]
    assert main(asked) == 0
    told = capsys.readouterr()
    assert order(told.err) == [("nex", "one"), ("runs", "one")]
    found = read([out])
    (nex,), (runs,) = found["nex"], found["runs"]
    assert (nex.verdict, nex.limit, nex.engine) == ("TRUE", 30, "numpred")
    assert {"apply", "join"} <= nex.operation_use.keys()
    assert (runs.engine, runs.operations) == ("bounded", "")
    assert "wall-clock seconds by operation, all tasks" in told.out
    assert main(["compare", str(out)]) == 0
    again = capsys.readouterr().out
    assert [words(line) for line in again.splitlines()] == list(map(words, told.out.splitlines()))


@pytest.mark.usefixtures("answering")
def test_tasks_one_by_one_and_going_on(
    tasks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["configurations", "--tasks", tasks, "--jobs", "1", "-o", str(tmp_path / "out")]
    yes = ["--run", "yes=predabs TRUE ''"]
    late = ["--run", "late=predabs UNKNOWN 'the time limit was reached'"]
    lost = ["--run", "lost=predabs UNKNOWN 'no new predicate'"]

    def run(*more: str) -> list[tuple[str, str]]:
        assert main([*words, *more]) == 0
        return order(capsys.readouterr().err)

    every = [(name, task) for task in ("one", "two") for name in ("yes", "late", "lost")]
    assert run(*yes, *late, *lost, "--limit", "5") == every
    resume = [*yes, *late, *lost]
    assert run(*resume, "--limit", "60") == []
    assert run(*resume, "--limit", "5", "--again") == []
    assert run(*resume, "--limit", "9", "--again", "--category", "two") == [("late", "two")]
    late_ones = [one for one in kept(tmp_path / "out") if one.configuration == "late"]
    assert sorted(one.limits.cpu for one in late_ones) == [5, 9]
    assert run(*resume, "--limit", "9", "--again") == [("late", "one")]
    assert run(*resume, "--run", "new=predabs TRUE ''", "--limit", "9") == [
        ("new", "one"),
        ("new", "two"),
    ]


@pytest.mark.usefixtures("answering")
def test_wrong_answers_are_told(
    tasks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["configurations", "--tasks", tasks, "--run", "no=predabs FALSE ''"]) == 1
    assert "no: WRONG: one/a.yml: FALSE, expected TRUE" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "name configurations with --run or --six"),
        (["--run", "a=", "--run", "a=--engine lazy"], "each one once"),
        (["--six", "--run", "nex=--engine lazy"], "each one once"),
        (["--run", "a/b=--engine lazy"], "write NAME=TOOL WORDS"),
        (["--run", "lazy"], "write NAME=TOOL WORDS"),
        (["--six", "--union", "x=nex,lazy"], "no configuration is called 'lazy'"),
        (["--run", "a=nonsense --unwind 3"], "no tool is called nonsense"),
    ],
)
def test_options_that_do_not_go_together(
    words: list[str], told: str, tasks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["configurations", "--tasks", tasks, *words])
    assert told in capsys.readouterr().err


def test_the_six(
    tasks: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, ...]] = []

    def command(self: PredabsTool, request: Request) -> list[str]:
        asked.append(tuple(request.words))
        return [sys.executable, "-c", "raise SystemExit('stopped')"]

    monkeypatch.setattr(PredabsTool, "command", command)
    assert (
        main(["configurations", "--tasks", tasks, "--category", "one", "--six", "--jobs", "1"]) == 0
    )
    domains = ("nexpoint", "nex", "mtndd", "ndd", "numeric", "predicate")
    assert asked == [("--engine", "numpred", "--domain", name) for name in domains]
    assert "nexpoint+nex+mtndd+ndd" in capsys.readouterr().out
