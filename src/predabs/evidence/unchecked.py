"""What a verdict takes for granted about faults that no check looks for.

A run that faults ends there, so without the check a proof says nothing about what comes after.
Soundness duty: nothing is said only if no run of the program can have such a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..analysis.facts import ProgramFacts
from ..analysis.valid_accesses import ValidAccesses
from ..frontend.lower.scopes import MODELS
from ..ir.cfa import Coord, Edge, Program
from ..ir.ops import UNREACHABLE, Call, Halt
from ..spec.checks import faults

_OF_MEMORY = frozenset(["deref", "free"])
_OF_CODE = frozenset(["unreachable"])


def assumed_valid(facts: ProgramFacts, checks: frozenset[str]) -> tuple[str, ...]:
    """The assumptions that accesses and frees are valid, and that no run comes to code that is
    declared unreachable, where they are some: with the first place where each may be wrong, in the
    order of the source."""
    found: list[str] = []
    first = _first_unchecked(facts, _OF_MEMORY - checks)
    if first is not None:
        place = f"{first.file}:{first.line}"
        found.append(f"no invalid memory access (first at {place}); --check memory looks for one")
    if any(map(_is_declared, _edges(facts.program))):
        first = _first_unchecked(facts, _OF_CODE - checks)
        if first is not None:
            place = f"{first.file}:{first.line}"
            found.append(
                f"no run comes to code that is declared unreachable (first at {place}); "
                "--check unreachable looks for one"
            )
    return tuple(found)


def _is_declared(edge: Edge) -> bool:
    return isinstance(edge.op, Halt) and edge.op.text == UNREACHABLE


def _edges(program: Program) -> Iterator[Edge]:
    for function in program.functions.values():
        yield from function.edges


def _first_unchecked(facts: ProgramFacts, checks: frozenset[str]) -> Coord | None:
    program, valid = facts.program, ValidAccesses(facts)
    places = _Places(facts)
    order = {file: number for number, file in enumerate(program.files)}
    located = [
        ((order.get(where.file, len(order)), where), edge)
        for function in program.functions.values()
        for edge in function.edges
        if (where := places.of(edge)) is not None
    ]
    for (_, where), edge in sorted(located, key=lambda item: item[0]):
        for _, fault in faults(program, edge, checks):
            if not valid.excluded(edge.src, fault.cond):
                return where
    return None


class _Places:
    """Where the user's source has what an edge does: for a library model, where it is called."""

    def __init__(self, facts: ProgramFacts) -> None:
        self._callers = _callers(facts)
        self._called_at: dict[str, Coord | None] = {}

    def of(self, edge: Edge) -> Coord | None:
        """None if nothing in the source leads there."""
        if edge.coord.file != MODELS:
            return edge.coord
        name = edge.src.function
        if name not in self._called_at:
            self._called_at[name] = None  # a model that calls itself
            found = [where for call in self._callers.get(name, ()) if (where := self.of(call))]
            self._called_at[name] = min(found, default=None)
        return self._called_at[name]


def _callers(facts: ProgramFacts) -> Mapping[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for edge in _calls(facts.program):
        for name in facts.points_to.call_targets(edge):
            found.setdefault(name, []).append(edge)
    return found


def _calls(program: Program) -> Iterator[Edge]:
    return (edge for edge in _edges(program) if isinstance(edge.op, Call))
