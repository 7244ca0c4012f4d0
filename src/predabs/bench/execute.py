"""Run a command under limits of CPU time, wall-clock time and memory, for all its processes.

Control groups count and limit where they are available; else /proc is watched (`process_tree`), and
each process has the limits of the system (RLIMIT_CPU) as a net below. Soundness duty: what a run
used is not less than what was seen, and nothing that it has started is left when it has ended.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import select
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ..records import dataclass
from .cgroup import Cgroup
from .guard import Guard
from .process_tree import TOKEN, ProcessTree

_FIRST_LOOK, _LOOK_SECONDS = 0.05, 0.1
_MEMORY_SECONDS = 1.0  # between two exact looks at the memory
_MOST_OUTPUT = 1 << 30  # bytes of a file
_NET_SECONDS = 2  # the system's own limit is that much later


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of CPU time and of wall-clock time, and MiB of memory."""

    cpu: float
    wall: float
    memory: int

    def looser(self, seconds: float, share: float) -> Limits:
        """Later and more, for a tool that keeps the limits itself."""
        return Limits(self.cpu + seconds, self.wall + seconds, int(self.memory * (1 + share)))


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code (negative: the signal), what it used, and which limit it
    had reached (`cpu`, `wall`, `memory`, or `stopped` by us), if any."""

    code: int
    cpu: float
    wall: float
    memory: int  # bytes: the most that was seen
    limit: str = ""


class Executor:
    """Runs commands; several threads may do that at once."""

    def __init__(self, guard: Guard | None = None, group: Path | None = None) -> None:
        """`group` is the control group in which those of runs can be made."""
        self._guard = guard
        self._group = group

    def execute(
        self,
        words: Sequence[str],
        limits: Limits,
        outputs: tuple[Path, Path],
        environment: Mapping[str, str],
        stopped: Callable[[], bool] = lambda: False,
    ) -> Ended:
        """Run it to its end or to a limit. Raises OSError where it cannot be started."""
        token = uuid.uuid4().hex
        group = self._make_group(token, limits.memory)
        begun = time.monotonic()
        try:
            process = _start(words, group, outputs, dict(environment) | {TOKEN: token})
            if self._guard is not None:
                self._guard.tell("+", process.pid)
            watched = _Watched(process, ProcessTree(process.pid, token), group, begun)
            try:
                _set_limits(process.pid, limits)
                return watched.run(limits, stopped)
            finally:
                watched.end()
                if self._guard is not None:
                    self._guard.tell("-", process.pid)
        finally:
            if group is not None:
                group.close()

    def _make_group(self, token: str, megabytes: int) -> Cgroup | None:
        if self._group is not None:
            with contextlib.suppress(OSError):
                return Cgroup(self._group / token, megabytes)
        return None


def _start(
    words: Sequence[str],
    group: Cgroup | None,
    outputs: tuple[Path, Path],
    environment: Mapping[str, str],
) -> subprocess.Popen[bytes]:
    command = list(words) if group is None else group.command(list(words))
    with outputs[0].open("wb") as out, outputs[1].open("wb") as err:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            env=environment,
        )


def _set_limits(pid: int, limits: Limits) -> None:
    """A net below the supervision: each process on its own."""
    if not hasattr(resource, "prlimit"):
        return
    seconds = math.ceil(limits.cpu) + _NET_SECONDS
    for kind, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _MOST_OUTPUT),
    ):
        with contextlib.suppress(OSError, ValueError):  # it has ended, or has less already
            resource.prlimit(pid, kind, (value, value))


class _Watched:
    """A command that runs."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        processes: ProcessTree,
        group: Cgroup | None,
        begun: float,
    ) -> None:
        self._process = process
        self._tree = processes
        self._group = group
        self._begun = begun
        self._cpu, self._memory = 0.0, 0
        self._looked = begun  # at the memory
        self._waited = False

    def run(self, limits: Limits, stopped: Callable[[], bool]) -> Ended:
        """Wait for its end, and look after it meanwhile."""
        limit = ""
        with _ending(self._process) as has_ended:
            pause = _FIRST_LOOK
            while not has_ended(min(pause, max(self._left(limits), 0.0))):
                limit = "stopped" if stopped() else self._reached(limits)
                if limit:
                    break
                pause = _LOOK_SECONDS
        wall = time.monotonic() - self._begun
        self._kill()
        _, status, used = os.wait4(self._process.pid, 0)
        self._waited = True
        self._process.returncode = os.waitstatus_to_exitcode(status)
        cpu = max(self._cpu, used.ru_utime + used.ru_stime)
        if self._group is not None:
            cpu = max(cpu, self._group.cpu())
            self._memory = max(self._memory, self._group.memory() or 0)
            if not limit and self._group.out_of_memory():
                limit = "memory"
        memory = max(self._memory, used.ru_maxrss * 1024)
        if not limit and self._process.returncode in (-24, -9) and cpu > limits.cpu:
            limit = "cpu"  # the system was quicker
        return Ended(self._process.returncode, cpu, wall, memory, limit)

    def end(self) -> None:
        """Whatever happened: nothing of it is left."""
        if not self._waited:
            self._kill()
            self._process.wait()
        self._tree.close()

    def _left(self, limits: Limits) -> float:
        return self._begun + limits.wall - time.monotonic()

    def _reached(self, limits: Limits) -> str:
        """The limit that is reached now, if any."""
        self._cpu = max(self._cpu, self._tree.cpu() if self._group is None else self._group.cpu())
        if self._cpu > limits.cpu:
            return "cpu"
        if self._left(limits) <= 0:
            return "wall"
        if self._group is not None and self._group.limits_memory:
            return ""
        now = time.monotonic()
        if now - self._looked > _MEMORY_SECONDS:
            self._looked = now
            self._memory = max(self._memory, self._tree.memory())
        too_much = self._tree.exceeding(limits.memory)
        self._memory = max(self._memory, too_much)
        return "memory" if too_much else ""

    def _kill(self) -> None:
        if self._group is not None:
            self._group.kill()
        self._tree.kill()


@contextlib.contextmanager
def _ending(process: subprocess.Popen[bytes]) -> Iterator[Callable[[float], bool]]:
    """A function that waits so many seconds for the end of the process, and tells whether it came;
    it does not take its status."""
    if hasattr(os, "pidfd_open"):
        handle = os.pidfd_open(process.pid)
        waiting = select.poll()
        waiting.register(handle, select.POLLIN)
        try:
            yield lambda seconds: bool(waiting.poll(math.ceil(seconds * 1000)))
        finally:
            os.close(handle)
    else:

        def look(seconds: float) -> bool:
            ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            if ended is None:
                time.sleep(min(seconds, _FIRST_LOOK))
            return ended is not None

        yield look
