"""Slicing [Wei84]: what is left of a program when all that no error depends on is taken out.

Soundness duty: for every run of the program that reaches an error, the slice has a run that reaches
it too. The slice may have more runs: operations that are left out cannot fail any more, and loops
that are left out always end. So a proof about the slice holds for the program, while an error must
be replayed on the program itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from ..ir import make
from ..ir.cfa import Edge, Function, Global, Location, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Expr, FunctionAddress, Var
from ..ir.ops import Assume, Call, Error, Halt, Operation, Return, Skip
from ..ir.types import FloatType, IntType, PointerType
from ..ir.walk import unseen
from ..records import dataclass, replace
from .memory.partition import Partition
from .modref import ModRef
from .relevance import Relevance


@dataclass(frozen=True, slots=True)
class Slice:
    """The smaller program, and for each of its edges the original one (or the first of several)."""

    program: Program
    origin: Mapping[Edge, Edge]


def slice_program(program: Program, partition: Partition, effects: ModRef) -> Slice:
    """Take out of the program what cannot influence whether an error is reached."""
    relevance = Relevance(program, partition, effects)
    origin: dict[Edge, Edge] = {}
    functions = {
        name: _Slicer(function, relevance, effects, program, origin).function()
        for name, function in program.functions.items()
    }
    kept_functions, kept_globals = _mentioned(program, functions, relevance)
    smaller = replace(program, functions=kept_functions, globals=kept_globals)
    return Slice(smaller, origin)


class _Slicer:
    """Slices one function.

    A location where only irrelevant edges leave is skipped: if the next relevant edges all leave
    from one location, an edge leads straight there.
    """

    def __init__(
        self,
        function: Function,
        relevance: Relevance,
        effects: ModRef,
        program: Program,
        origin: dict[Edge, Edge],
    ) -> None:
        self._function = function
        self._relevance = relevance
        self._effects = effects
        self._program = program
        self._origin = origin
        self._temporaries: list[Var] = []
        self._returns_alike = function.name not in relevance.results
        returns = [edge for edge in function.edges if isinstance(edge.op, Return)]
        self._exit = returns[0].src if returns else None
        self._next = self._find_next()

    def _kept(self, edge: Edge) -> bool:
        """What is left, apart from where a run goes. An end of the run that is not relevant is no
        place to go to: no run that comes to an error does."""
        return isinstance(edge.op, Return | Error) or edge in self._relevance.edges

    # --- where to go on ---------------------------------------------------------------------------

    def _find_next(self) -> dict[Location, Location | None]:
        """For each location the only one where something relevant comes next; None: several."""
        found: dict[Location, Location | None] = {}
        for location, edges in self._function.outgoing.items():
            if any(self._kept(edge) for edge in edges):
                found[location] = self._stop(location, edges)
        sources: dict[Location, list[Location]] = {}
        for edge in self._function.edges:
            if edge.src not in found:
                sources.setdefault(edge.dst, []).append(edge.src)
        todo = list(found)
        while todo:
            location = todo.pop()
            for source in sources.get(location, ()):
                new = found[location]
                if source in found and found[source] != new:
                    new = None
                if source not in found or found[source] != new:
                    found[source] = new
                    todo.append(source)
        return found

    def _stop(self, location: Location, edges: tuple[Edge, ...]) -> Location:
        if self._returns_alike and all(isinstance(edge.op, Return) for edge in edges):
            assert self._exit is not None
            return self._exit
        return location

    def _resolve(self, location: Location) -> Location:
        return self._next.get(location) or location

    # --- what is left -----------------------------------------------------------------------------

    def function(self) -> Function:
        """The function with its irrelevant parts taken out."""
        old = self._function
        edges: list[Edge] = []
        start = self._resolve(old.entry)
        if start is not old.entry:
            first = old.outgoing[old.entry][0]
            edges.append(self._made(first, Skip(), start, old.entry))
        seen = {start}
        todo = [start]
        while todo:
            for edge in self._from(todo.pop()):
                edges.append(edge)
                if edge.dst not in seen:
                    seen.add(edge.dst)
                    todo.append(edge.dst)
        seen |= {old.entry, old.exit}
        mentioned: set[Expr] = set()
        for edge in edges:
            _mention(edge.op, mentioned)
        return Function(
            old.name,
            old.type,
            old.params,
            (*(var for var in old.locals if var in mentioned), *self._temporaries),
            old.entry,
            old.exit,
            tuple(sorted(edges, key=lambda edge: edge.src.index)),
            old.coord,
            {label: target for label, target in old.labels.items() if target in seen},
        )

    def _from(self, location: Location) -> Iterable[Edge]:
        """The edges that leave a location now. One that leads back to it and changes nothing is
        left out: no run needs it to come to an error."""
        made: dict[Location, Edge] = {}
        edges = self._function.outgoing.get(location, ())
        found: list[Edge] = []
        for edge in edges if location in self._next else ():
            ends = isinstance(edge.op, Return | Halt | Error)
            target = edge.dst if ends else self._resolve(edge.dst)
            if self._kept(edge):
                if target is not location or not isinstance(edge.op, Skip | Assume):
                    found.append(self._made(edge, self._operation(edge), target, location))
            elif target is not location and target not in made:
                made[target] = self._made(edge, Skip(), target, location)
        found += made.values()
        if edges and not found:
            # nothing relevant, not even a return: a run that comes here ends or goes on for ever
            halt = Halt("no error follows", None)
            found.append(self._made(edges[0], halt, self._sink, location))
        return found

    @cached_property
    def _sink(self) -> Location:
        return Location(self._function.name, 1 + max(at.index for at in self._function.outgoing))

    def _made(self, edge: Edge, op: Operation, dst: Location, src: Location) -> Edge:
        same = edge.op is op and edge.dst is dst and edge.src is src
        new = edge if same else Edge(src, op, dst, edge.coord)
        self._origin[new] = edge
        return new

    def _operation(self, edge: Edge) -> Operation:
        """The operation without the values that do not matter: computing them might go wrong."""
        op = edge.op
        if isinstance(op, Return) and op.value is not None and edge not in self._relevance.edges:
            return Return(self._any(op.value))
        if not isinstance(op, Call):
            return op
        slots, relevant = self._effects.slots, self._relevance.slots
        target = op.target
        if target is not None and not slots.of_target(target) & relevant:
            target = None
        functions = [self._program.functions[name] for name in self._effects.callees(edge)]
        args = tuple(
            arg
            if self._relevance.takes(arg)
            or any(
                number < len(function.params)
                and slots.of_target(function.params[number]) & relevant
                for function in functions
            )
            else self._any(arg)
            for number, arg in enumerate(op.args)
        )
        return Call(target, op.callee, args)

    def _any(self, value: Expr) -> Expr:
        """Some value of the same type."""
        match value.type:
            case IntType() | PointerType() as type_:
                return make.const(0, type_)
            case FloatType() as type_:
                return make.float_const(0.0, type_)
        number = len(self._temporaries) + 1
        var = Var(f"{self._function.name}::sliced.{number}", value.type)
        self._temporaries.append(var)
        return var


def _mention(op: Operation, seen: set[Expr]) -> list[str]:
    """The names in an operation but for those in terms that were seen, to which its terms come."""
    target = op_target(op)
    return _names(op_values(op) if target is None else (*op_values(op), target), seen)


def _names(values: Iterable[Expr], seen: set[Expr]) -> list[str]:
    return [term.name for term in unseen(values, seen) if isinstance(term, Var | FunctionAddress)]


def _mentioned(
    program: Program, functions: Mapping[str, Function], relevance: Relevance
) -> tuple[dict[str, Function], tuple[Global, ...]]:
    """The functions and globals that the slice still refers to."""
    globals_ = {item.var.name: item for item in program.globals}
    kept: set[str] = set()
    seen: set[Expr] = set()
    todo = [program.entry, *relevance.functions, *relevance.globals]
    if program.entry not in functions:
        todo.extend(functions)
    while todo:
        name = todo.pop()
        if name in kept:
            continue
        kept.add(name)
        if name in functions:
            for edge in functions[name].edges:
                todo += _mention(edge.op, seen)
        elif name in globals_:
            todo += _names((assign.value for assign in globals_[name].init), seen)
    return (
        {name: function for name, function in functions.items() if name in kept},
        tuple(item for item in program.globals if item.var.name in kept),
    )
