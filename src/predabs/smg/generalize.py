"""The join of graphs of different shapes: where one has a node, the other has a list [DPV13].

Both graphs are walked together from their variables. A node beside a segment is a segment of at
least one; what belongs to the node is then nested, as it is there. What stands beside a pointer
that is null may be missing. What counts is kept apart: graphs with different numbers in variables,
or of which each has a longer list than the other. Soundness duty: the join stands for all memories
of both; where nothing says so, there is none.
"""

from __future__ import annotations

from ..concrete.memory import ObjectKind
from ..records import replace
from .graph import (
    NULL,
    Address,
    FunctionName,
    MemoryGraph,
    MemoryObject,
    Number,
    Opaque,
    Segment,
    Value,
    is_nonzero,
    opaque,
)
from .nested import is_like, links, maybe_missing
from .segments import exists_once


def generalized(left: MemoryGraph, right: MemoryGraph) -> MemoryGraph | None:
    """A graph for the memories of both; None if they are too different."""
    if left.variables.keys() != right.variables.keys():
        return None
    try:
        return _Walk(left, right).run()
    except _Different:
        return None


class _Different(Exception):
    """The graphs have no join."""


class _Walk:
    def __init__(self, left: MemoryGraph, right: MemoryGraph) -> None:
        self._left, self._right = left, right
        self._graph = MemoryGraph(left.pointer_bytes)
        self._made: dict[tuple[int, int], int] = {}
        self._paired: tuple[set[int], set[int]] = (set(), set())
        self._todo: list[tuple[int, int, int]] = []
        self._shorter: set[bool] = set()  # is it the left graph that has a shorter list?
        self._values: dict[tuple[Value, Value], Opaque] = {}
        self._incoming = _incoming(left), _incoming(right)

    def run(self) -> MemoryGraph:
        for var, number in self._left.variables.items():
            other = self._right.variables[var]
            self._graph.variables[var] = self._pair(number, other, nested=False)
        while self._todo:
            self._fill(*self._todo.pop())
        for graph, paired in zip((self._left, self._right), self._paired, strict=True):
            if len(paired) < len(graph.objects):
                raise _Different  # something only one of them has
        return self._graph

    # --- objects ----------------------------------------------------------------------------------

    def _pair(self, one: int, two: int, *, nested: bool) -> int:
        """The object for two that correspond; each corresponds to one."""
        found = self._made.get((one, two))
        if found is not None:
            if nested or self._graph.objects[found].nested:
                raise _Different
            return found
        if one in self._paired[0] or two in self._paired[1]:
            raise _Different
        left, right = self._left.objects[one], self._right.objects[two]
        made = self._graph.add(_object(left, right, nested))
        if _least(left) != _least(right):
            self._note_shorter(_least(left) < _least(right))
        self._made[one, two] = made
        self._paired[0].add(one)
        self._paired[1].add(two)
        self._todo.append((one, two, made))
        return made

    def _note_shorter(self, is_left: bool) -> None:
        self._shorter.add(is_left)
        if len(self._shorter) > 1:
            raise _Different

    def _alone(self, side: int, holder: int, pointer: Address) -> Address:
        """What only one graph has, where the other has null."""
        graph, owner = (self._left, self._right)[side], self._graph.objects[holder]
        made = graph.objects[pointer.object]
        if pointer.offset is None or pointer.last or not self._is_private(side, pointer.object):
            raise _Different
        self._note_shorter(side == 1)
        missing = maybe_missing(made, graph.cells[pointer.object], pointer.offset)
        if missing.optional and is_like(made, owner):
            raise _Different
        missing = replace(missing, nested=not exists_once(owner))
        return Address(self._copied(side, pointer.object, missing), pointer.offset)

    def _copied(self, side: int, number: int, made: MemoryObject) -> int:
        """An object of one graph, with what belongs to it."""
        graph = (self._left, self._right)[side]
        twin = self._graph.add(made)
        self._paired[side].add(number)
        for at, (size, value) in graph.cells[number].items():
            held = value
            if isinstance(value, Address):
                if at in links(made.segment) or not self._is_private(side, value.object):
                    raise _Different
                inner = replace(graph.objects[value.object], nested=True)
                held = Address(self._copied(side, value.object, inner), value.offset, value.last)
            elif isinstance(value, Opaque):
                held = opaque()
                if is_nonzero(graph, value):
                    self._graph.nonzero.add(held.number)
            self._graph.cells[twin][at] = size, held
        return twin

    def _is_private(self, side: int, number: int) -> bool:
        """Is it an object of the heap that one pointer leads to?"""
        made = (self._left, self._right)[side].objects[number]
        return (
            made.kind is ObjectKind.HEAP
            and made.live
            and number not in self._paired[side]
            and self._incoming[side][number] == 1
        )

    def _fill(self, one: int, two: int, made: int) -> None:
        """The cells of the object; what only one of two objects without zeros has is not known."""
        graph, shape = self._graph, self._graph.objects[made].segment
        mine, yours = self._left.cells[one], self._right.cells[two]
        for at in mine.keys() | yours.keys():
            size, _ = mine.get(at) or yours[at]
            here, there = self._left.cell(one, at, size), self._right.cell(two, at, size)
            if here is None or there is None:
                if graph.objects[made].zeroed or at in links(shape):
                    raise _Different
                continue
            ends = isinstance(here[1], Address), isinstance(there[1], Address)
            if here[0] != there[0] or (at in links(shape) and ends[0] is not ends[1]):
                raise _Different
            graph.cells[made][at] = here[0], self._value(made, here[0], here[1], there[1])
        empty = self._left.objects[one].optional or self._right.objects[two].optional
        for link in links(shape):
            if link is None:
                continue
            if link not in graph.cells[made] or (empty and graph.cells[made][link][1] != NULL):
                raise _Different  # a list is followed by null if what is missing is null

    # --- values -----------------------------------------------------------------------------------

    def _value(self, holder: int, size: int, mine: Value, yours: Value) -> Value:
        match mine, yours:
            case Address(), Address():
                return self._address(holder, mine, yours)
            case Address(), Number(0):
                return self._alone(0, holder, mine)
            case Number(0), Address():
                return self._alone(1, holder, yours)
            case (Address() | FunctionName(), _) | (_, Address() | FunctionName()):
                if mine != yours:
                    raise _Different
                return mine
        if mine == yours and not isinstance(mine, Opaque):
            return mine
        if size == self._graph.pointer_bytes and NULL in (mine, yours):
            raise _Different
        in_heap = self._graph.objects[holder].kind is ObjectKind.HEAP
        if isinstance(mine, Number) and isinstance(yours, Number) and not in_heap:
            raise _Different
        made = self._values.setdefault((mine, yours), opaque())
        if is_nonzero(self._left, mine) and is_nonzero(self._right, yours):
            self._graph.nonzero.add(made.number)
        return made

    def _address(self, holder: int, mine: Address, yours: Address) -> Address:
        if mine.offset != yours.offset:
            raise _Different
        one, two = self._left.objects[mine.object], self._right.objects[yours.object]
        nested = one.nested or two.nested
        if nested:
            if exists_once(self._graph.objects[holder]):
                raise _Different
            if not (one.nested or self._is_private(0, mine.object)):
                raise _Different
            if not (two.nested or self._is_private(1, yours.object)):
                raise _Different
        made = self._pair(mine.object, yours.object, nested=nested)
        shape = self._graph.objects[made].segment
        if shape is not None and (one.optional or two.optional) and mine.offset != shape.head:
            raise _Different
        ends = {
            pointer.last
            for pointer, there in ((mine, one), (yours, two))
            if there.segment is not None
        }
        if len(ends) > 1:
            raise _Different
        return Address(made, mine.offset, True in ends)


def _incoming(graph: MemoryGraph) -> dict[int, int]:
    """By object: how many cells point into it."""
    found = dict.fromkeys(graph.objects, 0)
    for _, _, (_, value) in graph.values():
        if isinstance(value, Address):
            found[value.object] += 1
    return found


def _object(one: MemoryObject, two: MemoryObject, nested: bool) -> MemoryObject:
    optional = one.optional or two.optional
    plain = replace(one, segment=None, nested=nested, optional=optional)
    if plain != replace(two, segment=None, nested=nested, optional=optional):
        raise _Different
    segment = _segment(one, two)
    return replace(plain, segment=segment, optional=optional and segment is None)


def _segment(one: MemoryObject, two: MemoryObject) -> Segment | None:
    """What the two are together: a node beside a list is a list of one."""
    known = one.segment or two.segment
    if known is None:
        return None
    if one.kind is not ObjectKind.HEAP or not one.live or one.size is None:
        raise _Different
    least = min(_least(one), _least(two))
    if any(m.segment and not m.segment.is_linked_as(known) for m in (one, two)):
        raise _Different
    return replace(known, least=least)


def _least(made: MemoryObject) -> int:
    if made.optional:
        return 0
    return 1 if made.segment is None else made.segment.least
