"""The result of a check as plain values: what Python callers get and reports are made of."""

from __future__ import annotations

from enum import Enum

from ..evidence.invariants import LoopInvariant
from ..evidence.testcase import CTest
from ..evidence.trace.trace import Trace
from ..evidence.witness.content import Content
from ..ir.cfa import Coord
from ..obstacles import Obstacle
from ..proof_record import EngineRecord
from ..records import dataclass
from ..statistics import Round
from ..verdict import Input
from .imprecise_memory import ImpreciseMemory


class Answer(Enum):
    """The three verdicts."""

    TRUE = "TRUE"  # the property holds
    FALSE = "FALSE"  # it is violated, by a run that was replayed
    UNKNOWN = "UNKNOWN"  # neither was shown


class Vacuity(Enum):
    """Why a property holds that says nothing."""

    NOTHING = "nothing"  # no place in the program is one where the property can be violated
    UNREACHED = "unreached"  # there are such places, and no run comes to one


@dataclass(frozen=True, slots=True)
class SolverUse:
    """How often a solver was asked, how often the answer was known before, and how long it took."""

    calls: int = 0
    cached: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class OperationUse:
    """How often a domain did something, and how long that took in all; what it did for that with
    another operation counts there."""

    name: str
    calls: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Work:
    """What the engines did. `active` predicates are the most that one node of the tree has;
    `abstractions` were asked for, and `cached` ones of them known before. `seconds` are by phase
    and add up to the time of the analysis; `native` ones were spent inside solver, BDDs and clang.
    `rounds` are those of the slam engine, `operations` those of the numpred engine's domains;
    `obstacles` stand in the way of an engine without a verdict.
    """

    predicates: int = 0
    active: int = 0
    nodes: int = 0
    refinements: int = 0
    abstractions: int = 0
    cached: int = 0
    seconds: tuple[tuple[str, float], ...] = ()
    native: tuple[tuple[str, float], ...] = ()
    rounds: tuple[Round, ...] = ()
    operations: tuple[OperationUse, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineUse:
    """What one engine did of all that; `auto` goes through several."""

    name: str
    solver: SolverUse
    work: Work


@dataclass(frozen=True, slots=True)
class StoreUse:
    """What the store had to do with the verdict: it `had` the same check or a similar one; the
    verdict is one that was `given` before, checked again; what was found out was `kept`. `notes`
    are for the user."""

    file: str
    had: str = ""  # "same", "similar" or nothing
    given: bool = False
    kept: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Violation:
    """A run that violates the property: where and what, step by step, its inputs in the order of
    the run, and a C test that repeats it. `subproperty` is the part of the property that a fault of
    C violates, or the check that found it. `steps` are those of the interpreter up to the error,
    None if it did some of them at once."""

    coord: Coord
    text: str
    trace: Trace
    inputs: tuple[Input, ...]
    test: CTest
    subproperty: str | None = None
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class WitnessPart:
    """What a witness says of the verdict, and the specification that it is about."""

    content: Content
    specification: str


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """What a report shows beside the result: what each engine did, which lines of the source hold
    operations (`code`) and which of these the slice has kept, and the names of global variables."""

    engines: tuple[tuple[str, EngineRecord], ...]
    code: frozenset[tuple[str, int]]
    kept: frozenset[tuple[str, int]]
    globals: frozenset[str]


@dataclass(frozen=True, slots=True)
class Certification:
    """What became of the certificate of a TRUE: the solvers that have proved it once more, and the
    certificate as it is written to a file, its method, and what that takes for granted; or why it
    was not certified. No solver at all: the formulas of all errors were false as soon as they were
    made."""

    certified: bool
    solvers: tuple[str, ...] = ()
    reason: str = ""
    text: str = ""
    seconds: float = 0.0
    method: str = ""
    trusted: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """In words, for the verdict."""
        if not self.certified:
            return f"not certified: {' '.join(self.reason.split())}"
        by = " and ".join(self.solvers)
        return f"certified by {by}" if by else "certified without a solver"


@dataclass(frozen=True, slots=True)
class Alarm:
    """A certificate does not prove the program that an engine says it has proved."""

    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """What is known after a check.

    `reason` says why the verdict is UNKNOWN; `violation` is there if it is FALSE; if it is TRUE,
    `invariants` are those of the loop heads that the engine has one for. `tried` has a line for
    each engine that `auto` went through; `solver` and `work` are of all `engines` together.
    A TRUE has a `certification` if one was asked for.
    `checks` were on, those that the property asks for among them. The verdict takes for granted
    what `assumptions` say, and that each function of `externals` (it has no body; used at the
    coordinate) returns any value and changes nothing else. `witness` and `record` are there if they
    were asked for, `store` says whether the store had a part in it, if there is one.
    """

    verdict: Answer
    reason: str
    violation: Violation | None
    property: str
    engine: str
    seconds: float
    assumptions: tuple[str, ...]
    externals: tuple[tuple[str, Coord], ...]
    solver: SolverUse = SolverUse()
    work: Work = Work()
    tried: tuple[str, ...] = ()
    invariants: tuple[LoopInvariant, ...] = ()
    engines: tuple[EngineUse, ...] = ()
    checks: tuple[str, ...] = ()
    language: str = "C"
    unconfirmed: Trace | None = None
    vacuity: Vacuity | None = None
    witness: WitnessPart | None = None
    certification: Certification | None = None
    record: CheckRecord | None = None
    store: StoreUse | None = None
    imprecise: tuple[ImpreciseMemory, ...] = ()  # if it is UNKNOWN: what formulas know little about
    changes: tuple[str, ...] = ()  # with `changed_since`: what changed, and what became of the rest

    def all_assumptions(self) -> tuple[str, ...]:
        """The assumptions in words, with one for each function without a body."""
        return (
            *(
                f"{name} has no body: it returns any value and changes nothing else (see {coord})"
                for name, coord in self.externals
            ),
            *self.assumptions,
        )
