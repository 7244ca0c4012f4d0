"""A process with all that it has started: what it uses, and its end.

Where control groups are not available, the tree of processes is what /proc shows. A process whose
parent has ended would leave the tree: so this process adopts such orphans (it is their subreaper),
and knows whose they are by a variable in their environment.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from ..supervise.usage import cpu_seconds, own_bytes, resident_bytes, tree

TOKEN = "PREDABS_BENCH_RUN"
_PR_SET_CHILD_SUBREAPER = 36
_KILL_ROUNDS = 20  # a process may start another one while it is being killed
_KILL_PAUSE = 0.005


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """Meanwhile, a descendant whose parent has ended is a child of this process. Those that have
    ended are waited for at the end."""
    before = _own_children()
    _be_subreaper(1)
    try:
        yield
    finally:
        _be_subreaper(0)
        for pid in _own_children() - before:
            if not _lives(pid):
                with contextlib.suppress(OSError):
                    os.waitpid(pid, os.WNOHANG)


def _be_subreaper(whether: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, whether, 0, 0, 0)


class ProcessTree:
    """The processes of one run: its first one, and those that bear its token."""

    _first: ClassVar[set[int]] = set()  # the first processes of all runs

    def __init__(self, pid: int, token: str) -> None:
        self._pid = pid
        self._mark = f"{TOKEN}={token}".encode()
        self._adopted: set[int] = set()
        self._first.add(pid)

    def cpu(self) -> float:
        """Seconds of CPU time of those that live, and of those that they have waited for."""
        return sum(map(cpu_seconds, self._roots()))

    def exceeding(self, megabytes: int) -> int:
        """The bytes that they hold, if it is more than that; first by a quick look that counts
        shared memory twice."""
        allowed = megabytes << 20
        if sum(map(resident_bytes, self._roots())) <= allowed:
            return 0
        held = self.memory()
        return held if held > allowed else 0

    def memory(self) -> int:
        """Bytes of main memory; shared memory counts once."""
        return sum(own_bytes(pid) for root in self._roots() for pid in tree(root))

    def kill(self) -> None:
        """End all that is left of them, the first one too."""
        for _ in range(_KILL_ROUNDS):
            living = {pid for root in self._roots() for pid in tree(root) if _lives(pid)}
            if not living:
                break
            for pid in living:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_KILL_PAUSE)

    def close(self) -> None:
        """To be called when the first process has been waited for."""
        self._first.discard(self._pid)
        for pid in self._adopted:
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)

    def _roots(self) -> list[int]:
        """The first process, and orphans of this run that were adopted."""
        for pid in _own_children() - self._first - self._adopted:
            with contextlib.suppress(OSError):
                if self._mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    self._adopted.add(pid)
        return [self._pid, *self._adopted]


def _lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")


def _own_children() -> set[int]:
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in Path("/proc/self/task").iterdir():
            with contextlib.suppress(OSError):
                found.update(map(int, (thread / "children").read_text().split()))
    return found
