"""Run a function in a child process, under limits that the parent enforces.

An analysis calls solvers that may crash, hang or eat memory, so it runs in a process of its own.
The parent watches: it kills the child (and whatever that has started) at the limit, when it is
interrupted itself, and in any case before it returns. The child dies with its parent.

Soundness duty: the result is what the function returned or raised, whole, or one of the other
outcomes; never something that a killed child left half written.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import pickle
import resource
import selectors
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from .errors import InternalError, PredabsError

T = TypeVar("T")
Send: TypeAlias = Callable[[Any], None]

_POLL_SECONDS = 0.02
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_ORPHAN_SECONDS = 0.5
_FRAME = struct.Struct(">BQ")  # what kind of message, and its length
_MESSAGE, _RESULT, _RAISED = range(3)
_PR_SET_PDEATHSIG = 1
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# An analysis builds terms by the hundred thousand and keeps most of them: to look for garbage after
# every 700 new objects, as Python does by itself, takes a tenth of its time and finds little.
_NEW_OBJECTS = 20_000


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Seconds of wall-clock time and MiB of memory; None for no limit."""

    seconds: float | None = None
    megabytes: int | None = None


@dataclass(frozen=True, slots=True)
class ChildFinished(Generic[T]):
    """The function returned."""

    value: T


@dataclass(frozen=True, slots=True)
class OutOfTime:
    """It had not ended at the time limit, ours or one of CPU time around us."""


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """It took more memory than allowed, or more than there was."""


@dataclass(frozen=True, slots=True)
class Crashed:
    """The process ended without a result; `text` says how."""

    text: str


def supervise(
    work: Callable[[Send], T],
    limits: ProcessLimits,
    receive: Callable[[Any], None] = lambda message: None,
) -> ChildFinished[T] | OutOfTime | OutOfMemory | Crashed:
    """Run `work(send)` in a child. What it sends comes to `receive` here; what it raises is raised.

    An exception that is none of ours is raised as an `InternalError` with the child's traceback.
    """
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    with contextlib.ExitStack() as cleanup:
        with _signals_held():  # so that nothing comes between a start and the promise to end it
            child, reading = _start(work)
            cleanup.callback(os.close, reading)
            cleanup.callback(child.end)
        return _watch(child, reading, deadline, limits.megabytes, receive)


# --- the parent -----------------------------------------------------------------------------------


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Signals that would end the process arrive only afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(work: Callable[[Send], Any]) -> tuple[_Child, int]:
    """A child that does the work, and the end of the pipe that it writes into."""
    reading, writing = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # else the child might write it a second time
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        # what the parent has left to collect stays as it is: native objects among it (of solvers,
        # whose threads are not here) must not be taken apart in this process
        gc.freeze()
        gc.set_threshold(_NEW_OBJECTS)
        _child(work, writing, parent)
    os.close(writing)
    return _Child(pid), reading


class _Child:
    """A child process that leads a group; `end` leaves nothing of the group behind."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def end(self) -> None:
        """Kill what is left, and wait for it."""
        for kill in (os.killpg, os.kill):  # it may have had no time to make its group
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)
        self.wait()

    def wait(self) -> int:
        """The exit status; negative for a signal."""
        if self._status is None:
            _, status = os.waitpid(self.pid, 0)
            self._status = os.waitstatus_to_exitcode(status)
        return self._status


def _watch(
    child: _Child,
    reading: int,
    deadline: float | None,
    megabytes: int | None,
    receive: Callable[[Any], None],
) -> ChildFinished[Any] | OutOfTime | OutOfMemory | Crashed:
    """Take the child's messages until it has a result, has ended, or must be ended."""
    frames = _Frames()
    with selectors.DefaultSelector() as selector:
        selector.register(reading, selectors.EVENT_READ)
        while True:
            if selector.select(_POLL_SECONDS):
                data = os.read(reading, 1 << 16)
                for kind, value in frames.feed(data):
                    if kind == _RESULT:
                        return ChildFinished(value)
                    if kind == _RAISED:
                        raise value
                    receive(value)
                if not data:
                    return _ended(child.wait())
            if deadline is not None and time.monotonic() > deadline:
                return OutOfTime()
            if megabytes is not None and resident_bytes(child.pid) > megabytes << 20:
                return OutOfMemory()


def resident_bytes(pid: int) -> int:
    """The bytes of main memory that a process and all its descendants hold; 0 if it is gone."""
    if sys.platform != "linux":
        return _ask_ps(pid)
    total = 0
    todo = [pid]
    while todo:
        process = Path("/proc", str(todo.pop()))
        try:
            total += int((process / "statm").read_text().split()[1]) * _PAGE
            for thread in (process / "task").iterdir():
                todo += map(int, (thread / "children").read_text().split())
        except (OSError, IndexError):
            continue  # it ended while we looked
    return total


def _ask_ps(pid: int) -> int:
    """Where there is no /proc; of the process alone."""
    asked = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return int(asked.stdout.strip() or 0) * 1024


class _Frames:
    """Cuts the stream of bytes into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[int, Any]]:
        self._buffer += data
        while len(self._buffer) >= _FRAME.size:
            kind, size = _FRAME.unpack_from(self._buffer)
            end = _FRAME.size + size
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_FRAME.size : end])
            del self._buffer[:end]
            yield kind, pickle.loads(body)


def _ended(status: int) -> OutOfTime | OutOfMemory | Crashed:
    """What it means that the child is gone and has sent no result."""
    if status == -signal.SIGXCPU:
        return OutOfTime()  # a limit of CPU time that someone else has set
    if status == -signal.SIGKILL:
        return OutOfMemory()  # nobody else kills it: the system was short of memory
    if status < 0:
        return Crashed(f"it was ended by {signal.Signals(-status).name}")
    return Crashed(f"it ended with exit code {status}")


@contextlib.contextmanager
def unwinding() -> Iterator[None]:
    """While this lasts, SIGTERM and SIGHUP end the program as SystemExit does: tidily.

    So temporary files are removed and children are ended. Only the main thread can set this up,
    and a handler that is there already stays.
    """
    changed = []
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _exit_by_signal)
                changed.append(number)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def _exit_by_signal(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


# --- the child ------------------------------------------------------------------------------------


def _child(work: Callable[[Send], Any], writing: int, parent: int) -> NoReturn:
    """What the child does: it never comes back."""
    code = 1
    try:
        os.setsid()
        for number in _ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        die_with_parent(parent)
        try:
            kind, value = _RESULT, work(lambda message: _send(writing, _MESSAGE, message))
        except MemoryError:
            os.kill(os.getpid(), signal.SIGKILL)  # as the system does it
        except PredabsError as error:
            kind, value = _RAISED, error
        except Exception as bug:
            kind, value = _RAISED, _internal(bug)
        try:
            _send(writing, kind, value)
        except Exception as bug:  # it does not pickle
            _send(writing, _RAISED, _internal(bug))
        code = 0
    finally:
        os._exit(code)


def _send(writing: int, kind: int, value: object) -> None:
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    data = memoryview(_FRAME.pack(kind, len(body)) + body)
    while data:
        data = data[os.write(writing, data) :]


def _internal(bug: Exception) -> InternalError:
    error = InternalError(f"{type(bug).__name__}: {bug}")
    error.add_note("".join(traceback.format_exception(bug)).rstrip())
    return error


def die_with_parent(parent: int) -> None:
    """Called in a child: whatever happens to the process `parent`, this one does not outlive it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_poll_parent, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it died before the arrangement was made
        os._exit(1)


def _poll_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_ORPHAN_SECONDS)
    os.killpg(0, signal.SIGKILL)
