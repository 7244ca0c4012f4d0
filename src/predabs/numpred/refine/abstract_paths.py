"""Paths to an error in the abstract program: first those that abstract states can follow without
joins; if there are none, one that the values of the fixpoint allow, found backwards [GC10,
section 6.1, step 4].

No soundness duty: whether a run follows the path is for `refine/feasible` to find out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import count, islice
from typing import Generic, TypeVar

from ...ir.configuration import Transition
from ...records import dataclass
from ..program.abstract_program import AbstractStep, Node, StepDomain

V = TypeVar("V", bound=Hashable)
Graph = Mapping[Node, list[tuple[AbstractStep, Node]]]

_MOST_STATES = 800
_MOST_COMPARED = 4  # of the states at one node


@dataclass(frozen=True, slots=True, eq=False)
class _State(Generic[V]):
    """A state of the search, with how it was reached and how often its node is on the way."""

    node: Node
    value: V
    step: AbstractStep | None
    before: _State[V] | None
    visits: Mapping[Node, int]


def followed(
    domain: StepDomain[V],
    graph: Graph,
    start: Node,
    value: V,
    errors: list[Transition],
    tick: Callable[[], bool],
) -> Iterator[list[Transition]]:
    """Paths that the abstract states follow without a join, as long as `tick` says to go on."""
    near = distances(graph, errors)
    goals = set(errors)
    order = count()
    waiting: list[tuple[int, int, int, _State[V]]] = []

    def push(state: _State[V]) -> None:
        again = state.visits.get(state.node, 0)
        heappush(waiting, (again, near[state.node], next(order), state))

    seen: dict[Node, dict[V, None]] = {}
    if start in near:
        push(_State(start, value, None, None, {}))
    for _ in range(_MOST_STATES):
        if not waiting or not tick():
            return
        state = heappop(waiting)[-1]
        if state.node in goals:
            yield _transitions(state)
            continue
        known = seen.setdefault(state.node, {})
        if state.value in known:
            continue
        if any(domain.leq(state.value, other) for other in islice(reversed(known), _MOST_COMPARED)):
            continue
        known[state.value] = None
        for step, target in graph.get(state.node, ()):
            if target in near:
                image = domain.post(state.value, step)
                if not domain.is_bot(image):
                    visits = {**state.visits, target: state.visits.get(target, 0) + 1}
                    push(_State(target, image, step, state, visits))


def _transitions(state: _State[V]) -> list[Transition]:
    found: list[Transition] = []
    here: _State[V] | None = state
    while here is not None and here.step is not None:
        found.append(here.step.transition)
        here = here.before
    return found[::-1]


def backwards(
    domain: StepDomain[V], graph: Graph, values: Mapping[Node, V], start: Node, error: Transition
) -> list[Transition]:
    """A shortest path back to the start, each step of which leads somewhere from the value before
    it."""
    incoming = _incoming(graph)
    after: dict[Node, AbstractStep | None] = {error: None}
    following: dict[Node, Node] = {}
    waiting: deque[Node] = deque([error])
    while waiting and start not in after:
        node = waiting.popleft()
        for step, source in incoming.get(node, ()):
            if source in after or source not in values:
                continue
            value = values[source]
            if not domain.is_bot(value) and not domain.is_bot(domain.post(value, step)):
                after[source], following[source] = step, node
                waiting.append(source)
    found: list[Transition] = []
    here: Node = start
    while (taken := after.get(here)) is not None:
        found.append(taken.transition)
        here = following[here]
    return found


def _incoming(graph: Graph) -> dict[Node, list[tuple[AbstractStep, Node]]]:
    found: dict[Node, list[tuple[AbstractStep, Node]]] = {}
    for source, edges in graph.items():
        for step, target in edges:
            found.setdefault(target, []).append((step, source))
    return found


def distances(graph: Graph, errors: list[Transition]) -> dict[Node, int]:
    """How far each node is from an error."""
    incoming = _incoming(graph)
    found: dict[Node, int] = dict.fromkeys(errors, 0)
    waiting: deque[Node] = deque(errors)
    while waiting:
        node = waiting.popleft()
        for _, source in incoming.get(node, ()):
            if source not in found:
                found[source] = found[node] + 1
                waiting.append(source)
    return found
