"""Whether accesses and frees are valid in a symbolic memory graph, and whether something is lost.

Soundness duty: what is decided is so in every memory of the graph.
"""

from __future__ import annotations

from ..concrete.memory import ObjectKind
from ..ir.expr import Roots
from .graph import Address, MemoryGraph, Number, Value
from .segments import NeedsSplit


def see_filled(graph: MemoryGraph, value: Value) -> None:
    """What a value points to must exist, for otherwise it is another value."""
    if isinstance(value, Address) and graph.objects[value.object].may_be_missing:
        raise NeedsSplit(value.object)


def valid_access(graph: MemoryGraph, pointer: Value, size: Value, writes: bool) -> bool | None:
    """Is an access of so many bytes valid? None if that is not known."""
    see_filled(graph, pointer)
    if size == Number(0):
        return True
    match pointer:
        case Number(0):
            return False
        case Address(to, offset, _):
            made = graph.objects[to]
            if not made.live or (writes and made.kind is ObjectKind.LITERAL):
                return False
            if offset is None or made.size is None or not isinstance(size, Number):
                return None
            return offset >= 0 and offset + size.bits <= made.size
    return None


def valid_free(graph: MemoryGraph, pointer: Value) -> bool | None:
    """Can the pointer be freed? None if that is not known."""
    see_filled(graph, pointer)
    match pointer:
        case Number(0):
            return True
        case Address(to, offset, _):
            made = graph.objects[to]
            if offset is None:
                return None
            return made.live and made.kind is ObjectKind.HEAP and offset == 0
    return None


def no_leak(graph: MemoryGraph, roots: Roots) -> bool:
    """Can every object of the heap be reached? What is not known may still be a pointer to one, so
    that the answer no may be wrong."""
    heap = {
        number
        for number, made in graph.objects.items()
        if made.kind is ObjectKind.HEAP and made.live
    }
    if roots is not Roots.NONE:
        heap -= _reached(graph, roots)
    for number in heap:
        made = graph.objects[number]
        if made.may_be_missing and not made.nested:
            raise NeedsSplit(number)
    return not heap


def _reached(graph: MemoryGraph, roots: Roots) -> set[int]:
    kinds = {ObjectKind.GLOBAL, ObjectKind.LITERAL}
    if roots is Roots.FRAMES:
        kinds.add(ObjectKind.STACK)
    todo = [number for number, made in graph.objects.items() if made.live and made.kind in kinds]
    reached: set[int] = set()
    while todo:
        number = todo.pop()
        if number not in reached:
            reached.add(number)
            cells = graph.cells[number].values()
            todo += [value.object for _, value in cells if isinstance(value, Address)]
    return reached
