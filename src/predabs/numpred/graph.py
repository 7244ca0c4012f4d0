"""The abstract program: control points, and a transformer for each move between them.

Errors and limits are nodes of their own, without successors. Soundness duty: each step of a run
from the start is an edge, or leads to one of these nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

from ..domains.numpred.formula import Compare, Formula
from ..domains.numpred.lattice import NumPredDom
from ..domains.numpred.transformers import Transformer
from ..ir.order import weak_order
from ..ir.stack import Config, Kind, Move
from .ground import Ground
from .translate import Translator

Node: TypeAlias = Config | Move

V = TypeVar("V")

_MOST_WIDENINGS = 500  # that stop at the conditions of the program


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """An edge: a move, and what it does. `first` holds before it anyway, and is said because
    widening has forgotten it; `reduced` asks for a reduction after it."""

    move: Move
    transformer: Transformer
    first: Formula | None
    reduced: bool


class Control:
    """The control points and moves of a program."""

    def __init__(self, ground: Ground, tick: Callable[[], None]) -> None:
        self.start = ground.flow.start
        self.moves: dict[Config, tuple[Move, ...]] = {}
        waiting = [self.start]
        while waiting:
            config = waiting.pop()
            if config in self.moves:
                continue
            tick()
            self.moves[config] = ground.flow.moves(config)
            waiting += [move.dst for move in self.moves[config] if move.dst is not None]

    @cached_property
    def heads(self) -> frozenset[Config]:
        """Control points such that each cycle goes through one."""
        successors = {
            config: [move.dst for move in moves if move.dst is not None]
            for config, moves in self.moves.items()
        }
        return frozenset(weak_order(successors, self.start).ends)

    def ends(self, kind: Kind) -> list[Move]:
        """The moves of a kind, all of which are nodes."""
        return [move for moves in self.moves.values() for move in moves if move.kind is kind]

    def steps(
        self, translator: Translator, tick: Callable[[], None]
    ) -> dict[Node, list[tuple[Step, Node]]]:
        """The graph for `fixpoint.solve`."""
        graph: dict[Node, list[tuple[Step, Node]]] = {}
        for config, moves in self.moves.items():
            tick()
            first = translator.ranges(config) if config in self.heads else None
            edges: list[tuple[Step, Node]] = []
            for move in moves:
                target: Node = move if move.dst is None else move.dst
                reduced = move.dst is None or move.dst in self.heads
                edges.append((Step(move, translator.move(move), first, reduced), target))
            graph[config] = edges
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

    def post(self, u: V, transformer: Step) -> V:
        if transformer.first is not None:
            u = self.domain.assume(u, transformer.first)
        found = self.domain.post(u, transformer.transformer)
        return self.domain.reduce(found) if transformer.reduced else found
