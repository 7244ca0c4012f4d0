"""The Boolean program of a C program as graphs, with the CFA edge that each step stands for.

The same abstraction as `program.abstract`, made for many rounds: what was found for a procedure is
kept as long as nothing that it depends on has changed. Both begin with the same interfaces and the
code that `procedure` has for each edge. They part there: a reader needs loops and branches
(`structured_code`), in which it is no longer said which edge a step stands for, and the engine
needs just that, and steps that lemmas make more precise.

Soundness duty: that of the procedures' abstractions; and the steps of a run, read in order, are a
path of the C program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..boolprog.flow_graph import (
    EnterCall,
    FlowEdge,
    FlowGraph,
    FlowLocation,
    FlowOp,
    LeaveProcedure,
    Pass,
    Test,
)
from ..boolprog.syntax import (
    FALSE,
    NOWHERE,
    Assert,
    Assign,
    Assume,
    Call,
    Expr,
    Procedure,
    Program,
    Return,
    Skip,
    nary,
)
from ..errors import InternalError
from ..ir.cfa import Edge, Function, Location
from ..ir.ops import Call as CCall
from ..records import dataclass
from .abstraction_context import AbstractionContext
from .boolean_code import Code, CodeBranch, CodeStep, Meaning
from .boolean_variables import Boolean
from .interface import Interface
from .lemmas import Lemmas
from .procedure import ProcedureAbstraction, position
from .program import ProgramPredicates, interfaces_of
from .program_entry import begin_code, initial_booleans, start_procedure, starts_in_entry


@dataclass(frozen=True, slots=True)
class Origin:
    """What a step stands for: an edge of the C program, if it is the first step for it, and what it
    means. `unknown_call`: here the abstraction does not know what the C program does."""

    function: str
    edge: Edge | None
    meaning: Meaning | None
    unknown_call: bool = False


@dataclass(frozen=True, slots=True)
class BooleanGraphs:
    """A Boolean program, ready for bebop; `nodes` has the procedure and the
    node of each location of the C program."""

    program: Program
    graphs: Mapping[str, FlowGraph]
    root: str
    origins: Mapping[FlowEdge, Origin]
    nodes: Mapping[Location, tuple[str, int]]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The code of a procedure, and what it was made of."""

    made_of: tuple[object, ...]
    abstraction: ProcedureAbstraction
    codes: Mapping[Edge, Code]
    begin: Code
    impossible: Expr | None


class BooleanGraphBuilder:
    """Makes the Boolean program of each round; `reused` counts the procedures that were kept."""

    def __init__(self, context: AbstractionContext) -> None:
        self._context = context
        self._program = context.program
        self._direct = starts_in_entry(context.facts)
        self._kept: dict[str, _Kept] = {}
        self._initial: dict[Boolean, Expr] = {}
        self.reused = 0

    def build(self, predicates: ProgramPredicates, lemmas: Lemmas) -> BooleanGraphs:
        """The Boolean program for these predicates; `lemmas` make its steps more precise."""
        interfaces = interfaces_of(self._program, predicates, self._direct)
        entry = interfaces[self._program.entry]
        initial = self._initial_values((*predicates.shared, *entry.own))
        writers: list[_GraphWriter] = []
        origins: dict[FlowEdge, Origin] = {}
        if not self._direct:
            coded = start_procedure(entry, predicates.shared, initial)
            writer = _GraphWriter(Procedure(coded.name, (), 0, (), ()), "", origins, lemmas)
            writer.chain(writer.entry, (*coded.code, CodeStep(Return(()))), writer.exit, None)
            writers.append(writer)
        for name, mine in interfaces.items():
            kept = self._code(mine, interfaces, predicates.shared)
            begin = kept.begin
            if self._direct and name == self._program.entry:
                begin = begin_code(entry, initial) + begin
            writers.append(self._graph_of(mine, kept, begin, origins, lemmas))
        shared = tuple(variable.name for variable in predicates.shared)
        program = Program(shared, tuple(writer.procedure for writer in writers))
        graphs = {writer.procedure.name: writer.graph() for writer in writers}
        nodes = {
            location: (writer.procedure.name, number)
            for writer in writers
            for location, number in writer.numbers.items()
        }
        return BooleanGraphs(program, graphs, writers[0].procedure.name, origins, nodes)

    def _initial_values(self, wanted: Sequence[Boolean]) -> dict[str, Expr]:
        new = [variable for variable in wanted if variable not in self._initial]
        if new:
            seconds = self._context.cubes.seconds
            found = initial_booleans(self._context.logics, new, seconds)
            self._initial.update((variable, found[variable.name]) for variable in new)
        return {variable.name: self._initial[variable] for variable in wanted}

    def _code(
        self, mine: Interface, interfaces: Mapping[str, Interface], shared: tuple[Boolean, ...]
    ) -> _Kept:
        name = mine.function.name
        called = tuple(interfaces[callee] for callee in self._context.facts.call_graph[name])
        made_of = (mine, shared, called)
        kept = self._kept.get(name)
        if kept is not None and kept.made_of == made_of:
            self.reused += 1
            return kept
        abstraction = ProcedureAbstraction(
            self._context, mine, interfaces, shared, tests_as_variables=True
        )
        codes = {edge: abstraction.step(edge) for edge in mine.function.edges}
        begin = abstraction.bind()
        kept = _Kept(made_of, abstraction, codes, begin, abstraction.impossible())
        self._kept[name] = kept
        return kept

    def _graph_of(
        self,
        mine: Interface,
        kept: _Kept,
        begin: Code,
        origins: dict[FlowEdge, Origin],
        lemmas: Lemmas,
    ) -> _GraphWriter:
        abstraction = kept.abstraction
        enforce = lemmas.enforced(abstraction.variables, abstraction.mixed)
        parts = [part for part in (kept.impossible, enforce) if part is not None]
        procedure = Procedure(
            mine.name,
            tuple(variable.name for variable in mine.formals),
            len(mine.returned),
            abstraction.local_names(),
            (),
            nary("&", parts) if parts else None,
        )
        writer = _GraphWriter(procedure, mine.function.name, origins, lemmas)
        writer.function(mine.function, begin, kept.codes)
        return writer


