"""What processes use: main memory and CPU time, each with all its descendants.

A forked process shares memory with its parent until one of them writes there. Where it matters,
shared memory is counted once.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_CPU_FIELDS = slice(11, 15)  # of /proc/PID/stat, after the name: utime, stime, cutime, cstime


def exceeds(pid: int, megabytes: int) -> bool:
    """Does a process with its descendants hold more memory than that?"""
    allowed = megabytes << 20
    return resident_bytes(pid) > allowed and (
        sys.platform != "linux" or sum(map(own_bytes, tree(pid))) > allowed
    )


def resident_bytes(pid: int) -> int:
    """The bytes of main memory that a process and its descendants hold, at most: shared memory
    counts for each of them; 0 if it is gone."""
    if sys.platform != "linux":
        return _ask_ps(pid)
    return sum(map(_resident, tree(pid)))


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0  # it ended while we looked


def own_bytes(pid: int) -> int:
    """The bytes that a process holds, with its part of those that it shares with others. This takes
    the system a while."""
    if sys.platform != "linux":
        return _ask_ps(pid)
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # not every system tells
        return _resident(pid)
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process and its descendants have used, also those that have ended. Where
    the system does not tell, that of this process and of its children that have ended."""
    if sys.platform != "linux":
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(one.ru_utime + one.ru_stime for one in used)
    ticks = 0
    for process in tree(pid):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[_CPU_FIELDS]))
    return ticks / _TICKS


def tree(pid: int) -> Iterator[int]:
    """A process and its descendants."""
    todo = [pid]
    while todo:
        process = todo.pop()
        yield process
        try:
            for thread in Path(f"/proc/{process}/task").iterdir():
                todo += map(int, (thread / "children").read_text().split())
        except OSError:
            continue  # it ended while we looked


def _ask_ps(pid: int) -> int:
    """Where there is no /proc; of the process alone."""
    asked = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return int(asked.stdout.strip() or 0) * 1024
