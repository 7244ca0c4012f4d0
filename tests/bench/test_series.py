"""Series of runs: in order, side by side, taken up again; stopped and killed at any moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from predabs.bench.answer import Answer
from predabs.bench.configuration import Configuration
from predabs.bench.database import Database
from predabs.bench.execute import Limits
from predabs.bench.perform import Run
from predabs.bench.series import Quiet, keep_answers, local_answers, missing_runs
from predabs.errors import InputError
from predabs.records import replace
from support.bench_runs import (
    LIMITS,
    SCRIPT_TOOL,
    kept,
    own_environment,
    predabs_words,
    script,
    small_tasks,
    write_table,
    write_tool,
)
from support.processes import hear_signals, is_alive, soon


class Seen(Quiet):
    """Remembers what came when."""

    def __init__(self) -> None:
        self.order: list[tuple[str, str]] = []

    def ended(self, run: Run, answer: Answer) -> None:
        self.order.append((run.task.name, run.configuration.name))


def series(
    path: Path,
    tasks: list,  # type: ignore[type-arg]
    configurations: list[Configuration],
    jobs: int = 1,
    limits: Limits = LIMITS,
    again: bool = False,
) -> Seen:
    seen = Seen()
    with Database(path, write=True) as database:
        for one in configurations:
            database.add_configuration(one, one.version())
        runs = missing_runs(database, tasks, configurations, limits, again)
        keep_answers(database, local_answers(runs, jobs, seen), seen, again)
    return seen


def test_each_task_under_all_configurations_before_the_next(tmp_path: Path) -> None:
    tasks = small_tasks(tmp_path / "t", 2)
    both = [script("echo TRUE", "yes"), script("echo FALSE", "no")]
    seen = series(tmp_path / "a.sqlite", tasks, both)
    names = [task.name for task in tasks]
    assert seen.order == [(name, one) for name in names for one in ("yes", "no")]
    answers = kept(tmp_path / "a.sqlite")
    assert [answer.verdict for answer in answers] == ["TRUE", "FALSE"] * 2
    assert all(answer.digest and answer.host and answer.cpu > 0 for answer in answers)


def test_a_series_goes_on(tmp_path: Path) -> None:
    tasks = small_tasks(tmp_path / "t", 5)
    path = tmp_path / "a.sqlite"
    assert len(series(path, tasks[:2], [script("echo TRUE")], jobs=2).order) == 2
    assert len(series(path, tasks, [script("echo TRUE")], jobs=2).order) == 3
    assert len(series(path, tasks, [script("echo TRUE")], jobs=2).order) == 0
    assert len(series(path, tasks, [script("echo TRUE"), script("echo UNKNOWN", "b")]).order) == 5


def test_again_with_more_time(tmp_path: Path) -> None:
    tasks = small_tasks(tmp_path / "t", 1)
    slow = [script("sleep 1000; echo TRUE")]
    path = tmp_path / "a.sqlite"
    short = Limits(5.0, 0.2, 1000)
    series(path, tasks, slow, limits=short)
    (answer,) = kept(path)
    assert (answer.verdict, answer.limit) == ("UNKNOWN", "wall")
    assert series(path, tasks, slow, limits=replace(short, wall=0.3)).order == []
    assert len(series(path, tasks, slow, limits=replace(short, wall=0.3), again=True).order) == 1
    assert [one.limits.wall for one in kept(path)] == [0.3]


def test_a_program_that_has_changed_is_told(tmp_path: Path) -> None:
    (task,) = small_tasks(tmp_path / "t", 1)
    path = tmp_path / "a.sqlite"
    series(path, [task], [script("echo TRUE")])
    task.file.write_text("int main(void) { return 1; }\n")
    with pytest.raises(InputError, match="the program has changed since"):
        series(path, [task], [script("echo TRUE")])


def test_a_tool_that_fails_is_an_error_not_a_verdict(tmp_path: Path) -> None:
    (task,) = small_tasks(tmp_path / "t", 1)
    series(tmp_path / "a.sqlite", [task], [script("echo TRUE; echo broken; exit 1")])
    (answer,) = kept(tmp_path / "a.sqlite")
    assert (answer.verdict, answer.reason) == ("ERROR", "broken")


@pytest.mark.parametrize(
    ("method", "line", "told"),
    [
        ("told", "return 1 / 0", "script.py:Buggy: its told() failed: ZeroDivisionError"),
        ("told", "return 'TRUE'", "script.py:Buggy: its told() failed: TypeError: 'TRUE' has no"),
        ("told", "return Told('yes')", "has no verdict of TRUE, FALSE, UNKNOWN, ERROR"),
        ("command", "return 1 / 0", "script.py:Buggy: its command() failed: ZeroDivisionError"),
    ],
)
def test_a_tool_with_a_bug_is_an_error_that_names_it(
    method: str, line: str, told: str, tmp_path: Path
) -> None:
    """The others go on, and `--again` runs it again."""
    (task,) = small_tasks(tmp_path / "t", 1)
    text = f"{SCRIPT_TOOL}\nclass Buggy(Script):\n    def {method}(self, _):\n        {line}\n"
    buggy = Configuration("buggy", "script.py:Buggy", ("echo TRUE",), text)
    series(tmp_path / "a.sqlite", [task], [buggy, script("echo TRUE")])
    broken, other = kept(tmp_path / "a.sqlite")
    assert broken.verdict == "ERROR" and told in broken.reason
    assert other.verdict == "TRUE"
    assert series(tmp_path / "a.sqlite", [task], [buggy], again=True).order == [
        (task.name, "buggy")
    ]


def test_the_folder_of_the_user_has_no_modules_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file there that is called like a module of Python is not loaded."""
    (task,) = small_tasks(tmp_path / "t", 1)
    (tmp_path / "queue.py").write_text("raise SystemExit('the wrong queue')\n")
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')\n")
    monkeypatch.chdir(tmp_path)
    series(tmp_path / "a.sqlite", [task], [Configuration("predabs")])
    (answer,) = kept(tmp_path / "a.sqlite")
    assert (answer.verdict, answer.reason) == ("TRUE", "")


