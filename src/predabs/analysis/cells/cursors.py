"""Cursors: the elements at indices that are variables of the program.

Distinguished cells stand for any element; a cursor is the one at `i`, or at `i + 1`, wherever `i`
is [GRS05]: it is what an element was made from (`a[i] = a[i - 1] + 1`), and the largest so far.
Where `i` changes, the cursor becomes what another cell at its new index holds, or anything.

Soundness duty: where its index lies in the array, and in the functions of `scope`, a cursor may
hold what the array holds there; elsewhere it may hold anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...ir import make
from ...ir.cfa import Edge
from ...ir.expr import Const, Expr, FunctionAddress, Lvalue, Var
from ...ir.ops import Assign, Call, Havoc, Operation, Source
from ...ir.show import show_expr
from ...ir.types import Type
from ...ir.walk import variables
from ...records import dataclass
from ..effects import Slot
from ..facts import ProgramFacts
from ..memory.partition import RegionId
from .distinguished import Cell, Single, within
from .memory_accesses import MemoryAccesses, edges_of, memory_reads, memory_write
from .places import WIDE, unwidened
from .single_arrays import SingleArray, array_of, element_of, is_counter

_MOST = 8
_MOST_ARRAYS = 4


@dataclass(frozen=True, slots=True)
class Cursor:
    """The cell at an index of the program, an expression over counters of one function (or of none:
    `scope` is empty)."""

    cell: Cell
    array: SingleArray
    index: Expr
    scope: str

    def is_known_in(self, function: str) -> bool:
        return self.scope in ("", function)


class Cursors:
    """The cursors of one program, in arrays of these regions."""

    def __init__(
        self,
        facts: ProgramFacts,
        accesses: MemoryAccesses,
        regions: Iterable[RegionId],
    ) -> None:
        self._facts = facts
        self._accesses = accesses
        self.all: list[Cursor] = []
        wanted = set(regions)
        accessed: dict[Lvalue, None] = {}
        for edge in edges_of(facts.program) if wanted else ():
            target = memory_write(accesses, edge)
            for lvalue in (*memory_reads(accesses, edge), *((target,) if target else ())):
                if accesses.region(lvalue) in wanted:
                    accessed[lvalue] = None
        arrays = dict.fromkeys(array_of(accesses, lvalue) for lvalue in accessed)
        found = [
            (array, element.index)
            for array in [array for array in arrays if array is not None][:_MOST_ARRAYS]
            for lvalue in accessed
            if (element := element_of(accesses, lvalue, array)) is not None
        ]
        for array, index in sorted(found, key=lambda item: isinstance(item[1], Const)):
            self._add(array, index)

    def _add(self, array: SingleArray, index: Expr) -> None:
        names = variables(index)
        scopes = {var.function for var in names} - {""}
        if len(scopes) > 1 or len(self.all) >= _MOST:
            return
        if not all(is_counter(self._accesses, var) for var in names):
            return
        if any(var.short.startswith("tmp.") for var in names):  # a copy of another index
            return
        for cursor in self.all:  # one array may begin at several offsets
            if cursor.index is index and cursor.array == array:
                return
        name = f"at {len(self.all) + 1} {_shown(array, index)}"
        cell = Cell(
            Var(name, array.element),
            array.region,
            array.object,
            (index,),
            (array.stride,),
            array.offset,
        )
        self.all.append(Cursor(cell, array, index, scopes.pop() if scopes else ""))

    # --- what operations do -----------------------------------------------------------------------

    def before(
        self, edge: Edge, anything: Callable[[Type], Var]
    ) -> tuple[list[Operation], list[Moved]]:
        """What is done before an operation, and which cursors it moves."""
        if isinstance(edge.op, Call):
            entered = [c for c in self.all if self._enters(edge.op, c.scope)]
            return [_havoc(c.cell.var) for c in entered], []
        writes = self._facts.modref.slots.effects(edge).writes
        ops: list[Operation] = []
        moved = []
        for cursor in self._affected(edge.src.function, writes):
            held, at = anything(cursor.cell.var.type), anything(cursor.index.type)
            ops += [Assign(held, cursor.cell.var), Assign(at, cursor.index)]
            moved.append(Moved(cursor, at, held))
        return ops, moved

    def after(
        self,
        edge: Edge,
        moved: list[Moved],
        cells: Iterable[Cell],
        anything: Callable[[Type], Var],
    ) -> list[Operation]:
        """What is done afterwards; `cells` are those at ghosts."""
        function = edge.src.function
        if isinstance(edge.op, Call):
            return [_havoc(c.cell.var) for c in self._moved_by_call(edge, edge.op)]
        ops: list[Operation] = []
        for item in moved:
            cursor = item.cursor
            known: list[tuple[Expr, Expr]] = [
                (m.at, m.held) for m in moved if m.cursor.array == cursor.array
            ]
            known += self._unmoved(cursor, cells, {m.cursor for m in moved}, function)
            unknown = anything(cursor.cell.var.type)
            new: Expr = unknown
            for at, held in known:
                new = make.ite(make.equal(at, cursor.index), held, new)
            new = make.ite(self._in_range(cursor), new, unknown)
            ops.append(Assign(cursor.cell.var, new))
        return ops

    def _unmoved(
        self, cursor: Cursor, cells: Iterable[Cell], moved: set[Cursor], function: str
    ) -> Iterator[tuple[Expr, Expr]]:
        """Indices and contents of other cells of the same array."""
        for cell in cells:
            index = index_in(cell, cursor.array)
            if index is not None:
                yield index, cell.var
        for other in self.all:
            if other.is_known_in(function) and other.array == cursor.array and other not in moved:
                yield other.index, other.cell.var

    def _in_range(self, cursor: Cursor) -> Expr:
        """Does the index lie where it tells elements apart?"""
        return within([(cursor.index, (1 << (self._accesses.bits - 1)) // cursor.array.stride)])

    def _affected(self, function: str, writes: frozenset[Slot]) -> list[Cursor]:
        """The cursors whose indices change."""
        return [
            cursor
            for cursor in self.all
            if cursor.is_known_in(function) and not writes.isdisjoint(variables(cursor.index))
        ]

    def _moved_by_call(self, edge: Edge, op: Call) -> Iterator[Cursor]:
        """The cursors whose indices change with a call. Those at globals alone are followed in what
        is called; others are not, and it may change the globals of their indices."""
        modref = self._facts.modref
        given = frozenset() if op.target is None else modref.slots.of_target(op.target)
        changed = modref.effects(edge).writes | given
        for cursor in self.all:
            writes = changed if cursor.scope else given
            if cursor.is_known_in(edge.src.function) and not writes.isdisjoint(
                variables(cursor.index)
            ):
                yield cursor

    def _enters(self, op: Call, scope: str) -> bool:
        """May the call enter the function whose variables lead to the cursor?"""
        if not scope:
            return False
        return not isinstance(op.callee, FunctionAddress) or op.callee.name == scope


@dataclass(frozen=True, slots=True)
class Moved:
    """A cursor that moves, with what it held, and the index where that was."""

    cursor: Cursor
    at: Var
    held: Var


def index_in(cell: Cell, array: SingleArray) -> Expr | None:
    """The index of the cell, if it is an element of the array, as what that is read."""
    single = isinstance(cell.anchor, Single) and cell.anchor.object == array.object.object
    if not single or cell.region is not array.region or cell.var.type is not array.element:
        return None
    if not cell.index:
        count, rest = divmod(cell.offset - array.offset, array.stride)
        return None if rest else make.const(count, WIDE)
    alike = (cell.offset, cell.strides) == (array.offset, (array.stride,))
    return cell.index[0] if alike else None


def _havoc(var: Expr) -> Operation:
    assert isinstance(var, Var)
    return Havoc(var, Source.UNKNOWN, var.short)


def _shown(array: SingleArray, index: Expr) -> str:
    name = array.object.address.name.removeprefix("&").rpartition(".")[2]
    return f"{name}[{show_expr(unwidened(index))}]"
