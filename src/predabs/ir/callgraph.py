"""Which functions are recursive, by a graph of who calls whom.

Soundness duty: a function is left out only if no call in the graph leads from it back to it.
"""

from __future__ import annotations

from .order import Graph, strong_components


def recursive_functions(graph: Graph[str]) -> frozenset[str]:
    """The functions that can be called while they are running."""
    return frozenset(
        name
        for group in strong_components(graph)
        for name in group
        if len(group) > 1 or name in graph.get(name, ())
    )
