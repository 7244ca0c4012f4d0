"""Vacuous truth [BBER01]: does any run come to a place where something is checked?

Soundness duty: if no run of the program of `with_reached_errors` comes to an error, then no run of
the original looks at the condition of an error, nor comes to one that has no condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..concrete.compared_constants import ComparedConstants
from ..concrete.inputs import Inputs, RandomInputs, ZeroInputs
from ..concrete.interpreter import execute
from ..concrete.outcome import ErrorReached
from ..errors import UnsupportedFeature
from ..ir.cfa import Coord, Edge, ExternPointers, Function, Location, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Expr, FunctionAddress
from ..ir.ops import Call, Error, ErrorKind
from ..ir.walk import subterms
from ..records import replace

_REACHED = "something is checked here"
_LONG_RUN, _SHORT_RUN = 300_000, 50_000  # steps
_RANDOM_RUNS = 8


def has_errors(program: Program) -> bool:
    """Is there anything in the program that counts as an error?"""
    return any(_is_error(edge) for f in program.functions.values() for edge in f.edges)


def first_place(program: Program) -> Coord | None:
    """The first error in the files of the program itself."""
    places = [e.coord for f in program.functions.values() for e in f.edges if _is_error(e)]
    own = [place for place in places if place.file in program.files]
    return min(own, default=None)


def with_reached_errors(program: Program) -> Program | None:
    """The program in which it is an error to come to a branch one side of which is an error; None
    if such a place is at the very beginning, or it is not known which calls lead to one."""
    branches = _branches(program)
    if branches is None:
        return None
    changed = {}
    for name, function in program.functions.items():
        here = [location for location in function.outgoing if location in branches]
        changed[name] = _with_errors(function, here) if here else function
    return replace(program, functions=changed)


def reached_in_a_run(program: Program, deadline: float) -> bool:
    """Does one of a few runs, with zeros and random inputs, come to one of those errors?"""
    fresh = program.extern_pointers is ExternPointers.FRESH
    compared = ComparedConstants(program)
    runs: list[tuple[Inputs, int]] = [(ZeroInputs(), _LONG_RUN)]
    runs += [(RandomInputs(seed, fresh, compared), _SHORT_RUN) for seed in range(_RANDOM_RUNS)]
    for inputs, steps in runs:
        try:
            outcome = execute(program, inputs, max_steps=steps, deadline=deadline)
        except UnsupportedFeature:
            continue
        if isinstance(outcome, ErrorReached) and outcome.text == _REACHED:
            return True
    return False


def _is_error(edge: Edge) -> bool:
    return isinstance(edge.op, Error) and edge.op.kind is not ErrorKind.UNSUPPORTED


def _branches(program: Program) -> frozenset[Location] | None:
    """The locations with several branches, of which at least one surely leads to an error, if it
    goes on at all. From an error, go back over operations and assumptions, and to callers."""
    callers = _callers(program)
    found: set[Location] = set()
    seen: set[Location] = set()
    todo = [e.src for f in program.functions.values() for e in f.edges if _is_error(e)]
    while todo:
        location = todo.pop()
        if location in seen:
            continue
        seen.add(location)
        function = program.functions[location.function]
        if location is function.entry and len(function.outgoing[location]) < 2:
            calls = callers.get(function.name)
            if function.name == program.entry or calls is None:
                return None
            todo += [edge.src for edge in calls]
        if len(function.outgoing[location]) > 1:
            found.add(location)
        else:
            todo += [edge.src for edge in function.incoming[location]]
    return frozenset(found)


def _callers(program: Program) -> Mapping[str, list[Edge] | None]:
    """The calls of each function; None if a pointer may lead there."""
    calls: dict[str, list[Edge] | None] = {name: [] for name in program.functions}
    for function in program.functions.values():
        for edge in function.edges:
            values: Iterable[Expr] = op_values(edge.op)
            if isinstance(edge.op, Call) and isinstance(edge.op.callee, FunctionAddress):
                known = calls.get(edge.op.callee.name)
                if known is not None:
                    known.append(edge)
                values = edge.op.args
            target = op_target(edge.op)
            _take(calls, [*values, *([] if target is None else [target])])
    for item in program.globals:
        _take(calls, [assign.value for assign in item.init])
    return calls


def _take(calls: dict[str, list[Edge] | None], terms: Iterable[Expr]) -> None:
    for term in terms:
        for part in subterms(term):
            if isinstance(part, FunctionAddress):
                calls[part.name] = None


def _with_errors(function: Function, branches: list[Location]) -> Function:
    """The function that ends with an error at these locations."""
    last = max(location.index for location in function.locations)
    ends = set(branches)
    edges = [edge for edge in function.edges if edge.src not in ends]
    for number, location in enumerate(branches, 1):
        error = Error(ErrorKind.ASSERTION, _REACHED)
        end = Location(function.name, last + number)
        edges.append(Edge(location, error, end, function.outgoing[location][0].coord))
    return replace(function, edges=tuple(edges))
