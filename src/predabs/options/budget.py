"""The budget of time that an analysis works with."""

from __future__ import annotations

import resource
import time

from ..errors import ResourceExhausted
from ..records import dataclass


class TimeOver(ResourceExhausted):
    """The time that was given is over; with more of it the work could go on."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A point in time that an analysis must not pass; it asks often."""

    deadline: float | None = None

    @staticmethod
    def of(seconds: float | None) -> Budget:
        return Budget(None if seconds is None else time.monotonic() + seconds)

    @property
    def left(self) -> float | None:
        """Seconds left, None if there is no limit."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    def check(self) -> None:
        """Raise `TimeOver` if the time is over."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TimeOver("the time limit was reached")


def cpu_limit(asked: float | None) -> float | None:
    """Seconds of CPU time for a check: those that were asked for, or that the system allows."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_CPU)
    if allowed == resource.RLIM_INFINITY:
        return asked
    return allowed if asked is None else min(asked, allowed)
