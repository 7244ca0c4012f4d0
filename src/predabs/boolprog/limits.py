"""Limits of time and memory for one check: spent ones raise `ResourceExhausted`."""

from __future__ import annotations

import time

from ..errors import ResourceExhausted
from ..options.command_options import DEFAULT_BDD_MB
from ..records import dataclass, field


@dataclass(frozen=True, slots=True)
class CheckLimits:
    """The clock starts when the object is made; no timeout means no limit."""

    timeout: float | None = None
    memory_mb: int = DEFAULT_BDD_MB
    started: float = field(default_factory=lambda: time.monotonic(), compare=False)

    def check(self) -> None:
        """To be called in every loop that can be long."""
        if self.timeout is not None and self.seconds() > self.timeout:
            raise ResourceExhausted(f"the time limit of {self.timeout:g} s is over")

    def seconds(self) -> float:
        return time.monotonic() - self.started
