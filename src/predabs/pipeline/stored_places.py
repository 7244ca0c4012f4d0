"""Names of places in a program that another version of it may have too, by function and loop, as in
precision reuse [BLN+13].

In a function that is as it was, each place has its own name. In a changed one only the entry, the
exit, loops and calls have: its first loop is taken for its first loop, and so on. Soundness duty:
none; what is found at a place is a candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar

from ..ir.cfa import Edge, Function, Location, Program
from ..ir.expr import FunctionAddress
from ..ir.fingerprint import location_numbers
from ..ir.ops import Call
from ..ir.order import loop_heads

T = TypeVar("T")

_EXIT = -2  # in place of the number of a loop


class PlaceNames:
    """The names of places in one program."""

    def __init__(self, program: Program) -> None:
        self._functions = _Functions(program)

    def place(self, location: Location) -> list[Any]:
        """The function, the number of the location there, and which of its loops it begins (the
        exit has a number of its own)."""
        known = self._functions.of(location.function)
        number = known.numbers.get(location, -1)
        loop = _EXIT if location is known.function.exit else known.loops.get(location, -1)
        return [location.function, number, loop]

    def call(self, edge: Edge) -> list[Any]:
        """The function, the number of the edge, and which of the calls of that function it is."""
        known, callee = self._functions.of(edge.src.function), _callee(edge)
        number, which = known.edges[edge], known.calls[callee].index(edge)
        return [edge.src.function, number, callee, which]


class Places:
    """The places that such names mean in a program; None if there are none. `now` and `before` are
    the fingerprints of functions, of this program and of the one that has the names."""

    def __init__(self, program: Program, now: Any, before: dict[str, str]) -> None:
        self._functions = _Functions(program)
        self._same = {name for name, found in before.items() if now.get(name) == found}

    def location(self, place: Any) -> Location | None:
        name, number, loop = place
        known = self._functions.get(name)
        if known is None:
            return None
        if name in self._same:
            return _at(known.locations, number)
        if number == 0 or loop == _EXIT:
            return known.function.entry if number == 0 else known.function.exit
        return _at(known.heads, loop)

    def call(self, place: Any) -> Edge | None:
        name, number, callee, which = place
        known = self._functions.get(name)
        if known is None:
            return None
        if name in self._same:
            return _at(known.function.edges, number)
        return _at(known.calls.get(callee, []), which)


class _Functions:
    """The functions of a program, each looked through once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, _Known] = {}

    def of(self, name: str) -> _Known:
        if name not in self._known:
            self._known[name] = _Known(self._program.functions[name])
        return self._known[name]

    def get(self, name: str) -> _Known | None:
        return self.of(name) if name in self._program.functions else None


class _Known:
    """What has a number in a function, in the order of the numbers."""

    def __init__(self, function: Function) -> None:
        self.function = function

    @cached_property
    def numbers(self) -> dict[Location, int]:
        return location_numbers(self.function)

    @cached_property
    def locations(self) -> list[Location]:
        return list(self.numbers)

    @cached_property
    def heads(self) -> list[Location]:
        """Of loops."""
        return sorted(loop_heads(self.function), key=lambda location: location.index)

    @cached_property
    def loops(self) -> dict[Location, int]:
        return {head: number for number, head in enumerate(self.heads)}

    @cached_property
    def edges(self) -> dict[Edge, int]:
        return {edge: number for number, edge in enumerate(self.function.edges)}

    @cached_property
    def calls(self) -> dict[str | None, list[Edge]]:
        """By callee; calls through pointers have the empty name, other operations have None."""
        found: dict[str | None, list[Edge]] = {}
        for edge in self.function.edges:
            found.setdefault(_callee(edge), []).append(edge)
        return found


def _at(found: Sequence[T], number: int) -> T | None:
    return found[number] if 0 <= number < len(found) else None


def _callee(edge: Edge) -> str | None:
    match edge.op:
        case Call(_, FunctionAddress(name, _), _):
            return name
        case Call():
            return ""
    return None
