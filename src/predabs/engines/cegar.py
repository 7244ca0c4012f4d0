"""Counterexample-guided abstraction refinement: the loop that lazy, slam and numpred fill in.

    explore(...)               -> a proof, or a counterexample of the abstraction
    check(path)                -> feasible: a violation; infeasible, with a core; or no answer
    refine(counterexample)     -> something new is tracked, or nothing was found that helps

| engine | explorer | counterexample | what refinement finds |
|---|---|---|---|
| lazy | a tree of regions, made anew below the pivot | a path of it | predicates at points |
| slam | the states of a Boolean program that are reached | a run of it | predicates, lemmas |
| numpred | a fixpoint of predicates and numbers | the bad ends | cells, predicates, domains |

Which paths of a counterexample are looked at, and in which order, is the refiner's business; what
becomes of a path that a run follows is settled here. When time is over, any part may raise
`TimeOver`; the next call of the loop explores again, so an explorer keeps what it has not told.

Soundness duty: `Safe` is the explorer's own; `Unsafe` only with inputs for a path that the exact
semantics allows, and that ends in an error. A limit that is reached makes the answer `Unknown`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from ..ir.cfa import Program
from ..ir.path import Path
from ..refine.feasible import Feasible, Infeasible, check_path
from ..statistics import EngineStatistics, Phase
from ..verdict import Safe, Unknown, Unsafe, Verdict
from .engine import Clock

A = TypeVar("A")
Found = TypeVar("Found", covariant=True)
Given = TypeVar("Given", contravariant=True)


@dataclass(frozen=True, slots=True)
class Trace:
    """A path from the start to an error, or to a limit: what the abstraction knows nothing of."""

    path: Path
    text: str
    is_limit: bool = False

    @property
    def unknown(self) -> Unknown:
        """The verdict if it ends in a limit."""
        return Unknown(f"{self.path.edges[-1].coord}: {self.text} can be reached")


@dataclass(frozen=True, slots=True)
class Refined:
    """Something new is tracked: explore again."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """Nothing new was found, and why."""

    reason: str


Checked: TypeAlias = Unsafe | Unknown | Infeasible | Stuck
Check: TypeAlias = Callable[[Trace], Checked]
Outcome: TypeAlias = Refined | Stuck | Unsafe | Unknown


class Explorer(Protocol[Found]):
    """Computes an abstraction."""

    def explore(self) -> Safe | Found:
        """The proof, if no error and no limit is reached; else a counterexample. Asked again
        without a refinement in between, it tells the same once more."""


class Refiner(Protocol[Given]):
    """Makes the abstraction finer."""

    def refine(self, counterexample: Given, check: Check) -> Outcome:
        """Exclude the counterexample; a verdict that a check gave is handed on."""


def cegar(
    explorer: Explorer[A], refiner: Refiner[A], check: Check, statistics: EngineStatistics
) -> Verdict:
    """Explore and refine until there is a verdict."""
    while True:
        found = explorer.explore()
        if isinstance(found, Safe):
            return found
        statistics.refinements += 1
        with statistics.phase(Phase.REFINEMENT):
            outcome = refiner.refine(found, check)
        match outcome:
            case Stuck(reason):
                return Unknown(reason)
            case Unsafe() | Unknown():
                return outcome


@dataclass(frozen=True, slots=True)
class PathCheck:
    """Does a run follow a path? The solver has so many seconds, or (None) all that are left."""

    program: Program
    statistics: EngineStatistics
    clock: Clock
    seconds: float | None = None

    def __call__(self, trace: Trace) -> Checked:
        clock = self.clock
        seconds = clock.left if self.seconds is None else clock.at_most(self.seconds)
        found = check_path(self.program, trace.path, self.statistics.solver, seconds)
        match found:
            case Infeasible():
                return found
            case Feasible(inputs):
                return trace.unknown if trace.is_limit else Unsafe(inputs, trace.text)
        clock.budget.check()  # time that is over is no answer
        return Stuck(found.reason)


def no_proof_yet(statistics: EngineStatistics) -> str:
    """How far a loop came, in words."""
    return (
        f"no proof yet with {statistics.predicates_total} predicates, "
        f"after {statistics.refinements} refinements"
    )
