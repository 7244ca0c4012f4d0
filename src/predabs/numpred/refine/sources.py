"""Which cells the values of cells are made of, so that all of them are tracked together.

No soundness duty: a cell that is not tracked is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...ir.configuration import Configuration, Transition
from ...ir.ops import Assign
from ...ir.walk import reads
from ..program.numeric_variables import NumericVariable, NumericVariables


class Sources:
    """From each cell to those that are read where it is assigned by its name."""

    def __init__(
        self, transitions: Mapping[Configuration, Iterable[Transition]], cells: NumericVariables
    ) -> None:
        self._read: dict[str, dict[str, NumericVariable]] = {}
        operations = {
            op: None
            for some in transitions.values()
            for transition in some
            for op in transition.ops
        }
        for op in operations:
            target = cells.of(op.target) if isinstance(op, Assign) else None
            if isinstance(op, Assign) and target is not None:
                found = (cells.of(lvalue) for lvalue in reads(op.value))
                known = self._read.setdefault(target.name, {})
                known.update((cell.name, cell) for cell in found if cell is not None)

    def with_sources(self, cells: Mapping[str, NumericVariable]) -> dict[str, NumericVariable]:
        """The cells, and whatever flows into them."""
        found = dict(cells)
        waiting = list(cells)
        while waiting:
            for name, cell in self._read.get(waiting.pop(), {}).items():
                if name not in found:
                    found[name] = cell
                    waiting.append(name)
        return found
