"""A program together with a rule: as watched functions are called and return, events happen.

A function with a body calls the event where it is entered and before each return; one without gets
a body that takes the result as an input, so that calls through pointers are seen too. An exit
event is given the arguments as they were at the entry.

Soundness duty: events do not change what the program does, so the product has the program's runs,
each ended where the rule is violated; no call of a watched function goes unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..errors import InputError, UnsupportedFeature
from ..frontend.conversions import convert
from ..frontend.lower.library import library_name
from ..frontend.lower.scopes import MODEL_PREFIX, MODELS
from ..ir.call_graph import direct_targets
from ..ir.cfa import Coord, Edge, Function, Location, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import AddressOf, Expr, FunctionAddress, Lvalue, Var
from ..ir.ops import Assign, Call, Havoc, Operation, Return, Source
from ..ir.show import show_type
from ..ir.types import (
    VOID,
    DataModel,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    Record,
    Type,
    VoidType,
)
from ..ir.walk import root_of, subterms
from ..records import dataclass, replace
from .rules import Moment
from .rules_events import CompiledRule, EventFunction, renamed_function

_UNWATCHED = ".model"  # ends the name of a model's copy for other models


def with_rule(program: Program, rule: CompiledRule) -> Program:
    """The product of a program and a rule."""
    types = _used_externals(program)
    callees = (*program.functions, *types)
    watches: dict[str, _FunctionEvents] = {}
    notes = list(rule.assumptions)
    for item in rule.events:
        names = [name for name in callees if _source_name(name) == item.event.function]
        if not names:
            where, function = item.event.coord, item.event.function
            notes.append(f"{where}: {item.event.name} never happens: {function} is not called")
        for name in names:
            watches[name] = watches.get(name, _FunctionEvents()).plus(item)
    functions = dict(program.functions)
    for name in watches.keys() - functions.keys():
        functions[name] = _external(program, name, types[name], watches[name])
    wrapped = {name: functions[name] for name in watches.keys() - program.functions.keys()}
    functions = {name: _converted_calls(function, wrapped) for name, function in functions.items()}
    functions |= _unwatched_models(functions, watches)
    for name, watch in watches.items():
        functions[name] = _WatchedFunction(functions[name], watch, program.data_model).result()
    functions |= {item.function.name: item.function for item in rule.events}
    return replace(
        program,
        functions=functions,
        globals=(*program.globals, *rule.state),
        records=_all_records(program.records, rule),
        assumptions=(*program.assumptions, *notes),
    )


def _all_records(records: Mapping[str, Record], rule: CompiledRule) -> dict[str, Record]:
    """The records of both; one may know no more than the name of what the other lays out."""
    found = dict(records)
    for tag, record in rule.records.items():
        old = found.setdefault(tag, record)
        if old != record and old.members and record.members:
            where = rule.events[0].event.coord.file
            raise InputError(f"{where}: {tag} is laid out differently than in the program")
        if not old.members:
            found[tag] = record
    return found


def _source_name(name: str) -> str:
    """What the source calls a function of the program; `static` ones of one name can be several.

    >>> [_source_name(name) for name in ("f", "f@a.c", "__predabs_free", "__builtin_free")]
    ['f', 'f', 'free', 'free']
    """
    return library_name(name.partition("@")[0].removeprefix(MODEL_PREFIX))


@dataclass(frozen=True, slots=True)
class _FunctionEvents:
    """The events of one function."""

    entry: EventFunction | None = None
    exit: EventFunction | None = None

    def plus(self, item: EventFunction) -> _FunctionEvents:
        if item.event.moment is Moment.ENTRY:
            return replace(self, entry=item)
        return replace(self, exit=item)

    @property
    def events(self) -> list[EventFunction]:
        return [item for item in (self.entry, self.exit) if item is not None]


# --- functions without a body ---------------------------------------------------------------------


def _used_externals(program: Program) -> dict[str, list[FunctionType]]:
    """The functions without a body that are called or referred to, and how they are declared."""
    found: dict[str, dict[FunctionType, None]] = {}
    for term in _terms(program):
        if isinstance(term, FunctionAddress) and term.name not in program.functions:
            assert isinstance(term.type.target, FunctionType)
            found.setdefault(term.name, {})[term.type.target] = None
    return {name: list(types) for name, types in found.items()}


def _external(
    program: Program, name: str, declared: Sequence[FunctionType], watch: _FunctionEvents
) -> Function:
    """A body for a function that has none: any result, and nothing else happens."""
    coord = program.externals[name]
    type_ = _external_type(declared, watch)
    if type_ is None:
        raise UnsupportedFeature(
            f"{coord}: {name} has no body and is declared in different ways; a rule cannot watch it"
        )
    shorts = [param.short for param in _longest(watch)]
    shorts += [f"#{number}" for number in range(len(shorts), len(type_.params))]
    params = [Var(f"{name}::{p}", t) for p, t in zip(shorts, type_.params, strict=False)]
    if type_.variadic:
        params.append(Var(f"{name}::...", program.data_model.pointer(VOID)))
    entry, leave, end = (Location(name, number) for number in range(3))
    locals_: list[Var] = []
    edges = [Edge(entry, Return(None), end, coord)]
    if not isinstance(type_.result, VoidType):
        result = Var(f"{name}::tmp.1", type_.result)
        locals_.append(result)
        edges = [
            Edge(entry, Havoc(result, Source.EXTERN, name), leave, coord),
            Edge(leave, Return(result), end, coord),
        ]
    return Function(name, type_, tuple(params), tuple(locals_), entry, end, tuple(edges), coord)


def _external_type(declared: Sequence[FunctionType], watch: _FunctionEvents) -> FunctionType | None:
    """Its type, if all declarations agree; without a prototype, the events know the parameters."""
    prototypes = [t for t in declared if t.params or not t.variadic]
    if len(prototypes) > 1 or any(t.result is not declared[0].result for t in declared):
        return None
    if prototypes:
        return prototypes[0]
    params = tuple(param.type for param in _longest(watch))
    return FunctionType(declared[0].result, params, False)


def _longest(watch: _FunctionEvents) -> tuple[Var, ...]:
    """The parameters, as far as the events name them."""
    return max((item.arguments for item in watch.events), key=len)


def _terms(program: Program) -> Iterable[Expr]:
    for function in program.functions.values():
        for edge in function.edges:
            for value in _parts(edge.op):
                yield from subterms(value)
    for item in program.globals:
        for assign in item.init:
            yield from subterms(assign.value)


def _parts(op: Operation) -> Iterable[Expr]:
    target = op_target(op)
    return op_values(op) if target is None else (*op_values(op), target)


def _converted_calls(function: Function, wrapped: Mapping[str, Function]) -> Function:
    """Calls without a prototype in sight pass what the parameters now take."""

    def converted(edge: Edge) -> Edge:
        match edge.op:
            case Call(target, FunctionAddress(name, _) as callee, args) if name in wrapped:
                params = wrapped[name].params
                if all(arg.type is param.type for arg, param in zip(args, params, strict=False)):
                    return edge
                converted = [
                    _passed(arg, param.type, f"{edge.coord}: an argument of {name}")
                    for arg, param in zip(args, params, strict=False)
                ]
                return replace(edge, op=Call(target, callee, (*converted, *args[len(params) :])))
        return edge

    return replace(function, edges=tuple(converted(edge) for edge in function.edges))


# --- models of library functions ------------------------------------------------------------------


def _unwatched_models(
    functions: Mapping[str, Function], watches: Mapping[str, _FunctionEvents]
) -> dict[str, Function]:
    """The models, where those that call a watched one call a copy of it: how a library function
    does its work is not what the rule is about."""
    models = {name: f for name, f in functions.items() if f.coord.file == MODELS}
    copied = {name: f"{name}{_UNWATCHED}" for name in models if name in watches}
    copies = {new: renamed_function(models[name], new, {}) for name, new in copied.items()}

    def redirected(edge: Edge) -> Edge:
        match edge.op:
            case Call(target, FunctionAddress(name, type_), args) if name in copied:
                return replace(edge, op=Call(target, FunctionAddress(copied[name], type_), args))
        return edge

    changed = {
        name: replace(function, edges=tuple(map(redirected, function.edges)))
        for name, function in (models | copies).items()
    }
    edges = (edge for function in changed.values() for edge in function.edges)
    called = {name for edge in edges for name in direct_targets(edge)}
    return {name: f for name, f in changed.items() if name in models or name in called}


# --- functions with a body ------------------------------------------------------------------------


class _WatchedFunction:
    """A function while calls of events are put into it."""

    def __init__(self, function: Function, watch: _FunctionEvents, data_model: DataModel) -> None:
        self._function = function
        self._watch = watch
        self._model = data_model
        self._next = 1 + max(location.index for location in function.locations)
        self._edges: list[Edge] = []
        self._copies: dict[Var, Var] = {}

    def result(self) -> Function:
        for item in self._watch.events:
            self._check(item)
        if self._watch.exit is not None:
            self._copies = self._needed_copies(self._watch.exit)
        entry = self._enter()
        for edge in self._function.edges:
            if isinstance(edge.op, Return) and self._watch.exit is not None:
                self._leave(self._watch.exit, edge, edge.op)
            else:
                self._edges.append(edge)
        return replace(
            self._function,
            entry=entry,
            locals=(*self._function.locals, *self._copies.values()),
            edges=tuple(self._edges),
        )

    def _check(self, item: EventFunction) -> None:
        """Do the parameters of the event fit the function's?"""
        name, type_ = item.event.function, self._function.type
        if len(item.arguments) > len(type_.params):
            raise InputError(
                f"{item.event.coord}: {name} has {_count(len(type_.params), 'parameter')}, "
                f"but the event has {len(item.arguments)}; leave out those at the end"
                + (" (a result is called result)" if item.event.moment is Moment.EXIT else "")
            )
        for given, wanted in zip(type_.params, item.arguments, strict=False):
            _check_type(given, wanted, item, name)
        if item.result is not None:
            if isinstance(type_.result, VoidType):
                raise InputError(
                    f"{item.event.coord}: {name} returns nothing; leave out the result"
                )
            _check_type(type_.result, item.result, item, name)

    def _needed_copies(self, item: EventFunction) -> dict[Var, Var]:
        """Variables for the arguments of the exit event that the function itself may change."""
        changed = _changed(self._function)
        params = self._function.params[: len(item.arguments)]
        return {
            param: Var(f"{self._function.name}::entry.{number}", param.type)
            for number, param in enumerate(params, 1)
            if param in changed
        }

    def _enter(self) -> Location:
        """What comes before the old entry."""
        item = self._watch.entry
        steps: list[tuple[Operation, Coord]] = [
            (Assign(copy, param), self._function.coord) for param, copy in self._copies.items()
        ]
        if item is not None:
            steps.append((self._call(item, self._function.params, None), item.event.coord))
        if not steps:
            return self._function.entry
        entry = here = self._fresh()
        for number, (op, coord) in enumerate(steps, 1):
            there = self._function.entry if number == len(steps) else self._fresh()
            self._edges.append(Edge(here, op, there, coord))
            here = there
        return entry

    def _leave(self, item: EventFunction, edge: Edge, op: Return) -> None:
        params = [self._copies.get(param, param) for param in self._function.params]
        after = self._fresh()
        self._edges.append(
            Edge(edge.src, self._call(item, params, op.value), after, item.event.coord)
        )
        self._edges.append(replace(edge, src=after))

    def _call(self, item: EventFunction, params: Sequence[Expr], result: Expr | None) -> Call:
        what = f"{item.event.coord}: an argument of {item.event.name}"
        args = [
            _passed(given, wanted.type, what)
            for given, wanted in zip(params, item.arguments, strict=False)
        ]
        if item.result is not None:
            assert result is not None  # the function returns something: see `_check`
            args.append(_passed(result, item.result.type, what))
        type_ = self._model.pointer(item.function.type)
        return Call(None, FunctionAddress(item.function.name, type_), tuple(args))

    def _fresh(self) -> Location:
        self._next += 1
        return Location(self._function.name, self._next - 1)


