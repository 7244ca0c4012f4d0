"""Control flow automata as pieces of Python code, made when they are first needed.

A program is cut in one of two manners. For speed, a piece starts at a location and goes on through
everything that can only be reached through it, branches included. Step by step, each edge is a
piece of its own, and records what it writes. In both, a piece is called with a frame and gives
(what comes next, frame, number of edges taken).

Soundness duty: a fault is blamed on the edge whose line raised it, and an edge's code does the same
in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import CodeType
from typing import Any

from ...errors import InternalError
from ...ir import make
from ...ir.cfa import Edge, Function, Location
from ...ir.expr import Expr, Lvalue
from ...ir.ops import Assign, Assume
from ...records import dataclass
from ..outcome import AssumeFailed
from ..storage_layout import VariableLayout
from .lvalues import lvalue_operands
from .probes import Probes
from .statements import CodeLines, PythonStatements

_MOST_EDGES = 64
_MOST_INDENT = 40
_HEAD_LINES = 2


class Translation:
    """The pieces of a program, by name; kept from one run to the next.

    The first letter of a name says what the piece is: `B` all that follows a location, `A` what
    follows a call, `E` a single edge, `F` the making of a function's frame, `V` the value of a
    term, `L` the address of an lvalue.
    """

    def __init__(
        self,
        layout: VariableLayout,
        functions: Mapping[str, Function],
        *,
        stepwise: bool,
        probes: Probes | None = None,
    ) -> None:
        self.layout = layout
        self.probes = probes  # of runs at full speed
        self.functions = functions
        self.stepwise = stepwise
        self.statements = PythonStatements(layout, functions, self, tracing=stepwise)
        self._names: dict[tuple[str, object], str] = {}
        self._subjects: dict[str, Any] = {}
        self._pieces: dict[str, CodeType] = {}
        self._lines: dict[CodeType, list[tuple[Edge | None, int]]] = {}

    def location(self, location: Location) -> str:
        """What generated code gives as next to go on at a location."""
        if self.stepwise:
            return self.statements.constants.name(location)
        return self.block(location)

    def block(self, location: Location) -> str:
        return self._name("B", location)

    def after(self, edge: Edge) -> str:
        return self._name("A", edge)

    def edge(self, edge: Edge) -> str:
        return self._name("E", edge)

    def frame(self, function: str) -> str:
        return self._name("F", function)

    def value(self, term: Expr) -> str:
        return self._name("V", term)

    def address(self, lvalue: Lvalue) -> str:
        return self._name("L", lvalue)

    def _name(self, letter: str, subject: object) -> str:
        found = self._names.get((letter, subject))
        if found is None:
            found = self._names[letter, subject] = f"{letter}{len(self._names)}"
            self._subjects[found] = subject
        return found

    def code(self, name: str) -> CodeType:
        """The code of the piece with that name."""
        found = self._pieces.get(name)
        if found is None:
            found = self._pieces[name] = self._translated(name[0], self._subjects[name])
        return found

    def initialiser(self, assigns: Iterable[Assign]) -> CodeType:
        """A piece that executes assignments to globals."""
        lines = CodeLines()
        for assign in assigns:
            self.statements.assign(assign, lines)
        return self._compiled(lines, "")

    def blamed(self, code: CodeType, line: int) -> tuple[Edge, int] | None:
        """The edge that a line of a piece belongs to, and its number, if there is one."""
        edges = self._lines.get(code)
        if edges is None or line <= _HEAD_LINES:
            return None
        edge, number = edges[line - _HEAD_LINES - 1]
        return None if edge is None else (edge, number)

    def _translated(self, letter: str, subject: Any) -> CodeType:
        lines, params = CodeLines(), "r"
        match letter:
            case "B":
                _Tree(self, lines).grow(subject)
            case "A":
                lines.edge = subject
                self.statements.after_call(subject, lines)
                if self.stepwise or self.is_shared(subject.dst):
                    lines.add(f"return {self.location(subject.dst)}, r, 0")
                else:
                    _Tree(self, lines).grow(subject.dst)
            case "E":
                lines.edge, lines.steps = subject, 1
                if self.statements.emit(subject, lines):
                    lines.add(f"return {self.location(subject.dst)}, r, 1")
            case "F":
                params = self.statements.frame(self.layout.frames[subject], lines)
            case "V":
                evaluator = self.statements.evaluator
                evaluator.prepare([subject], lines.add)
                lines.add(f"return {evaluator.codes[subject].text}")
            case "L":
                evaluator = self.statements.evaluator
                evaluator.prepare(lvalue_operands(subject), lines.add)
                found = evaluator.lvalues.resolve(subject, "", evaluator.codes)
                lines.add(f"return {evaluator.lvalues.address(found).text}")
        return self._compiled(lines, params)

    def _compiled(self, lines: CodeLines, params: str) -> CodeType:
        declared = f" global {', '.join(sorted(lines.globals))}" if lines.globals else " pass"
        source = "\n".join([f"def piece({params}):", declared, *lines.texts])
        namespace: dict[str, Any] = {}
        exec(compile(source, "<predabs>", "exec"), namespace)
        code: CodeType = namespace["piece"].__code__
        self._lines[code] = lines.edges
        return code

    def is_shared(self, location: Location) -> bool:
        """Whether the location is reached along more than one edge, or as an entry: it is a piece
        of its own then."""
        function = self.functions[location.function]
        return location is function.entry or len(function.incoming[location]) != 1


@dataclass(slots=True)
class _Branch:
    """The alternatives of a location that have not been tried yet, the next one last."""

    assumes: list[Edge]
    other: Edge | None
    tried: list[Expr]
    indent: int
    steps: int


class _Tree:
    """The code from a location on, as far as it goes without meeting other paths."""

    def __init__(self, translation: Translation, lines: CodeLines) -> None:
        self._translation = translation
        self._statements = translation.statements
        self._lines = lines
        self._pending: list[_Branch] = []
        self._edges = 0

    def grow(self, head: Location) -> None:
        lines, probes = self._lines, self._translation.probes
        if probes is not None and head is self._translation.functions[head.function].entry:
            self._observe(probes.entered(head))
        location = self._follow(head)
        while True:
            while location is not None:
                is_leaf = (
                    self._edges > _MOST_EDGES
                    or lines.indent > _MOST_INDENT
                    or self._translation.is_shared(location)
                )
                if is_leaf:
                    name = self._translation.block(location)
                    lines.add(f"return {name}, r, {lines.steps}")
                    break
                location = self._follow(location)
            if not self._pending:
                return
            location = self._next_alternative()

    def _follow(self, location: Location) -> Location | None:
        """Emit what happens at a location; where it goes on, if that is one location."""
        function = self._translation.functions[location.function]
        edges = function.outgoing[location]
        if not edges:
            if location is function.exit:
                self._statements.leave(function.name, "None", self._lines)
            else:
                name = self._statements.constants.name(location)
                self._lines.add(f"stuck({name})")
            return None
        assumes, other = choices(location, edges)
        if other is not None and not assumes:
            return self._take(other, self._lines.steps)
        lines = self._lines
        self._pending.append(_Branch(assumes[::-1], other, [], lines.indent, lines.steps))
        return None

    def _next_alternative(self) -> Location | None:
        """Emit the next alternative of the innermost branch; where it goes on."""
        branch = self._pending[-1]
        lines = self._lines
        lines.indent = branch.indent
        if not branch.assumes:
            self._pending.pop()
            assert branch.other is not None
            return self._take(branch.other, branch.steps)
        edge = branch.assumes.pop()
        assert isinstance(edge.op, Assume)
        lines.edge, lines.steps = edge, branch.steps + 1
        self._edges += 1
        is_last = not branch.assumes and branch.other is None
        if not is_last:
            lines.add(f"if {self._statements.condition(edge, lines)}:")
            lines.indent += 1
            branch.tried.append(edge.op.cond)
            self._observe_branch(edge)
            return edge.dst
        self._pending.pop()
        if [make.negate(cond) for cond in branch.tried] != [edge.op.cond]:
            failed = self._statements.constants.name(AssumeFailed(edge))
            condition = self._statements.condition(edge, lines)
            lines.add(f"if not {condition}: raise Finished({failed}, {lines.steps})")
        self._observe_branch(edge)
        return edge.dst

    def _observe_branch(self, edge: Edge) -> None:
        if self._translation.probes is not None:
            self._observe(self._translation.probes.taken(edge))

    def _observe(self, text: str) -> None:
        if text:
            self._lines.add(text)

    def _take(self, edge: Edge, steps: int) -> Location | None:
        self._lines.edge, self._lines.steps = edge, steps + 1
        self._edges += 1
        return edge.dst if self._statements.emit(edge, self._lines) else None


def choices(location: Location, edges: Iterable[Edge]) -> tuple[list[Edge], Edge | None]:
    """The assumptions that a location offers, in order, and the edge without one, if any."""
    assumes: list[Edge] = []
    others: list[Edge] = []
    for edge in edges:
        (assumes if isinstance(edge.op, Assume) else others).append(edge)
    if len(others) > 1:
        raise InternalError(f"{len(others)} edges leave {location} at the same time")
    return assumes, others[0] if others else None
