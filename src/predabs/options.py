"""The options of a check, and the budget of time that comes with them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .errors import ResourceExhausted

Block: TypeAlias = Literal["loop", "basic", "edge"]
Traversal: TypeAlias = Literal["wto", "dfs", "bfs"]
Scope: TypeAlias = Literal["location", "function", "global"]
Structure: TypeAlias = Literal["numeric", "predicate", "nexpoint", "nex", "mtndd", "ndd"]
Numbers: TypeAlias = Literal["box", "octagon", "polyhedra"]

PROVERS = ("lazy", "slam", "numpred")


@dataclass(frozen=True, slots=True)
class Options:
    """What one can choose about a check; the defaults are meant to be right for daily use."""

    engine: str = "auto"
    timeout: float | None = None  # seconds
    memory: int | None = None  # MiB
    checks: frozenset[str] = frozenset()  # signed-overflow, div-by-zero, bounds, null
    slice: bool = True  # leave out what no error depends on
    provers: tuple[str, ...] = PROVERS  # the engines that auto asks for proofs, beside bounded
    # of the lazy engine:
    block: Block = "loop"  # what is abstracted at once: up to a loop head, a basic block, an edge
    traversal: Traversal = "wto"  # the order of the tree: weak topological, depth or breadth first
    keep_subtree: bool = False  # after a refinement, below the pivot
    scope: Scope = "location"  # where a predicate is tracked that was found at a location
    invariants: Numbers = "octagon"  # which relations of numbers are known before predicates
    # of the slam engine:
    keep_rounds: bool = False  # the texts of each round's Boolean program, trace and predicates
    # of the numpred engine, which chooses where there is no wish:
    domain: Structure | None = None  # how predicates and numbers are put together
    numeric: Numbers | None = None  # the domain of the numbers


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
