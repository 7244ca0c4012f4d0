"""The control flow of a procedure: locations, and edges that each are one step of a run.

What counts as one step fixes what a shortest trace is: a statement; a test of an `if`, `elsif` or
loop; the choice of a `branch` or `goto`; entering a procedure; leaving it by `return` or at its
end. A conditional is a free choice between two edges that enforce the condition or its negation
[BPR01, section 9.1]. A failed assertion is a step to the procedure's error location.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

from ..records import dataclass, field
from .show import show_action, show_expression
from .syntax import (
    STAR,
    AbortIf,
    Assert,
    Assign,
    Assume,
    Body,
    Branch,
    Call,
    Dead,
    DoWhile,
    Expr,
    Goto,
    If,
    Position,
    Procedure,
    Program,
    Return,
    Skip,
    Statement,
    While,
)


@dataclass(frozen=True, slots=True)
class Pass:
    """Go on; nothing changes."""


@dataclass(frozen=True, slots=True)
class Test:
    """Go on only in states where the condition can have the value `wanted`."""

    __test__ = False  # for pytest: this is not a test case

    condition: Expr
    wanted: bool


@dataclass(frozen=True, slots=True)
class EnterCall:
    """Run the callee; the edge leads to where the caller goes on."""

    call: Call


@dataclass(frozen=True, slots=True)
class LeaveProcedure:
    """Compute the results; the edge leads to the exit."""

    values: tuple[Expr, ...]


FlowOp: TypeAlias = Pass | Test | Assign | EnterCall | LeaveProcedure


@dataclass(frozen=True, slots=True, eq=False)
class FlowEdge:
    """A step; edges are equal only if they are the same object, like statements in the program."""

    src: int
    dst: int
    op: FlowOp
    at: Position
    text: str


@dataclass(frozen=True, slots=True)
class FlowLocation:
    """A location: the state just before a statement is executed."""

    text: str
    at: Position
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FlowGraph:
    procedure: Procedure
    locations: tuple[FlowLocation, ...]
    edges: tuple[FlowEdge, ...]
    entry: int
    exit: int
    error: int
    outgoing: tuple[tuple[FlowEdge, ...], ...] = field(repr=False)
    incoming: tuple[tuple[FlowEdge, ...], ...] = field(repr=False)

    def labelled(self, label: str) -> tuple[int, ...]:
        return tuple(i for i, loc in enumerate(self.locations) if label in loc.labels)


def build(procedure: Procedure) -> FlowGraph:
    """The graph of one procedure of a resolved program."""
    return _Builder(procedure).graph()


def build_all(program: Program) -> dict[str, FlowGraph]:
    return {p.name: build(p) for p in program.procedures}


class _Builder:
    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self._locations: list[FlowLocation] = []
        self._edges: list[FlowEdge] = []
        self._labels: dict[str, int] = {}
        self._jumps: list[tuple[int, Goto, Statement]] = []

    def graph(self) -> FlowGraph:
        p = self._procedure
        exit_ = self._location("exit", p.at)
        error = self._location("error", p.at)
        self._error = error
        self._exit = exit_
        end = self._location("end", p.at)
        # Falling off the end of a procedure with results gives any results.
        self._edges.append(FlowEdge(end, exit_, LeaveProcedure((STAR,) * p.returns), p.at, "end"))
        entry = self._sequence(p.body, end)
        for node, jump, statement in self._jumps:
            for label in dict.fromkeys(jump.labels):
                self._edge(node, self._labels[label], Pass(), statement, show_action(jump))
        outgoing: list[list[FlowEdge]] = [[] for _ in self._locations]
        incoming: list[list[FlowEdge]] = [[] for _ in self._locations]
        for edge in self._edges:
            outgoing[edge.src].append(edge)
            incoming[edge.dst].append(edge)
        return FlowGraph(
            p,
            tuple(self._locations),
            tuple(self._edges),
            entry,
            exit_,
            error,
            tuple(map(tuple, outgoing)),
            tuple(map(tuple, incoming)),
        )

    def _location(self, text: str, at: Position, labels: Iterable[str] = ()) -> int:
        self._locations.append(FlowLocation(text, at, tuple(labels)))
        return len(self._locations) - 1

    def _edge(self, src: int, dst: int, op: FlowOp, statement: Statement, text: str = "") -> None:
        text = text or show_action(statement.action)
        self._edges.append(FlowEdge(src, dst, op, statement.at, text))

    def _sequence(self, body: Body, after: int) -> int:
        """Add the statements; gives the location where they begin."""
        starts = []
        for statement in body:
            start = self._location(show_action(statement.action), statement.at, statement.labels)
            starts.append(start)
            for label in statement.labels:
                self._labels[label] = start
        starts.append(after)
        for i, statement in enumerate(body):
            self._statement(statement, starts[i], starts[i + 1])
        return starts[0]

    def _statement(self, s: Statement, start: int, after: int) -> None:
        match s.action:
            case Skip():
                self._edge(start, after, Pass(), s)
            case Assign() as assign:
                self._edge(start, after, assign, s)
            case Dead(targets):
                self._edge(start, after, Assign(targets, (STAR,) * len(targets)), s)
            case Call() as call:
                self._edge(start, after, EnterCall(call), s)
            case Assume(condition):
                self._edge(start, after, Test(condition, True), s)
            case AbortIf(condition):
                self._edge(start, after, Test(condition, False), s)
            case Assert(condition):
                self._edge(start, after, Test(condition, True), s)
                self._edge(start, self._error, Test(condition, False), s)
            case Goto() as jump:
                self._jumps.append((start, jump, s))
            case Return(values):
                self._edge(start, self._exit, LeaveProcedure(values), s)
            case If(cases, otherwise):
                for i, (condition, body) in enumerate(cases):
                    last = i == len(cases) - 1
                    if last:
                        no = self._sequence(otherwise, after)
                    else:
                        no = self._location(f"elsif {show_expression(cases[i + 1][0])}", s.at)
                    self._test(start, condition, self._sequence(body, after), no, s)
                    start = no
            case While(condition, body):
                self._test(start, condition, self._sequence(body, start), after, s)
            case DoWhile(body, condition):
                test = self._location(f"while {show_expression(condition)}", s.at)
                first = self._sequence(body, test)
                # A location of its own: a jump to the loop's label is not a jump to its body's.
                self._edge(start, first, Pass(), s, "do")
                self._test(test, condition, first, after, s)
            case Branch(bodies):
                for body in bodies:
                    self._edge(start, self._sequence(body, after), Pass(), s)
            case _:
                assert_never(s.action)

    def _test(self, start: int, condition: Expr, yes: int, no: int, s: Statement) -> None:
        text = show_expression(condition)
        self._edge(start, yes, Test(condition, True), s, f"[{text}]")
        self._edge(start, no, Test(condition, False), s, f"[!({text})]")