def _changed(function: Function) -> set[Var]:
    """The variables that something may be stored in, by name or through a pointer."""
    found: set[Var] = set()
    for edge in function.edges:
        targets: list[Lvalue] = [
            term.target
            for value in _parts(edge.op)
            for term in subterms(value)
            if isinstance(term, AddressOf)
        ]
        if (target := op_target(edge.op)) is not None:
            targets.append(target)
        found.update(root for root in map(root_of, targets) if isinstance(root, Var))
    return found


# --- types ----------------------------------------------------------------------------------------


def _check_type(given: Type, wanted: Var, item: EventFunction, function: str) -> None:
    """Is every value that the function has one that the event's parameter can have?"""
    match given, wanted.type:
        case (PointerType(), PointerType()):
            fits = True
        case (IntType() as has, IntType() as takes):
            fits = takes.low <= has.low and has.high <= takes.high
        case (FloatType() as has, FloatType() as takes):
            fits = has.bits <= takes.bits
        case (has, takes):
            fits = has is takes
    if not fits:
        raise InputError(
            f"{item.event.coord}: {wanted.short} of {item.event.name} cannot hold what {function} "
            f"has there; declare it as {show_type(given, wanted.short)}"
        )


def _passed(value: Expr, type_: Type, what: str) -> Expr:
    if value.type is type_:
        return value
    scalar = IntType | PointerType | FloatType
    if isinstance(value.type, scalar) and isinstance(type_, scalar):
        return convert(value, type_)
    raise UnsupportedFeature(f"{what}: a {value.type} is passed as a {type_}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}" if number else f"no {what}s"
