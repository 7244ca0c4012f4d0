"""The interface of the engines, and the one table of them.

An engine is made from a task and run with a budget of time. When the time is over it raises
`TimeOver`; run again, it continues where it was. Soundness duty of each: `Safe` only if no run of
the program reaches an error; `Unsafe` only with inputs that lead to one; anything else is
`Unknown`, or an exception for what is not supported and what takes too much time or memory.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Protocol, runtime_checkable

from ..analysis.facts import ProgramFacts
from ..errors import ResourceExhausted
from ..evidence.recording import RecordTexts
from ..ir.cfa import Program
from ..options import Budget, Options
from ..proof_record import EngineRecord
from ..records import dataclass, field, replace
from ..statistics import EngineStatistics
from ..supervise.garbage import uncollected
from ..verdict import Unknown, Verdict
from .learned import Learned
from .proved_facts import ProvedFacts


def _silent(text: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class EngineTask:
    """What an engine is made from: a program with its facts, the options, its own counters,
    `progress` for signs of life, what engines prove for each other on the way (`shared`), and what
    an earlier check has `learned`. Engines that work on one program share its facts. If that is a
    slice, violations are replayed in the `whole` one in the end."""

    facts: ProgramFacts
    options: Options = field(default_factory=Options)
    statistics: EngineStatistics = field(default_factory=EngineStatistics)
    progress: Callable[[str], None] = _silent
    shared: ProvedFacts = field(default_factory=ProvedFacts)
    learned: Learned | None = None
    whole: Program | None = None

    @property
    def program(self) -> Program:
        return self.facts.program


class Engine(Protocol):
    """A check of one program that can be interrupted and continued."""

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict; raises `TimeOver` when the budget is spent."""

    @property
    def so_far(self) -> str:
        """How far it came, in words."""


@runtime_checkable
class LookingEngine(Engine, Protocol):
    """An engine that can also look at a program for a short while."""

    def look(self, budget: Budget) -> Verdict:
        """As `run`; it stops early if the time will not be enough."""


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """The class of an engine, loaded when it is used: solvers are large, and a process that only
    supervises needs none. What each does is said in `options/table`."""

    module: str
    name: str
    ghosts: bool = False
    """Does it work on the program with ghost state? It has no formulas for which objects live."""
    facts: tuple[str, ...] = ()
    """The program facts that it asks for whatever happens, but for intervals, if what an earlier
    check has learned is tried with sparse ones first."""
    takes_facts: bool = False
    """Does it use what others have proved? Such facts are about the program with ghost state."""
    whole: bool = False
    """Does it run the whole program? Its violations are replayed there."""


RECHECK = "recheck"  # of what was learned; nobody asks for it by name
_ALL_FACTS = ("partition", "modref", "liveness", "intervals", "flow")


ENGINES: dict[str, EngineEntry] = {
    "auto": EngineEntry("predabs.engines.auto.engine", "AutoEngine"),
    "lazy": EngineEntry("predabs.engines.lazy.engine", "LazyEngine", True, _ALL_FACTS, True),
    "bounded": EngineEntry("predabs.engines.bounded.engine", "BoundedEngine"),
    "slam": EngineEntry("predabs.engines.slam.engine", "SlamEngine", True),
    "smg": EngineEntry("predabs.engines.smg.engine", "SmgEngine", False, ("liveness", "flow")),
    "numpred": EngineEntry("predabs.engines.numpred.engine", "NumPredEngine", True, _ALL_FACTS),
    "kinduction": EngineEntry(
        "predabs.engines.kinduction.engine", "KInductionEngine", True, _ALL_FACTS, True
    ),
    "cells": EngineEntry(
        "predabs.engines.cells.engine", "CellsEngine", True, ("partition", "modref")
    ),
    "explicit": EngineEntry(
        "predabs.engines.explicit.engine",
        "ExplicitEngine",
        True,
        ("partition", "modref", "liveness", "flow"),
    ),
    "fuzz": EngineEntry("predabs.engines.fuzz.engine", "FuzzEngine", whole=True),
    RECHECK: EngineEntry(
        "predabs.engines.recheck.engine", "RecheckEngine", True, ("partition", "flow")
    ),
}


def create(name: str, task: EngineTask) -> Engine:
    """Make an engine of the table."""
    own = replace(task, facts=facts_of(name, task))
    if task.options.record and name != "auto":
        task.statistics.record = EngineRecord(RecordTexts(own.program).automata())
    engine: Engine = getattr(load(name), ENGINES[name].name)(own)
    return engine


def load(name: str) -> ModuleType:
    """The module of an engine; processes that are forked afterwards have it too."""
    return import_module(ENGINES[name].module)


def facts_of(name: str, task: EngineTask) -> ProgramFacts:
    """The facts of the program that an engine works on."""
    return task.facts.ghosts if ENGINES[name].ghosts else task.facts


def replayed_in(name: str, task: EngineTask) -> Program:
    """The program in which a violation that an engine finds is replayed at once."""
    return task.whole if ENGINES[name].whole and task.whole is not None else task.program


def compute_facts(name: str, task: EngineTask) -> None:
    """Compute what an engine will ask for; processes that are forked afterwards share it."""
    with uncollected():
        facts = facts_of(name, task)
        known = None if task.learned is None else task.learned.precision
        spared = "intervals" if known is not None and known.sparse else ""
        for fact in ENGINES[name].facts:
            if fact != spared:
                getattr(facts, fact)


def decide(name: str, task: EngineTask, budget: Budget) -> Verdict:
    """Run an engine once; if time or memory is not enough, say how far it came."""
    engine = create(name, task)
    try:
        return engine.run(budget)
    except ResourceExhausted as limit:
        return Unknown("; ".join(filter(None, (str(limit), engine.so_far))))


@dataclass(slots=True)
class Clock:
    """The budget of the present time slice, for parts of an engine that outlive it."""

    budget: Budget = field(default_factory=Budget)

    @property
    def left(self) -> float | None:
        """Seconds left, None if there is no limit; raises `TimeOver` if there are none."""
        self.budget.check()
        return self.budget.left

    def at_most(self, seconds: float) -> float:
        """So many seconds, for a question to a solver, or those that are left."""
        left = self.left
        return seconds if left is None else max(0.05, min(seconds, left))
