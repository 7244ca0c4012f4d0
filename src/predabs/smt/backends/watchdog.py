"""Alarms: call a function when a time is over, unless it was disarmed before.

A solver's own time limit is only as good as the solver's loops that look at it, so each native
check is guarded by an alarm too. All share one thread, as starting one for each of a thousand
small checks would cost more than the checks. The thread ends when it had nothing to do for a
while. A forked process has no such thread, so it begins anew.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from time import monotonic

_IDLE_SECONDS = 2.0
_AGAIN_SECONDS = 0.1


class Watchdog:
    """A thread that sleeps until the first alarm is due."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all alarms, and the thread."""
        self._changed = threading.Condition()
        self._alarms: dict[int, tuple[float, Callable[[], None]]] = {}
        self._ids = count()
        self._thread: threading.Thread | None = None
        self._wakes = 0.0  # when the thread looks again by itself

    @contextmanager
    def alarm(self, seconds: float, call: Callable[[], None]) -> Iterator[None]:
        """Calls `call` from another thread if the body takes longer; never after the body."""
        ident = next(self._ids)
        due = monotonic() + seconds
        with self._changed:
            self._alarms[ident] = (due, call)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
                self._wakes = due
                self._thread.start()
            elif due < self._wakes:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._alarms.pop(ident, None)

    def _run(self) -> None:
        with self._changed:
            while True:
                now = monotonic()
                self._ring(now)
                idle = not self._alarms
                first = min((due for due, _ in self._alarms.values()), default=now + _IDLE_SECONDS)
                self._wakes = first
                woken = self._changed.wait(max(0.0, first - now))
                if idle and not woken and not self._alarms:
                    self._thread = None
                    return

    def _ring(self, now: float) -> None:
        """Makes the calls that are due; a function of its own, so that the thread, while it
        sleeps, holds none of them in a variable and so no solver alive."""
        for ident, (due, call) in list(self._alarms.items()):
            if due <= now:
                # called under the lock, so that it cannot come after the body has ended;
                # and again soon, as a solver that had not started yet did not hear it
                self._alarms[ident] = (now + _AGAIN_SECONDS, call)
                call()


WATCHDOG = Watchdog()
os.register_at_fork(after_in_child=WATCHDOG.reset)
