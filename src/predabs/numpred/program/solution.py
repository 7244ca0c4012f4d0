"""The fixpoint of a program's abstraction: what holds at its control points.

Soundness duty: that of the translation and of `domains/fixpoint`; each state that a run has at a
control point is in the value there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ...bdd import Manager
from ...domains.factory import create
from ...domains.fixpoint import Strategy, solve
from ..domain.counters import Counters
from ..domain.numpred_domain import NumPredDom
from ..domain.structures import make
from .abstract_program import AbstractStep, Control, Node, Stepping
from .numeric_variables import NumericVariables
from .numpred_facts import NumpredFacts
from .precision import TrackedPrecision
from .predicate_meanings import PredicateMeanings
from .thresholds import conditions_of
from .translation import TransformerTranslation

_BDD_MB = 512
_STRATEGY = Strategy(widen_after=2, narrowings=2)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What holds at the nodes that were reached, and how many seconds that took."""

    structure: str
    domain: Stepping[Any]
    graph: dict[Node, list[tuple[AbstractStep, Node]]]
    start: Any
    values: Mapping[Node, Any]
    precision: TrackedPrecision
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A program with all that its abstraction is made of."""

    ground: NumpredFacts
    cells: NumericVariables
    table: PredicateMeanings
    control: Control

    def solve(
        self,
        precision: TrackedPrecision,
        structure: str,
        numbers: str,
        counters: Counters,
        tick: Callable[[], None],
    ) -> Solution:
        """The fixpoint in a structure over a numeric domain; `tick` is called often, and may raise
        to end it."""
        translator = TransformerTranslation(self.ground, self.cells, precision)
        graph = self.control.steps(translator, tick)
        begin = self.table.start(precision)
        domain: NumPredDom[Any] = make(
            structure,
            create(numbers),
            precision.predicates,
            precision.cells,
            manager=Manager(_BDD_MB),
            counters=counters,
        )
        stepping = Stepping(domain, conditions_of(graph))
        entry = self.control.start
        with domain.vocabulary.manager.bounded():
            start = domain.assume(domain.alpha(begin), translator.ranges(entry))
            began = monotonic()
            found = solve(stepping, graph, entry, start, _STRATEGY, tick)
        seconds = monotonic() - began
        return Solution(structure, stepping, graph, start, found.values, precision, seconds)
