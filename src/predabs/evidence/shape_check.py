"""An independent check of a proof by symbolic memory graphs: are they inductive?

From each graph of a cut point, every way to the next cut points is followed once; each graph that
comes out must be one of those there, or stand for fewer memories (`smg/entailment`). Neither the
abstraction of the engine nor its join, its order or its notion of shape is used. What is trusted is
what one operation makes of a graph (`smg/transfer`).

Soundness duty: `Certified` only if the graphs before the first step are among those of the
certificate, all steps stay among them, and no error and no limit is reached on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic

from ..analysis.facts import ProgramFacts
from ..errors import UnsupportedFeature
from ..ir.cfa import Location
from ..ir.configuration import CallStack, Configuration, TransitionKind
from ..ir.def_use import op_values
from ..ir.expr import NoLeak
from ..ir.order import loop_heads
from ..ir.walk import subterms
from ..records import dataclass, field
from ..smg.entailment import entails
from ..smg.graph import MemoryGraph, Untold
from ..smg.graph_text import read_graph
from ..smg.transfer import Transfer
from ..verdict import ShapesAt
from .obligations import START, Certificate, CertificateRefuted, Certified, Stop, Unchecked


def check_shapes(facts: ProgramFacts, shapes: Iterable[ShapesAt], deadline: float) -> Certificate:
    """Check the graphs of a program until a time of `time.monotonic`. Raises `InputError` if one
    is none."""
    pointer_bytes = facts.program.data_model.pointer_bits // 8
    variables = {item.var.name: item.var for item in facts.program.globals}
    for function in facts.program.functions.values():
        variables |= {var.name: var for var in (*function.params, *function.locals)}
    told: dict[Configuration, list[MemoryGraph]] = {}
    for item in shapes:
        stack: CallStack | None = None
        for call in item.stack:
            stack = CallStack(call, stack)
        here = told.setdefault(Configuration(item.location, stack), [])
        here += [read_graph(text, pointer_bytes, variables) for text in item.graphs]
    return _ShapeCheck(facts, told, deadline).run()


@dataclass(slots=True)
class _ShapeCheck:
    facts: ProgramFacts
    told: Mapping[Configuration, list[MemoryGraph]]
    deadline: float
    _transfer: Transfer = field(init=False)
    _keep_lost: bool = field(init=False)
    _cuts: dict[str, frozenset[Location]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._transfer = Transfer(self.facts.program)
        self._keep_lost = _asks_for_leaks(self.facts)

    def run(self) -> Certificate:
        try:
            entry = self.facts.flow.entry
            for graph in self._transfer.start():
                if self._is_cut(entry):
                    self._arrive(START, entry, graph)
                else:
                    self._follow(START, entry, graph)
            for configuration, graphs in self.told.items():
                for graph in graphs:
                    self._follow(str(configuration), configuration, graph.copy())
        except Stop as end:
            return end.answer
        except (Untold, UnsupportedFeature) as problem:
            return Unchecked(str(problem))
        return Certified()

    def _follow(self, where: str, start: Configuration, graph: MemoryGraph) -> None:
        """All ways from a configuration to the next cut points."""
        todo = [(start, graph)]
        while todo:
            if monotonic() > self.deadline:
                raise Stop(Unchecked("the time limit was reached"))
            configuration, here = todo.pop()
            function = configuration.location.function
            for transition in self.facts.flow.transitions(configuration):
                graphs = [here]
                for op in transition.ops:
                    graphs = [n for g in graphs for n in self._transfer.step(g, op, function)]
                if transition.kind is not TransitionKind.STEP or transition.dst is None:
                    if graphs:
                        what = f"{transition.edge.coord}: {transition.text}"
                        raise Stop(Unchecked(f"{where}: {what}, as far as shapes tell"))
                    continue
                for new in graphs:
                    after = new.copy()
                    if transition.dst.depth < configuration.depth:
                        self._transfer.leave(after, function)
                    if self._is_cut(transition.dst):
                        self._arrive(where, transition.dst, after)
                    else:
                        todo.append((transition.dst, after))

    def _arrive(self, where: str, target: Configuration, graph: MemoryGraph) -> None:
        """A graph at a cut point is one of those that are told, or stronger than one."""
        known = self.told.get(target, ())
        if not any(entails(graph, weaker, self._keep_lost) for weaker in known):
            raise Stop(CertificateRefuted(where, f"a graph at {target} is none of those there"))

    def _is_cut(self, configuration: Configuration) -> bool:
        location = configuration.location
        name = location.function
        if name not in self._cuts:
            function = self.facts.program.functions[name]
            meeting = {at for at, edges in function.incoming.items() if len(edges) > 1}
            self._cuts[name] = loop_heads(function) | meeting
        return location in self._cuts[name]


def _asks_for_leaks(facts: ProgramFacts) -> bool:
    return any(
        isinstance(term, NoLeak)
        for function in facts.program.functions.values()
        for edge in function.edges
        for value in op_values(edge.op)
        for term in subterms(value)
    )