class _GraphWriter:
    """One procedure's graph while it is made."""

    def __init__(
        self,
        procedure: Procedure,
        function: str,
        origins: dict[FlowEdge, Origin],
        lemmas: Lemmas,
    ) -> None:
        self.procedure = procedure
        self._function = function
        self._origins = origins
        self._lemmas = lemmas
        self._locations: list[FlowLocation] = []
        self._edges: list[FlowEdge] = []
        self.numbers: dict[Location, int] = {}
        self.exit, self.error, self.entry = self._new("exit"), self._new("error"), self._new("")

    def graph(self) -> FlowGraph:
        outgoing: list[list[FlowEdge]] = [[] for _ in self._locations]
        incoming: list[list[FlowEdge]] = [[] for _ in self._locations]
        for edge in self._edges:
            outgoing[edge.src].append(edge)
            incoming[edge.dst].append(edge)
        return FlowGraph(
            self.procedure,
            tuple(self._locations),
            tuple(self._edges),
            self.entry,
            self.exit,
            self.error,
            tuple(map(tuple, outgoing)),
            tuple(map(tuple, incoming)),
        )

    def function(
        self,
        function: Function,
        begin: Code,
        codes: Mapping[Edge, Code],
    ) -> None:
        """Write all edges; `begin` comes before the first one."""
        numbers = self.numbers = {
            location: self._new(str(location)) for location in function.locations
        }
        self.chain(self.entry, begin, numbers[function.entry], None)
        for edge, code in codes.items():
            self.chain(numbers[edge.src], code, numbers[edge.dst], edge)

    def chain(self, src: int, code: Code, dst: int, edge: Edge | None) -> None:
        """The steps of a piece of code, from one location to another."""
        if not code:
            self._step(src, dst, Pass(), edge, None)
        for number, node in enumerate(code):
            last = number == len(code) - 1
            match node:
                case CodeBranch(bodies):
                    if not last:
                        raise InternalError("there is code behind a choice of calls")
                    for body in bodies:
                        self.chain(src, body, dst, edge)
                case CodeStep(action, _, meaning):
                    after = dst if last else self._new("")
                    self._action(src, after, action, edge, meaning)
                    src, edge = after, None
                case _:
                    raise InternalError(f"{node} is no code of an edge")

    def _action(
        self, src: int, dst: int, action: object, edge: Edge | None, meaning: Meaning | None
    ) -> None:
        match action:
            case Skip():
                self._test(src, dst, None, edge, meaning)
            case Assume(condition):
                self._test(src, dst, condition, edge, meaning)
            case Assert(condition):
                # that of a call: it may go to an unknown function
                unknown_call = edge is not None and isinstance(edge.op, CCall)
                self._step(src, self.error, Test(condition, False), edge, None, unknown_call)
            case Assign() as assign:
                op = assign if meaning is None else self._lemmas.assigned(assign, meaning)
                self._step(src, dst, op, edge, meaning)
            case Call() as call:
                self._step(src, dst, EnterCall(call), edge, None)
            case Return(values):
                self._step(src, self.exit, LeaveProcedure(values), edge, None)
            case _:
                raise InternalError(f"{action} is no step")

    def _test(
        self, src: int, dst: int, known: Expr | None, edge: Edge | None, meaning: Meaning | None
    ) -> None:
        """A condition; a false one needs no step."""
        if known is FALSE:
            return
        parts = [] if known is None else [known]
        parts += [] if meaning is None else self._lemmas.tested(meaning)
        op: FlowOp = Test(nary("&", parts), True) if parts else Pass()
        self._step(src, dst, op, edge, meaning)

    def _step(
        self,
        src: int,
        dst: int,
        op: FlowOp,
        edge: Edge | None,
        meaning: Meaning | None,
        unknown_call: bool = False,
    ) -> None:
        at = NOWHERE if edge is None else position(edge.coord)
        made = FlowEdge(src, dst, op, at, "")
        self._edges.append(made)
        self._origins[made] = Origin(self._function, edge, meaning, unknown_call)

    def _new(self, text: str) -> int:
        self._locations.append(FlowLocation(text, NOWHERE))
        return len(self._locations) - 1
