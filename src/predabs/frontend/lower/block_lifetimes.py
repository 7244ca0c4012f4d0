"""Where the variables of inner blocks begin and end to live, as marks in the automaton.

`x.life = &x` stands where the block of x is entered, `x.life = 0` where it is left, by whichever
jump; `analysis/block_lifetimes` makes something of that. Arrays, records and variables whose
address is taken have marks; of the others nobody can tell. Variables that a `for` declares, and
those of blocks that are the value of an expression, live as long as the function here.
Soundness duty: a run that is in a block has passed the mark of its beginning, and not yet that of
its end, since it came there last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...ir import make
from ...ir.cfa import Coord, life_of
from ...ir.expr import AddressOf, Var
from ...ir.ops import Assign
from ...ir.types import ArrayType, PointerType, RecordType
from .. import ast
from ..symbols import StorageClass, Symbol
from .cfa_builder import CfaBuilder
from .scopes import FunctionScope


class BlockLifetimes:
    """The blocks around the statement that is being lowered. Without `marks` nothing is marked."""

    def __init__(self, scope: FunctionScope, graph: CfaBuilder, *, marks: bool) -> None:
        self._scope = scope
        self._graph = graph
        self._marks = marks
        self._open: list[tuple[list[Symbol], set[str]]] = []
        self._inside: dict[str, frozenset[str]] = {}

    @property
    def depth(self) -> int:
        """How many blocks are open, that of the function among them."""
        return len(self._open)

    @property
    def inside(self) -> Mapping[str, frozenset[str]]:
        """For each variable with marks the names of the variables that end with it."""
        return self._inside

    def enter(self, items: Iterable[ast.Stmt], coord: Coord) -> None:
        """A block begins; that of the function itself is the first."""
        declared = [item.symbol for item in items if isinstance(item, ast.Declare)]
        marked = [symbol for symbol in declared if self._open and self._is_marked(symbol)]
        self._open.append((marked, set()))
        self.begin(marked, coord)

    def leave(self, coord: Coord) -> None:
        """The block ends where the run comes to its end."""
        self.end_to(self.depth - 1, coord)
        marked, names = self._open.pop()
        for symbol in marked:
            self._inside[self._scope.variable(symbol).name] = frozenset(names)

    def declare(self, var: Var) -> None:
        """A variable is declared in the blocks that are open."""
        for _, names in self._open:
            names.add(var.name)

    def begin(self, symbols: Iterable[Symbol], coord: Coord) -> None:
        """The variables come to life, as far as they have marks."""
        for symbol in filter(self._is_marked, symbols):
            var = self._scope.variable(symbol)
            life, type_ = self._life(var)
            self._graph.emit(Assign(life, AddressOf(var, type_)), coord)

    def end(self, symbols: Iterable[Symbol], coord: Coord) -> None:
        """The variables end, as far as they have marks."""
        for symbol in filter(self._is_marked, symbols):
            life, type_ = self._life(self._scope.variable(symbol))
            self._graph.emit(Assign(life, make.const(0, type_)), coord)

    def end_to(self, depth: int, coord: Coord) -> None:
        """All blocks are left but that many."""
        for marked, _ in reversed(self._open[depth:]):
            self.end(marked, coord)

    def any_open(self) -> bool:
        """Is there a variable with marks in the blocks around?"""
        return any(marked for marked, _ in self._open)

    def _is_marked(self, symbol: Symbol) -> bool:
        if not self._marks or symbol.storage is not StorageClass.LOCAL or symbol.vla:
            return False
        return isinstance(symbol.type, ArrayType | RecordType) or self._scope.has_address(symbol)

    def _life(self, var: Var) -> tuple[Var, PointerType]:
        type_ = self._scope.names.data_model.pointer(var.type)
        life = life_of(var, type_.bits)
        if life not in self._scope.declared:
            self._scope.declared.append(life)
        return life, type_
