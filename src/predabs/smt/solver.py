"""The one interface of all solvers, and their answers.

An answer is `Sat`, `Unsat` or `Unknown`, three classes without a truth value: `if solver.check()`
raises, so an unknown can never pass for one of the other two. Soundness duty of a back end: `Sat`
carries a model under which everything asserted and assumed is true (by `evaluate`), `Unsat` a
subset of the assumptions that the asserted terms contradict, and whatever goes wrong inside the
solver (a limit, an interrupt, an error) becomes `Unknown`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from typing import Protocol, TypeAlias

from ..records import dataclass
from .semantics import ModelValue, default_value
from .term import Symbol, Term, symbols


@dataclass(slots=True)
class Statistics:
    """Counters that all solvers of one analysis share."""

    calls: int = 0  # checks that went into a solver
    cached: int = 0  # checks that were not made, because their answers were cached
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    pruned: int = 0  # of the answers, those that branch and prune has given
    seconds: float = 0.0  # inside solvers: what they are told, checks, models and cores
    translated: int = 0  # terms rebuilt for a solver

    def add(self, other: Statistics) -> None:
        """Count what the other has counted, too."""
        for name in (field.name for field in fields(self)):
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Reason(Enum):
    """Why there is no answer."""

    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"
    MEMORY = "out of memory"
    INCOMPLETE = "incomplete"  # the solver's procedure gave up
    FAILURE = "failure"  # the solver reported an error of its own


class Model(Mapping[Symbol, ModelValue]):
    """Values of the symbols that were asserted or assumed; any other symbol is zero.

    Values are read from the solver when they are asked for, which most are not. A back end whose
    solver forgets the model at the next call calls `complete` before, if the model still lives.
    """

    __slots__ = ("__weakref__", "_keys", "_reader", "_roots", "_values")

    def __init__(self, reader: Callable[[Symbol], ModelValue], roots: Sequence[Term]) -> None:
        self._reader: Callable[[Symbol], ModelValue] | None = reader
        self._roots = roots
        self._keys: dict[Symbol, None] | None = None
        self._values: dict[Symbol, ModelValue] = {}

    def __getitem__(self, symbol: Symbol) -> ModelValue:
        found = self._values.get(symbol)
        if found is None:
            reader = self._reader
            found = default_value(symbol.sort) if reader is None else reader(symbol)
            self._values[symbol] = found
        return found

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self._symbols())

    def __len__(self) -> int:
        return len(self._symbols())

    def __contains__(self, symbol: object) -> bool:
        return symbol in self._symbols()

    def get(self, symbol: Symbol, default: object = None) -> ModelValue:
        """Like `[]`: there is a value for every symbol."""
        return self[symbol]

    def complete(self) -> None:
        """Read all values now, and let go of the solver."""
        if self._reader is not None:
            for symbol in self._symbols():
                self[symbol]
            self._reader = None
            self._roots = ()

    def _symbols(self) -> dict[Symbol, None]:
        if self._keys is None:
            self._keys = symbols(self._roots)
        return self._keys


class _NoTruthValue:
    __slots__ = ()

    def __bool__(self) -> bool:
        raise TypeError("an answer of a solver is no truth value: match Sat, Unsat and Unknown")


@dataclass(frozen=True, slots=True, eq=False)
class Sat(_NoTruthValue):
    model: Model


@dataclass(frozen=True, slots=True)
class Unsat(_NoTruthValue):
    """The asserted terms contradict these assumptions (all of them together; maybe none)."""

    core: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Unknown(_NoTruthValue):
    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason.value}: {self.detail}" if self.detail else self.reason.value


Answer: TypeAlias = Sat | Unsat | Unknown


@dataclass(frozen=True, slots=True)
class Interpolant(_NoTruthValue):
    """What follows from the one side, contradicts the other, and speaks of shared symbols only."""

    term: Term


class Solver(Protocol):
    """Asserted terms on a stack, and questions about them. Used by one thread at a time, save
    for `interrupt`."""

    @property
    def name(self) -> str: ...

    @property
    def statistics(self) -> Statistics: ...

    def add(self, term: Term) -> None:
        """Assert a condition, until the frame that is now on top is popped."""

    def push(self) -> None: ...

    def pop(self) -> None: ...

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        """Whether the asserted terms and the assumptions (any conditions) can hold together, in
        `timeout` seconds at most."""

    def interrupt(self) -> None:
        """From another thread: a running check ends soon as `Unknown`."""

    def fresh(self) -> Solver:
        """A new solver with nothing asserted, which shares what was translated so far."""

    def interpolate(
        self, left: Term, right: Term, timeout: float | None = None
    ) -> Interpolant | Unknown:
        """An interpolant of two conditions that contradict each other; verified, else Unknown.
        Nothing that is asserted in this solver takes part."""
