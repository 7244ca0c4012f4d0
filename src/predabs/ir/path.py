"""Paths: sequences of edges that follow each other, into and out of calls."""

from __future__ import annotations

from ..records import dataclass
from .cfa import Edge


@dataclass(frozen=True, slots=True)
class Path:
    """The edges of a run in order. A call edge is followed by the callee's first edge, if it has a
    body, and the callee's return edge by the edge after the call."""

    edges: tuple[Edge, ...]

    def __len__(self) -> int:
        return len(self.edges)
