"""`--extern-pointers null`: inputs that are pointers become null, in the operations themselves.

That is a choice of the user, and named among the assumptions; a pointer inside a record that is an
input, and a number that is used as a pointer, stay what they are. Soundness duty: no other
operation changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import make
from ...ir.cfa import Edge, Function, Location, Program
from ...ir.expr import FunctionAddress, Lvalue
from ...ir.ops import Assign, Call, Havoc
from ...ir.types import PointerType
from ...records import replace

ASSUMPTION = "a pointer from outside is null (--extern-pointers null)"


def with_null_pointers(program: Program) -> Program:
    """The program whose pointers from outside are null."""
    functions = {name: _changed(f, program) for name, f in program.functions.items()}
    globals_ = tuple(
        replace(item, external=False)
        if item.external and isinstance(item.var.type, PointerType)
        else item
        for item in program.globals
    )
    return replace(
        program,
        functions=functions,
        globals=globals_,
        assumptions=(*program.assumptions, ASSUMPTION),
    )


def _changed(function: Function, program: Program) -> Function:
    edges: list[Edge] = []
    fresh = _fresh(function)
    entry = function.entry
    if function.name == program.entry:
        for param in function.params:
            if isinstance(param.type, PointerType):
                before = next(fresh)
                edges.append(Edge(before, _null(param), entry, function.coord))
                entry = before
    for edge in function.edges:
        match edge.op:
            case Havoc(target, _, _) if isinstance(target.type, PointerType):
                edges.append(replace(edge, op=_null(target)))
            case Call(target, FunctionAddress(name, _), _) if (
                name not in program.functions
                and target is not None
                and isinstance(target.type, PointerType)
            ):
                middle = next(fresh)
                edges.append(Edge(edge.src, replace(edge.op, target=None), middle, edge.coord))
                edges.append(Edge(middle, _null(target), edge.dst, edge.coord))
            case _:
                edges.append(edge)
    return replace(function, entry=entry, edges=tuple(edges))


def _fresh(function: Function) -> Iterator[Location]:
    index = 1 + max(location.index for location in function.locations)
    while True:
        yield Location(function.name, index)
        index += 1


def _null(target: Lvalue) -> Assign:
    assert isinstance(target.type, PointerType)
    return Assign(target, make.const(0, target.type))
