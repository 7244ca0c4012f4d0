"""Will a search end in time? And how busy is the machine with other work?

No soundness duty: an engine whose search is hopeless stops for now, and says so.

>>> pace = Pace(nodes=1000, begun=0.0, end=10.0)
>>> [pace.is_hopeless(done, now) for done, now in ((200, 2.0), (400, 4.0), (420, 8.0))]
[False, False, True]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic, process_time

_TRIAL = 0.35  # of the time, before anything is said
_DOUBT = 1.5  # how many times longer than the time that is left it must look
_MOST_SLOWDOWN = 8.0
_LEAST_SECONDS = 0.1  # of work, before anything can be said about the machine


@dataclass(slots=True)
class Pace:
    """A search through about so many nodes, from one time to another."""

    nodes: int
    begun: float
    end: float
    _marks: list[tuple[float, int]] = field(default_factory=list)
    _half: int = 0

    def is_hopeless(self, done: int, now: float) -> bool:
        """Would the rest take much longer than there is time? Searches get slower as their states
        grow, so the speed is that of the second half of the time so far."""
        self._marks.append((now, done))
        spent = now - self.begun
        while self._marks[self._half][0] < self.begun + spent / 2:
            self._half += 1
        since, before = self._marks[self._half]
        if spent < _TRIAL * (self.end - self.begun) or done >= self.nodes or since == now:
            return False
        return (self.nodes - done) * (now - since) > _DOUBT * (self.end - now) * (done - before)


@dataclass(frozen=True, slots=True)
class MachineLoad:
    """How busy the machine is, as this process sees it since then."""

    wall: float = field(default_factory=lambda: monotonic())
    cpu: float = field(default_factory=lambda: process_time())

    @property
    def slowdown(self) -> float:
        """How many seconds pass for each second of work."""
        worked = process_time() - self.cpu
        if worked < _LEAST_SECONDS:
            return 1.0
        return min(max(1.0, (monotonic() - self.wall) / worked), _MOST_SLOWDOWN)
