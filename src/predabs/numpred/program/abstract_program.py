"""The abstract program: control points, and a transformer for each move between them.

Errors and limits are nodes of their own, without successors. Soundness duty: each step of a run
from the start is an edge, or leads to one of these nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

from ...ir.configuration import Configuration, Transition, TransitionKind
from ...ir.order import weak_order
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
    """An edge: a move, and what it does. `first` holds before it anyway, and is said because
    widening has forgotten it; `reduced` asks for a reduction after it."""

    transition: Transition
    transformer: Transformer
    first: Formula | None
    reduced: bool


class Control:
    """The control points and moves of a program."""

    def __init__(self, ground: NumpredFacts, tick: Callable[[], None]) -> None:
        self.start = ground.flow.entry
        self.transitions: dict[Configuration, tuple[Transition, ...]] = {}
        waiting = [self.start]
        while waiting:
            configuration = waiting.pop()
            if configuration in self.transitions:
                continue
            tick()
            self.transitions[configuration] = ground.flow.transitions(configuration)
            waiting += [
                transition.dst
                for transition in self.transitions[configuration]
                if transition.dst is not None
            ]

    @cached_property
    def heads(self) -> frozenset[Configuration]:
        """Control points such that each cycle goes through one."""
        successors = {
            configuration: [
                transition.dst for transition in transitions if transition.dst is not None
            ]
            for configuration, transitions in self.transitions.items()
        }
        return frozenset(weak_order(successors, self.start).ends)

    def ends(self, kind: TransitionKind) -> list[Transition]:
        """The moves of a kind, all of which are nodes."""
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
            first = translator.ranges(configuration) if configuration in self.heads else None
            edges: list[tuple[AbstractStep, Node]] = []
            for transition in transitions:
                target: Node = transition if transition.dst is None else transition.dst
                reduced = transition.dst is None or transition.dst in self.heads
                edges.append(
                    (
                        AbstractStep(transition, translator.transition(transition), first, reduced),
                        target,
                    )
                )
            graph[configuration] = edges
        return graph


class Stepping(Generic[V]):
    """A domain whose transformers are steps; see `fixpoint.Growing` for the duties."""

    def __init__(self, domain: NumPredDom[V], limits: tuple[Compare, ...]) -> None:
        self.domain = domain
        self._limits = limits
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
        """Up to the conditions of the program that hold before and after, a bounded number of
        times, so that it ends as the domain's widening does."""
        wide = self.domain.widen(u, v)
        self._widenings += 1
        if self._widenings <= _MOST_WIDENINGS:
            for limit in self._limits:
                if self.domain.leq(v, self.domain.assume(v, limit)):
                    wide = self.domain.assume(wide, limit)
        return wide

    def post(self, u: V, transformer: AbstractStep) -> V:
        if transformer.first is not None:
            u = self.domain.assume(u, transformer.first)
        found = self.domain.post(u, transformer.transformer)
        return self.domain.reduce(found) if transformer.reduced else found
