"""Which errors depend on something that changed between two versions of a program?

An error is known by its function and text. Its slice, what it depends on, is compared by
fingerprint: with names, without coordinates. Errors are compared in groups, and a group that
differs is halved, so that a small change is found in few comparisons.

Soundness duty: none for a verdict. It says which errors are looked at together and first; each is
checked, or its verdict is one of the store that was checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeAlias

from ..ir.cfa import Edge, Function, Program
from ..ir.ops import Error, ErrorKind, Halt
from ..records import dataclass, replace

ErrorName: TypeAlias = tuple[str, ErrorKind, str, str | None, int]
"""The function of an error, what it is, and which of those that are alike there."""

_MOST_COMPARISONS = 40


@dataclass(frozen=True, slots=True)
class Changes:
    """The errors of a program: those whose slice differs from before, and the others."""

    changed: tuple[ErrorName, ...]
    unchanged: tuple[ErrorName, ...]


def errors_of(program: Program) -> dict[ErrorName, Edge]:
    """The errors by name; what is not supported is none."""
    return {
        name: edge
        for function in program.functions.values()
        for name, edge in _named(function)
        if name[1] is not ErrorKind.UNSUPPORTED
    }


def with_errors(program: Program, wanted: Collection[ErrorName]) -> Program:
    """The program in which the other errors end a run. If no error of a part can be reached in the
    program with that part, for each part of all errors, then none can be: the first one on a run is
    in one of the parts. What is not supported stays."""
    functions = {name: _restricted(f, wanted) for name, f in program.functions.items()}
    return replace(program, functions=functions)


def _restricted(function: Function, wanted: Collection[ErrorName]) -> Function:
    others = {
        edge: Halt(name[2], None)
        for name, edge in _named(function)
        if name not in wanted and name[1] is not ErrorKind.UNSUPPORTED
    }
    if not others:
        return function
    edges = (replace(e, op=others[e]) if e in others else e for e in function.edges)
    return replace(function, edges=tuple(edges))


def _named(function: Function) -> Iterator[tuple[ErrorName, Edge]]:
    alike: dict[tuple[ErrorKind, str, str | None], int] = {}
    for edge in function.edges:
        if isinstance(edge.op, Error):
            what = (edge.op.kind, edge.op.text, edge.op.check)
            alike[what] = number = alike.get(what, -1) + 1
            yield (function.name, *what, number), edge


def changes(now: Program, before: Program, slice_of: Callable[[Program], str]) -> Changes:
    """Compare two versions; `slice_of` gives the fingerprint of what a program's errors depend
    on."""
    names = list(errors_of(now))
    old = errors_of(before)
    groups = [[name for name in names if name in old]]
    changed = {name for name in names if name not in old}
    compared = 0
    while groups:
        group = groups.pop()
        if not group:
            continue
        compared += 1
        if compared > _MOST_COMPARISONS:
            changed.update(group)
        elif slice_of(with_errors(now, group)) != slice_of(with_errors(before, group)):
            if len(group) == 1:
                changed.update(group)
            else:
                half = len(group) // 2
                groups += [group[:half], group[half:]]
    return Changes(
        tuple(name for name in names if name in changed),
        tuple(name for name in names if name not in changed),
    )
