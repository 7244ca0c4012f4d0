"""Formulas of loop-free pieces of the control flow, for the certificate check.

A configuration where branches meet has a Boolean symbol, 'a run is here', and a copy of each
variable on whose value the branches differ; both are defined by formulas. No block of the engines
is used. Soundness duty: each run through the piece satisfies the definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from typing import Protocol

from ..analysis.control_flow import ControlFlow
from ..encode.encoding import BoundedTerm
from ..encode.environment import Environment, Formulas
from ..encode.steps import EdgeStep
from ..errors import InternalError
from ..ir.cfa import Location
from ..ir.configuration import CallStack, Configuration, Transition
from ..ir.expr import Var
from ..ir.order import loop_heads, strong_components
from ..records import dataclass, field, replace
from ..smt import build
from ..smt.term import BOOL, FALSE, TRUE, Symbol, Term, symbols


@dataclass(frozen=True, slots=True)
class Arrival:
    """A set of paths to a configuration: their condition, and the storage then."""

    guard: Term
    environment: Environment
    transition: Transition | None = None


@dataclass(slots=True)
class PieceFormulas:
    """The formulas of a loop-free piece: what the symbols stand for where branches meet."""

    formulas: Formulas
    definitions: dict[Symbol, Term]
    exact: bool
    summarized: bool = False  # was a summary used in place of a call?

    def taken(self, arrival: Arrival, transition: Transition) -> Arrival:
        """After a transition."""
        guard, environment = [arrival.guard], arrival.environment
        for op in transition.ops:
            # the same edge where it can be: objects are known by the edge that allocates them
            edge = transition.edge if op is transition.edge.op else replace(transition.edge, op=op)
            step = EdgeStep(self.formulas, edge, environment)
            step.run()
            guard += step.guard
            environment = step.environment
            self.exact = self.exact and step.exact
        return Arrival(build.and_(*guard), environment, transition)

    def joined(self, arrivals: Sequence[Arrival], name: str) -> Arrival:
        """All arrivals at a configuration as one."""
        if len(arrivals) == 1:
            return arrivals[0]
        formulas = self.formulas
        environments = [arrival.environment for arrival in arrivals]
        merged = environments[0]
        cases = [[arrival.guard] for arrival in arrivals]

        def meet(symbol: Term, values: Sequence[BoundedTerm]) -> None:
            for case, value in zip(cases, values, strict=True):
                case.append(build.eq(symbol, value.term))

        for key in dict.fromkeys(key for e in environments for key in e.changed):
            values = [formulas.get(environment, key) for environment in environments]
            if any(value.term is not values[0].term for value in values):
                if isinstance(key, Var):
                    copy = formulas.fresh_between(key.name, key.type, values)
                else:
                    copy = BoundedTerm(
                        formulas.fresh_like(str(key), formulas.region_sort(key)), 0, 0
                    )
                merged = merged.put(key, copy)
                meet(copy.term, values)
        heaps = [formulas.heap_end(environment) for environment in environments]
        if any(heap.term is not heaps[0].term for heap in heaps):
            heap = formulas.fresh_between("heap", formulas.pointer, heaps)
            merged = replace(merged, heap=heap)
            meet(heap.term, heaps)
        here = formulas.fresh_like(f"at {name}", BOOL)
        self.definitions[here] = build.implies(
            here, build.or_(*(build.and_(*case) for case in cases))
        )
        return Arrival(here, merged)

    def named(self, arrival: Arrival, name: str) -> Arrival:
        """The same with a symbol for its condition, so that conditions do not grow."""
        if arrival.guard is TRUE or isinstance(arrival.guard, Symbol):
            return arrival
        here = self.formulas.fresh_like(f"at {name}", BOOL)
        self.definitions[here] = build.implies(here, arrival.guard)
        return replace(arrival, guard=here)

    def needed(self, conditions: Iterable[Term]) -> list[Term]:
        """The definitions of all symbols that the conditions lead to."""
        found: dict[Term, None] = {}
        todo = list(conditions)
        while todo:
            for symbol in symbols([todo.pop()]):
                definition = self.definitions.get(symbol)
                if definition is not None and definition not in found:
                    found[definition] = None
                    todo.append(definition)
        return list(found)


@dataclass(frozen=True, slots=True)
class Reached:
    """What the paths from a cut point come to: the next cut points, and errors or limits."""

    leaving: dict[Configuration, list[Arrival]] = field(default_factory=dict)
    bad: list[Arrival] = field(default_factory=list)


class CallRule(Protocol):
    """What calls that are not followed lead to."""

    def outcomes(
        self, piece: PieceFormulas, arrival: Arrival, transition: Transition
    ) -> Iterable[tuple[Configuration, Arrival]]: ...


class Pieces:
    """Cuts the control flow at cut points, loop heads among them; `step` is called for each
    configuration on the way. `calls` has calls that are limits otherwise."""

    def __init__(
        self,
        flow: ControlFlow,
        cuts: Callable[[Configuration], bool],
        step: Callable[[], None],
        calls: CallRule | None = None,
    ) -> None:
        self.flow = flow
        self._cuts = cuts
        self._step = step
        self._calls = calls
        self._heads: dict[str, frozenset[Location]] = {}
        self._ranks: dict[str, dict[Location, int]] = {}
        self._callers: dict[CallStack | None, tuple[int, ...]] = {None: ()}

    def is_point(self, configuration: Configuration) -> bool:
        """Is it a cut point?"""
        location = configuration.location
        return location in self._heads_of(location.function) or self._cuts(configuration)

    def follow(
        self, piece: PieceFormulas, configuration: Configuration, arrival: Arrival
    ) -> Reached:
        """All paths from a configuration to the next cut points, in an order in which all that
        lead to a configuration come before it."""
        inside: dict[Configuration, list[Arrival]] = {configuration: [arrival]}
        waiting = [(self._key(configuration), 0, configuration)]
        reached, count = Reached(), 1
        while waiting:
            key, _, here = heappop(waiting)
            self._step()
            joined = piece.joined(inside.pop(here), str(here.location))
            for transition in self.flow.transitions(here):
                for target, taken in self._outcomes(piece, joined, transition):
                    if taken.guard is FALSE:
                        continue
                    if target is None:
                        reached.bad.append(taken)
                    elif self.is_point(target):
                        reached.leaving.setdefault(target, []).append(taken)
                    elif target in inside:
                        inside[target].append(taken)
                    else:
                        inside[target] = [taken]
                        next_key = self._key(target)
                        if next_key <= key:
                            raise InternalError(f"a cycle without a loop head: {target}")
                        heappush(waiting, (next_key, count, target))
                        count += 1
        return reached

    def _outcomes(
        self, piece: PieceFormulas, arrival: Arrival, transition: Transition
    ) -> Iterable[tuple[Configuration | None, Arrival]]:
        taken = piece.taken(arrival, transition)
        if self._calls is None or not transition.callee or taken.guard is FALSE:
            return [(transition.dst, taken)]
        return self._calls.outcomes(piece, taken, transition)

    def _key(self, configuration: Configuration) -> tuple[int, ...]:
        """Grows along each path without a cut point: the callee comes after the call, and before
        what follows it."""
        location = configuration.location
        return (*self._before(configuration.stack), self._rank(location))

    def _before(self, stack: CallStack | None) -> tuple[int, ...]:
        found = self._callers.get(stack)
        if found is None:
            assert stack is not None
            found = self._callers[stack] = (*self._before(stack.below), self._rank(stack.call.src))
        return found

    def _rank(self, location: Location) -> int:
        ranks = self._ranks.get(location.function)
        if ranks is None:
            function = self.flow.program.functions[location.function]
            heads = self._heads_of(location.function)
            graph = {
                source: tuple(edge.dst for edge in edges if edge.dst not in heads)
                for source, edges in function.outgoing.items()
            }
            order = [place for group in strong_components(graph) for place in group]
            ranks = {place: -number for number, place in enumerate(order)}
            self._ranks[location.function] = ranks
        return ranks[location]

    def _heads_of(self, name: str) -> frozenset[Location]:
        found = self._heads.get(name)
        if found is None:
            found = self._heads[name] = loop_heads(self.flow.program.functions[name])
        return found
