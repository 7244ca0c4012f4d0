"""The variables of the scalar program: cells, ghosts, temporaries and flags.

Soundness duty: two things have the same variable only if they are the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import make
from ...ir.cfa import ExternPointers
from ...ir.expr import Expr, Lvalue, Var
from ...ir.types import FloatType, IntType, PointerType, Type
from ..facts import ProgramFacts
from ..memory.partition import RegionId, Scalar
from .bags import Bags
from .cursors import Cursors
from .distinguished import Cell, Cells, Node, number_type
from .memory_accesses import MemoryAccesses
from .prefix_sums import PrefixSums

FLAG = IntType(32, True)
ONE, ZERO = make.const(1, FLAG), make.const(0, FLAG)


def zero(type_: Type) -> Expr:
    """The value whose bytes are zero."""
    if isinstance(type_, FloatType):
        return make.float_const(0.0, type_)
    assert isinstance(type_, IntType)
    return make.const(0, type_)


class ScalarVariables:
    """Makes variables when they are asked for, and knows all that there are."""

    def __init__(
        self,
        facts: ProgramFacts,
        accesses: MemoryAccesses,
        cells: Cells,
        sums: PrefixSums,
        cursors: Cursors,
        bags: Bags,
    ) -> None:
        self._partition = facts.partition
        self._number = accesses.number
        self._cells = cells
        self.sums = sums
        self.cursors = cursors
        self.bags = bags
        self.apart = facts.program.extern_pointers is not ExternPointers.ANY
        self.made: dict[Var, None] = {}
        self.addresses: dict[Var, None] = {}
        self.stored: dict[tuple[RegionId, Var], Var] = {}
        self._temporaries: dict[tuple[str, Lvalue], Var] = {}
        pointers = [r.id for r in facts.partition.regions if isinstance(r.unit, PointerType)]
        for node in cells.nodes:
            for number, region in enumerate(pointers, 1):
                flag = Var(f"stored {node.address.name} #{number}", FLAG)
                self.stored[region, node.address] = flag

    def ghosts(self) -> Iterator[Var]:
        """Ghosts, cells, and flags about them."""
        cells = self._cells
        yield from cells.ghosts
        yield from cells.flags
        yield from self.sums.ghosts
        yield from self.bags.ghosts
        for cursor in self.cursors.all:
            yield cursor.cell.var
            yield cursor.cell.anchor.address
        for cell in cells.cells:
            yield cell.var
            yield cell.anchor.address
        for node in cells.nodes:
            yield self.live(node)
        yield from self.stored.values()

    def all_cells(self) -> tuple[Cell, ...]:
        """Distinguished cells and cursors."""
        return (*self._cells.cells, *(cursor.cell for cursor in self.cursors.all))

    def live(self, node: Node) -> Var:
        """The flag that says whether there is an object at the address of a node."""
        return Var(f"live {node.address.name}", FLAG)

    def scalar(self, lvalue: Lvalue) -> Var:
        """The variable of an lvalue that is not in memory."""
        storage = self._partition.storage(lvalue)
        assert isinstance(storage, Scalar)
        return self.variable(storage.var)

    def variable(self, var: Var) -> Var:
        """A variable of the program (or of its formulas, for the member of a record)."""
        return self._make(Var(var.name, number_type(var.type)))

    def temporary(self, function: str, lvalue: Lvalue) -> Var:
        """What a function has read from, or written to, a place in memory."""
        key = (function, lvalue)
        if key not in self._temporaries:
            name = f"{function}::read {len(self._temporaries)}"
            self._temporaries[key] = self._make(Var(name, number_type(lvalue.type)))
        return self._temporaries[key]

    def anything(self, function: str, type_: Type) -> Var:
        """A variable for any value."""
        return self._make(Var(f"{function}::any {len(self.made)}", type_))

    def address(self, name: Var) -> Var:
        """A variable that holds an address, the same in the whole run."""
        self.addresses.setdefault(name)
        return name

    def null(self) -> Expr:
        return make.const(0, self._number)

    def _make(self, var: Var) -> Var:
        self.made.setdefault(var)
        return var
