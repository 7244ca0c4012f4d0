"""Commands under limits: the limits hold for the whole tree of processes, and nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from predabs.bench import cgroup
from predabs.bench.cgroup import Cgroup
from predabs.bench.execute import Ended, Executor, Limits
from predabs.bench.guard import Guard
from predabs.bench.process_tree import adopting_orphans
from support.bench_runs import own_environment
from support.processes import is_alive, soon

BURN = "import time\nwhile True: sum(range(1000))"
AMPLE = Limits(100.0, 600.0, 4000)


@pytest.fixture(params=["tree", "cgroup"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    """With /proc alone, and with control groups where there are any."""
    group = cgroup.home() if request.param == "cgroup" else None
    if request.param == "cgroup" and group is None:
        pytest.skip("no control groups of version 2 can be made")
    with adopting_orphans():
        yield Executor(group=group)
    if group is not None:
        cgroup.leave(group)
        assert not group.exists()


def run(executor: Executor, folder: Path, words: list[str], limits: Limits = AMPLE) -> Ended:
    outputs = folder / "out", folder / "err"
    return executor.execute(words, limits, outputs, own_environment())


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def pids(path: Path) -> list[int]:
    return [int(word) for word in path.read_text().split()]


def test_the_exit_code_and_the_output(executor: Executor, tmp_path: Path) -> None:
    ended = run(executor, tmp_path, ["/bin/sh", "-c", "echo yes; echo no >&2; exit 3"])
    assert (ended.code, ended.limit) == (3, "")
    assert (tmp_path / "out").read_text() == "yes\n" and (tmp_path / "err").read_text() == "no\n"
    assert run(executor, tmp_path, ["/bin/sh", "-c", "kill -SEGV $$"]).code == -signal.SIGSEGV


def test_cpu_time_of_all_processes_counts(executor: Executor, tmp_path: Path) -> None:
    """None of the two children reaches the limit alone when both together do."""
    words = ["/bin/sh", "-c", f'"{sys.executable}" -c "$0" & "{sys.executable}" -c "$0"', BURN]
    ended = run(executor, tmp_path, words, Limits(0.6, 600.0, 4000))
    assert ended.limit == "cpu" and 0.6 < ended.cpu < 60.0


def test_cpu_time_of_children_that_have_ended_counts(executor: Executor, tmp_path: Path) -> None:
    text = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'sum(range(5000000))'])"
    assert run(executor, tmp_path, python(text)).cpu > 0.05


def test_the_wall_clock(executor: Executor, tmp_path: Path) -> None:
    ended = run(executor, tmp_path, ["/bin/sleep", "1000"], Limits(100.0, 0.3, 4000))
    assert ended.limit == "wall" and 0.3 <= ended.wall < 100.0 and ended.code == -signal.SIGKILL


def test_memory_of_all_processes_counts(executor: Executor, tmp_path: Path) -> None:
    hold = "b = bytearray(80 << 20)\nimport time\ntime.sleep(1000)"
    words = ["/bin/sh", "-c", f'"{sys.executable}" -c "$0" & "{sys.executable}" -c "$0"', hold]
    ended = run(executor, tmp_path, words, Limits(100.0, 600.0, 130))
    assert ended.limit == "memory" and ended.wall < 500.0
    assert ended.memory > 120 << 20  # what was seen is told


def test_nothing_is_left(executor: Executor, tmp_path: Path) -> None:
    """Not even a process that has left the group and whose parent has ended."""
    note = tmp_path / "pids"
    child = (
        f"import os, time\nopen({str(note)!r}, 'a').write(f'{{os.getpid()}} ')\ntime.sleep(1000)"
    )
    text = (
        "import os, subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        f"    subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "    os._exit(0)\n"
        f"while not os.path.exists({str(note)!r}) or open({str(note)!r}).read().count(' ') < 2:\n"
        "    time.sleep(0.01)\n"
    )
    ended = run(executor, tmp_path, python(text))
    assert (ended.code, ended.limit) == (0, "")
    assert len(pids(note)) == 2 and soon(lambda: not any(map(is_alive, pids(note))))


def test_somebody_wants_an_end(executor: Executor, tmp_path: Path) -> None:
    outputs = tmp_path / "out", tmp_path / "err"
    words = ["/bin/sleep", "1000"]
    ended = executor.execute(words, AMPLE, outputs, own_environment(), lambda: True)
    assert ended.limit == "stopped"


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no-such-tool"):
        run(Executor(), tmp_path, ["/no-such-tool"])


def test_the_guard_ends_what_a_killed_process_has_started(tmp_path: Path) -> None:
    folder = tmp_path / "predabs-bench-1"
    folder.mkdir()
    text = (
        "import sys, time\nfrom pathlib import Path\n"
        "from predabs.bench.execute import Executor, Limits\n"
        "from predabs.bench.guard import Guard\n"
        "import os\n"
        "guard = Guard()\n"
        f"guard.tell('folder', {str(folder)!r})\n"
        "run = Executor(guard).execute\n"
        f"out = Path({str(tmp_path / 'o')!r}), Path({str(tmp_path / 'e')!r})\n"
        f"run(['/bin/sh', '-c', 'sleep 1000 & echo $$ $! > {tmp_path}/p; wait'],"
        " Limits(99.0, 999.0, 999), out, dict(os.environ))\n"
    )
    started = subprocess.Popen(python(text), env=own_environment())
    note = tmp_path / "p"
    assert soon(lambda: note.exists() and len(pids(note)) == 2)
    time.sleep(0.5)  # so that the guard has been told
    started.kill()
    started.wait()
    assert soon(lambda: not any(map(is_alive, pids(note))))
    assert soon(lambda: not folder.exists())


def test_the_guard_removes_groups_and_what_is_in_them() -> None:
    group = cgroup.home()
    if group is None:
        pytest.skip("no control groups of version 2 can be made")
    run = Cgroup(group / "run", None)
    process = subprocess.Popen(run.command(["/bin/sleep", "1000"]))
    assert soon(lambda: (run.path / "cgroup.procs").read_text().strip())
    guard = Guard()
    guard.tell("cgroup", group)
    guard.close()
    assert process.wait() == -signal.SIGKILL and not group.exists()


def test_the_guard_touches_nothing_else(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    guard = Guard()
    guard.tell("folder", mine)
    guard.close()
    assert mine.exists()


# --- control groups, as the files that they are ---------------------------------------------------


def test_a_group_limits_and_counts(tmp_path: Path) -> None:
    group = Cgroup(tmp_path / "run", 100)
    assert group.limits_memory
    assert (tmp_path / "run" / "memory.max").read_text() == str(100 << 20)
    assert (group.cpu(), group.memory(), group.out_of_memory()) == (0.0, None, False)
    for name, text in (
        ("cpu.stat", "usage_usec 1500000\nuser_usec 1000000\n"),
        ("memory.peak", "4096\n"),
        ("memory.events", "oom 1\noom_kill 2\n"),
    ):
        (tmp_path / "run" / name).write_text(text)
    assert (group.cpu(), group.memory(), group.out_of_memory()) == (1.5, 4096, True)


@pytest.mark.parametrize(
    ("own", "mounts"),
    [
        ("4:memory:/x\n", "cgroup2 /nowhere cgroup2 rw 0 0\n"),  # not in a group of version 2
        ("0::/a\n", "cgroup /nowhere cgroup rw,memory 0 0\n"),  # none is mounted
        ("0::/a\n", "cgroup2 /nowhere cgroup2 rw 0 0\n"),  # nothing may be made there
    ],
)
def test_where_there_are_no_groups(own: str, mounts: str, tmp_path: Path) -> None:
    (tmp_path / "own").write_text(own)
    (tmp_path / "mounts").write_text(mounts)
    assert cgroup.home(tmp_path / "own", tmp_path / "mounts") is None


def test_a_home_for_groups(tmp_path: Path) -> None:
    base = tmp_path / "unified" / "mine"
    base.mkdir(parents=True)
    (base / "cgroup.kill").touch()
    (base / "cgroup.procs").write_text(f"{os.getpid()}\n")
    (tmp_path / "own").write_text("0::/mine\n")
    (tmp_path / "mounts").write_text(f"x {tmp_path / 'unified'} cgroup2 rw 0 0\n")
    made = cgroup.home(tmp_path / "own", tmp_path / "mounts")
    assert made is not None and made.parent == base
