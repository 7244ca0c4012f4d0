"""A program without recursion down to a depth: each depth has copies of the recursive functions.

A call inside a group of functions that call each other goes to the copy of the next depth, which
has variables of its own; at the last depth it is an end that is not followed (`UNSUPPORTED`).
Soundness duty: a run whose recursion is not deeper is a run of the copy, error for error; a deeper
one comes to such an end. Whoever shows that none is reached has shown it for all runs.
"""

from __future__ import annotations

from ..analysis.facts import ProgramFacts
from ..ir.cfa import Edge, Function, Location, Program
from ..ir.def_use import map_op
from ..ir.expr import Expr, FunctionAddress, Var
from ..ir.ops import Call, Error, ErrorKind, Operation
from ..ir.order import strong_components
from ..ir.walk import rename
from ..records import dataclass, replace


def recursive_groups(facts: ProgramFacts) -> dict[str, frozenset[str]]:
    """For each recursive function, those that it calls and that call it."""
    graph = facts.call_graph
    return {
        name: frozenset(group)
        for group in strong_components(graph)
        if len(group) > 1 or group[0] in graph[group[0]]
        for name in group
    }


def with_copies(facts: ProgramFacts, depth: int) -> Program:
    """The program with so many copies of each recursive function."""
    program, groups = facts.program, recursive_groups(facts)
    functions = dict(program.functions)
    for name, group in groups.items():
        for level in range(depth):
            copy = _Copy(program.functions[name], group, level, depth).function()
            functions[copy.name] = copy
    return replace(program, functions=functions)


def _named(name: str, level: int) -> str:
    return f"{name}@{level}" if level else name


@dataclass(frozen=True, slots=True)
class _Copy:
    """One function at one depth."""

    original: Function
    group: frozenset[str]
    level: int
    depth: int

    def function(self) -> Function:
        old, name = self.original, _named(self.original.name, self.level)
        renamed = {var: self._var(var) for var in (*old.params, *old.locals)}

        def changed(expr: Expr) -> Expr:
            return rename(expr, renamed)

        edges = tuple(
            Edge(
                self._at(edge.src),
                self._op(map_op(edge.op, changed)),
                self._at(edge.dst),
                edge.coord,
            )
            for edge in old.edges
        )
        return replace(
            old,
            name=name,
            params=tuple(renamed[var] for var in old.params),
            locals=tuple(renamed[var] for var in old.locals),
            entry=self._at(old.entry),
            exit=self._at(old.exit),
            edges=edges,
            labels={label: self._at(place) for label, place in old.labels.items()},
            blocks={},
        )

    def _at(self, location: Location) -> Location:
        return Location(_named(location.function, self.level), location.index)

    def _var(self, var: Var) -> Var:
        return Var(f"{_named(var.function, self.level)}::{var.short}", var.type)

    def _op(self, op: Operation) -> Operation:
        match op:
            case Call(target, FunctionAddress(name, type_), args) if name in self.group:
                if self.level + 1 == self.depth:
                    return Error(ErrorKind.UNSUPPORTED, f"recursion is deeper than {self.depth}")
                return Call(target, FunctionAddress(_named(name, self.level + 1), type_), args)
        return op
