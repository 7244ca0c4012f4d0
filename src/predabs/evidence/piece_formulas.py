"""Formulas of loop-free pieces of the control flow, for the certificate check.

A configuration where branches meet has a Boolean symbol, 'a run is here', and a copy of each
variable on whose value the branches differ; both are defined by formulas. No block of the engines
is used. Soundness duty: each run through the piece satisfies the definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..encode.encoding import BoundedTerm
from ..encode.environment import Environment, Formulas
from ..encode.steps import EdgeStep
from ..ir.configuration import Transition
from ..ir.expr import Var
from ..records import dataclass, replace
from ..smt import build
from ..smt.term import BOOL, Symbol, Term, symbols


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
