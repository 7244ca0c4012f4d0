"""Probes: statements in generated code that tell an observer where a run comes.

Soundness duty: a probe changes nothing that a run reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...ir.cfa import Edge, Location


class Probes(Protocol):
    """What to add to the code of a program: one statement each, or no text."""

    def taken(self, edge: Edge) -> str:
        """Executed when this assumption is found to hold."""

    def entered(self, entry: Location) -> str:
        """Executed when the function of this entry begins."""

    def names(self) -> Mapping[str, object]:
        """What the statements refer to, for a run that begins now."""
