"""Which states of one configuration are kept apart, and which are merged.

Merged, a position in a text or a pointer that is one number here and another there becomes a choice
between numbers; then each access goes to many places, no loop over it ends by itself, and the
formulas grow with each round. So states that differ in such constants are kept apart as long
as they are few; where only data differ, they are merged [KKBC12]. No soundness duty: both ways are
exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..ir.expr import Var
from ..ir.types import PointerType
from ..smt import bitvectors
from ..smt.term import BitVecSort, Term, Value
from .content import Content
from .state import SymbolicState

_BYTE = BitVecSort(8)
_END = Value(0, _BYTE)  # of a string
_POINTER = 16  # numbers


def distance(left: SymbolicState, right: SymbolicState, tells: Callable[[Var], bool]) -> int:
    """In how many places the states hold constants that are not the same: in variables that tell
    where a run stands, and in memory. Bytes are data, but for the ends of strings. Pointers count
    more than numbers."""
    count = _in_variables(left.locals, right.locals, tells)
    count += _in_variables(left.globals, right.globals, tells)
    for made, content in left.memory.contents():
        twin = right.memory.live(made)
        if twin is not None and twin is not content:
            count += _in_cells(content, twin)
    return count


def _in_variables(
    left: Mapping[Var, Term], right: Mapping[Var, Term], tells: Callable[[Var], bool]
) -> int:
    count = 0
    for var, value in left.items():
        other = right.get(var)
        if other is None or other is value:
            continue
        if isinstance(var.type, PointerType):
            if tells(var):
                count += _POINTER
        elif isinstance(value, Value) and isinstance(other, Value) and tells(var):
            count += 1
    return count


def _in_cells(left: Content, right: Content) -> int:
    count = 0
    for offset, cell in left.cells.items():
        count += _tell_apart(cell, _cell(right, offset, cell))
    for offset, cell in right.cells.items():
        if offset not in left.cells:
            count += _tell_apart(cell, _cell(left, offset, cell))
    return count


def _cell(content: Content, offset: int, like: Term) -> Term | None:
    """The cell at an offset, if it has the size of another; what nobody wrote may be zero."""
    cell = content.cells.get(offset)
    if cell is None and content.array is None and content.initial.name is None:
        return bitvectors.bits(0, bitvectors.width_of(like))
    return cell if cell is not None and cell.sort is like.sort else None


def _tell_apart(cell: Term, other: Term | None) -> bool:
    if other is None or other is cell:
        return False
    if cell.sort is _BYTE:
        return cell is _END or other is _END
    return isinstance(cell, Value) and isinstance(other, Value)
