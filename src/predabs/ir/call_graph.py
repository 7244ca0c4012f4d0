"""The call graph, and which functions are recursive.

Soundness duty: no call is left out, as far as whoever is asked for its targets leaves none out. The
targets of a call through a pointer are the points-to analysis' to give; `direct_targets` knows only
what the program names, and is for choices on which no verdict rests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .cfa import Edge, Program
from .expr import FunctionAddress
from .ops import Call
from .order import Graph, strong_components


def call_graph(
    program: Program, targets: Callable[[Edge], Iterable[str]]
) -> dict[str, tuple[str, ...]]:
    """For each function of the program, the functions with a body that it may call, in the order of
    its edges; `targets` gives those of each edge that is a call."""
    return {
        name: tuple(
            dict.fromkeys(
                callee
                for edge in function.edges
                if isinstance(edge.op, Call)
                for callee in targets(edge)
                if callee in program.functions
            )
        )
        for name, function in program.functions.items()
    }


def direct_targets(edge: Edge) -> tuple[str, ...]:
    """The function that a call names; none for a call through a pointer."""
    match edge.op:
        case Call(_, FunctionAddress(name, _), _):
            return (name,)
    return ()


def called_functions(graph: Graph[str]) -> frozenset[str]:
    """The functions that any function calls."""
    return frozenset(callee for callees in graph.values() for callee in callees)


def recursive_functions(graph: Graph[str]) -> frozenset[str]:
    """The functions that can be called while they are running."""
    return frozenset(
        name
        for group in strong_components(graph)
        for name in group
        if len(group) > 1 or name in graph.get(name, ())
    )
