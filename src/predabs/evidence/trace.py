"""A run in terms of the source: one line for each step that says something, with its values.

    loop.c:5   i = 0;          i = 0
    loop.c:5   [i < n]         i = 0, n = 3

A branch shows the condition that held. Temporaries of the front end are not shown: where one is
used, its value stands, or the call that it came from. Events of a rule are marked as such. Of a
long run the beginning and the end are kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..analysis.points_to.address_taken import address_taken
from ..concrete.outcome import ExecutedStep, FoundValue, Value
from ..frontend.lower.scopes import MODEL_PREFIX, MODELS
from ..ir.cfa import Coord, Edge, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Deref, FunctionAddress, Lvalue, Var
from ..ir.listing import naming
from ..ir.ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    ErrorKind,
    Fill,
    Havoc,
    Operation,
    Print,
    Return,
    Skip,
    Source,
)
from ..ir.show import show_expr, show_op
from ..ir.types import PointerType
from ..ir.walk import root_of, variables
from ..spec.rules import is_event

KEPT = 10_000  # steps of a trace; half of them at its beginning, half at its end
_TEXT_FIRST, _TEXT_LAST = 30, 50  # steps in the text form
_LONGEST = 100  # characters of a statement in the text form
_SHOWN_BYTES = 16

Shown: TypeAlias = int | float | str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step at a place in the source; `values` are what it wrote or, of a branch, looked at.

    An address or the bytes of an aggregate are a text, numbers are numbers.
    """

    file: str
    line: int
    column: int
    function: str
    statement: str
    values: tuple[tuple[str, Shown], ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of a run; where it is long, `omitted` steps lie between `first` and `last`.

    `omitted` is None if the run was too long to be followed step by step to its end.
    """

    first: tuple[TraceStep, ...]
    omitted: int | None
    last: tuple[TraceStep, ...]

    def text(self) -> str:
        """The trace for a person: long runs are abbreviated."""
        steps = [*self.first, *self.last]
        most = _TEXT_FIRST + _TEXT_LAST
        if len(steps) <= most and self.omitted == 0:
            return "\n".join(_lines(steps))
        if self.omitted is None:
            first, last, count = steps[:_TEXT_FIRST], list(self.last), "very many"
        else:
            first, last = steps[:_TEXT_FIRST], steps[-_TEXT_LAST:]
            count = str(len(steps) - len(first) - len(last) + self.omitted)
        return "\n".join([*_lines(first), f"    ... {count} more steps ...", *_lines(last)])


def _lines(steps: Iterable[TraceStep]) -> list[str]:
    rows = [(f"{step.file}:{step.line}", _cut(step.statement), step.values) for step in steps]
    where = min(max((len(row[0]) for row in rows), default=0), 40)
    what = min(max((len(row[1]) for row in rows), default=0), 50)
    lines = []
    for position, statement, values in rows:
        shown = ", ".join(f"{name} = {value}" for name, value in values)
        lines.append(f"{position:{where}}  {statement:{what}}  {shown}".rstrip())
    return lines


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


@dataclass(frozen=True, slots=True)
class _Form:
    """What is the same each time an edge is taken."""

    hidden: bool  # there is nothing to say about it
    looked: tuple[Var, ...]  # the variables in the condition of a branch
    dynamic: bool  # its text depends on what temporaries stand for


class Narrator:
    """Takes the steps of a run as they come, and makes a trace of them.

    Most steps of a long run are dropped, so as little as possible is done for each.
    """

    def __init__(self, program: Program) -> None:
        self._name = naming(program)
        self._outside = _watched_from_outside(program)
        self._called_at: Coord | None = None  # the last call from inside
        self._entries = {function.entry for function in program.functions.values()}
        self._forms: dict[Edge, _Form] = dict.fromkeys(_passed_checks(program), _HIDDEN)
        self._first: list[ExecutedStep | TraceStep] = []
        self._last: deque[ExecutedStep | TraceStep] = deque(maxlen=KEPT // 2)
        self._count = 0
        # with the number of writes through pointers so far: another one may have changed a variable
        self._globals: dict[Var, tuple[Value, int]] = {}
        self._frames: list[dict[Var, tuple[Value, int]]] = [{}]
        self._writes = 0
        self._is_register = address_taken(program).scalar_variable
        self._called: ExecutedStep | None = None
        self._meaning: dict[Var, str] = {}  # of temporaries
        self._found: list[tuple[str, Shown]] = []  # in the environment, since the last step kept

    def trace(self) -> Trace:
        """The steps of a run that has ended."""
        omitted = self._count - len(self._first) - len(self._last)
        return Trace(self._all_told(self._first), omitted, self._all_told(self._last))

    def unfinished(self, end: Edge) -> Trace:
        """The trace of a run that was followed for a while only, and is known to end with `end`."""
        return Trace(self._all_told(self._first), None, (self._told(ExecutedStep(end, ())),))

    def _all_told(self, part: Iterable[ExecutedStep | TraceStep]) -> tuple[TraceStep, ...]:
        return tuple(self._told(kept) if isinstance(kept, ExecutedStep) else kept for kept in part)

    def __call__(self, step: ExecutedStep) -> None:
        edge = step.edge
        if self._called is not None:
            self._enter(edge)
        form = self._forms.get(edge)
        if form is None:
            form = self._forms[edge] = self._form(edge)
        self._found += [self._in_environment(item) for item in step.found]
        if not form.hidden and not _is_nothing(step):
            self._count += 1
            shown = ExecutedStep(edge, self._looked(form.looked)) if form.looked else step
            kept = self._told(shown) if form.dynamic or self._found else shown
            (self._first if len(self._first) < KEPT // 2 else self._last).append(kept)
        self._remember(step)

    # --- values -----------------------------------------------------------------------------------

    def _enter(self, edge: Edge) -> None:
        """The step before was a call: are we in the callee now? Then its parameters are known."""
        call, self._called = self._called, None
        if call is not None and edge.src is not call.edge.dst and edge.src in self._entries:
            known = {var: (v, self._writes) for var, v in call.values if isinstance(var, Var)}
            self._frames.append(known)

    def _remember(self, step: ExecutedStep) -> None:
        """Keep track of the variables, so that a branch can show them."""
        match step.edge.op:
            case Call(target, callee, args):
                self._called = step
                if step.edge.src.function not in self._outside:
                    self._called_at = step.edge.coord
                if isinstance(target, Var) and _is_temporary(target):
                    text = self._text(Call(None, callee, args)).removesuffix(";")
                    self._meaning[target] = text if len(text) < _LONGEST else target.short
                return
            case Return() if len(self._frames) > 1:
                self._frames.pop()
            case Havoc(Var() as target, _, name) if _is_temporary(target):
                self._meaning[target] = f"{name}()"
            case Assign(Var() as target, _) if _is_temporary(target):
                # by its value: the variables it was computed from may change before it is used
                self._meaning[target] = str(_shown(target, step.values[0][1]))
        roots = [root_of(lvalue) for lvalue, _ in step.values]
        if isinstance(step.edge.op, Fill | Copy) or any(isinstance(r, Deref) for r in roots):
            self._writes += 1
        for (lvalue, value), root in zip(step.values, roots, strict=True):
            if isinstance(root, Var):
                known = self._frames[-1] if root.function else self._globals
                known.pop(root, None)
                if root is lvalue:
                    known[root] = value, self._writes

    def _looked(self, variables_: tuple[Var, ...]) -> tuple[tuple[Lvalue, Value], ...]:
        """The variables among these whose values are known."""
        found: list[tuple[Lvalue, Value]] = []
        for var in variables_:
            known = (self._frames[-1] if var.function else self._globals).get(var)
            if known is not None and (known[1] == self._writes or self._is_register(var)):
                found.append((var, known[0]))
        return tuple(found)

    def _meant(self, var: Var) -> str:
        return self._meaning.get(var) or self._name(var)

    def _in_environment(self, found: FoundValue) -> tuple[str, Shown]:
        """What memory of the environment holds when it is first read."""
        where = f"at {found.address:#x} (memory of the environment)"
        return f"{show_expr(found.lvalue, self._meant)} {where}", _shown(found.lvalue, found.value)

    # --- steps ------------------------------------------------------------------------------------

    def _form(self, edge: Edge) -> _Form:
        """What there is to say; an event without arguments shows in what it does, and only the
        result counts of what goes on outside of the program."""
        function, op = edge.src.function, edge.op
        if _called_event(op) is not None:
            hidden = isinstance(op, Call) and not op.args
        elif is_event(function):
            hidden = isinstance(op, Return)
        else:
            hidden = function in self._outside and not isinstance(op, Havoc | Error)
        return _HIDDEN if hidden else _form(op)

    def _text(self, op: Operation) -> str:
        match op:
            case Call(target, FunctionAddress(name, type_), args) if name.startswith(MODEL_PREFIX):
                op = Call(target, FunctionAddress(name.removeprefix(MODEL_PREFIX), type_), args)
        return show_op(op, self._meant)

    def _told(self, step: ExecutedStep) -> TraceStep:
        """What the trace says about a step."""
        edge, coord = step.edge, step.edge.coord
        values = tuple(
            (show_expr(lvalue, self._meant), _shown(lvalue, value))
            for lvalue, value in step.values
            if not _is_temporary(lvalue)
        )
        match edge.op:
            case Error(_, text):
                statement = text
            case Havoc(target, _, name) if _is_temporary(target):
                statement = f"{name}();"
                values = tuple((f"{name}()", _shown(target, value)) for _, value in step.values)
            case Call(Var() as target, callee, args) if _is_temporary(target):
                statement = self._text(Call(None, callee, args))
            case op:
                statement = self._text(op)
        if is_event(edge.src.function):
            statement = f"event {edge.src.function}: {statement}"
        elif (called := _called_event(edge.op)) is not None:
            statement = f"event {called}"
        elif edge.src.function in self._outside:
            coord = self._called_at or coord
        values += tuple(self._found)
        self._found.clear()
        return TraceStep(coord.file, coord.line, coord.column, edge.src.function, statement, values)


_HIDDEN = _Form(True, (), False)


def _called_event(op: Operation) -> str | None:
    """The event of a rule that is called, if it is a call of one."""
    match op:
        case Call(_, FunctionAddress(name, _), _) if is_event(name):
            return name
    return None


def _watched_from_outside(program: Program) -> frozenset[str]:
    """The functions that stand for code from outside, only so that a rule can watch them, and what
    models have to help them."""
    models = [f for f in program.functions.values() if f.coord.file == MODELS]
    watched = {f.name for f in models if any(_called_event(edge.op) for edge in f.edges)}
    helpers = {f.name for f in models if watched and f.name.startswith(MODEL_PREFIX)}
    return frozenset({*watched, *helpers, *(program.functions.keys() & program.externals.keys())})


def _passed_checks(program: Program) -> Iterator[Edge]:
    """The branches that say that a fault did not happen (see `spec.checks`)."""
    for function in program.functions.values():
        faults = {e.src for e in function.edges if _is_fault(e.op)}
        branches = {e.src for e in function.edges if e.dst in faults and isinstance(e.op, Assume)}
        yield from (e for e in function.edges if e.src in branches and e.dst not in faults)


def _is_fault(op: Operation) -> bool:
    return isinstance(op, Error) and op.kind is ErrorKind.CHECK


def _form(op: Operation) -> _Form:
    target = op_target(op)
    parts = [*op_values(op), *([] if target is None else [target])]
    used = {var for part in parts for var in variables(part)}
    hidden = isinstance(op, Skip | Print) or (
        isinstance(op, Assign | Alloc) and _is_temporary(op.target)
    )
    looked = variables(op.cond) if isinstance(op, Assume) else ()
    return _Form(hidden, looked, any(_is_temporary(var) for var in used))


def _is_nothing(step: ExecutedStep) -> bool:
    """Is it an uninitialised variable that happens to be zero? There are many."""
    return (
        isinstance(step.edge.op, Havoc)
        and step.edge.op.source is Source.UNINITIALIZED
        and all(not any(v) if isinstance(v, bytes) else v == 0 for _, v in step.values)
    )


def _is_temporary(lvalue: Lvalue) -> bool:
    """Is it a variable that the front end made up? Names in C have no dot."""
    return isinstance(lvalue, Var) and bool(lvalue.function) and "." in lvalue.short


def _shown(lvalue: Lvalue, value: Value) -> Shown:
    match value:
        case bytes():
            dots = "..." if len(value) > _SHOWN_BYTES else ""
            return f"{{{value[:_SHOWN_BYTES].hex(' ')}{dots}}}"
        case int() if isinstance(lvalue.type, PointerType):
            return hex(value)
    return value
