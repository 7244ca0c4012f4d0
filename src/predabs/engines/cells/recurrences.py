"""Recurrences: what elements are that are made from the ones before them.

`a[i] = a[i - 1] + c` and `a[0] = d` have the closed form `a[k] == d + c * k`.

No soundness duty: closed forms are candidates, which may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.cells.distinguished import Cell
from ...analysis.cells.places import unwidened
from ...ir import make
from ...ir.expr import Const, Expr, Op
from ...ir.linear_forms import normal
from ...ir.types import IntType


def closed_forms(
    cells: Iterable[Cell], writes: Iterable[tuple[Cell, Expr]]
) -> Iterator[tuple[Cell, Expr]]:
    """Cells, and what they would be; `writes` are what is written to cells."""
    known = list(writes)
    starts = [(cell, value) for cell, value in known if isinstance(value, Const)]
    all_cells = list(cells)
    for cell, value in known:
        for other in all_cells:
            step = _difference(value, other.var)
            distance = _distance(cell, other)
            if step is None or not distance or step % distance:
                continue
            slope = step // distance
            for start, first in starts:
                if start.region is cell.region and isinstance(first, Const):
                    at = (start.offset - cell.offset) // max(1, *cell.strides)
                    if not start.index:
                        yield cell, _line(cell, slope, first.value - slope * at)


def _difference(value: Expr, other: Expr) -> int | None:
    """By how much a value is larger than another, if that is always so."""
    return _number(value, other) if value.type is other.type else None


def _distance(cell: Cell, other: Cell) -> int | None:
    """By how much the index of a cell is larger, in the same array."""
    if (cell.region, cell.anchor, cell.strides, cell.offset) != (
        other.region,
        other.anchor,
        other.strides,
        other.offset,
    ):
        return None
    if len(cell.index) != 1 or len(other.index) != 1:
        return None
    one, two = unwidened(cell.index[0]), unwidened(other.index[0])
    return _number(one, two) if one.type is two.type else None


def _number(one: Expr, two: Expr) -> int | None:
    if not isinstance(one.type, IntType):
        return None
    found = normal(make.binary(Op.SUB, one, two))
    signed = IntType(one.type.bits, True)
    return signed.wrap(found.value) if isinstance(found, Const) else None


def _line(cell: Cell, slope: int, number: int) -> Expr:
    """`slope * index + number`."""
    type_ = cell.var.type
    assert isinstance(type_, IntType)
    index = make.cast(unwidened(cell.index[0]), type_)
    scaled = make.binary(Op.MUL, index, make.const(slope, type_))
    return make.binary(Op.ADD, scaled, make.const(number, type_))
