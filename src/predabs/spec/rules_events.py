"""The events of a rule as functions of a program, and its state as globals.

Soundness duty: a rule only watches. An event reads its arguments and the state, sets the state, and
ends or says `error`; whatever else its C text asks for is refused. What may go wrong in it (a null
pointer, a division by zero, an index out of bounds) is an error too, so that no run is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from ..errors import InputError
from ..ir.cfa import Coord, Edge, Function, Global, Location, Program
from ..ir.def_use import map_op, op_reads, op_values
from ..ir.expr import Deref, Expr, FunctionAddress, Var
from ..ir.ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    ErrorKind,
    Fill,
    Free,
    Halt,
    Havoc,
    Operation,
    Print,
    Return,
    Skip,
    Source,
    Sweep,
)
from ..ir.types import Record
from ..ir.walk import rename, root_of, subterms, variables
from ..records import dataclass, replace
from .checks import add_checks
from .rules import FAIL, Event, Moment, Rule

_STATE = "::"  # starts the name of a state variable: no name of C does, and it is not shown
_RESULT = "result"
_CHECKS = frozenset(["null", "bounds", "div-by-zero"])
_ALLOWED = "an event can only look at its arguments and the state, set the state, and say error"


@dataclass(frozen=True, slots=True)
class EventFunction:
    """An event and its function: `arguments` are its parameters for those of the watched function,
    in order, and `result` is that for what it returns."""

    event: Event
    function: Function
    arguments: tuple[Var, ...]
    result: Var | None


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule as parts of a program."""

    events: tuple[EventFunction, ...]
    state: tuple[Global, ...]
    records: Mapping[str, Record]
    assumptions: tuple[str, ...]


def compile_rule(rule: Rule, program: Program) -> CompiledRule:
    """The parts; `program` is what the front end made of the rule's C text."""
    events = {event.c_name: event for event in rule.events}
    for name, function in program.functions.items():
        if name not in events:
            raise InputError(f"{function.coord}: {_ALLOWED}; there is no room for a function")
    for item in program.globals:
        if item.external:
            raise InputError(f"{item.coord}: {item.var.name} has no definition; leave out extern")
        problem = _function_in(assign.value for assign in item.init)
        if problem is not None:
            raise InputError(f"{item.coord}: {_ALLOWED}; {problem}")
    for edge in _edges(program):
        _check(edge)
    failing = {
        name: _with_errors(function, rule.messages) for name, function in program.functions.items()
    }
    checked = add_checks(replace(program, functions=failing), _CHECKS).functions
    state = {item.var: Var(_STATE + item.var.name, item.var.type) for item in program.globals}
    return CompiledRule(
        tuple(_event(event, checked[name], state) for name, event in events.items()),
        tuple(_state(item, state) for item in program.globals),
        program.records,
        tuple(dict.fromkeys(_assumptions(_edges(program)))),
    )


def _edges(program: Program) -> Iterable[Edge]:
    return (edge for function in program.functions.values() for edge in function.edges)


# --- what an event may do -------------------------------------------------------------------------


def _check(edge: Edge) -> None:
    op = edge.op
    if _is_failure(op):
        return
    problem = _refused(op) or _function_in(op_values(op))
    if problem is not None:
        raise InputError(f"{edge.coord}: {_ALLOWED}; {problem}")


def _refused(op: Operation) -> str | None:
    """Why an operation has no place in an event."""
    match op:
        case Skip() | Assume() | Return():
            return None
        case Assign(target, _):
            if isinstance(root_of(target), Var):
                return None
            return "it cannot write through a pointer"
        case Havoc(target, Source.UNINITIALIZED, _):
            names = ", ".join(var.short for var in variables(target))
            return f"give {names} a value where it is declared"
        case Havoc(_, source, _):
            return f"it cannot take an input ({source.value})"
        case Call(_, FunctionAddress(name, _), _):
            return f"it cannot call {name}"
        case Call() | Alloc() | Free() | Fill() | Copy() | Sweep() | Print():
            return "it cannot call a function"
        case Halt():
            return "it cannot end the run"
        case Error(_, text):
            return f'write error "..." and not: {text}'
    assert_never(op)


