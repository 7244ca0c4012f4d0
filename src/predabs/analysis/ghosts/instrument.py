"""The program with ghost state: conditions about objects become conditions about numbers.

In the manner of SoftBound [NZMZ09], a pointer register that is dereferenced has a ghost index and a
ghost length, assigned along with it. `ValidAccess` becomes a comparison of the two, `ValidFree` the
question whether the index is 0, and `NoLeak` holds at any rate where a ghost counter of the heap's
objects is 0. `Initialised` becomes a flag of its place, if there is one place that it can be.

Soundness duty: the program's own variables and inputs are untouched, so each run of the program is
one of the result, up to where it comes to an error: a condition is replaced by one that implies it.
Where ghost variables follow all that a pointer is given, the implication is taken for an
equivalence: an access that leaves the object of its pointer is a fault even if another object lies
there. All this rests on facts that hold up to the first fault of a run; there the run ends, whether
the fault is an error or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...ir import make
from ...ir.call_graph import recursive_functions
from ...ir.cfa import Edge, Function, Global, Location, Program
from ...ir.expr import Const, Expr, NoLeak, ValidAccess, ValidFree, Var
from ...ir.ops import Assign, Assume, Free
from ...records import replace
from ..once import AtMostOnce
from ..points_to.sets import PointsTo
from .assignments import GhostAssignments
from .comparisons import Comparisons
from .conditions import AboutObjects, GhostConditions, about_objects
from .definitions import Definitions
from .lifetimes import Lifetimes
from .numbers import GhostNumbers
from .registers import RegisterFacts
from .shapes import Shapes, factor
from .terminators import Terminators
from .written import WrittenFlags


def with_ghosts(
    program: Program,
    points_to: PointsTo,
    call_graph: Mapping[str, tuple[str, ...]],
    reachable: Callable[[Location], bool],
    wraps: Callable[[Location, Expr], bool],
) -> Program:
    """The program with ghost state, or the same one if no condition is about objects; `reachable`
    is asked whether a run may come to a location, `wraps` whether a product may wrap around."""
    if not any(_questions(edge) for edge in _edges(program)):
        return program
    facts = RegisterFacts(
        points_to,
        Definitions(program, points_to, reachable),
        Lifetimes(program, points_to, call_graph),
        AtMostOnce(program, points_to.call_targets),
        recursive_functions(call_graph),
    )
    return _Instrumentation(program, points_to, facts, reachable, wraps).result()


def _edges(program: Program) -> Iterable[Edge]:
    return (edge for function in program.functions.values() for edge in function.edges)


def _questions(edge: Edge) -> list[AboutObjects]:
    return about_objects(edge.op.cond) if isinstance(edge.op, Assume) else []


class _Instrumentation:
    """A program while it gets its ghost state."""

    def __init__(
        self,
        program: Program,
        points_to: PointsTo,
        facts: RegisterFacts,
        reachable: Callable[[Location], bool],
        wraps: Callable[[Location, Expr], bool],
    ) -> None:
        self._program = program
        self._reachable = reachable
        self._here = program.functions[program.entry].entry
        numbers = GhostNumbers(
            points_to,
            facts,
            Shapes(facts),
            program.data_model.diff_type,
            lambda product: wraps(self._here, product),
        )
        counted = self._follow(numbers.shapes)
        self._comparisons = Comparisons(numbers, facts.single)
        for edge in _edges(program):
            if isinstance(edge.op, Assume):
                self._comparisons.follow(edge.op.cond)
        self._terminators: Terminators | None = None
        if any(isinstance(q, ValidAccess) for edge in _edges(program) for q in _questions(edge)):
            self._terminators = Terminators(program, points_to, numbers)
        self._assignments = GhostAssignments(program, numbers, counted)
        self._written = WrittenFlags(program, points_to, facts.single)
        self._conditions = GhostConditions(
            points_to,
            numbers,
            self._assignments.is_exact,
            self._assignments.live,
            self._written,
        )

    def _follow(self, shapes: Shapes) -> bool:
        """Follow the pointers that conditions are about; are the heap's objects to be counted?"""
        counted = False
        for edge in _edges(self._program):
            for question in _questions(edge):
                match question:
                    case ValidAccess(pointer, size):
                        shapes.use(pointer, () if isinstance(size, Const) else (factor(size),))
                    case ValidFree(pointer):
                        shapes.use(pointer)
                    case NoLeak():
                        counted = True
        for edge in _edges(self._program) if counted else ():
            if isinstance(edge.op, Free):
                shapes.use(edge.op.pointer)
        return counted

    def result(self) -> Program:
        functions = {
            name: self._function(function) for name, function in self._program.functions.items()
        }
        return replace(
            self._program,
            functions=functions,
            globals=(*self._program.globals, *self._globals()),
        )

    def _globals(self) -> Iterator[Global]:
        coord = self._program.functions[self._program.entry].coord
        more = () if self._terminators is None else self._terminators.globals()
        for assign in (*self._assignments.globals(), *self._written.globals(), *more):
            assert isinstance(assign.target, Var)
            yield Global(assign.target, (assign,), False, coord)

    def _function(self, function: Function) -> Function:
        chain, texts = _Chains(function), self._terminators
        first = list(self._assignments.entered(function))
        first += texts.entered(function) if texts is not None else ()
        entry = chain.fresh() if first else None
        if entry is not None:
            chain.add(Edge(entry, first[-1], function.entry, function.coord), first[:-1], ())
        for edge in function.edges:
            if not self._reachable(edge.src):
                continue
            self._here = edge.src
            before: list[Assign | Assume] = list(self._assignments.before(edge))
            after: list[Assign | Assume] = [
                *self._assignments.after(edge),
                *self._written.after(edge),
            ]
            op, facts = edge.op, list(texts.facts(edge)) if texts is not None else []
            if isinstance(op, Assume):
                facts += self._comparisons.facts(op.cond)
                cond = self._conditions.replaced(op.cond) if _questions(edge) else op.cond
                op = replace(op, cond=make.conj((cond, *facts)))
            elif texts is not None and (result := texts.result(edge)) is not None:
                after.append(Assume(result))
            elif facts:
                before.insert(0, Assume(make.conj(facts)))
            if texts is not None:
                before += texts.before(edge)
                after += texts.after(edge)
            chain.add(edge if op == edge.op else replace(edge, op=op), before, after)
        return replace(
            function,
            entry=entry or function.entry,
            locals=(*function.locals, *self._assignments.locals(function)),
            edges=tuple(chain.edges),
        )


class _Chains:
    """The edges of a function, each with others before and behind it."""

    def __init__(self, function: Function) -> None:
        self._name = function.name
        self._next = 1 + max(location.index for location in function.locations)
        self.edges: list[Edge] = []

    def fresh(self) -> Location:
        self._next += 1
        return Location(self._name, self._next - 1)

    def add(
        self, edge: Edge, before: Iterable[Assign | Assume], after: Iterable[Assign | Assume]
    ) -> None:
        here = edge.src
        for assign in before:
            there = self.fresh()
            self.edges.append(Edge(here, assign, there, edge.coord))
            here = there
        rest = list(after)
        end = self.fresh() if rest else edge.dst
        self.edges.append(
            edge if here is edge.src and not rest else replace(edge, src=here, dst=end)
        )
        for number, assign in enumerate(rest, 1):
            there = edge.dst if number == len(rest) else self.fresh()
            self.edges.append(Edge(end, assign, there, edge.coord))
            end = there
