"""The engine smg: explores symbolic memory graphs, lists folded into segments at loops [DPV13].

It proves memory safety of programs with lists of any length, and assertions that follow from shapes
and constants. Soundness duty: `Safe` only if every graph was followed until it was covered by
another of the same configuration; an error that a graph does not exclude, and whatever a graph
cannot tell, makes the answer `Unknown`. It never reports a violation.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator

from ...analysis.facts import ProgramFacts
from ...errors import UnsupportedFeature
from ...evidence.recording import RecordTexts
from ...ir.cfa import Coord, Location
from ...ir.configuration import Configuration, TransitionKind
from ...ir.def_use import op_values
from ...ir.expr import NoLeak, Var
from ...ir.order import location_graph, loop_heads, reverse_postorder
from ...ir.walk import subterms
from ...options import Budget
from ...proof_record import EngineRecord, MemoryShape
from ...smg.abstraction import Alike, fold
from ...smg.canonical import Shape, collect, join, shape_of, without
from ...smg.generalize import generalized
from ...smg.graph import MemoryGraph, Untold
from ...smg.graph_text import graph_text
from ...smg.transfer import Transfer
from ...statistics import Phase
from ...supervise.garbage import uncollected
from ...verdict import Method, Proof, Safe, ShapesAt, Unknown, Verdict
from ..engine import EngineTask
from .shape_recorder import MOST_SHAPES, shown_shape

_MOST_OBJECTS, _MOST_UNFOLDED = 400, 100
_MOST_SHAPES, _MOST_SHAPES_UNFOLDED = 300, 2000  # of one configuration
_MANY_SHAPES = 8  # of a loop head, before graphs of different shapes are joined


class SmgEngine:
    """Searches one after the other, each with more precise segments than the one before; they can
    be interrupted and continued."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._reasons: list[str] = []
        self._searches = [_Search(task, alike) for alike in Alike]
        self._searches += [_Search(task, alike, counted=True) for alike in (None, Alike.ANY)]

    @property
    def so_far(self) -> str:
        return f"{sum(search.count for search in self._searches)} graphs were explored"

    def run(self, budget: Budget) -> Verdict:
        """Explore until all graphs are covered, or all searches have ended."""
        with self._task.statistics.phase(Phase.SEARCH), uncollected():  # graphs are no cycles
            for search in self._searches:
                if search.stopped:
                    continue
                try:
                    search.run(budget)
                    if self._task.statistics.record is not None:
                        search.tell(self._task.statistics.record)
                    proof = Proof("smg", Method.SHAPES, "", whole=False)
                    told = tuple(search.shapes()) if self._task.options.certify else ()
                    return Safe((), proof, shapes=told)
                except _Stop as stop:
                    search.stopped = True
                    self._reasons.append(str(stop))
                    if self._task.statistics.record is not None:
                        search.tell(self._task.statistics.record)
        return Unknown(self._reasons[0])


