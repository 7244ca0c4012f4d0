"""The program that was read with a witness in it, with the meaning of what the text only names.

Calls of marker functions become error edges and ends of runs, and of a violation witness the errors
count that are at its target. Soundness duty: each error that is left is one of the program, or says
that an invariant of the witness does not hold (or cannot be evaluated).
"""

from __future__ import annotations

from ...errors import InputError
from ...ir import make
from ...ir.cfa import Coord, Edge, Function, Location, Program
from ...ir.expr import Const, FunctionAddress, Var
from ...ir.ops import Assign, Assume, Call, Error, ErrorKind, Halt, Havoc, Skip, Source
from ...ir.types import INT, IntType
from ...records import dataclass, replace
from ...spec.checks import add_checks
from ...verdict import Input
from .expressions import PREFIX
from .instrument import ANYWHERE, AT, STOP, Instrumented

_EVALUATION = frozenset(["deref", "div-by-zero"])  # what would end a run in an expression


@dataclass(frozen=True, slots=True)
class WitnessProduct:
    """Makes the product of a program that was read from instrumented files."""

    instrumented: Instrumented

    def __call__(self, program: Program) -> Program:
        if self.instrumented.wrong:
            for function in program.functions.values():
                for edge in function.edges:
                    if self._is_ours(edge):
                        _refuse_effects(edge)
            program = add_checks(program, _EVALUATION, self._is_ours)
        functions = {name: self._function(f) for name, f in program.functions.items()}
        externals = {n: c for n, c in program.externals.items() if not n.startswith(PREFIX)}
        return replace(program, functions=functions, externals=externals)

    @property
    def is_open(self) -> bool:
        """Is it an error to pass the last waypoint?"""
        return self.instrumented.target is None and self.instrumented.passed > 0

    def _is_ours(self, edge: Edge) -> bool:
        return self.owner(edge.coord) is not None

    def owner(self, coord: Coord) -> int | None:
        """The line of the witness that something in the text stands for, if it does."""
        inserted = self.instrumented.files.get(coord.file)
        return None if inserted is None else inserted.owner(coord)

    def original(self, coord: Coord) -> Coord:
        """A coordinate in the file as the user has it."""
        inserted = self.instrumented.files.get(coord.file)
        return coord if inserted is None else inserted.original(coord)

    def inputs(self, program: Program) -> list[Input]:
        """The inputs that the waypoints name, for a run that takes no others."""
        asked: dict[str, list[tuple[int, Coord, Source, IntType]]] = {}
        for function in program.functions.values():
            for edge in function.edges:
                source: Source = Source.EXTERN
                match edge.op:
                    case Havoc(target, Source.NONDET, name):
                        source, type_ = Source.NONDET, target.type
                    case Call(Var(_, type_), FunctionAddress(name, _), _):
                        pass
                    case _:
                        continue
                inserted = self.instrumented.files.get(edge.coord.file)
                if isinstance(type_, IntType) and inserted is not None:
                    at = inserted.original_offset(edge.coord)
                    asked.setdefault(name, []).append((at, edge.coord, source, type_))
        found = []
        for result in self.instrumented.results:
            for at, coord, source, type_ in asked.get(result.function, ()):
                if coord.file == result.file and result.begin <= at < result.end:
                    value = type_.wrap(result.value)
                    found.append(Input(source, result.function, type_, value, coord))
                    break
        return found

    def _function(self, function: Function) -> Function:
        fresh = _Fresh(function)
        edges: list[Edge] = []
        for edge in function.edges:
            edges += self._edge(edge, fresh)
        return replace(function, edges=_reachable(function, edges))

    def _edge(self, edge: Edge, fresh: _Fresh) -> list[Edge]:
        match edge.op:
            case Call(_, FunctionAddress(name, _), _) if name == STOP:
                return [replace(edge, op=Halt("not a run of the witness", None), dst=fresh())]
            case Call(_, FunctionAddress(name, _), _) if name in self.instrumented.wrong:
                invariant = self.instrumented.wrong[name]
                text = f"the invariant `{invariant.value}` does not hold"
                return [replace(edge, op=Error(ErrorKind.ASSERTION, text), dst=fresh())]
            case Error(kind, text) if self.is_open and kind is not ErrorKind.UNSUPPORTED:
                return [replace(edge, op=Halt(text, None))]
            case Assign(Var(name, _), Const(value, _)) if name == AT and self.is_open:
                if value == self.instrumented.passed:
                    error = Error(ErrorKind.ASSERTION, "the last waypoint is passed")
                    return [replace(edge, op=error, dst=fresh())]
            case Error(kind, text) if self.instrumented.target is not None:
                if kind is ErrorKind.UNSUPPORTED:
                    return [edge]
                if not self._is_at_target(edge.coord):
                    return [replace(edge, op=Halt(text, None))]
                if not self.instrumented.passed:
                    return [edge]
                inside, outside = fresh(), fresh()
                passed = make.equal(Var(AT, INT), make.const(self.instrumented.passed, INT))
                return [
                    replace(edge, op=Assume(passed), dst=inside),
                    replace(edge, src=inside),
                    replace(edge, op=Assume(make.negate(passed)), dst=outside),
                    replace(edge, src=outside, op=Halt("too early", None), dst=fresh()),
                ]
        return [edge]

    def _is_at_target(self, coord: Coord) -> bool:
        """Can an error there be the target's? One in a model of the library is where it is called:
        for that, the run must tell."""
        inserted = self.instrumented.files.get(coord.file)
        return inserted is None or self.is_target(inserted.original(coord))

    def is_target(self, coord: Coord) -> bool:
        """Is a place in the file as the user has it one of the target's statement?"""
        assert self.instrumented.target is not None
        if self.instrumented.target == ANYWHERE:
            return True
        file, begin, end = self.instrumented.target
        if coord.file != file:
            return False
        at = self.instrumented.files[file].unchanged_offset(coord)
        return begin <= at < end


def _refuse_effects(edge: Edge) -> None:
    """An invariant only looks: a macro of the program may make more of it."""
    match edge.op:
        case Assume() | Skip():
            return
        case Call(None, FunctionAddress(name, _), _) if name.startswith(PREFIX):
            return
        case Assign(Var() as var, _) | Havoc(Var() as var, _, _) if "." in var.short:
            return  # a temporary
    raise InputError(f"{edge.coord}: this expression has side effects")


class _Fresh:
    """New locations of a function."""

    def __init__(self, function: Function) -> None:
        self._name = function.name
        self._last = max(location.index for location in function.locations)

    def __call__(self) -> Location:
        self._last += 1
        return Location(self._name, self._last)


def _reachable(function: Function, edges: list[Edge]) -> tuple[Edge, ...]:
    """The edges that a run of the function can still come to."""
    leaving: dict[Location, list[Edge]] = {}
    for edge in edges:
        leaving.setdefault(edge.src, []).append(edge)
    seen = {function.entry}
    todo = [function.entry]
    while todo:
        for edge in leaving.get(todo.pop(), ()):
            if edge.dst not in seen:
                seen.add(edge.dst)
                todo.append(edge.dst)
    return tuple(edge for edge in edges if edge.src in seen)
