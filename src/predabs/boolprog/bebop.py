"""Symbolic reachability in Boolean programs with procedures and recursion.

Path edges (from a procedure's entry to a location) and summary edges (from its entry to its exit)
are BDDs [BR00], after [RHS95]; a procedure is analysed once for all its call sites, for
the entry values that occur. The worklist takes callees before callers and, inside a procedure, the
first location in weak topological order. The sets are exact, so the fixpoint decides reachability:
an unreached error location is proof, a reached one has a run (`shortest` finds it).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

from ..bdd import Function, Manager
from ..ir.order import weak_order
from ..records import dataclass
from .flow_graph import EnterCall, FlowEdge, FlowGraph, build_all
from .layout import BddLayout, callees, lay_out
from .limits import CheckLimits
from .resolve import entry
from .syntax import Program
from .transfer import Transfer

Node = tuple[str, int]
"""A location: the procedure's name and the number of the location in its graph."""


@dataclass(frozen=True, slots=True)
class BebopModel:
    """A program made ready for symbolic computation."""

    program: Program
    graphs: Mapping[str, FlowGraph]
    root: str
    manager: Manager
    layout: BddLayout
    transfer: Transfer


@dataclass(frozen=True, slots=True)
class Reached:
    """The fixpoint: the path edges of every reached location, the entry values of procedures."""

    model: BebopModel
    states: Mapping[Node, Function]
    entries: Mapping[str, Function]
    images: int

    def at(self, node: Node) -> Function:
        return self.states.get(node, self.model.manager.false)


def model_of(program: Program, limits: CheckLimits, see_all: bool = False) -> BebopModel:
    """Prepare a program; `see_all` keeps all globals in every procedure, for exact invariants."""
    return model_from(program, build_all(program), entry(program).name, limits, see_all)


def model_from(
    program: Program,
    graphs: Mapping[str, FlowGraph],
    root: str,
    limits: CheckLimits,
    see_all: bool = False,
) -> BebopModel:
    """Prepare procedures that are given as graphs: of `program` only the declarations count."""
    manager = Manager(limits.memory_mb)
    with manager.bounded():
        layout = lay_out(manager, program, graphs, root, see_all)
        transfer = Transfer(manager, layout, limits)
    return BebopModel(program, graphs, root, manager, layout, transfer)


def reach(model: BebopModel, limits: CheckLimits) -> Reached:
    """All reachable states of all locations."""
    with model.manager.bounded():
        return _Fixpoint(model, limits).run()


class _Fixpoint:
    def __init__(self, model: BebopModel, limits: CheckLimits) -> None:
        self._model = model
        self._limits = limits
        self._false = model.manager.false
        self._reached: dict[Node, Function] = {}
        self._fresh: dict[Node, Function] = {}
        self._entries: dict[str, Function] = {}
        self._summaries: dict[str, Function] = {}
        self._sites: dict[str, list[tuple[str, FlowEdge]]] = {name: [] for name in model.graphs}
        self._rank = _ranks(model)
        self._heap: list[tuple[int, Node]] = []
        self._images = 0
        for name, graph in model.graphs.items():
            for edge in graph.edges:
                if isinstance(edge.op, EnterCall):
                    self._sites[edge.op.call.procedure].append((name, edge))

    def run(self) -> Reached:
        model = self._model
        self._enter(model.root, model.manager.true)
        while self._heap:
            self._limits.check()
            _, node = heapq.heappop(self._heap)
            fresh = self._fresh.pop(node)
            name, location = node
            graph = model.graphs[name]
            if location == graph.exit:
                self._leave(name, fresh)
            for edge in graph.outgoing[location]:
                if isinstance(edge.op, EnterCall):
                    self._call(name, edge, fresh)
                else:
                    self._images += 1
                    self._add((name, edge.dst), model.transfer.post(name, edge, fresh))
        return Reached(model, self._reached, self._entries, self._images)

    def _add(self, node: Node, states: Function) -> None:
        old = self._reached.get(node)
        fresh = states if old is None else states & ~old
        if not fresh.satisfiable():
            return
        self._reached[node] = fresh if old is None else old | fresh
        waiting = self._fresh.get(node)
        if waiting is None:
            heapq.heappush(self._heap, (self._rank[node], node))
            self._fresh[node] = fresh
        else:
            self._fresh[node] = waiting | fresh

    def _enter(self, name: str, entries: Function) -> None:
        old = self._entries.get(name, self._false)
        fresh = entries & ~old
        if fresh.satisfiable():
            self._entries[name] = old | fresh
            start = self._model.transfer.start(name, fresh)
            self._add((name, self._model.graphs[name].entry), start)

    def _call(self, name: str, edge: FlowEdge, fresh: Function) -> None:
        transfer = self._model.transfer
        site = transfer.site(name, edge)
        self._images += 1
        self._enter(site.callee, transfer.entries(site, fresh))
        summary = self._summaries.get(site.callee)
        if summary is not None:
            self._images += 1
            self._add((name, edge.dst), transfer.returned(name, site, fresh, summary))

    def _leave(self, callee: str, fresh: Function) -> None:
        """New summaries: bring them to all callers that have been reached."""
        transfer = self._model.transfer
        new = transfer.as_seen_by_callers(callee, fresh)
        self._summaries[callee] = self._summaries.get(callee, self._false) | new
        for name, edge in self._sites[callee]:
            states = self._reached.get((name, edge.src))
            if states is None:
                continue
            # What waits at the call site meets the whole summary when its turn comes.
            waiting = self._fresh.get((name, edge.src))
            if waiting is not None:
                states = states & ~waiting
            self._images += 1
            site = transfer.site(name, edge)
            self._add((name, edge.dst), transfer.returned(name, site, states, new))


def _ranks(model: BebopModel) -> dict[Node, int]:
    """Smaller comes first: callees before callers, then weak topological order."""
    calls = {name: tuple(callees(graph)) for name, graph in model.graphs.items()}
    ranks: dict[Node, int] = {}
    for name in reversed(weak_order(calls, model.root).order):
        graph = model.graphs[name]
        successors = {n: [edge.dst for edge in out] for n, out in enumerate(graph.outgoing)}
        for location in weak_order(successors, graph.entry).order:
            ranks[(name, location)] = len(ranks)
    return ranks
