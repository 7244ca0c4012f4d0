"""Where the values of variables come from: the scalar variables that they are computed from, by
assignments, arguments and results, directly or through others.

Soundness duty: none. Whoever looks at these variables only, and takes it that all others may hold
anything, knows less than one who looks at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.cfa import Edge, Program
from ..ir.expr import Var
from ..ir.ops import Assume, Call, Return
from .effects import Slot
from .modref import ModRef


def influences(program: Program, effects: ModRef, wanted: Iterable[Slot]) -> frozenset[Var]:
    """The wanted scalar variables, and those that their values come from."""
    written: dict[Slot, list[Edge]] = {}
    results: dict[str, list[Edge]] = {}
    for function in program.functions.values():
        for edge in function.edges:
            if isinstance(edge.op, Return):
                results.setdefault(function.name, []).append(edge)
            elif not isinstance(edge.op, Assume):
                for slot in effects.written(edge):
                    written.setdefault(slot, []).append(edge)
    found = {slot for slot in wanted if isinstance(slot, Var)}
    todo, seen = list(found), set[Edge]()
    while todo:
        for edge in written.get(todo.pop(), ()):
            if edge in seen:
                continue
            seen.add(edge)
            sources = [edge]
            if isinstance(edge.op, Call):
                sources += (end for name in effects.callees(edge) for end in results.get(name, ()))
            for source in sources:
                for slot in effects.slots.effects(source).reads:
                    if isinstance(slot, Var) and slot not in found:
                        found.add(slot)
                        todo.append(slot)
    return frozenset(found)
