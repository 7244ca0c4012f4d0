"""Tells a run: takes its steps as they come, and makes a trace of them.

    loop.c:5   i = 0;          i = 0
    loop.c:5   [i < n]         i = 0, n = 3

A branch shows the condition that held, with the values that it looked at; a return what the call
gives. Initialisers are one step, and so are library functions that are modelled in C: with what
they wrote. Steps of code from outside are only there so that a rule can watch them: its events are
told, at the place of the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...concrete.outcome import ErrorReached, ExecutedStep
from ...concrete.state_view import StateView
from ...frontend.lower.scopes import MODELS
from ...ir.cfa import Coord, Edge, Program, whose_life
from ...ir.expr import FunctionAddress, Var
from ...ir.ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    Fill,
    Free,
    Havoc,
    Print,
    Return,
    Skip,
    Source,
)
from ...records import replace
from ...spec.rules import is_event
from ...verdict import Input
from .dynamic_slice import DynamicSlice
from .foreign_code import (
    Code,
    called_event,
    code_of_functions,
    failed_checks,
    passed_checks,
)
from .inputs import input_steps
from .merged_steps import initialised_part, takes_result
from .open_calls import OpenCall, at_error, library_call
from .sight import Sight, sight
from .step_texts import StepTexts, joined, plain_name
from .steps import ShownValue, StepKind, TraceStep
from .temporaries import is_temporary
from .trace import Trace
from .tree import Entry, RunTree

_MOST_HIDDEN = 100
_IN_LIBRARY = re.compile(rf"allocated at {re.escape(MODELS)}:\d+:\d+")


class Narrator:
    """Watches a run; `before` and `after` are called for each step."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._texts = StepTexts(program)
        self._slice = DynamicSlice(program)
        self._texts.is_unset = self._slice.is_unset
        self._tree = RunTree()
        self._codes = code_of_functions(program)
        self._passed = frozenset(passed_checks(program))
        self._faults = frozenset(failed_checks(program))
        self._renamed: dict[str, str] = {}  # temporaries in the text of a fault
        self._frames: list[OpenCall] = []
        self._pending = Sight()
        self._call: tuple[Call, Entry | None, tuple[tuple[ShownValue, ...], ...]] | None = None
        self._called_at: Coord | None = None  # the last call from inside
        self._number = -1
        self._hidden: list[tuple[int, Coord]] = []  # steps since the last that was told
        self._called_from: dict[Coord, Coord] = {}  # where the library takes inputs, and for whom
        self._taken: dict[int, Coord] = {}  # where steps have taken an input, by number
        self._initialised: tuple[Var, int] | None = None  # which the last step was about, its line
        self._view: StateView | None = None

    def trace(
        self, inputs: Sequence[Input], error: ErrorReached | None, *, followed: bool = True
    ) -> Trace:
        """The steps of the run, which has taken these inputs, and comes to the error. If it was not
        `followed` to its end, steps are missing before that."""
        marks = self._slice.marks() if followed else None
        steps = list(self._tree.steps(marks or ()))
        if error is not None and followed:
            assert isinstance(error.edge.op, Error)
            told = steps[-1].statement.replace(error.edge.op.text, error.text)
            for name, meaning in self._renamed.items():
                told = told.replace(name, meaning)
            ends = {item.note[1:-1] for item in steps[-1].values if item.note.startswith("(freed")}
            if len(ends) == 1:
                told = told.replace("was freed", f"was {ends.pop()}")
            told = _IN_LIBRARY.sub("allocated by the library", told.replace("(void *)", ""))
            steps[-1] = replace(steps[-1], statement=told)
        elif error is not None:
            coord, function = error.edge.coord, error.edge.src.function
            end = TraceStep(coord.file, coord.line, coord.column, function, error.text, ())
            gap = replace(end, statement="... very many more steps ...", kind=StepKind.OMITTED)
            steps += [gap, replace(end, kind=StepKind.ERROR)]
        relevant = {coord for number, coord in self._taken.items() if number in (marks or ())}
        names, externals = self._texts.names, self._program.externals
        taken = input_steps(inputs, names, externals, relevant, self._called_from)
        return Trace(tuple(steps), taken, not followed, marks is not None)

    # --- before a step ----------------------------------------------------------------------------

    def before(self, edge: Edge, view: StateView) -> None:
        """The edge is tried in this state."""
        self._view = view
        self._settle(edge, view)
        self._slice.before(edge, view)
        if edge in self._passed:
            self._pending = Sight()
            return
        frame = self._frames[-1]
        if edge in self._faults:
            self._renamed = self._texts.temporaries_in(edge.op)
        own = frame.code is Code.OWN
        self._pending = sight(edge.op, self._texts, view, frame.function, own=own)

    def _settle(self, edge: Edge, view: StateView) -> None:
        """Calls and returns: has the last step begun or ended some?"""
        function = edge.src.function
        if not self._frames:
            self._texts.begin(view)
            self._push(OpenCall(function, self._code(function), None, {}), view)
        if (called := self._call) is not None:
            self._call = None
            if view.depth > len(self._frames):
                _, entry, args = called
                names = [param.short for param in self._program.functions[function].params]
                given = dict(zip(names, args, strict=False))
                if entry is not None:
                    self._tree.enter()
                self._push(OpenCall(function, self._code(function), entry, given), view)
        while len(self._frames) > view.depth:
            self._pop(view)

    def _code(self, function: str) -> Code:
        return self._codes.get(function, Code.OWN)

    def _push(self, frame: OpenCall, view: StateView) -> None:
        self._frames.append(frame)
        function = self._program.functions[frame.function]
        for var in (*function.params, *function.locals):
            address = view.address(var)
            if address is not None:
                self._texts.names.variable(var, address)

    def _pop(self, view: StateView) -> None:
        frame = self._frames.pop()
        above = self._frames[-1]
        above.told = above.told or frame.told
        if frame.entry is None:
            above.written += frame.written
            return
        model = frame.code is Code.MODEL
        self._tree.leave(drop=model and not frame.told)
        if model:
            entry = frame.entry
            values = (
                *self._given(frame, entry, view),
                *self._texts.contents(joined(frame.written), view, above.function),
            )
            entry.step = replace(entry.step, values=values or entry.step.values)

    def _given(self, frame: OpenCall, entry: Entry, view: StateView) -> Iterator[ShownValue]:
        """The result of a library function."""
        call = entry.edge.op
        if frame.result is None or not isinstance(call, Call) or call.target is None:
            return
        name = f"{plain_name(frame.function)}()"
        if not is_temporary(call.target):
            name = self._texts.term(call.target)
        yield self._texts.shown(name, *frame.result, view, self._frames[-1].function)

    # --- after a step -----------------------------------------------------------------------------

    def after(self, step: ExecutedStep) -> None:
        """The step that was seen last has happened."""
        self._number += 1
        self._slice.after(step.edge)
        if self._tree.full:
            return
        edge, op, pending = step.edge, step.edge.op, self._pending
        frame, view = self._frames[-1], self._view
        assert view is not None
        if frame.code is Code.OWN and (frame.entry is not None or len(self._frames) == 1):
            self._tree.at(edge.src, self._program.functions[frame.function])
        if isinstance(op, Alloc) and step.values and isinstance(step.values[0][1], int):
            self._texts.allocated(op, step.values[0][1], view, self._line(edge, frame))
        entry = self._entry(step, frame, view)
        if entry is None:
            self._hide(edge.coord)
        elif not self._merged(entry, view):
            self._tree.add(entry)
        match op:
            case Havoc():
                self._taken[self._number] = edge.coord
                if (
                    frame.code is Code.MODEL
                    and (call := library_call(self._frames).entry) is not None
                ):
                    self._called_from.setdefault(edge.coord, call.edge.coord)
            case Call(target, callee, args):
                self._taken[self._number] = edge.coord
                self._call = op, entry, pending.args
                if frame.code is not Code.OUTSIDE:
                    self._called_at = edge.coord
                if target is not None and is_temporary(target) and isinstance(target, Var):
                    text = self._texts.statement(edge, Call(None, callee, args))
                    self._texts.temporaries.constant(target, text.removesuffix(";"))
                return
            case Return():
                if pending.result is not None:
                    frame.result = pending.result
            case Free():
                if isinstance(pending.freed, int):
                    self._texts.names.freed(pending.freed, self._line(edge, frame))
            case Assume():
                if frame.line != edge.coord.line:
                    frame.looked, frame.line = {}, edge.coord.line
                frame.looked.update((item.name, item) for item in pending.seen)
        if pending.range is not None and frame.code is not Code.OWN:
            frame.written.append(pending.range)
            if len(frame.written) > 64:
                frame.written = joined(frame.written)
        value = step.values[0][1] if step.values else None
        self._texts.remember(op, value, pending.seen, view, frame.function)

    def _entry(self, step: ExecutedStep, frame: OpenCall, view: StateView) -> Entry | None:
        """What is told about a step, if anything is."""
        edge = step.edge
        if self._is_hidden(step, frame):
            return None
        told = self._told(step, frame, view)
        if told.kind in (StepKind.EVENT, StepKind.ERROR):
            for open_ in self._frames:
                open_.told = True
        numbers = [number for number, coord in self._hidden if coord == edge.coord]
        self._hidden.clear()
        return Entry(told, (*numbers, self._number), edge)

    def _line(self, edge: Edge, frame: OpenCall) -> int:
        """The line of the program in which something happens."""
        library = library_call(self._frames).entry if frame.code is Code.MODEL else None
        return (edge if library is None else library.edge).coord.line

    def _hide(self, coord: Coord) -> None:
        """A step is not told: whoever depends on it depends on one that is, at the same place."""
        last = self._tree.last()
        if last is not None and last.edge.coord == coord:
            last.numbers += (self._number,)
        elif len(self._hidden) < _MOST_HIDDEN:
            self._hidden.append((self._number, coord))

    def _is_hidden(self, step: ExecutedStep, frame: OpenCall) -> bool:
        edge, op = step.edge, step.edge.op
        if edge in self._passed or edge in self._faults:
            return True
        if isinstance(op, Free) and whose_life(op.pointer) is not None:
            return True
        if called_event(op) is not None:
            return isinstance(op, Call) and not op.args
        if is_event(edge.src.function):
            return isinstance(op, Return | Skip)
        match frame.code, op:
            case (Code.OUTSIDE, _):
                return not isinstance(op, Havoc | Error)
            case (Code.MODEL, Call(_, FunctionAddress(name), _)):
                return self._code(name) is not Code.OWN or name not in self._program.functions
            case (Code.MODEL, Call()):
                return False
            case (Code.MODEL, _):
                return not isinstance(op, Error)
            case (_, Skip() | Print() | Return(None) | Assume(_, True)):
                return True
            case (_, Assume(cond)):
                return self._texts.is_size_limit(cond)
            case (_, Assign(target) | Alloc(target)):
                return is_temporary(target)
            case (_, Havoc(_, Source.UNINITIALIZED)):
                return _is_zero(step)
            case (_, Havoc(target, Source.NONDET)):
                return is_temporary(target)  # told where it is used
        return False

    def _told(self, step: ExecutedStep, frame: OpenCall, view: StateView) -> TraceStep:
        edge, coord, texts = step.edge, step.edge.coord, self._texts
        function, pending = frame.function, self._pending
        kind, statement = StepKind.STATEMENT, ""
        values = tuple(
            texts.written(lvalue, value, view, function)
            for lvalue, value in step.values
            if not is_temporary(lvalue)
        )
        match edge.op:
            case Error(_, text):
                kind, statement, values = StepKind.ERROR, text, at_error(self._frames)
                if frame.code is Code.MODEL:
                    library = library_call(self._frames)
                    statement = f"in {plain_name(library.function)}: {text}"
                    coord = library.entry.edge.coord if library.entry else coord
            case Havoc(target, _, name) if is_temporary(target):
                kind, statement = StepKind.INPUT, f"{name}();"
                values = tuple(
                    texts.shown(f"{name}()", target.type, value, view, function)
                    for _, value in step.values
                )
            case Havoc() as op:
                kind, statement = StepKind.INPUT, texts.taken(edge, op)
            case Call(target, callee, args) as op:
                kind = StepKind.CALL
                bare = target is not None and is_temporary(target)
                statement = texts.statement(edge, Call(None, callee, args) if bare else op)
                if bare and isinstance(callee, FunctionAddress):  # without a body, if it gives one
                    name = f"{plain_name(callee.name)}()"
                    given = ((v, n) for v, n in step.values if is_temporary(v))
                    values += tuple(texts.shown(name, v.type, n, view, function) for v, n in given)
            case Assume() as op:
                kind, statement, values = StepKind.BRANCH, texts.statement(edge, op), pending.seen
            case Return() as op:
                kind, statement = StepKind.RETURN, texts.statement(edge, op)
                if pending.result is not None:
                    name = f"{plain_name(function)}()"
                    result = texts.shown(name, *pending.result, view, function)
                    values = (result, *values, *pending.seen)
            case Fill() | Copy() as op:
                statement = texts.statement(edge, op)
                if pending.range is not None:
                    values = texts.contents([pending.range], view, function)
            case Free() as op:
                statement, values = texts.statement(edge, op), pending.seen
            case op:
                statement = texts.statement(edge, op)
                part = None if pending.range is None else texts.part(pending.range, function)
                if part is not None:
                    values = tuple(replace(value, name=part) for value in values)
        if is_event(edge.src.function):
            kind = StepKind.ERROR if kind is StepKind.ERROR else StepKind.EVENT
            statement = f"event {edge.src.function}: {statement}"
        elif (called := called_event(edge.op)) is not None:
            kind, statement = StepKind.EVENT, f"event {called}"
        elif frame.code is Code.OUTSIDE:
            coord = self._called_at or coord
        if step.found:
            values = texts.with_found(values, step.found, view, function)
        return TraceStep(coord.file, coord.line, coord.column, function, statement, values, kind)

    def _merged(self, entry: Entry, view: StateView) -> bool:
        """Does it belong to the step before? Then the two become one."""
        var, before = initialised_part(entry.edge.op), self._initialised
        line = entry.edge.coord.line
        self._initialised = None if var is None else (var, line)
        last = self._tree.last()
        if last is None or last.inside is not None:
            return False
        if var is not None and before == (var, line):
            name, value = self._texts.name(var), self._texts.value(var, view)
            values = (
                ()
                if value is None
                else (self._texts.shown(name, var.type, value, view, entry.edge.src.function),)
            )
            last.step = replace(last.step, statement=f"{name} = {{...}};", values=values)
        elif takes_result(entry.edge.op, last.edge.op):
            kept = [value for value in last.step.values if not value.name.endswith("()")]
            told = entry.step
            last.step = replace(told, kind=StepKind.CALL, values=(*told.values, *kept))
        else:
            return False
        last.numbers += entry.numbers
        return True


def _is_zero(step: ExecutedStep) -> bool:
    """Is it an uninitialised variable that happens to be zero? There are many."""
    return all(not any(v) if isinstance(v, bytes) else v == 0 for _, v in step.values)
