"""Graphs of a Boolean program as code that a person and bebop can read.

Soundness duty: the code has the runs of the graphs, to the error as well.
"""

from __future__ import annotations

from ..boolprog.flow_graph import EnterCall, FlowEdge, FlowGraph, LeaveProcedure, Pass, Test
from ..boolprog.syntax import FALSE, Assert, Assign, Assume, Goto, Not, Return, Skip
from ..ir.show import Naming, show_op
from .boolean_code import (
    BooleanProcedure,
    BooleanProgram,
    Code,
    CodeBranch,
    CodeLabel,
    CodeStep,
    Node,
    Note,
)
from .boolean_graphs import BooleanGraphs


def listing(graphs: BooleanGraphs, heading: tuple[str, ...], naming: Naming) -> BooleanProgram:
    """The whole program, as it is checked."""
    procedures = tuple(_Writer(graphs, graph, naming).coded() for graph in graphs.graphs.values())
    return BooleanProgram(heading, graphs.program.globals, procedures)


class _Writer:
    """One procedure while it is written: what a location alone leads to stands behind it."""

    def __init__(self, graphs: BooleanGraphs, graph: FlowGraph, naming: Naming) -> None:
        self._graphs = graphs
        self._graph = graph
        self._naming = naming
        self._todo = [graph.entry]
        self._listed = {graph.entry}

    def coded(self) -> BooleanProcedure:
        procedure, out = self._graph.procedure, list[Node]()
        while self._todo:
            self._from(self._todo.pop(), out)
        return BooleanProcedure(
            procedure.name,
            procedure.params,
            procedure.returns,
            procedure.locals,
            tuple(out),
            procedure.enforce,
            Note(),
        )

    def _from(self, here: int, out: list[Node]) -> None:
        out.append(CodeLabel(f"L{here}"))
        while True:
            leaving = self._graph.outgoing[here]
            if len(leaving) != 1:
                bodies = tuple((self._step(edge), *self._goto(edge)) for edge in leaving)
                out.append(CodeBranch(bodies, Note()) if bodies else CodeStep(Assume(FALSE)))
                return
            [edge] = leaving
            out.append(self._step(edge))
            here = edge.dst
            if self._ends(edge):
                return
            if here in self._listed or len(self._graph.incoming[here]) != 1:
                out += self._goto(edge)
                return
            self._listed.add(here)

    def _ends(self, edge: FlowEdge) -> bool:
        return edge.dst in (self._graph.exit, self._graph.error)

    def _goto(self, edge: FlowEdge) -> Code:
        if self._ends(edge):
            return ()
        if edge.dst not in self._listed:
            self._listed.add(edge.dst)
            self._todo.append(edge.dst)
        return (CodeStep(Goto((f"L{edge.dst}",))),)

    def _step(self, edge: FlowEdge) -> CodeStep:
        origin = self._graphs.origins[edge]
        c_edge = origin.edge
        note = Note() if c_edge is None else Note(edge.at, show_op(c_edge.op, self._naming))
        fails = edge.dst == self._graph.error
        match edge.op:
            case Pass():
                return CodeStep(Assert(FALSE) if fails else Skip(), note)
            case Test(condition, wanted):
                if fails:
                    return CodeStep(Assert(Not(condition) if wanted else condition), note)
                return CodeStep(Assume(condition if wanted else Not(condition)), note)
            case Assign() as assign:
                return CodeStep(assign, note)
            case EnterCall(call):
                return CodeStep(call, note)
            case LeaveProcedure(values):
                return CodeStep(Return(values), note)
