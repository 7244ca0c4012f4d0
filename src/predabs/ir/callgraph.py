"""Who calls whom, and which functions are recursive.

Soundness duty: no call is left out. A direct call names its callee; the targets of a call through
a pointer are the caller's to give, and one that is not given is an error, never "no target".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..errors import InternalError
from .cfa import Edge, Program
from .expr import FunctionAddress
from .ops import Call
from .order import Graph, strong_components


def call_graph(
    program: Program, indirect: Mapping[Edge, Collection[str]]
) -> dict[str, tuple[str, ...]]:
    """For each function of the program, what it may call, in the order of its edges.

    `indirect` gives the targets of each call edge that goes through a pointer.
    """
    graph: dict[str, tuple[str, ...]] = {}
    for function in program.functions.values():
        callees: dict[str, None] = {}
        for edge in function.edges:
            if isinstance(edge.op, Call):
                callees.update(dict.fromkeys(_targets(edge, edge.op, indirect)))
        graph[function.name] = tuple(callees)
    return graph


def _targets(edge: Edge, call: Call, indirect: Mapping[Edge, Collection[str]]) -> Collection[str]:
    if isinstance(call.callee, FunctionAddress):
        return (call.callee.name,)
    targets = indirect.get(edge)
    if targets is None:
        raise InternalError(f"{edge.coord}: no targets are known for the call through a pointer")
    return targets


def recursive_functions(graph: Graph[str]) -> frozenset[str]:
    """The functions that can be called while they are running."""
    return frozenset(
        name
        for group in strong_components(graph)
        for name in group
        if len(group) > 1 or name in graph.get(name, ())
    )
