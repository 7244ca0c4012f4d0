"""What is tracked of a program: cells as numeric variables, and predicates.

A predicate that compares cells, without an overflow in between, has that comparison as its meaning:
the domain takes it for a constraint [GC10, section 4.1].
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ...ir.expr import Binary, Const, Deref, Expr, Index, Op, Var
from ...ir.types import IntType
from ...ir.walk import subterms
from ...records import dataclass, field
from ..domain.formula import Predicate
from .numeric_variables import NumericVariable, NumericVariables

_FEW_CELLS = 30  # that are all tracked from the start
_MOST_CELLS = 100  # that conditions read, and are tracked from the start


@dataclass(frozen=True)
class TrackedPrecision:
    """Cells by name, and predicates with what they stand for."""

    cells: Mapping[str, NumericVariable] = field(default_factory=dict)
    predicates: Mapping[Predicate, Expr] = field(default_factory=dict)

    @cached_property
    def scalars(self) -> tuple[Var, ...]:
        """The variables of scalar cells."""
        return tuple(cell.var for cell in self.cells.values() if cell.scalar)

    @cached_property
    def exprs(self) -> tuple[Expr, ...]:
        """What the predicates stand for, in their order."""
        return tuple(self.predicates.values())

    @cached_property
    def in_memory(self) -> tuple[tuple[Predicate, Expr], ...]:
        """The predicates that read through an index or a pointer."""
        return tuple(item for item in self.predicates.items() if in_memory(item[1]))

    @cached_property
    def equated(self) -> Mapping[Expr, tuple[tuple[int, int], ...]]:
        """By expression: the predicates, by index, that equate it with a constant."""
        found: dict[Expr, tuple[tuple[int, int], ...]] = {}
        for number, expr in enumerate(self.exprs):
            pair = equated(expr)
            if pair is not None:
                found[pair[0]] = (*found.get(pair[0], ()), (number, pair[1]))
        return found


def equated(e: Expr) -> tuple[Expr, int] | None:
    """The x and c of `x == c`, which is true for one c at most."""
    match e:
        case Binary(Op.EQ, left, Const(value, IntType()), _):
            return left, value
        case Binary(Op.EQ, Const(value, IntType()), right, _):
            return right, value
    return None


def in_memory(e: Expr) -> bool:
    """Whether anything is read through an index or a pointer."""
    return any(isinstance(lvalue, Index | Deref) for lvalue in subterms(e))


def first_cells(cells: NumericVariables) -> dict[str, NumericVariable]:
    """The scalar cells to begin with: all if they are few, else those that conditions read."""
    scalars = {name: cell for name, cell in cells.all.items() if cell.scalar}
    if len(scalars) <= _FEW_CELLS:
        return scalars
    tested = {name: cell for name, cell in cells.tested.items() if cell.scalar}
    return tested if len(tested) <= _MOST_CELLS else {}
