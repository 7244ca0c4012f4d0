"""What is tracked of a program: cells as numeric variables, and predicates.

A predicate that compares cells, without an overflow in between, has that comparison as its meaning:
the domain takes it for a constraint (paper 003, section 4.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..domains.numpred.formula import Predicate
from ..ir.expr import Expr
from .cells import Cell


@dataclass(frozen=True, slots=True)
class Precision:
    """Cells by name, and predicates with what they stand for."""

    cells: Mapping[str, Cell] = field(default_factory=dict)
    predicates: Mapping[Predicate, Expr] = field(default_factory=dict)
