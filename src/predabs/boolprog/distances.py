"""Sets of states layered by their exact distance, up to the first meeting with a target.

Distances inside a procedure count from its entry and are computed for all entry values at once,
in the order of Knuth's generalisation of Dijkstra's algorithm [Knu77]: a call costs its own step
and the distance of a summary, so each set is final when it is taken from the queue. Distances of
entries count from the start of the program. The first meeting of both at a target is a shortest
run.
"""

from __future__ import annotations

import heapq
from typing import Literal

from ..bdd import Function
from ..errors import InternalError
from ..records import dataclass
from .bebop import BebopModel, Node, Reached
from .flow_graph import EnterCall, FlowEdge
from .limits import CheckLimits

Layers = dict[int, Function]
"""The states at exactly this distance, by distance."""

_Kind = Literal["path", "entry"]


@dataclass(frozen=True, slots=True)
class Meeting:
    """States at a target, with the distance of their entry and their own inside the procedure."""

    node: Node
    before: int
    inside: int
    states: Function


class Distances:
    """`run` fills `paths` (by location), `entries` and `summaries` (by procedure) with layers."""

    def __init__(self, reached: Reached, targets: frozenset[Node], limits: CheckLimits) -> None:
        self.model: BebopModel = reached.model
        self._reached = reached
        self._targets = targets
        self._limits = limits
        self.paths: dict[Node, Layers] = {}
        self.entries: dict[str, Layers] = {name: {} for name in self.model.graphs}
        self.summaries: dict[str, Layers] = {name: {} for name in self.model.graphs}
        self.sites: dict[str, list[tuple[str, FlowEdge]]] = {name: [] for name in self.model.graphs}
        for name, graph in self.model.graphs.items():
            for edge in graph.edges:
                if isinstance(edge.op, EnterCall):
                    self.sites[edge.op.call.procedure].append((name, edge))
        self._settled: dict[tuple[_Kind, Node], Function] = {}
        self._waiting: dict[tuple[int, _Kind, Node], Function] = {}
        self._heap: list[tuple[int, _Kind, Node]] = []
        self._calls: dict[Node, list[FlowEdge]] = {}
        for callers in self.sites.values():
            for name, edge in callers:
                self._calls.setdefault((name, edge.src), []).append(edge)
        self._meetings: list[tuple[int, int, Meeting]] = []

    def run(self) -> Meeting:
        model = self.model
        for name, entries in self._reached.entries.items():
            node = (name, model.graphs[name].entry)
            self._push(0, "path", node, model.transfer.start(name, entries))
        self._push(0, "entry", (model.root, 0), model.manager.true)
        while self._heap:
            self._limits.check()
            if self._meetings and self._meetings[0][0] <= self._heap[0][0]:
                break
            distance, kind, node = heapq.heappop(self._heap)
            states = self._waiting.pop((distance, kind, node))
            known = self._settled.get((kind, node), model.manager.false)
            fresh = states & ~known
            if not fresh.satisfiable():
                continue
            self._settled[(kind, node)] = known | fresh
            if kind == "entry":
                self._settle_entry(node[0], distance, fresh)
            else:
                self._settle_path(node, distance, fresh)
        if not self._meetings:
            raise InternalError("a reached location has no run to it")
        return self._meetings[0][2]

    def _push(self, distance: int, kind: _Kind, node: Node, states: Function) -> None:
        if not states.satisfiable():
            return
        key = (distance, kind, node)
        waiting = self._waiting.get(key)
        if waiting is None:
            heapq.heappush(self._heap, key)
            self._waiting[key] = states
        else:
            self._waiting[key] = waiting | states

    def _settle_entry(self, name: str, distance: int, fresh: Function) -> None:
        self.entries[name][distance] = fresh
        for node in {*self._targets, *self._calls}:
            if node[0] == name:
                for inside, states in self.paths.get(node, {}).items():
                    self._meet(node, distance, fresh, inside, states)

    def _settle_path(self, node: Node, distance: int, fresh: Function) -> None:
        self.paths.setdefault(node, {})[distance] = fresh
        name, location = node
        transfer, graph = self.model.transfer, self.model.graphs[name]
        for edge in graph.outgoing[location]:
            target = (name, edge.dst)
            if not isinstance(edge.op, EnterCall):
                self._push(distance + 1, "path", target, transfer.post(name, edge, fresh))
                continue
            site = transfer.site(name, edge)
            for inside, summary in self.summaries[site.callee].items():
                after = transfer.returned(name, site, fresh, summary)
                self._push(distance + 1 + inside, "path", target, after)
        if location == graph.exit:
            summary = transfer.as_seen_by_callers(name, fresh)
            self.summaries[name][distance] = summary
            for caller, edge in self.sites[name]:
                site = transfer.site(caller, edge)
                for before, states in self.paths.get((caller, edge.src), {}).items():
                    after = transfer.returned(caller, site, states, summary)
                    self._push(before + 1 + distance, "path", (caller, edge.dst), after)
        if node in self._targets or node in self._calls:
            for before, entries in self.entries[name].items():
                self._meet(node, before, entries, distance, fresh)

    def _meet(
        self, node: Node, before: int, entries: Function, inside: int, states: Function
    ) -> None:
        """Path edges whose entry is now known to be this far from the start of the program."""
        name, transfer = node[0], self.model.transfer
        met = states & entries
        if not met.satisfiable():
            return
        if node in self._targets:
            meeting = Meeting(node, before, inside, met)
            heapq.heappush(self._meetings, (before + inside, len(self._meetings), meeting))
        for edge in self._calls.get(node, ()):
            site = transfer.site(name, edge)
            self._push(before + inside + 1, "entry", (site.callee, 0), transfer.entries(site, met))
