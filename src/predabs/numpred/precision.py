"""What is tracked of a program: cells as numeric variables, and predicates.

A predicate that compares cells, without an overflow in between, has that comparison as its meaning:
the domain takes it for a constraint (paper 003, section 4.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..domains.numpred.formula import Predicate
from ..ir.expr import Expr
from .cells import Cell, Cells

_FEW_CELLS = 30  # that are all tracked from the start
_MOST_CELLS = 100  # that conditions read, and are tracked from the start


@dataclass(frozen=True, slots=True)
class Precision:
    """Cells by name, and predicates with what they stand for."""

    cells: Mapping[str, Cell] = field(default_factory=dict)
    predicates: Mapping[Predicate, Expr] = field(default_factory=dict)


def first_cells(cells: Cells) -> dict[str, Cell]:
    """The plain cells to begin with: all if they are few, else those that conditions read."""
    plain = {name: cell for name, cell in cells.all.items() if cell.plain}
    if len(plain) <= _FEW_CELLS:
        return plain
    tested = {name: cell for name, cell in cells.tested.items() if cell.plain}
    return tested if len(tested) <= _MOST_CELLS else {}
