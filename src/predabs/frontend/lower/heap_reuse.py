"""Which allocations may use memory again: those before which an allocated object can have ended.

An object ends by `Free`, or, if it was allocated on the stack, where its function returns. Before
slices are made: they may leave out a `Free`. Soundness duty: `reuse` is False only for an `Alloc`
before which no run has ended an allocated object, whichever functions calls through pointers enter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...ir.cfa import Edge, Function, Location
from ...ir.expr import FunctionAddress
from ...ir.ops import Alloc, AllocKind, Call, Free, Return
from ...records import replace


def with_reuse(functions: Mapping[str, Function]) -> dict[str, Function]:
    """The functions, with `reuse` said of each allocation."""
    if not any(isinstance(edge.op, Alloc) for edge in _edges(functions)):
        return dict(functions)
    after = _after_an_end(functions)
    return {name: _marked(function, after) for name, function in functions.items()}


def _marked(function: Function, after: set[Location]) -> Function:
    if not any(isinstance(edge.op, Alloc) for edge in function.edges):
        return function
    edges = tuple(
        replace(edge, op=replace(edge.op, reuse=edge.src in after))
        if isinstance(edge.op, Alloc)
        else edge
        for edge in function.edges
    )
    return replace(function, edges=edges)


def _edges(functions: Mapping[str, Function]) -> Iterable[Edge]:
    return (edge for function in functions.values() for edge in function.edges)


def _after_an_end(functions: Mapping[str, Function]) -> set[Location]:
    """The locations that a run may come to after an object has ended."""
    calls: dict[str | None, list[Edge]] = {}  # by callee; None: through a pointer, so any
    for edge in _edges(functions):
        if isinstance(edge.op, Call):
            calls.setdefault(_callee(edge.op), []).append(edge)

    def behind(function: str) -> list[Location]:
        return [edge.dst for name in (function, None) for edge in calls.get(name, ())]

    todo: list[Location] = []
    for edge in _edges(functions):
        if isinstance(edge.op, Free):
            todo.append(edge.dst)
        elif isinstance(edge.op, Alloc) and edge.op.kind is AllocKind.STACK:
            todo += behind(edge.src.function)
    found: set[Location] = set()
    done: set[str | None] = set()  # the functions of which the callers were added, or the entries
    while todo:
        location = todo.pop()
        if location in found:
            continue
        found.add(location)
        for edge in functions[location.function].outgoing[location]:
            todo.append(edge.dst)
            if isinstance(edge.op, Return) and location.function not in done:
                done.add(location.function)
                todo += behind(location.function)
            elif isinstance(edge.op, Call):
                name = _callee(edge.op)
                if name is not None:
                    todo += [functions[name].entry] if name in functions else []
                elif name not in done:
                    done.add(name)
                    todo += [function.entry for function in functions.values()]
    return found


def _callee(call: Call) -> str | None:
    return call.callee.name if isinstance(call.callee, FunctionAddress) else None
