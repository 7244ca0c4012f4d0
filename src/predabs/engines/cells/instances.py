"""Instances: what holds for any element holds for those at cursors.

A clause about `a[any k]` that holds at a cut point for all values of `k` may be used there for the
element at `i`, whose value a cursor has: with `i` for the ghost and the cursor for the cell. So a
sum of elements of which each is 1 grows by 1.

Soundness duty: an instance is what a clause says for another value of one of its ghosts; no flag of
the ghost is part of it, and it says nothing where that value is not in the bounds of the ghost.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.cells.choice import Chooser
from ...analysis.cells.cursors import Cursor, Cursors, index_in
from ...analysis.cells.distinguished import Cell, Cells
from ...analysis.cells.places import unwidened, wide
from ...ir import make
from ...ir.expr import TRUE, Expr, Var
from ...ir.linear_forms import normal
from ...ir.walk import substitute, variables
from .houdini import Clause

_OF_GHOSTS = ("met ", "stored ", "live ")  # flags that belong to one value of a ghost
_MOST = 12


class Instances:
    """Instances of the clauses about one program."""

    def __init__(self, chooser: Chooser, cells: Cells, cursors: Cursors) -> None:
        self._cells = cells
        self._cursors = cursors
        self._ghosts = tuple(chooser.flags)
        self._mappings = list(self._all())

    def of(self, clause: Clause) -> Iterator[Clause]:
        """What follows from it, if it holds for all values of ghosts."""
        names = {var for literal in clause for var in variables(literal)}
        if any(name.name.startswith(_OF_GHOSTS) for name in names):
            return
        found: dict[Clause, None] = {}
        for first in self._applied(clause):
            found[first] = None
            found.update(dict.fromkeys(self._applied(first)))
        for instance in list(found)[:_MOST]:
            if TRUE not in instance:
                yield instance

    def _applied(self, clause: Clause) -> Iterator[Clause]:
        names = {var for literal in clause for var in variables(literal)}
        for ghost, mapping in self._mappings:
            mine = {c.var for c in self._cells.cells if _uses(c, ghost)} & names
            if (ghost in names or mine) and mine <= set(mapping):
                outside = [make.negate(b) for b in self._cells.bounds if ghost in variables(b)]
                yield tuple(substitute(part, mapping) for part in (*clause, *outside))

    def _all(self) -> Iterator[tuple[Var, dict[Expr, Expr]]]:
        """For ghosts and cursors: what stands for the ghost and its cells."""
        for ghost in self._ghosts:
            for cursor in self._cursors.all:
                index = unwidened(cursor.index)
                at: dict[Expr, Expr] = {ghost: index}
                plain = any(
                    index_in(cell, cursor.array) is wide(ghost) for cell in self._cells.cells
                )
                if index.type is not ghost.type or not plain:
                    continue
                mapping = dict(at)
                for cell in self._cells.cells:
                    if _uses(cell, ghost) and len(cell.index) == 1:
                        moved = substitute(unwidened(cell.index[0]), at)
                        for other in self._cursors.all:
                            if _is_at(other, cell, moved):
                                mapping[cell.var] = other.cell.var
                yield ghost, mapping


def _uses(cell: Cell, ghost: Var) -> bool:
    return any(ghost in variables(index) for index in cell.index) or cell.anchor.address is ghost


def _is_at(cursor: Cursor, cell: Cell, index: Expr) -> bool:
    """Is the cursor at this index of the cell's array?"""
    mine = unwidened(cursor.index)
    if index_in(cell, cursor.array) is None:
        return False
    return mine.type is index.type and normal(mine) is normal(index)
