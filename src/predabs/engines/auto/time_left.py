"""How much time there is to share out among engines: of the budget, and of CPU time if that has a
limit too. A limit of CPU time holds for all processes together."""

from __future__ import annotations

import time
from collections.abc import Callable

from ...options import Budget
from ...records import dataclass, field

_UNLIMITED_SECONDS = 1000.0  # the time that is shared if there is no limit
_MOST_SLOWDOWN = 8.0
_LEAST_SECONDS = 0.1  # of work, before anything can be said about the machine


@dataclass(slots=True)
class TimeLeft:
    """The time of a check. `cpu` gives the CPU time that its processes have used, and so many of
    them (`lanes`) work at the same time."""

    budget: Budget
    limit: float | None
    cpu: Callable[[], float]
    lanes: int = 1
    _wall: float = field(default_factory=lambda: time.monotonic())
    _used: float = field(init=False)

    def __post_init__(self) -> None:
        self._used = self.cpu()

    @property
    def seconds(self) -> float:
        """Seconds of wall-clock time. A slice is as long as it takes to work for its share, so on a
        busy machine it is longer than the CPU time in it."""
        left = self.budget.left
        if self.limit is not None:
            cpu = (self.limit - self.cpu()) * self.slowdown / self.lanes
            left = cpu if left is None else min(left, cpu)
        return _UNLIMITED_SECONDS if left is None else left

    @property
    def slowdown(self) -> float:
        """How many seconds pass for each second of work of one process."""
        worked = self.cpu() - self._used
        if worked < _LEAST_SECONDS:
            return 1.0
        passed = (time.monotonic() - self._wall) * self.lanes
        return min(max(1.0, passed / worked), _MOST_SLOWDOWN)
