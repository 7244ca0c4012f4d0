"""Objects all of whose bytes have been written: what is asked about them needs no engine.

An object may hold bytes that were never written if it comes to life without a value, or if bytes of
such an object are copied to it. Soundness duty: `Initialised` is replaced by true only if none of
the objects that the pointer may lead to is one of these.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.cfa import Edge, ExternPointers, Program
from ..ir.expr import TRUE, Deref, Expr, Initialised, Lvalue, Var
from ..ir.ops import Alloc, Assign, Assume, Call, Copy, Havoc, Return, Source
from ..ir.types import VOID
from ..ir.walk import fold, rebuild, root_of, subterms
from ..records import replace
from .facts import ProgramFacts
from .points_to.objects import Allocated, Object
from .points_to.sets import PointsTo


def without_initialised(facts: ProgramFacts) -> ProgramFacts:
    """The program without the questions that have a plain answer."""
    program = facts.program
    if not any(_asks(edge) for edge in _edges(program)):
        return facts
    if program.extern_pointers is ExternPointers.ANY:
        return facts  # an address from outside may be that of any object
    unwritten = _unwritten(program, facts.points_to)
    origin: dict[Edge, Edge] = {}
    functions = {}
    for name, function in program.functions.items():
        edges = []
        for edge in function.edges:
            new = _decided(edge, facts.points_to, unwritten) if _asks(edge) else edge
            origin[new] = edge
            edges.append(new)
        functions[name] = replace(function, edges=tuple(edges))
    return facts.of_part(replace(program, functions=functions), origin)


def _edges(program: Program) -> Iterator[Edge]:
    return (edge for function in program.functions.values() for edge in function.edges)


def _asks(edge: Edge) -> bool:
    return isinstance(edge.op, Assume) and any(
        isinstance(term, Initialised) for term in subterms(edge.op.cond)
    )


def _decided(edge: Edge, points_to: PointsTo, unwritten: set[Object]) -> Edge:
    def step(term: Expr, new: tuple[Expr, ...]) -> Expr:
        if isinstance(term, Initialised):
            targets = points_to.targets(term.pointer)
            if all(target.object not in unwritten for target in targets):
                return TRUE
        return rebuild(term, new)

    assert isinstance(edge.op, Assume)
    cond = fold(edge.op.cond, step)
    return edge if cond is edge.op.cond else replace(edge, op=replace(edge.op, cond=cond))


def _unwritten(program: Program, points_to: PointsTo) -> set[Object]:
    """The objects that may hold bytes which were never written."""
    first: set[Object] = set()
    copied: dict[Object, set[Object]] = {}  # from each object: to these
    for edge in _edges(program):
        match edge.op:
            case Alloc(zeroed=False):
                first.add(Allocated(edge))
            case Havoc(target, Source.UNINITIALIZED):
                first |= _objects(points_to, target)
        for source, target in _copies(program, points_to, edge):
            there = _objects(points_to, target)
            for object_ in _objects(points_to, source):
                copied.setdefault(object_, set()).update(there)
    found, todo = set(first), list(first)
    while todo:
        new = copied.pop(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def _objects(points_to: PointsTo, lvalue: Lvalue) -> set[Object]:
    root = root_of(lvalue)
    if isinstance(root, Var):
        return {points_to.variable(root)}
    return {target.object for target in points_to.targets(root.pointer)}


def _copies(program: Program, points_to: PointsTo, edge: Edge) -> Iterator[tuple[Lvalue, Lvalue]]:
    """Between which lvalues an edge copies bytes as they are."""
    match edge.op:
        case Copy(pointer, source, _):
            yield Deref(source, VOID), Deref(pointer, VOID)
        case Assign(target, value) if isinstance(value, Lvalue):
            yield value, target
        case Call(target, _, args):
            for name in points_to.call_targets(edge):
                callee = program.functions.get(name)
                if callee is None:
                    continue
                for param, arg in zip(callee.params, args, strict=False):
                    if isinstance(arg, Lvalue):
                        yield arg, param
                for inner in callee.edges:
                    if target is None or not isinstance(inner.op, Return):
                        continue
                    if isinstance(inner.op.value, Lvalue):
                        yield inner.op.value, target
