"""The abstract program: control points, and a transformer for each move between them.

Errors and limits are nodes of their own, without successors. Soundness duty: each step of a run
from the start is an edge, or leads to one of these nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

from ..domains.linear import Constraint, Linear, Variable, at_most
from ..domains.numpred.formula import Compare, Formula, children_first
from ..domains.numpred.lattice import NumPredDom
from ..domains.numpred.transformers import (
    Assume,
    Both,
    Conditional,
    Either,
    Numeric,
    Sequence,
    Transformer,
)
from ..ir.order import weak_order
from ..ir.stack import Config, Kind, Move
from .ground import Ground
from .translate import Translator

Node: TypeAlias = Config | Move

V = TypeVar("V")

_MOST_WIDENINGS = 500  # that stop at the conditions of the program
_MOST_CONDITIONS = 60


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


def _parts(graph: Mapping[Node, list[tuple[Step, Node]]]) -> Iterator[Transformer]:
    """The transformers inside steps that are made of no others."""
    for edges in graph.values():
        for step, _ in edges:
            stack = [step.transformer]
            while stack:
                part = stack.pop()
                match part:
                    case Sequence(parts) | Either(parts):
                        stack += parts
                    case _:
                        yield part


def conditions_of(graph: Mapping[Node, list[tuple[Step, Node]]]) -> tuple[Compare, ...]:
    """Where widening stops: the constraints that transformers test, and what comes of those when
    the program adds a constant to a variable (`i < n` and then `i += 2` leave `i < n + 2`)."""
    found: dict[Constraint, None] = {}
    added: dict[tuple[Variable, int], None] = {}
    for part in _parts(graph):
        if isinstance(part, Assume | Conditional | Both):
            for atom in children_first(part.condition):
                if isinstance(atom, Compare):
                    found.update(dict.fromkeys(atom.constraint.halves()))
        for name, source in _updates(part):
            if source is not None and source.coefficients == ((name, 1),):
                added[name, source.constant] = None
    for constraint in list(found):
        for name, number in added:
            factor = constraint.linear.coefficient(name)
            if factor * number > 0:
                found[at_most(constraint.linear - factor * number, 0)] = None
    return tuple(map(Compare, list(found)[:_MOST_CONDITIONS]))


def _updates(part: Transformer) -> tuple[tuple[Variable, Linear | None], ...]:
    match part:
        case Numeric():
            return part.updates
        case Conditional() | Both():
            return part.numeric.updates
    return ()


def relates(
    graph: Mapping[Node, list[tuple[Step, Node]]], without: Collection[Variable] = ()
) -> bool:
    """Whether anything tells numbers by others, so that relations between them are of use: a copy,
    a sum, a counter, or a comparison of two. Some variables do not count."""
    for part in _parts(graph):
        for name, source in _updates(part):
            used = () if source is None or name in without else source.variables
            if any(other not in without for other in used):
                return True
    return any(
        sum(name not in without for name in limit.constraint.variables) > 1
        for limit in conditions_of(graph)
    )
