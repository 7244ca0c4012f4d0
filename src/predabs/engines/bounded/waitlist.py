"""Nodes of the unrolling, and the states that wait there.

A state that comes to a node is merged with one that waits there and stands at the same place
(`symbolic/partition`), or waits by itself. Soundness duty: no state is lost.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

from ...analysis.local_liveness import LocalLiveness
from ...ir.cfa import Edge, Location
from ...ir.expr import Var
from ...records import dataclass
from ...smt.term import Term
from ...symbolic.execute import SymbolicFrame
from ...symbolic.memory import SymbolicObject
from ...symbolic.partition import distance
from ...symbolic.state import SymbolicState, merge
from .unrolling import Counts, Unrolling

_MOST_APART = 256  # states of one node


@dataclass(frozen=True, slots=True, eq=False)
class CallContext:
    """A call under way: its caller, and what its return restores."""

    caller: CallContext | None
    call: Edge | None
    counts: Counts  # of the caller's loops
    locals: dict[Var, Term]  # of the caller
    stack: tuple[SymbolicObject, ...]  # of the caller
    frame: SymbolicFrame
    unrolling: Unrolling
    liveness: LocalLiveness
    key: tuple[int, ...]
    depth: int  # how many calls of this function are under way

    def rank(self, location: Location, counts: Counts) -> tuple[int, ...]:
        """Where a node of this call stands in the order of the unrolling."""
        return self.key + self.unrolling.key(location, counts)


UnrollingNode = tuple[CallContext, Location, Counts]


class StateWaitlist:
    """States that wait to be followed, in the order of the unrolling."""

    def __init__(self) -> None:
        self._states: dict[UnrollingNode, list[SymbolicState]] = {}
        self._heap: list[tuple[tuple[int, ...], int, UnrollingNode]] = []
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._states)

    def add(self, node: UnrollingNode, state: SymbolicState, tells: Callable[[Var], bool]) -> None:
        """Merge the state with one that holds the same constants; unless there are too many of
        them, it waits by itself if there is none."""
        if state.dead:
            return
        there = self._states.setdefault(node, [])
        distances = [distance(other, state, tells) for other in there]
        nearest = min(distances, default=0)
        if distances and (nearest == 0 or len(there) >= _MOST_APART):
            at = distances.index(nearest)
            there[at] = merge(there[at], state)
            return
        there.append(state)
        self._count += 1
        heapq.heappush(self._heap, (node[0].rank(node[1], node[2]), self._count, node))

    def pop(self) -> tuple[UnrollingNode, SymbolicState, tuple[int, ...]]:
        """The first node with a state of it and its key."""
        while True:
            key, _, node = heapq.heappop(self._heap)
            there = self._states.get(node)
            if there:  # else it was dropped
                state = there.pop(0)
                if not there:
                    del self._states[node]
                return node, state, key

    def drop(self, node: UnrollingNode, state: SymbolicState) -> None:
        """Forget a state: no run gets there."""
        there = self._states[node]
        there.remove(state)
        if not there:
            del self._states[node]

    def nodes(self) -> list[tuple[UnrollingNode, SymbolicState]]:
        return [(node, state) for node, there in self._states.items() for state in there]
