"""A cluster: a real scheduler and real workers, some of which are killed, leave and join."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from predabs.bench.perform import Run
from predabs.bench.series import Quiet
from predabs.errors import InputError
from support.bench_runs import (
    LIMITS,
    kept,
    own_environment,
    predabs_words,
    script,
    small_tasks,
    write_table,
    write_tool,
)
from support.dask_cluster import address, scheduler, worker
from support.processes import hear_signals, is_alive, soon

pytest.importorskip("distributed", reason="Dask distributed is not installed")
from predabs.bench.cluster import Series, cluster_answers


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def test_workers_that_die_leave_and_join(tmp_path: Path) -> None:
    """Each task has one answer, and no process of a killed worker is left."""
    log, count = tmp_path / "log", 20
    table = write_table(tmp_path / "tasks", count)
    line = f"echo $$ >> {log}; sleep 0.4; echo TRUE"
    with scheduler(tmp_path) as file:
        workers = [worker(file) for _ in range(2)]
        words = ["bench", str(table), "--cluster", address(file), "--limit", "20"]
        words += [
            "--run",
            f"slow={write_tool(tmp_path)} '{line}'",
            "-o",
            str(tmp_path / "a.sqlite"),
        ]
        bench = subprocess.Popen(
            predabs_words(*words),
            env=own_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert soon(lambda: len(lines(log)) >= 4)
            workers[0].kill()  # in the middle of a run
            workers.append(worker(file))
            assert soon(lambda: len(lines(log)) >= 9)
            workers[1].send_signal(signal.SIGTERM)  # it leaves as it should
            workers.append(worker(file))
            assert soon(lambda: len(lines(log)) >= 13)
            workers[2].kill()
            out, err = bench.communicate(timeout=600)
        finally:
            bench.kill()
            for process in workers:
                process.kill()
                process.wait()
    assert bench.returncode == 0, err
    answers = kept(tmp_path / "a.sqlite")
    assert len(answers) == count == len({answer.task for answer in answers})
    assert {answer.verdict for answer in answers} == {"TRUE"} and all(a.digest for a in answers)
    assert f"slow              {count}" in out
    assert len(lines(log)) <= count + 6  # only what was under way is run again
    assert soon(lambda: not any(is_alive(int(word)) for word in lines(log)))


def test_a_cluster_of_our_own(tmp_path: Path) -> None:
    """Checks of predabs itself; the texts of the programs travel."""
    table = write_table(tmp_path / "tasks", 2)
    words = ["bench", str(table), "--workers", "2", "-o", str(tmp_path / "a.sqlite")]
    done = subprocess.run(
        predabs_words(*words), env=own_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [answer.verdict for answer in kept(tmp_path / "a.sqlite")] == ["TRUE", "TRUE"]


@pytest.mark.long
def test_an_interrupted_bench_ends_its_runs_on_the_workers(tmp_path: Path) -> None:
    log = tmp_path / "log"
    table = write_table(tmp_path / "tasks", 6)
    line = f"echo $$ >> {log}; sleep 1000"
    words = ["bench", str(table), "--workers", "2", "-o", str(tmp_path / "a.sqlite")]
    words += ["--run", f"slow={write_tool(tmp_path)} '{line}'"]
    bench = subprocess.Popen(
        predabs_words(*words),
        env=own_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=hear_signals,
    )
    assert soon(lambda: len(lines(log)) == 2)
    bench.send_signal(signal.SIGINT)
    _, err = bench.communicate()
    assert bench.returncode == 130 and b"the same command goes on" in err
    assert soon(lambda: not any(is_alive(int(word)) for word in lines(log)))
    assert kept(tmp_path / "a.sqlite") == []


def test_nobody_is_there(tmp_path: Path) -> None:
    table = write_table(tmp_path / "tasks", 1)
    words = ["bench", str(table), "--cluster", "tcp://127.0.0.1:1", "-o", str(tmp_path / "a")]
    text = (
        "import sys\nfrom predabs.bench import cluster\ncluster._CONNECT_SECONDS = 0.5\n"
        f"from predabs.cli import main\nsys.exit(main({words!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", text],
        env=own_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "predabs: --cluster tcp://127.0.0.1:1: no scheduler answers there" in done.stderr


@pytest.mark.parametrize("address", ["", "nonsense", "tcp://host", "host:port", "tcp://a b:1"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="this is no address of a scheduler"):
        next(cluster_answers([Mock()], address, None, Quiet()))


def test_that_no_worker_is_there_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And again when the last one has gone."""
    threads: dict[str, int] = {}
    runs = [Run(task, script("echo TRUE"), LIMITS) for task in small_tasks(tmp_path, 9)]
    told: list[str] = []
    watcher = Quiet()
    monkeypatch.setattr(watcher, "told", told.append)
    series = Series(Mock(nthreads=lambda: threads), runs, watcher)

    def look() -> int:
        series._looked = -math.inf
        series._send()
        return len(told)

    assert (look(), look()) == (1, 1) and "no worker is there" in told[0]
    threads["a"] = 2
    assert look() == 1
    threads.clear()
    assert look() == 2
