"""The fixpoint of an abstract program: an abstract value for each configuration.

Soundness duty: that of the translation and of `domains/fixpoint`; each state that a run has at a
configuration is in the value there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from ...bdd import Manager
from ...domains.factory import create
from ...domains.fixpoint import Strategy, solve
from ...records import dataclass
from ..domain.counters import Counters
from ..domain.numpred_domain import NumPredDom
from ..domain.structures import make
from .abstract_program import AbstractStep, ConfigurationGraph, Node, StepDomain
from .numeric_variables import NumericVariables
from .numpred_facts import NumpredFacts
from .precision import TrackedPrecision
from .predicate_meanings import PredicateMeanings
from .thresholds import conditions_of, ladders
from .translation import TransformerTranslation

_BDD_MB = 512
_STRATEGY = Strategy(widen_after=2, narrowings=2)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What holds at the nodes that were reached, and how many seconds that took."""

    structure: str
    domain: StepDomain[Any]
    graph: dict[Node, list[tuple[AbstractStep, Node]]]
    initial: Any
    values: Mapping[Node, Any]
    precision: TrackedPrecision
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class ProgramAbstraction:
    """A program with all that its abstract programs are made from."""

    facts: NumpredFacts
    cells: NumericVariables
    table: PredicateMeanings
    control: ConfigurationGraph

    def solve(
        self,
        precision: TrackedPrecision,
        structure: str,
        numeric_domain: str,
        counters: Counters,
        tick: Callable[[], None],
    ) -> Solution:
        """The fixpoint in a structure over a numeric domain; `tick` is called often, and may raise
        to end it."""
        translator = TransformerTranslation(self.facts, self.cells, precision)
        graph = self.control.steps(translator, tick)
        formula = self.table.initial_states(precision)
        domain: NumPredDom[Any] = make(
            structure,
            create(numeric_domain),
            precision.predicates,
            precision.cells,
            manager=Manager(_BDD_MB),
            counters=counters,
        )
        stepping = StepDomain(
            domain, conditions_of(graph), ladders(precision.cells.values(), self.facts.program)
        )
        configuration = self.control.initial
        with domain.vocabulary.manager.bounded():
            initial = domain.assume(domain.alpha(formula), translator.ranges(configuration))
            began = monotonic()
            found = solve(stepping, graph, configuration, initial, _STRATEGY, tick)
        seconds = monotonic() - began
        return Solution(structure, stepping, graph, initial, found.values, precision, seconds)
