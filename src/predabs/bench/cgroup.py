"""Control groups (version 2): what the processes of a run use, told and limited by the system.

A group knows its processes whatever they do, so nothing escapes, and its CPU time is exact
[BLW19]. A group below ours can be made by root, or by anybody to whom the system has delegated it:
`systemd-run --user --scope -p Delegate=yes predabs bench ...`. Memory is limited where the memory
controller can be passed on.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

_OWN = Path("/proc/self/cgroup")
_MOUNTS = Path("/proc/self/mounts")
_ENDED_SECONDS = 5.0
_LOOK_SECONDS = 0.005


class Cgroup:
    """The group of one run."""

    def __init__(self, path: Path, memory: int | None) -> None:
        """Make it; `memory` is a limit in MiB. Raises OSError where that cannot be done."""
        self.path = path
        path.mkdir()
        self.limits_memory = memory is not None and self._limit(memory)

    def _limit(self, megabytes: int) -> bool:
        """Whether the system takes the limit; swap space does not count as room."""
        try:
            (self.path / "memory.max").write_text(str(megabytes << 20))
        except OSError:
            return False
        for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
            with contextlib.suppress(OSError):
                (self.path / name).write_text(value)
        return True

    def command(self, words: list[str]) -> list[str]:
        """The command that joins the group before it becomes the program."""
        enter = 'echo $$ > "$0" && exec "$@"'
        return ["/bin/sh", "-c", enter, str(self.path / "cgroup.procs"), *words]

    def cpu(self) -> float:
        """Seconds of CPU time of all that ever were in the group."""
        return self._numbers("cpu.stat").get("usage_usec", 0) / 1e6

    def memory(self) -> int | None:
        """The most bytes that it has used, if the system counts them."""
        with contextlib.suppress(OSError, ValueError):
            return int((self.path / "memory.peak").read_text())
        return None

    def out_of_memory(self) -> bool:
        """Has the system ended a process because of the limit?"""
        return self._numbers("memory.events").get("oom_kill", 0) > 0

    def _numbers(self, name: str) -> dict[str, int]:
        with contextlib.suppress(OSError, ValueError):
            lines = (self.path / name).read_text().splitlines()
            return {key: int(value) for key, value in map(str.split, lines)}
        return {}

    def kill(self) -> None:
        """End all its processes."""
        with contextlib.suppress(OSError):
            (self.path / "cgroup.kill").write_text("1")

    def close(self) -> None:
        """Remove it, once its processes are gone."""
        end = time.monotonic() + _ENDED_SECONDS
        while time.monotonic() < end:
            try:
                self.path.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                self.kill()
                time.sleep(_LOOK_SECONDS)


def home(own: Path = _OWN, mounts: Path = _MOUNTS) -> Path | None:
    """A new group below that of this process, in which those of runs can be made; None where that
    is not possible. Control of memory is passed on if the system lets us."""
    try:
        mount = next(
            line.split()[1] for line in mounts.read_text().splitlines() if _is_version_2(line)
        )
        inside = next(
            line.partition("::")[2]
            for line in own.read_text().splitlines()
            if line.startswith("0::")
        )
    except (OSError, StopIteration):
        return None
    base = Path(mount) / inside.lstrip("/")
    if not (base / "cgroup.kill").exists() and inside != "/":
        return None  # a kernel before 5.14
    made = base / f"predabs-bench-{os.getpid()}"
    try:
        made.mkdir()
    except OSError:
        return None
    _pass_memory_on(base, made)
    return made


def _is_version_2(line: str) -> bool:
    return line.split()[2:3] == ["cgroup2"]


def _pass_memory_on(base: Path, made: Path) -> None:
    """A group that hands a controller on may have no processes of its own: so, if this one is alone
    in its group, it moves."""
    with contextlib.suppress(OSError):
        if "memory" not in (made / "cgroup.controllers").read_text().split():
            procs = (base / "cgroup.procs").read_text().split()
            if procs == [str(os.getpid())]:
                (base / "predabs-bench-self").mkdir(exist_ok=True)
                (base / "predabs-bench-self" / "cgroup.procs").write_text(str(os.getpid()))
            (base / "cgroup.subtree_control").write_text("+memory")
        (made / "cgroup.subtree_control").write_text("+memory")


def leave(made: Path) -> None:
    """Remove what `home` has made."""
    with contextlib.suppress(OSError):
        made.rmdir()
