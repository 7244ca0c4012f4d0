"""What a run covers: the branches that it takes, and the states in which functions begin.

A branch counts if it is one of the slice: the others decide no error. A state is what the global
variables hold that conditions look at and the program sets: in a driver, whether a lock is held or
a device open, which no branch shows until it is too late (stateful greybox fuzzing [BBMR22]). Of a
state with many variables each counts by itself, at each function: so there are not too many. A
state that is known is not looked at again, as that would take longer than the run.

Soundness duty: none, but that a run is not changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from ...concrete.inputs import Inputs
from ...concrete.interpreter import ObservedProgram
from ...concrete.outcome import Outcome
from ...concrete.storage_layout import Register, VariableLayout
from ...ir.cfa import Edge, Location, Program
from ...ir.expr import Var
from ...ir.ops import Assign, Assume
from ...ir.types import IntType
from ...ir.walk import subterms
from ...records import dataclass

Feature: TypeAlias = int | tuple[int, int, int]
"""A branch, or a function with a variable and its value, all by number."""

_LARGEST = 8  # values beyond it are one


@dataclass(frozen=True, slots=True)
class Covered:
    """How a run ended, after how many steps, and what it covers."""

    outcome: Outcome
    steps: int
    features: frozenset[Feature]


class Coverage:
    """Runs a program and says what the runs cover; `counted` are locations whose branches count,
    None stands for all."""

    def __init__(self, program: Program, counted: Collection[Location] | None = None) -> None:
        layout = VariableLayout(program)
        held = _state(program, layout)
        self._probes = _CoverageProbes([home.text for home in held], counted)
        self._observed = ObservedProgram(program, layout, self._probes)
        self.variables = tuple(home.var for home in held)

    def run(self, inputs: Inputs, most: int, deadline: float | None = None) -> Covered:
        """A run of so many steps at most."""
        outcome, steps = self._observed.run(inputs, most, deadline)
        return Covered(outcome, steps, frozenset(self._probes.features()))


class _CoverageProbes:
    """Probes that fill two sets: the branches taken, and numbers of functions with values."""

    def __init__(self, variables: list[str], counted: Collection[Location] | None) -> None:
        self._variables = variables
        self._counted = counted
        self._numbers: dict[Edge | Location, int] = {}
        self._taken: set[int] = set()
        self._entered: set[tuple[int, ...]] = set()
        self._known: set[tuple[int, ...]] = set()  # that some run has entered

    def taken(self, edge: Edge) -> str:
        if self._counted is not None and edge.src not in self._counted:
            return ""
        return f"taken({self._number(edge)})"

    def entered(self, entry: Location) -> str:
        values = "".join(f", {text}" for text in self._variables)
        return f"entered(({self._number(entry)}{values}))" if values else ""

    def names(self) -> Mapping[str, object]:
        self._taken, self._entered = set(), set()
        return {"taken": self._taken.add, "entered": self._entered.add}

    def _number(self, what: Edge | Location) -> int:
        return self._numbers.setdefault(what, len(self._numbers))

    def features(self) -> Iterator[Feature]:
        """What the last run has covered; of states, those that no run before it came to."""
        yield from self._taken
        new = self._entered - self._known
        self._known |= new
        for entry, *values in new:
            for number, value in enumerate(values):
                yield entry, number, max(-_LARGEST, min(value, _LARGEST))


def _state(program: Program, layout: VariableLayout) -> list[Register]:
    """The global integers that the program sets and that conditions look at."""
    read: set[Var] = set()
    written: set[Var] = set()
    for function in program.functions.values():
        for edge in function.edges:
            match edge.op:
                case Assume(cond):
                    read.update(term for term in subterms(cond) if isinstance(term, Var))
                case Assign(Var() as var, _):
                    written.add(var)
    return [
        home
        for _, home in layout.globals
        if isinstance(home, Register)
        and isinstance(home.var.type, IntType)
        and home.var in read & written
    ]
