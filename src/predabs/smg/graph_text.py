"""Symbolic memory graphs as JSON, and back.

Soundness duty: a graph that is read is one that operations can go on from: what it says is well
formed, or it is refused. Whether it is true is not asked here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from ..concrete.memory import ObjectKind
from ..errors import InputError
from ..ir.expr import Var
from ..ir.types import size_of
from .graph import (
    Address,
    FunctionName,
    MemoryGraph,
    MemoryObject,
    Number,
    Opaque,
    Segment,
    Value,
)

Json: TypeAlias = Any

_KINDS = {kind.value: kind for kind in ObjectKind}
_MOST_LEAST = 2


def graph_text(graph: MemoryGraph) -> str:
    """The graph, with its objects and opaque values numbered in their order."""
    numbers = {number: place for place, number in enumerate(graph.objects)}
    opaques: dict[int, int] = {}

    def value(held: Value) -> Json:
        match held:
            case Number(bits):
                return bits
            case Address(to, offset, last):
                return ["last" if last else "to", numbers[to], offset]
            case FunctionName(name):
                return ["function", name]
            case Opaque(number):
                return ["any", opaques.setdefault(number, len(opaques))]

    objects = []
    for number, made in graph.objects.items():
        row: dict[str, Json] = {"kind": made.kind.value, "size": made.size}
        for flag in ("zeroed", "optional", "nested"):
            if getattr(made, flag):
                row[flag] = True
        if not made.live:
            row["ended"] = True
        if made.owner:
            row["owner"] = made.owner
        if made.segment is not None:
            shape = made.segment
            row["segment"] = [shape.next, shape.prev, shape.head, shape.least]
        cells = sorted(graph.cells[number].items())
        row["cells"] = [[offset, size, value(held)] for offset, (size, held) in cells]
        objects.append(row)
    data = {
        "objects": objects,
        "variables": {var.name: numbers[number] for var, number in graph.variables.items()},
        "nonzero": sorted(opaques[number] for number in graph.nonzero if number in opaques),
    }
    return json.dumps(data)


def read_graph(text: str, pointer_bytes: int, variables: Mapping[str, Var]) -> MemoryGraph:
    """The graph of a text, over these variables. Raises `InputError` if it is none."""
    try:
        return _Reader(json.loads(text), pointer_bytes, variables).graph()
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as problem:
        raise InputError(f"this is no memory graph: {problem!r}") from None


class _Reader:
    def __init__(self, data: Json, pointer_bytes: int, variables: Mapping[str, Var]) -> None:
        self._data = data
        self._pointer_bytes = pointer_bytes
        self._variables = variables

    def graph(self) -> MemoryGraph:
        graph = MemoryGraph(self._pointer_bytes)
        rows = self._data["objects"]
        numbers = [graph.add(_object(row)) for row in rows]
        opaques: dict[int, Opaque] = {}
        for number, row in zip(numbers, rows, strict=True):
            for offset, size, held in row["cells"]:
                _need(_is_count(offset) and _is_count(size) and size > 0, "a cell")
                value = self._value(held, numbers, opaques)
                _need(not graph.cells[number].get(offset), "two cells at one place")
                graph.cells[number][offset] = (size, value)
        for name, place in self._data["variables"].items():
            var, number = self._variables[name], numbers[_count(place)]
            made = graph.objects[number]
            plain = made.segment is None and not made.optional and not made.nested
            kinds = (ObjectKind.STACK,) if var.function else (ObjectKind.GLOBAL, ObjectKind.LITERAL)
            _need(plain and made.live and made.kind in kinds, f"the object of {name}")
            _need(made.size == size_of(var.type), f"the size of {name}")
            graph.variables[var] = number
        _need(len(set(graph.variables.values())) == len(graph.variables), "one object twice")
        for place in self._data["nonzero"]:
            graph.nonzero.add(opaques[_count(place)].number)
        _check(graph)
        return graph

    def _value(self, held: Json, numbers: list[int], opaques: dict[int, Opaque]) -> Value:
        match held:
            case int(bits) if _is_count(bits):
                return Number(bits)
            case ["to" | "last" as word, place, offset]:
                _need(offset is None or (isinstance(offset, int) and offset is not True), "offset")
                return Address(numbers[_count(place)], offset, word == "last")
            case ["function", str(name)]:
                return FunctionName(name)
            case ["any", place]:
                return opaques.setdefault(_count(place), _opaque())
        raise ValueError(f"no value: {held!r}")


def _opaque() -> Opaque:
    return Opaque(MemoryGraph(1).add(MemoryObject(ObjectKind.HEAP, None)))  # a number of its own


def _object(row: Json) -> MemoryObject:
    size, segment = row["size"], None
    _need(size is None or _is_count(size), "a size")
    if row.get("segment") is not None:
        link, back, head, least = row["segment"]
        _need(_is_count(link) and _is_count(head) and _is_count(least), "a segment")
        _need((back is None or _is_count(back)) and least <= _MOST_LEAST, "a segment")
        segment = Segment(link, back, head, least)
    flags = [row.get(flag, False) for flag in ("zeroed", "ended", "optional", "nested")]
    _need(all(isinstance(flag, bool) for flag in flags), "a flag")
    zeroed, ended, optional, nested = flags
    owner = row.get("owner", "")
    _need(isinstance(owner, str), "an owner")
    kind = _KINDS[row["kind"]]
    return MemoryObject(kind, size, zeroed, not ended, segment, owner, optional, nested)


def _check(graph: MemoryGraph) -> None:
    """What operations take for granted."""
    holders: dict[int, list[int]] = {}
    for holder, _, (size, value) in graph.values():
        if isinstance(value, Address):
            _need(size == graph.pointer_bytes, "an address of another size")
            holders.setdefault(value.object, []).append(holder)
            segment = graph.objects[value.object].segment
            _need(not value.last or (segment is not None and segment.prev is not None), "last")
    for number, made in graph.objects.items():
        shape = made.segment
        if shape is not None or made.optional or made.nested:
            _need(made.live and made.kind is ObjectKind.HEAP and made.size is not None, "kind")
        if shape is not None:
            _need(not made.optional and shape.next != shape.prev, "links of a segment")
            for link in (shape.next, shape.prev):
                cell = graph.cells[number].get(link) if link is not None else None
                _need(link is None or (cell is not None and cell[0] == graph.pointer_bytes), "link")
                end = cell[1] if cell is not None else None
                _need(not (isinstance(end, Address) and graph.objects[end.object].nested), "end")
        if made.nested:
            _need(_belongs(graph, holders, number), "nested")
        elif not made.live:
            _need(not graph.cells[number] and not made.zeroed, "an object that has ended")


def _belongs(graph: MemoryGraph, holders: Mapping[int, list[int]], number: int) -> bool:
    """Does one pointer lead to a nested object, and one to what that belongs to, up to a segment or
    an object that may not exist?"""
    for _ in graph.objects:
        owners = holders.get(number, [])
        if len(owners) != 1:
            return False
        number = owners[0]
        owner = graph.objects[number]
        if not owner.nested:
            return owner.segment is not None or owner.optional
    return False


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _count(value: Json) -> int:
    _need(_is_count(value), f"no number: {value!r}")
    return int(value)


def _need(fine: bool, what: str) -> None:
    if not fine:
        raise ValueError(what)
