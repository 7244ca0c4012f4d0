"""Formulas of loop-free pieces of a program: paths and blocks.

A block is a set of edges of one function without a cycle, encoded as a whole: where branches meet,
storage that differs becomes a fresh symbol, defined by the branch that was taken. So the formula
grows with the number of edges, not of paths. Soundness duty: every run through the block satisfies
the formula; if it is `exact`, what satisfies it is a run, save that memory may be accessed where
there is no object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..analysis.partition import Partition
from ..errors import InternalError
from ..ir.cfa import Edge, Location
from ..ir.expr import Var
from . import build
from .encode_int import Integers, NeedsBitVectors
from .encoding import Number, Vectors
from .environment import Environment, Formulas, Key, Limits
from .steps import Step
from .term import BOOL, FALSE, TRUE, Term

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Block:
    """What leads through a block: `guard` says that a run comes through, `environment` what the
    storage holds then, `definitions` what the symbols of joins are."""

    guard: Term
    environment: Environment
    definitions: tuple[Term, ...]
    exact: bool

    @property
    def formula(self) -> Term:
        """All that holds of a run through the block, save for the facts of `Formulas.closed`."""
        return build.and_(*self.definitions, self.guard)


@dataclass(frozen=True, slots=True)
class _Arrival:
    guard: Term
    environment: Environment


def path_formula(formulas: Formulas, edges: Sequence[Edge], entry: Environment) -> Block:
    """Edges that follow each other in one function; the same edge may come again."""
    guard: list[Term] = []
    exact = True
    for edge in edges:
        step = Step(formulas, edge, entry)
        step.run()
        guard += step.guard
        entry = step.environment
        exact = exact and step.exact
    return Block(build.and_(*guard), entry, (), exact)


def block_formula(
    formulas: Formulas,
    edges: Iterable[Edge],
    entry: Location,
    exit_: Location,
    environment: Environment,
) -> Block:
    """All ways from one location to another along the edges, which have no cycle."""
    outgoing: dict[Location, list[Edge]] = {}
    for edge in edges:
        outgoing.setdefault(edge.src, []).append(edge)
    arrivals: dict[Location, list[_Arrival]] = {entry: [_Arrival(TRUE, environment)]}
    definitions: list[Term] = []
    exact = True
    for location in _order(entry, outgoing):
        here = _join(formulas, location, arrivals.pop(location), definitions)
        if location is exit_:
            return Block(here.guard, here.environment, tuple(definitions), exact)
        for edge in outgoing.get(location, ()):
            step = Step(formulas, edge, here.environment)
            step.run()
            exact = exact and step.exact
            guard = build.and_(here.guard, *step.guard)
            arrivals.setdefault(edge.dst, []).append(_Arrival(guard, step.environment))
    return Block(FALSE, environment, (), exact)


def _order(entry: Location, outgoing: dict[Location, list[Edge]]) -> list[Location]:
    """The locations that the edges lead to, each after those before it."""
    waiting: dict[Location, int] = {entry: 0}
    todo = [entry]
    while todo:
        for edge in outgoing.get(todo.pop(), ()):
            if edge.dst not in waiting:
                waiting[edge.dst] = 0
                todo.append(edge.dst)
            waiting[edge.dst] += 1
    order = [entry] if waiting[entry] == 0 else []
    for location in order:
        for edge in outgoing.get(location, ()):
            waiting[edge.dst] -= 1
            if waiting[edge.dst] == 0:
                order.append(edge.dst)
    if len(order) != len(waiting):
        raise InternalError(f"the edges of the block at {entry} form a cycle")
    return order


def _join(
    formulas: Formulas, location: Location, arrivals: Sequence[_Arrival], definitions: list[Term]
) -> _Arrival:
    """One arrival for all: storage that differs is a symbol, which the branch taken defines."""
    arrivals = [arrival for arrival in arrivals if arrival.guard is not FALSE]
    if not arrivals:
        return _Arrival(FALSE, Environment(""))
    if len(arrivals) == 1:
        return arrivals[0]
    environments = [arrival.environment for arrival in arrivals]
    merged = environments[0]
    equal: list[list[Term]] = [[] for _ in arrivals]
    keys = dict.fromkeys(key for environment in environments for key in environment.changed)
    for key in keys:
        values = [formulas.get(environment, key) for environment in environments]
        if all(value.term is values[0].term for value in values):
            continue
        joined = _symbol(formulas, key, values)
        merged = merged.put(key, joined)
        for terms, value in zip(equal, values, strict=True):
            terms.append(build.eq(joined.term, value.term))
    heaps = [formulas.heap_end(environment) for environment in environments]
    if any(heap.term is not heaps[0].term for heap in heaps):
        heap = formulas.fresh_between("heap", formulas.pointer, heaps)
        merged = replace(merged, heap=heap)
        for terms, value in zip(equal, heaps, strict=True):
            terms.append(build.eq(heap.term, value.term))
    here = formulas.fresh_like(f"at {location}", BOOL)
    branches = [
        build.and_(arrival.guard, *terms) for arrival, terms in zip(arrivals, equal, strict=True)
    ]
    definitions.append(build.implies(here, build.or_(*branches)))
    return _Arrival(here, merged)


def _symbol(formulas: Formulas, key: Key, values: Sequence[Number]) -> Number:
    if isinstance(key, Var):
        return formulas.fresh_between(key.name, key.type, values)
    return Number(formulas.fresh_like(str(key), formulas.map_sort(key)), 0, 0)


def named(formulas: Formulas, environment: Environment, tag: str) -> tuple[Environment, Term]:
    """A new beginning: an environment in which all is a symbol again, and what the symbols of the
    storage that has changed are. With it, a block is a relation between two tags."""
    after = Environment(tag)
    equal = []
    for key, value in environment.changed.items():
        equal.append(build.eq(formulas.get(after, key).term, value.term))
    if environment.heap is not None:
        equal.append(build.eq(formulas.heap_end(after).term, environment.heap.term))
    return after, build.and_(*equal)


def either_encoding(
    partition: Partition, make: Callable[[Formulas], T], limits: Limits | None = None
) -> tuple[T, Formulas]:
    """What `make` builds with integers, or with bit-vectors if integers cannot say it."""
    try:
        formulas = Formulas(partition, Integers(), limits)
        return make(formulas), formulas
    except NeedsBitVectors:
        formulas = Formulas(partition, Vectors(), limits)
        return make(formulas), formulas
