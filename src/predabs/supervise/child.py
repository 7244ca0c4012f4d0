"""A child process: a fork that does some work, and tells its parent about it.

Parent and child talk over two pipes, in whole messages. The child dies with its parent, leads a
group of processes that `end` kills as a whole, and shows nobody what native libraries print when
they fail.

Soundness duty: a message is what the other side sent, whole, or there is none; never something
that a killed process left half written.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import pickle
import resource
import select
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NoReturn, TypeAlias, TypeVar

from ..errors import InternalError, PredabsError
from ..records import dataclass
from .garbage import freeze

T = TypeVar("T")

_ORPHAN_SECONDS = 0.5
_LOOK_SECONDS = 0.002
_FRAME = struct.Struct(">BQ")  # what kind of message, and its length
_MESSAGE, _RESULT, _RAISED = range(3)
_CHUNK = 1 << 16
_PR_SET_PDEATHSIG = 1
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# An analysis builds terms by the hundred thousand and keeps most of them: to look for garbage after
# every 700 new objects, as Python does by itself, takes a tenth of its time and finds little.
_NEW_OBJECTS = 20_000
_STDERR = 2
_parents_ends: set[int] = set()  # of pipes to children; the next child has no use for them


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


@dataclass(frozen=True, slots=True)
class Message:
    """What the child sent on its way."""

    value: Any


@dataclass(frozen=True, slots=True)
class Returned:
    """What its work returned."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """What its work raised: one of our errors; for another one, an `InternalError` with the child's
    traceback."""

    error: PredabsError


@dataclass(frozen=True, slots=True)
class Gone:
    """It ended without a result."""

    how: OutOfTime | OutOfMemory | Crashed


Event: TypeAlias = Message | Returned | Raised | Gone
_EVENTS: dict[int, Callable[[Any], Event]] = {_MESSAGE: Message, _RESULT: Returned, _RAISED: Raised}


class Channel:
    """The child's side of the pipes."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        self._frames = _Frames()
        self._heard: list[Any] = []

    def send(self, value: object) -> None:
        _send(self._writing, _MESSAGE, value)

    def receive(self, kind: type[T]) -> T:
        """The next message of this class from the parent; waits for it."""
        while True:
            for number, value in enumerate(self._heard):
                if isinstance(value, kind):
                    del self._heard[number]
                    return value
            self._read()

    def received(self, kind: type[T]) -> list[T]:
        """The messages of this class that have come by now."""
        while select.select([self._reading], [], [], 0)[0]:
            self._read()
        found = [value for value in self._heard if isinstance(value, kind)]
        self._heard = [value for value in self._heard if not isinstance(value, kind)]
        return found

    def _read(self) -> None:
        data = os.read(self._reading, _CHUNK)
        if not data:
            os._exit(1)  # nobody is there who could want anything
        self._heard += [value for _, value in self._frames.feed(data)]


class Child:
    """A child process, as its parent sees it. `end` leaves nothing of its group behind."""

    def __init__(self, work: Callable[[Channel], Any]) -> None:
        """Start it. Signals that would end this process must be held (`signals_held`) until
        somebody is bound to end the child."""
        reading, their_writing = os.pipe()
        their_reading, writing = os.pipe()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # else the child might write it a second time
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            for end in (reading, writing, *_parents_ends):
                os.close(end)
            _parents_ends.clear()
            _child(work, their_reading, their_writing, parent)
        os.close(their_writing)
        os.close(their_reading)
        self._reading, self._writing = reading, writing
        _parents_ends.update((reading, writing))
        self._status: int | None = None
        self._suspended = False
        self._frames = _Frames()

    def fileno(self) -> int:
        """What to wait for with a selector."""
        return self._reading

    def send(self, value: object) -> None:
        with contextlib.suppress(BrokenPipeError):  # it is gone, which `events` tells
            _send(self._writing, _MESSAGE, value)

    def events(self) -> Iterator[Event]:
        """What has come from the child; waits if nothing has."""
        data = os.read(self._reading, _CHUNK)
        for kind, value in self._frames.feed(data):
            yield _EVENTS[kind](value)
        if not data:
            yield Gone(_how(self._wait()))

    def suspend(self) -> None:
        """It does nothing until `resume`, not even in native code."""
        self._suspended = True
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        if self._suspended:
            self._suspended = False
            self._signal(signal.SIGCONT)

    def end(self, patience: float = 0.0) -> None:
        """Kill what is left, wait for it, and close the pipes. For so many seconds it may end what
        it has started itself: then the system knows what that has used."""
        if self._status is None and patience and hasattr(os, "waitid"):
            os.kill(self.pid, signal.SIGTERM)
            until = time.monotonic() + patience
            while not self._has_ended() and time.monotonic() < until:
                time.sleep(_LOOK_SECONDS)
        for kill in (os.killpg, os.kill):  # it may have had no time to make its group
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)
        self._wait()
        for end in (self._reading, self._writing):
            if end in _parents_ends:
                _parents_ends.remove(end)
                os.close(end)

    def _has_ended(self) -> bool:
        """Until somebody waits for it, nobody else can have its number."""
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.pid, look) is not None

    def _signal(self, number: signal.Signals) -> None:
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):  # it has no group yet
                os.killpg(self.pid, number)

    def _wait(self) -> int:
        """The exit status; negative for a signal."""
        if self._status is None:
            _, status = os.waitpid(self.pid, 0)
            self._status = os.waitstatus_to_exitcode(status)
        return self._status


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Signals that would end the process arrive only afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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


def _send(writing: int, kind: int, value: object) -> None:
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    data = memoryview(_FRAME.pack(kind, len(body)) + body)
    while data:
        data = data[os.write(writing, data) :]


def _how(status: int) -> OutOfTime | OutOfMemory | Crashed:
    """What it means that the child is gone and has sent no result."""
    if status == -signal.SIGXCPU:
        return OutOfTime()  # a limit of CPU time that someone else has set
    if status == -signal.SIGKILL:
        return OutOfMemory()  # nobody else kills it: the system was short of memory
    if status < 0:
        return Crashed(f"it was ended by {signal.Signals(-status).name}")
    return Crashed(f"it ended with exit code {status}")


# --- the child ------------------------------------------------------------------------------------


def _child(work: Callable[[Channel], Any], reading: int, writing: int, parent: int) -> NoReturn:
    """What the child does: it never comes back."""
    code = 1
    try:
        # what the parent has left to collect stays as it is: native objects among it (of solvers,
        # whose threads are not here) must not be taken apart in this process
        freeze()
        gc.set_threshold(_NEW_OBJECTS)
        os.setsid()
        for number in _ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, _leave)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        die_with_parent(parent)
        if os.environ.get("PREDABS_DEBUG") != "1":
            _hide_errors()
        try:
            kind, value = _RESULT, work(Channel(reading, writing))
        except MemoryError:
            os.kill(os.getpid(), signal.SIGKILL)  # as the system does it
        except PredabsError as error:
            kind, value = _RAISED, error
        except Exception as bug:
            kind, value = _RAISED, internal(bug)
        try:
            _send(writing, kind, value)
        except Exception as bug:  # it does not pickle
            _send(writing, _RAISED, internal(bug))
        code = 0
    finally:
        os._exit(code)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(1)  # on the way out, what was started is ended


def _hide_errors() -> None:
    """Native libraries print that they panic; the parent says it in words of its own."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _STDERR)
    os.close(nowhere)


def internal(bug: Exception) -> InternalError:
    """An exception that nobody meant to raise, with its traceback."""
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
