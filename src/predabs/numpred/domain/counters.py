"""Time and calls by operation, as in [GC10, table 4].

Time is charged to the innermost operation that is open, so the seconds add up to the time that was
spent in the domain. (The table's columns gamma, join, alpha post and apply are four of these.)

>>> counters = Counters()
>>> for operation in (Operation.APPLY, Operation.JOIN):
...     counters.enter(operation)
>>> counters.leave(), counters.leave()
(None, None)
>>> [(operation.value, counters.calls[operation]) for operation in counters.calls]
[('apply', 1), ('join', 1)]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from ...records import dataclass, field

_OFTEN = 16


class Operation(Enum):
    """What a domain does; the names are those of [GC10, figures 3 and 4]."""

    GAMMA = "gamma"
    ALPHA = "alpha"
    MEET = "meet"
    JOIN = "join"
    LEQ = "leq"
    WIDEN = "widen"
    NARROW = "narrow"
    REDUCE = "reduce"
    EXISTS = "exists"
    POST_N = "alpha post"  # numeric assignments
    APPLY = "apply"  # the rest of applying a transformer: the image


@dataclass(slots=True)
class Counters:
    """One object for one run of a domain."""

    calls: dict[Operation, int] = field(default_factory=dict)
    seconds: dict[Operation, float] = field(default_factory=dict)
    _open: list[Operation] = field(default_factory=list)
    _since: float = 0.0
    _looks: int = 0

    def add(self, other: Counters) -> None:
        """Count what the other has counted, too."""
        for operation, calls in other.calls.items():
            self.calls[operation] = self.calls.get(operation, 0) + calls
        for operation, seconds in other.seconds.items():
            self.seconds[operation] = self.seconds.get(operation, 0.0) + seconds

    def look(self) -> None:
        """Called inside the loops of long operations, so that they can be stopped."""
        self._looks += 1
        if not self._looks % _OFTEN:
            self.watch()

    def watch(self) -> None:
        """For whoever watches a clock: it is called now and then, and may raise."""

    def enter(self, operation: Operation) -> None:
        """What is done from here to `leave` belongs to this operation."""
        self._charge()
        self._open.append(operation)
        self.calls[operation] = self.calls.get(operation, 0) + 1

    def leave(self) -> None:
        self._charge()
        self._open.pop()

    def _charge(self) -> None:
        now = time.perf_counter()
        if self._open:
            operation = self._open[-1]
            self.seconds[operation] = self.seconds.get(operation, 0.0) + now - self._since
        self._since = now


class Counted(Protocol):
    """Whatever has counters."""

    @property
    def counters(self) -> Counters: ...


S = TypeVar("S", bound=Counted)
P = ParamSpec("P")
R = TypeVar("R")


def timed(
    operation: Operation,
) -> Callable[[Callable[Concatenate[S, P], R]], Callable[Concatenate[S, P], R]]:
    """The time of a method belongs to an operation, whoever calls it."""

    def decorate(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
        @wraps(method)
        def call(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
            counters = self.counters
            counters.enter(operation)
            try:
                return method(self, *args, **kwargs)
            finally:
                counters.leave()

        return call

    return decorate
