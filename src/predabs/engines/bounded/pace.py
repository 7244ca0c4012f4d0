"""Will a search end in time?

No soundness duty: an engine whose search is hopeless stops for now, and says so.

>>> pace = Pace(nodes=1000, begun=0.0, end=10.0)
>>> [pace.is_hopeless(done, now) for done, now in ((200, 2.0), (400, 4.0), (420, 8.0))]
[False, False, True]
"""

from __future__ import annotations

from ...records import dataclass, field

_TRIAL = 0.35  # of the time, before anything is said
_DOUBT = 1.5  # how many times longer than the time that is left it must look


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
