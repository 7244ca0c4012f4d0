"""The options of a check, and the budget of time that comes with them."""

from __future__ import annotations

import time
from dataclasses import dataclass

from .errors import ResourceExhausted


@dataclass(frozen=True, slots=True)
class Options:
    """What one can choose about a check; the defaults are meant to be right for daily use."""

    engine: str = "bounded"
    timeout: float | None = None  # seconds
    memory: int | None = None  # MiB
    checks: frozenset[str] = frozenset()  # signed-overflow, div-by-zero, bounds, null
    slice: bool = True  # leave out what no error depends on


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
        """Raise `ResourceExhausted` if the time is over."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise ResourceExhausted("the time limit was reached")