class _Search:
    """One exploration. If it is `counted`, graphs with different numbers in variables are kept
    apart: loops that count to a small number are followed round by round. Nodes of which nothing
    says when they are `alike` are not folded: so lists keep their lengths."""

    def __init__(self, task: EngineTask, alike: Alike | None, *, counted: bool = False) -> None:
        self.stopped = False
        self.count = 0
        self._alike = alike
        self._counted = counted
        self._most_objects = _MOST_UNFOLDED if alike is None else _MOST_OBJECTS
        self._most_shapes = _MOST_SHAPES_UNFOLDED if alike is None else _MOST_SHAPES
        self._facts: ProgramFacts = task.facts
        self._progress = task.progress
        self._transfer = Transfer(task.program)
        self._orders: dict[str, dict[Location, int]] = {}
        self._heads: dict[str, frozenset[Location]] = {}
        self._joins: dict[str, frozenset[Location]] = {}
        self._reached: dict[Configuration, dict[Hashable, tuple[Shape, MemoryGraph]]] = {}
        self._waiting: list[tuple[tuple[int, ...], int, Configuration, MemoryGraph]] = []
        self._begun = False
        self._visited: set[Location] = set()
        self._asks_for_leaks = _asks_for_leaks(task.facts)

    def run(self, budget: Budget) -> None:
        """Explore until all graphs are covered; raises `_Stop` where that is not possible."""
        if not self._begun:
            self._begin()
        while self._waiting:
            budget.check()
            _, _, configuration, graph = heapq.heappop(self._waiting)
            self._expand(configuration, graph)
            if self.count % 256 == 0:
                self._progress(f"smg: {self.count} graphs")

    def tell(self, record: EngineRecord) -> None:
        """For a report: the graphs at the loop heads."""
        texts = RecordTexts(self._facts.program)
        found: list[MemoryShape] = []
        left_out = 0
        for place in self._visited:
            for edge in self._facts.program.functions[place.function].outgoing[place]:
                record.reach(edge.coord)
        for configuration, known in self._reached.items():
            location = configuration.location
            if location in self._loop_heads(location.function):
                graphs = [graph for _, graph in known.values()]
                room = max(0, MOST_SHAPES - len(found))
                at = texts.place(configuration)
                found += [shown_shape(at, graph) for graph in graphs[:room]]
                left_out += max(0, len(graphs) - room)
        record.shapes = tuple(found)
        state = " so far" if self._waiting or self.stopped else "; all are covered"
        record.facts.append(f"{self.count} symbolic memory graphs were explored{state}")
        if left_out:
            record.facts.append(f"{left_out} more graphs at loop heads are not shown")

    def shapes(self) -> Iterator[ShapesAt]:
        """For a certificate: the graphs where paths meet and at loop heads."""
        for configuration, known in self._reached.items():
            texts = tuple(graph_text(graph) for _, graph in known.values())
            yield ShapesAt(configuration.location, configuration.calls, texts)

    def _begin(self) -> None:
        self._begun = True
        try:
            for graph in self._transfer.start():
                self._add(self._facts.flow.entry, graph)
        except Untold as problem:
            raise _Stop(f"a global variable: {problem}") from None

    def _expand(self, configuration: Configuration, graph: MemoryGraph) -> None:
        self._visited.add(configuration.location)
        for transition in self._facts.flow.transitions(configuration):
            coord = transition.edge.coord
            graphs = [graph]
            try:
                for op in transition.ops:
                    graphs = [
                        new
                        for old in graphs
                        for new in self._transfer.step(old, op, configuration.location.function)
                    ]
            except (Untold, UnsupportedFeature) as problem:
                raise _Stop(f"{coord}: {problem}") from None
            if not graphs:
                continue
            if transition.kind is not TransitionKind.STEP:
                raise _Stop(f"{coord}: {transition.text}, as far as shapes tell")
            assert transition.dst is not None
            for new in graphs:
                if new is graph:
                    new = new.copy()
                if transition.dst.depth < configuration.depth:
                    self._transfer.leave(new, configuration.location.function)
                self._add_at(transition.dst, new, coord)

    def _add_at(self, configuration: Configuration, graph: MemoryGraph, coord: Coord) -> None:
        if len(graph.objects) > self._most_objects:
            raise _Stop(f"{coord}: there are too many objects")
        self._add(configuration, graph)

    def _add(self, configuration: Configuration, graph: MemoryGraph) -> None:
        """Explore a graph, unless it is covered; where paths meet, graphs of one shape are one."""
        location = configuration.location
        function = location.function
        head = location in self._loop_heads(function)
        if head or location in self._meeting_points(function):
            without(graph, self._dead(configuration))
            collect(graph, self._asks_for_leaks)
            if head and self._alike is not None:
                fold(graph, self._alike)
            shape = shape_of(graph, counted=self._counted)
            known = self._reached.setdefault(configuration, {})
            found = known.get(shape.key)
            if found is not None:
                old_shape, old = found
                if not join(old, old_shape, graph, shape):
                    return
                shape = shape_of(graph, counted=self._counted)
            elif head and self._alike is not None and len(known) >= _MANY_SHAPES:
                wider = self._generalized(known, graph, self._alike)
                if wider is not None:
                    graph, shape = wider, shape_of(wider, counted=self._counted)
                    found = known.get(shape.key)
                    if found is not None and not join(found[1], found[0], graph, shape):
                        return
                    shape = shape_of(graph, counted=self._counted)
            if shape.key not in known and len(known) >= self._most_shapes:
                raise _Stop(f"{location}: there are too many shapes")
            known[shape.key] = (shape, graph.copy())
        self.count += 1
        entry = (self._rank(configuration), self.count, configuration, graph)
        heapq.heappush(self._waiting, entry)

    def _generalized(
        self, known: dict[Hashable, tuple[Shape, MemoryGraph]], graph: MemoryGraph, alike: Alike
    ) -> MemoryGraph | None:
        """A join of the graph with one of another shape, which is left out if it adds to it."""
        for key, (_, old) in known.items():
            wider = generalized(old, graph)
            if wider is not None:
                fold(wider, alike)
                if shape_of(wider, counted=self._counted).key != key:
                    del known[key]
                return wider
        return None

    # --- control flow -----------------------------------------------------------------------------

    def _order(self, function: str) -> dict[Location, int]:
        if function not in self._orders:
            made = self._facts.program.functions[function]
            order = reverse_postorder(location_graph(made), made.entry)
            self._orders[function] = {location: number for number, location in enumerate(order)}
        return self._orders[function]

    def _rank(self, configuration: Configuration) -> tuple[int, ...]:
        """Where a configuration stands: what comes earlier in the code is explored first."""
        places = [*(call.src for call in configuration.calls), configuration.location]
        return tuple(self._order(place.function).get(place, 0) for place in places)

    def _loop_heads(self, function: str) -> frozenset[Location]:
        if function not in self._heads:
            self._heads[function] = loop_heads(self._facts.program.functions[function])
        return self._heads[function]

    def _meeting_points(self, function: str) -> frozenset[Location]:
        if function not in self._joins:
            incoming = self._facts.program.functions[function].incoming
            self._joins[function] = frozenset(
                at for at, edges in incoming.items() if len(edges) > 1
            )
        return self._joins[function]

    def _dead(self, configuration: Configuration) -> set[Var]:
        """The scalar variables that nothing reads any more, of the calls under way."""
        liveness = self._facts.liveness
        functions = self._facts.program.functions
        dead: set[Var] = set()
        for location in (configuration.location, *(call.dst for call in configuration.calls)):
            live = liveness.at(location)
            function = functions[location.function]
            for var in (*function.params, *function.locals):
                if var not in live and liveness.knows(var):
                    dead.add(var)
        return dead


class _Stop(Exception):
    """There is no proof; the text says where it ends."""


def _asks_for_leaks(facts: ProgramFacts) -> bool:
    return any(
        isinstance(term, NoLeak)
        for function in facts.program.functions.values()
        for edge in function.edges
        for value in op_values(edge.op)
        for term in subterms(value)
    )
