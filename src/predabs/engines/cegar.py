"""Counterexample-guided abstraction refinement (CEGAR): the loop of lazy, slam and numpred.

    explore()                      -> a proof, or a counterexample in the abstraction
    check(path)                    -> feasible: a violation; infeasible, with an unsatisfiable core
    refine(counterexample, check)  -> a more precise abstraction, or a reason why there is none

| engine | abstraction | counterexample | refinement adds |
|---|---|---|---|
| lazy | abstract reachability tree | path to an error node | predicates at locations |
| slam | Boolean program | run to an error | predicates of procedures, lemmas |
| numpred | fixpoint over predicates and numbers | errors reached | numbers, predicates, domains |

The refiner decides which paths of a counterexample are checked, and in which order. When time is
over, any part may raise `TimeOver`; `cegar` called again explores again, so an explorer keeps a
counterexample until it was refined.

Soundness duty: `Safe` is the explorer's; `Unsafe` only with inputs for a path that the exact
semantics allows, and that ends in an error. A limit that is reached makes the answer `Unknown`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from ..ir.cfa import Program
from ..ir.path import Path
from ..obstacles import of_path
from ..records import dataclass
from ..refine.feasible import Feasible, Infeasible, check_path
from ..statistics import EngineStatistics, Phase
from ..verdict import Safe, Unknown, Unsafe, Verdict
from .engine import Clock

C = TypeVar("C")  # a counterexample in the abstraction of one engine
Found = TypeVar("Found", covariant=True)
Refuted = TypeVar("Refuted", contravariant=True)


@dataclass(frozen=True, slots=True)
class ErrorPath:
    """A path from the entry to an error, or to a limit."""

    path: Path
    text: str
    is_limit: bool = False

    @property
    def unknown(self) -> Unknown:
        """The verdict if a run reaches the limit at its end."""
        return Unknown(f"{self.path.edges[-1].coord}: {self.text} can be reached")


@dataclass(frozen=True, slots=True)
class Refined:
    """The abstraction is more precise: explore again."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """No refinement was found, and why."""

    reason: str


PathVerdict: TypeAlias = Unsafe | Unknown | Infeasible | Stuck
Check: TypeAlias = Callable[[ErrorPath], PathVerdict]
Outcome: TypeAlias = Refined | Stuck | Unsafe | Unknown


class Explorer(Protocol[Found]):
    """Computes an abstraction."""

    def explore(self) -> Safe | Found:
        """The proof, if the abstraction reaches no error and no limit; else a counterexample: the
        same as before if there was no refinement in between."""


class Refiner(Protocol[Refuted]):
    """Makes the abstraction more precise."""

    def refine(self, counterexample: Refuted, check: Check) -> Outcome:
        """Exclude the counterexample; or the verdict of a check, if a run follows it."""


def cegar(
    explorer: Explorer[C], refiner: Refiner[C], check: Check, statistics: EngineStatistics
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
    """Is a path feasible? The solver has so many seconds, or (None) all that are left."""

    program: Program
    statistics: EngineStatistics
    clock: Clock
    seconds: float | None = None

    def __call__(self, error: ErrorPath) -> PathVerdict:
        clock = self.clock
        seconds = clock.left if self.seconds is None else clock.at_most(self.seconds)
        found = check_path(self.program, error.path, self.statistics.solver, seconds)
        match found:
            case Infeasible():
                self.statistics.obstacles = of_path(self.program, error.path)
                return found
            case Feasible(inputs):
                return error.unknown if error.is_limit else Unsafe(inputs, error.text)
        clock.budget.check()  # time that is over is no answer
        return Stuck(found.reason)


def no_proof_yet(statistics: EngineStatistics) -> str:
    """How far a loop came, in words."""
    return (
        f"no proof yet with {statistics.predicates_total} predicates, "
        f"after {statistics.refinements} refinements"
    )
