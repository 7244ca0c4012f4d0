"""Run a function in a child process, under limits that the parent enforces.

An analysis calls solvers that may crash, hang or eat memory, so it runs in a process of its own
(`child`). The parent watches: it kills the child (and whatever that has started) at the limit, when
it is interrupted itself, and in any case before it returns. Limits of memory and of CPU time hold
for the child and its descendants together (`usage`).

Soundness duty: the result is what the function returned or raised, whole, or one of the other
outcomes.
"""

from __future__ import annotations

import contextlib
import selectors
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from ..records import dataclass
from .child import (
    Channel,
    Child,
    Crashed,
    Event,
    Gone,
    Message,
    OutOfMemory,
    OutOfTime,
    Raised,
    Returned,
    die_with_parent,
    signals_held,
)
from .usage import cpu_seconds, exceeds, own_bytes

__all__ = [
    "Channel",
    "Child",
    "ChildFinished",
    "Crashed",
    "Event",
    "Gone",
    "Message",
    "OutOfMemory",
    "OutOfTime",
    "ProcessLimits",
    "Raised",
    "Returned",
    "Send",
    "cpu_seconds",
    "die_with_parent",
    "exceeds",
    "own_bytes",
    "signals_held",
    "supervise",
    "unwinding",
]

T = TypeVar("T")
Send: TypeAlias = Callable[[Any], None]

_POLL_SECONDS = 0.05
_END_SECONDS = 1.0  # for a child to end its own children, which may have much memory to free
# The child may find out first that there is too little memory, and end the one of its own children
# that needs it: so it is given a moment.
_MEMORY_PATIENCE = 4  # times that too much is seen


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Seconds of wall-clock time, MiB of memory, seconds of CPU time; None for no limit."""

    seconds: float | None = None
    megabytes: int | None = None
    cpu: float | None = None


@dataclass(frozen=True, slots=True)
class ChildFinished(Generic[T]):
    """The function returned."""

    value: T


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
        with signals_held():  # so that nothing comes between a start and the promise to end it
            child = Child(lambda channel: work(channel.send))
            cleanup.callback(child.end, _END_SECONDS)
        return _watch(child, deadline, limits, receive)


def _watch(
    child: Child, deadline: float | None, limits: ProcessLimits, receive: Callable[[Any], None]
) -> ChildFinished[Any] | OutOfTime | OutOfMemory | Crashed:
    """Take the child's messages until it has a result, has ended, or must be ended."""
    measured, too_much = 0.0, 0
    with selectors.DefaultSelector() as selector:
        selector.register(child, selectors.EVENT_READ)
        while True:
            if selector.select(_POLL_SECONDS):
                for event in child.events():
                    match event:
                        case Message(value):
                            receive(value)
                        case Returned(value):
                            return ChildFinished(value)
                        case Raised(error):
                            raise error
                        case Gone(how):
                            return how
            now = time.monotonic()
            if deadline is not None and now > deadline:
                return OutOfTime()
            if now - measured < _POLL_SECONDS:
                continue
            measured = now
            if limits.cpu is not None and cpu_seconds(child.pid) > limits.cpu:
                return OutOfTime()
            if limits.megabytes is not None:
                too_much = too_much + 1 if exceeds(child.pid, limits.megabytes) else 0
                if too_much == _MEMORY_PATIENCE:
                    return OutOfMemory()


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