def _function_in(values: Iterable[Expr]) -> str | None:
    """Why the values have no place in a rule, if they contain the address of a function."""
    for value in values:
        for term in subterms(value):
            if isinstance(term, FunctionAddress):
                return f"it cannot use the function {term.name}"
    return None


def _assumptions(edges: Iterable[Edge]) -> Iterable[str]:
    for edge in edges:
        if any(isinstance(term, Deref) for term in map(root_of, op_reads(edge.op))):
            yield f"{edge.coord}: where the event looks through a pointer, there is an object"


# --- errors ---------------------------------------------------------------------------------------


def _is_failure(op: Operation) -> bool:
    return (
        isinstance(op, Call) and isinstance(op.callee, FunctionAddress) and op.callee.name == FAIL
    )


def _with_errors(function: Function, messages: Mapping[Coord, str]) -> Function:
    """The function in which the calls that stand for errors are errors, and nothing follows."""
    last = max(location.index for location in function.locations)
    edges: list[Edge] = []
    for edge in function.edges:
        if _is_failure(edge.op):
            if edge.coord not in messages:
                raise InputError(
                    f"{edge.coord}: an error cannot be passed to a macro; write it out"
                )
            last += 1
            error = Error(ErrorKind.RULE, messages[edge.coord])
            edges.append(replace(edge, op=error, dst=Location(function.name, last)))
        else:
            edges.append(edge)
    changed = replace(function, edges=tuple(edges))
    reached = {function.entry}
    todo = [function.entry]
    while todo:
        for edge in changed.outgoing[todo.pop()]:
            if edge.dst not in reached:
                reached.add(edge.dst)
                todo.append(edge.dst)
    return replace(changed, edges=tuple(edge for edge in edges if edge.src in reached))


# --- names ----------------------------------------------------------------------------------------


def _event(event: Event, function: Function, state: Mapping[Var, Var]) -> EventFunction:
    if function.type.variadic and function.params:
        raise InputError(f"{event.coord}: {event.name} cannot have ...; leave it out")
    renamed = renamed_function(function, event.name, state)
    params = renamed.params
    results = [number for number, param in enumerate(params) if param.short == _RESULT]
    if not results:
        return EventFunction(event, renamed, params, None)
    if event.moment is Moment.ENTRY:
        raise InputError(f"{event.coord}: only an exit event has a result; name it otherwise")
    if results != [len(params) - 1]:
        raise InputError(f"{event.coord}: the result comes last, behind all arguments")
    return EventFunction(event, renamed, params[:-1], params[-1])


def renamed_function(function: Function, name: str, others: Mapping[Var, Var]) -> Function:
    """A copy under another name, with its own locals and locations; `others` renames globals."""
    mapping = dict(others)
    for var in (*function.params, *function.locals):
        mapping[var] = Var(f"{name}::{var.short}", var.type)

    def changed(term: Expr) -> Expr:
        return rename(term, mapping)

    def renamed(location: Location) -> Location:
        return Location(name, location.index)

    return Function(
        name,
        function.type,
        tuple(mapping[param] for param in function.params),
        tuple(mapping[local] for local in function.locals),
        renamed(function.entry),
        renamed(function.exit),
        tuple(
            Edge(renamed(edge.src), map_op(edge.op, changed), renamed(edge.dst), edge.coord)
            for edge in function.edges
        ),
        function.coord,
        {label: renamed(at) for label, at in function.labels.items()},
    )


def _state(item: Global, state: Mapping[Var, Var]) -> Global:
    init: list[Assign] = []
    for assign in item.init:
        new = map_op(assign, lambda term: rename(term, state))
        assert isinstance(new, Assign)
        init.append(new)
    return Global(state[item.var], tuple(init), False, item.coord)
