"""The abstract program: configurations, and a transformer for each transition between them.

Errors and limits are nodes of their own, without successors. Soundness duty: each step of a run
from its entry on is an edge, or leads to one of these nodes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

from ...ir.configuration import Configuration, Transition, TransitionKind
from ...ir.order import weak_order
from ...records import dataclass
from ..domain.formula import Compare, Formula
from ..domain.numpred_domain import NumPredDom
from ..domain.transformers import Transformer
from .numpred_facts import NumpredFacts
from .translation import TransformerTranslation

Node: TypeAlias = Configuration | Transition

V = TypeVar("V")

_MOST_WIDENINGS = 500  # that stop at the conditions of the program


@dataclass(frozen=True, slots=True, eq=False)
class AbstractStep:
    """An edge: a transition with its transformer. `ranges` hold before it anyway, and are assumed
    because widening has lost them; `reduced` asks for a reduction after it."""

    transition: Transition
    transformer: Transformer
    ranges: Formula | None
    reduced: bool


class ConfigurationGraph:
    """The configurations and transitions of a program."""

    def __init__(self, facts: NumpredFacts, tick: Callable[[], None]) -> None:
        self.initial = facts.flow.entry
        self.transitions: dict[Configuration, tuple[Transition, ...]] = {}
        waiting = [self.initial]
        while waiting:
            configuration = waiting.pop()
            if configuration in self.transitions:
                continue
            tick()
            self.transitions[configuration] = facts.flow.transitions(configuration)
            waiting += [
                transition.dst
                for transition in self.transitions[configuration]
                if transition.dst is not None
            ]

    @cached_property
    def heads(self) -> frozenset[Configuration]:
        """Configurations such that each cycle goes through one."""
        successors = {
            configuration: [
                transition.dst for transition in transitions if transition.dst is not None
            ]
            for configuration, transitions in self.transitions.items()
        }
        return frozenset(weak_order(successors, self.initial).ends)

    def transitions_of(self, kind: TransitionKind) -> list[Transition]:
        """The transitions to errors or to limits, which are nodes of the abstract program."""
        return [
            transition
            for transitions in self.transitions.values()
            for transition in transitions
            if transition.kind is kind
        ]

    def steps(
        self, translator: TransformerTranslation, tick: Callable[[], None]
    ) -> dict[Node, list[tuple[AbstractStep, Node]]]:
        """The graph for `fixpoint.solve`."""
        graph: dict[Node, list[tuple[AbstractStep, Node]]] = {}
        for configuration, transitions in self.transitions.items():
            tick()
            ranges = translator.ranges(configuration) if configuration in self.heads else None
            edges: list[tuple[AbstractStep, Node]] = []
            for transition in transitions:
                target: Node = transition if transition.dst is None else transition.dst
                reduced = transition.dst is None or transition.dst in self.heads
                edges.append(
                    (
                        AbstractStep(
                            transition, translator.transition(transition), ranges, reduced
                        ),
                        target,
                    )
                )
            graph[configuration] = edges
        return graph


class StepDomain(Generic[V]):
    """A domain whose transformers are steps, with widening thresholds, some of them in ladders,
    the strongest first; see `fixpoint.Growing` for the soundness duties."""

    def __init__(
        self,
        domain: NumPredDom[V],
        thresholds: tuple[Compare, ...],
        ladders: tuple[tuple[Compare, ...], ...] = (),
    ) -> None:
        self.domain = domain
        self._thresholds = thresholds
        self._ladders = ladders
        self._widenings = 0

    @property
    def bot(self) -> V:
        return self.domain.bot

    def is_bot(self, u: V) -> bool:
        return self.domain.is_bot(u)

    def leq(self, u: V, v: V) -> bool:
        return self.domain.leq(u, v)

    def join(self, u: V, v: V) -> V:
        return self.domain.join(u, v)

    def narrow(self, u: V, v: V) -> V:
        return self.domain.narrow(u, v)

    def widen(self, u: V, v: V) -> V:
        """Up to the conditions of the program that hold before and after, and to the strongest of
        each ladder, a bounded number of times, so that it ends as the domain's widening does."""
        wide = self.domain.widen(u, v)
        self._widenings += 1
        if self._widenings <= _MOST_WIDENINGS:
            for threshold in self._thresholds:
                if self._holds(v, threshold):
                    wide = self.domain.assume(wide, threshold)
            for ladder in self._ladders:
                rung = bisect_left(ladder, True, key=lambda threshold: self._holds(v, threshold))
                if rung < len(ladder):
                    wide = self.domain.assume(wide, ladder[rung])
        return wide

    def _holds(self, v: V, condition: Compare) -> bool:
        return self.domain.leq(v, self.domain.assume(v, condition))

    def post(self, u: V, transformer: AbstractStep) -> V:
        if transformer.ranges is not None:
            u = self.domain.assume(u, transformer.ranges)
        found = self.domain.post(u, transformer.transformer)
        return self.domain.reduce(found) if transformer.reduced else found
