"""The program without its run-time checks: only the runs in which none of them fails.

A branch to the error of a check is left out together with the test that the check passes, so that
assignments stand one behind the other as in the source. Soundness duty: every run of the program in
which no check fails is a run of the result; whoever uses it says that it took this for granted.
"""

from __future__ import annotations

from ...ir.cfa import Edge, Function, Location, Program
from ...ir.ops import Error, ErrorKind
from ...records import replace


def without_checks(program: Program) -> Program:
    return replace(
        program,
        functions={name: _without(function) for name, function in program.functions.items()},
    )


def _without(function: Function) -> Function:
    failing = {edge.src for edge in function.edges if _is_failed_check(edge)}
    kept: list[Edge] = []
    passed: dict[Location, Location] = {}  # a location of which only the passed check is left
    for edge in function.edges:
        if _is_failed_check(edge) or edge.dst in failing:
            continue
        siblings = function.outgoing[edge.src]
        if len(siblings) == 2 and any(other.dst in failing for other in siblings):
            passed[edge.src] = edge.dst
        else:
            kept.append(edge)

    def end(location: Location) -> Location:
        while location in passed:
            location = passed[location]
        return location

    edges = tuple(replace(edge, dst=end(edge.dst)) for edge in kept if edge.src not in failing)
    return replace(function, entry=end(function.entry), exit=end(function.exit), edges=edges)


def _is_failed_check(edge: Edge) -> bool:
    return isinstance(edge.op, Error) and edge.op.kind is ErrorKind.CHECK
