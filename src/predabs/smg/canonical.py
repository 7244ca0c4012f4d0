"""The shape of a graph without its names, and the join of graphs of one shape.

Two graphs have the same shape if they differ only in the numbers of their objects and in plain
data: numbers that are not zero (those in variables can be kept), and values that are not known.
Soundness duty: the join of two
graphs of one shape stands for all memories of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import TypeAlias

from ..concrete.memory import ObjectKind
from ..ir.expr import Var
from ..records import dataclass, replace
from .graph import Address, FunctionName, MemoryGraph, Number, Opaque, Value, is_nonzero, opaque
from .nested import links

Place: TypeAlias = tuple[int, int]  # an object and an offset


@dataclass(frozen=True, slots=True)
class Shape:
    """What two graphs must have in common to be joined, and where each has its data."""

    key: Hashable
    places: tuple[Place, ...]


def shape_of(graph: MemoryGraph, *, counted: bool = False) -> Shape:
    """Walk the graph from its variables, in the order of their names. Objects that cannot be
    reached come last; those of them that have ended are left out. If it is `counted`, numbers in
    variables are part of the shape."""
    return _Walk(graph, counted).run()


class _Walk:
    def __init__(self, graph: MemoryGraph, counted: bool) -> None:
        self._graph = graph
        self._counted = counted
        self._numbers: dict[int, int] = {}
        self._queue: list[int] = []
        self._places: list[Place] = []

    def run(self) -> Shape:
        graph = self._graph
        variables: list[Var] = sorted(graph.variables, key=lambda var: var.name)
        for var in variables:
            self._number(graph.variables[var])
        parts: list[Hashable] = [tuple(var.name for var in variables)]
        self._visit(parts)
        for number, made in graph.objects.items():
            if number not in self._numbers and made.live:
                self._number(number)
                self._visit(parts)
        return Shape(tuple(parts), tuple(self._places))

    def _number(self, number: int) -> int:
        if number not in self._numbers:
            self._numbers[number] = len(self._numbers)
            self._queue.append(number)
        return self._numbers[number]

    def _visit(self, parts: list[Hashable]) -> None:
        while self._queue:
            number = self._queue.pop(0)
            made = self._graph.objects[number]
            flags = made.zeroed, made.live, made.optional, made.nested
            parts.append((made.kind, made.size, made.segment, made.owner, flags))
            for offset, (size, value) in sorted(self._graph.cells[number].items()):
                parts.append((offset, size, self._value(number, offset, size, value)))

    def _value(self, number: int, offset: int, size: int, value: Value) -> Hashable:
        match value:
            case Address(to, at, last):
                return self._number(to), at, last
            case FunctionName(name):
                return name
            case Number(0) if size == self._graph.pointer_bytes:
                return None
            case Number() if self._counted and not self._is_in_heap(number):
                return value
        self._places.append((number, offset))
        return "#"

    def _is_in_heap(self, number: int) -> bool:
        return self._graph.objects[number].kind is ObjectKind.HEAP


def collect(graph: MemoryGraph, keep_lost: bool) -> None:
    """Leave out the objects that have ended, and those that nothing leads to, unless it is asked
    later whether something is lost. A pointer that dangles is a value that nobody knows."""
    dangling: dict[Value, Opaque] = {}
    for holder, offset, (size, value) in list(graph.values()):
        if isinstance(value, Address) and not graph.objects[value.object].live:
            unknown = dangling.setdefault(value, opaque())
            graph.cells[holder][offset] = (size, unknown)
            if value.offset == 0:
                graph.nonzero.add(unknown.number)
    reached: set[int] = set()
    todo = list(graph.variables.values())
    if keep_lost:
        todo += [number for number, made in graph.objects.items() if made.live]
    while todo:
        number = todo.pop()
        if number in reached:
            continue
        reached.add(number)
        for _, value in graph.cells[number].values():
            if isinstance(value, Address):
                todo.append(value.object)
    for number in [number for number in graph.objects if number not in reached]:
        del graph.objects[number], graph.cells[number]
    used = Counter(v.number for _, _, (_, v) in graph.values() if isinstance(v, Opaque))
    graph.nonzero &= used.keys()
    for number, made in graph.objects.items():
        if not made.zeroed:
            _forget_unknown(graph, number, used)


def _forget_unknown(graph: MemoryGraph, number: int, used: Mapping[int, int]) -> None:
    """Leave out cells that say nothing: what no cell covers is not known either."""
    kept = links(graph.objects[number].segment)
    cells = graph.cells[number]
    for at, (_, value) in list(cells.items()):
        if not isinstance(value, Opaque) or at in kept:
            continue
        if used[value.number] == 1 and value.number not in graph.nonzero:
            del cells[at]


def join(old: MemoryGraph, old_shape: Shape, new: MemoryGraph, new_shape: Shape) -> bool:
    """Make the new graph the join of both, which have one shape; did that add anything to the
    old? That one place holds the same as another is part of what a graph says."""
    changed = False
    same: dict[Value, Value] = {}  # by opaque value of the old graph: what the new one has there
    for (mine, at), (yours, there) in zip(new_shape.places, old_shape.places, strict=True):
        size, value = new.cells[mine][at]
        _, before = old.cells[yours][there]
        if value == before and isinstance(value, Number):
            continue
        nonzero = is_nonzero(old, before) and is_nonzero(new, value)
        known = isinstance(before, Opaque) and is_nonzero(old, before) is nonzero
        if not known or same.setdefault(before, value) != value:
            changed = True
        joined = opaque()
        new.cells[mine][at] = (size, joined)
        if nonzero:
            new.nonzero.add(joined.number)
    return changed


def without(graph: MemoryGraph, variables: set[Var]) -> None:
    """Forget what some variables hold, which nothing reads any more."""
    for var in variables:
        number = graph.variables.get(var)
        if number is not None:
            graph.cells[number] = {}
            graph.objects[number] = replace(graph.objects[number], zeroed=False)