def test_a_run_has_a_folder_of_its_own(tmp_path: Path) -> None:
    """Which is named in the words, and gone afterwards."""
    (task,) = small_tasks(tmp_path / "t", 1)
    series(tmp_path / "a.sqlite", [task], [script(f"echo {{folder}} > {tmp_path}/x; echo TRUE")])
    folder = (tmp_path / "x").read_text().strip()
    assert "predabs-bench-" in folder and not Path(folder).exists()


# --- stopped and killed ---------------------------------------------------------------------------


def bench_words(folder: Path, count: int, line: str) -> list[str]:
    table = write_table(folder / "tasks", count)
    configuration = f"slow={write_tool(folder)} '{line}'"
    words = ["bench", str(table), "--run", configuration, "--jobs", "2", "--limit", "20"]
    return [*predabs_words(*words), "-o", str(folder / "a.sqlite")]


def start(words: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words,
        env=own_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=hear_signals,
    )


def begun(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def test_killed_at_random_moments_nothing_is_lost_or_twice(tmp_path: Path) -> None:
    """An answer that was there stays, and each run that was not interrupted is run once."""
    log, count = tmp_path / "log", 24
    words = bench_words(tmp_path, count, f"echo $1 >> {log}; sleep 0.05; echo TRUE")
    moments = random.Random(3)
    kills = 0
    for _ in range(5):
        process = start(words)
        before = len(begun(log))
        assert soon(lambda: len(begun(log)) > before or process.poll() is not None)  # noqa: B023
        time.sleep(moments.uniform(0.0, 0.25))
        process.kill()
        kills += process.wait() == -signal.SIGKILL
        if (tmp_path / "a.sqlite").exists():
            known = {answer.task for answer in kept(tmp_path / "a.sqlite")}
            assert len(known) == len(kept(tmp_path / "a.sqlite"))
    process = start(words)
    assert process.wait() == 0
    answers = kept(tmp_path / "a.sqlite")
    assert len(answers) == count == len({answer.task for answer in answers})
    assert {answer.verdict for answer in answers} == {"TRUE"}
    assert kills >= 2
    assert len(begun(log)) <= count + 2 * 2 * kills  # two at a time may be lost with each kill


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_bench_ends_its_runs(number: signal.Signals, tmp_path: Path) -> None:
    note = tmp_path / "pids"
    line = f"echo $$ >> {note}; sleep 1000"
    process = start(bench_words(tmp_path, 4, line))
    assert soon(lambda: note.exists() and len(note.read_text().split()) == 2)
    os.kill(process.pid, number)
    assert process.wait() == 128 + number
    assert not any(is_alive(int(word)) for word in note.read_text().split())
    if number == signal.SIGINT:
        assert process.stderr is not None
        told = process.stderr.read().decode()
        assert "0 answers are in" in told and "the same command goes on" in told
    assert kept(tmp_path / "a.sqlite") == []
