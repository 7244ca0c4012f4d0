"""Symbolic memory graphs as the plain values of a report: variables, objects, segments, pointers.

No soundness duty: it looks at graphs and changes nothing.
"""

from __future__ import annotations

from ...ir.expr import Var
from ...proof_record import MemoryShape, Place, ShapeNode
from ...smg.graph import Address, FunctionName, MemoryGraph, MemoryObject, Number, Opaque, Value

MOST_SHAPES = 120  # of one report
_MOST_OBJECTS = 40  # of one graph
_MOST_CELLS = 12  # of one object
_NULL = 0  # the number of the node that stands for it


def shown_shape(place: Place, graph: MemoryGraph) -> MemoryShape:
    """One graph: first what variables hold, then what they lead to."""
    names: dict[int, Var] = {number: var for var, number in graph.variables.items()}
    order = _reached(graph, names)
    kept = set(order[:_MOST_OBJECTS])
    nodes: list[ShapeNode] = []
    pointers: list[tuple[int, int, str]] = []
    null = False
    for number in order[:_MOST_OBJECTS]:
        made = graph.objects[number]
        lines = [_title(number, made, names.get(number))]
        cells = sorted(graph.cells[number].items())
        for offset, (size, value) in cells[:_MOST_CELLS]:
            at = f"+{offset}" if made.size != size or offset else ""
            match value:
                case Address(target, into, last) if target in kept:
                    where = "?" if into is None else f"+{into}" if into else ""
                    end = " of the last" if last else ""
                    pointers.append((number, target, f"{at}{f' to {where}' if where else ''}{end}"))
                case Number(0) if size == graph.pointer_bytes:
                    null = True
                    pointers.append((number, _NULL, at))
                case _:
                    told = _value(value, graph)
                    lines += [f"{at or 'it'} = {told}"] if told else []
        mine = [pointer for pointer in pointers if pointer[0] == number]
        if len(mine) > 1:  # arrows alone do not say which is which
            lines += [f"{where or 'it'}: {_name(to, names)}" for _, to, where in mine]
        if len(cells) > _MOST_CELLS:
            lines.append(f"... {len(cells) - _MOST_CELLS} more")
        nodes.append(ShapeNode(number, _kind(made, number in names), tuple(lines)))
    if null:
        nodes.append(ShapeNode(_NULL, "null", ("null",)))
    return MemoryShape(place, tuple(nodes), tuple(pointers), len(order) - len(kept))


def _reached(graph: MemoryGraph, names: dict[int, Var]) -> list[int]:
    """The variables that hold something, and all objects of the heap that are left."""
    found = sorted(
        (number for number in names if graph.cells.get(number)), key=lambda n: names[n].name
    )
    others = [
        number
        for number, made in graph.objects.items()
        if number not in names and (made.live or _is_pointed_at(graph, number))
    ]
    return [*found, *others]


def _is_pointed_at(graph: MemoryGraph, number: int) -> bool:
    return any(
        isinstance(value, Address) and value.object == number for _, _, (_, value) in graph.values()
    )


def _name(number: int, names: dict[int, Var]) -> str:
    var = names.get(number)
    return "null" if number == _NULL else f"#{number}" if var is None else var.short


def _kind(made: MemoryObject, named: bool) -> str:
    if made.segment is not None:
        return "segment"
    if not made.live:
        return "ended"
    return "variable" if named else "object"


def _title(number: int, made: MemoryObject, var: Var | None) -> str:
    if var is not None:
        return var.short
    size = "" if made.size is None else f", {made.size} bytes"
    zeroed = ", zeroed" if made.zeroed else ""
    if made.segment is not None:
        segment = made.segment
        back = f", back at +{segment.prev}" if segment.prev is not None else ""
        return (
            f"#{number}: list of {segment.least} or more nodes, next at +{segment.next}{back}{size}"
        )
    gone = "" if made.live else "freed "
    maybe = ", may be missing" if made.optional else ""
    return f"{gone}{made.kind.value} #{number}{size}{zeroed}{maybe}"


def _value(value: Value, graph: MemoryGraph) -> str:
    match value:
        case Number(bits):
            return str(bits)
        case FunctionName(name):
            return name
        case Opaque(number) if number in graph.nonzero:
            return "not 0"
        case Address():
            return "an address"
    return ""
