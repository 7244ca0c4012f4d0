"""The values of expressions in the scalar program, and reads of memory.

Soundness duty: a value may be what the expression has in the program, whatever memory holds outside
of the cells, unless evaluating it faults.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ...errors import InternalError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Edge
from ...ir.expr import (
    FALSE,
    TRUE,
    AddressOf,
    And,
    Binary,
    Bound,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Forall,
    FunctionAddress,
    Index,
    Initialised,
    Ite,
    Lvalue,
    NoLeak,
    Not,
    ObjectSize,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    ValidAccess,
    ValidFree,
    Var,
)
from ...ir.ops import (
    Assign,
    Assume,
    Havoc,
    Operation,
    Source,
)
from ...ir.types import (
    IntType,
    PointerType,
    Type,
    is_scalar,
    size_of,
)
from ...ir.walk import evaluated
from ..facts import ProgramFacts
from ..memory.partition import RegionId
from ..points_to.objects import Allocated
from .cursors import Cursor
from .distinguished import MISS, Cell, Cells, Hit, Node, number_type
from .memory_accesses import MemoryAccesses
from .scalar_variables import FLAG, ONE, ZERO, ScalarVariables
from .single_arrays import element_of


class CellValues:
    """The values of one edge; `ops` is what is done before them. `known` are the reads that are
    available where the edge leaves."""

    def __init__(
        self,
        facts: ProgramFacts,
        accesses: MemoryAccesses,
        cells: Cells,
        variables: ScalarVariables,
        edge: Edge,
        known: frozenset[Lvalue],
    ) -> None:
        self._facts = facts
        self._accesses = accesses
        self._cells = cells
        self._variables = variables
        self._edge = edge
        self._known = known
        self._ops: list[Operation] = []
        self._values: dict[Expr, Expr] = {}

    def read(self, lvalues: Iterable[Lvalue]) -> list[Operation]:
        """The operations that read from memory, one after the other."""
        for lvalue in lvalues:
            self.value(lvalue)
        return self._ops

    def value(self, e: Expr) -> Expr:
        """The value of an expression; what it reads from memory is read before."""
        for term in evaluated(e):
            if term not in self._values:
                self._values[term] = self._step(term)
        return self._values[e]

    def _step(self, term: Expr) -> Expr:
        values = self._values
        match term:
            case Var() | Deref() | Field() | Index():
                return self._read(term)
            case Const(value, PointerType()):
                return make.const(value, self._accesses.number)
            case Const() | FloatConst():
                return term
            case FunctionAddress(name, _):
                return self._variables.address(Var(f"&{name}()", self._accesses.number))
            case Unary(op, arg, _):
                return make.unary(op, values[arg])
            case Binary(op, left, right, _) if op.is_comparison:
                return make.compare(op, values[left], values[right])
            case Binary(op, left, right, _):
                return make.binary(op, values[left], values[right])
            case Cast(arg, type_):
                return make.cast(values[arg], number_type(type_))
            case PointerAdd(pointer, index, PointerType(target, _)):
                return self._sum(values[pointer], values[index], size_of(target))
            case PointerDiff(left, right, type_):
                assert isinstance(left.type, PointerType)
                size = make.const(max(1, size_of(left.type.target)), type_)
                difference = make.binary(Op.SUB, values[left], values[right])
                return make.binary(Op.DIV, make.cast(difference, type_), size)
            case AddressOf(target, _):
                return self._address_of(target)
            case ObjectSize(_, type_):
                return self._anything(type_)
            case ValidAccess() | ValidFree() | Initialised() | NoLeak():
                return make.not_equal(self._anything(FLAG), ZERO)
            case Ite(cond, then, other, _):
                return make.ite(values[cond], values[then], values[other])
            case Not(arg):
                return make.negate(values[arg])
            case And(args):
                return make.conj(values[arg] for arg in args)
            case Or(args):
                return make.disj(values[arg] for arg in args)
            case Bound() | Forall():
                raise InternalError("a program has no quantifiers")
        assert_never(term)

    def _sum(self, pointer: Expr, index: Expr, size: int) -> Expr:
        number = self._accesses.number
        scaled = make.binary(Op.MUL, make.cast(index, number), make.const(size, number))
        return make.binary(Op.ADD, pointer, scaled)

    def _address_of(self, target: Lvalue) -> Expr:
        place = self._accesses.place(target)
        if place is None:
            return self._anything(self._accesses.number)
        if place.is_variable:
            self._variables.address(self._accesses.address_variable(place.base))
        return self._accesses.address(place, self._operand)

    def _operand(self, e: Expr) -> Expr:
        """The value of an operand of a place, which may be a part of a term that was not met."""
        return self.value(e)

    def _anything(self, type_: Type) -> Var:
        var = self._variables.anything(self._edge.src.function, type_)
        self._ops.append(Havoc(var, Source.UNKNOWN, var.short))
        return var

    def _temporary(self, lvalue: Lvalue) -> Var:
        return self._variables.temporary(self._edge.src.function, lvalue)

    def _read(self, lvalue: Lvalue) -> Expr:
        if not is_scalar(lvalue.type):
            raise UnsupportedFeature(f"{self._edge.coord}: a record is read as a whole")
        region = self._accesses.region(lvalue)
        type_ = number_type(lvalue.type)
        if region is None:
            var = self._variables.scalar(lvalue)
            return make.cast(var, type_)
        temporary = self._temporary(lvalue)
        if lvalue in self._known:
            return temporary
        self._not_null(lvalue)
        self._ops.append(Havoc(temporary, Source.UNKNOWN, temporary.short))
        found: Expr = temporary
        same: list[Expr] = []  # a read may hit several cells, which then hold the same
        for cell, hit in self._hits(lvalue, region):
            content, here = make.cast(cell.var, type_), make.conj((hit.sure, hit.cond))
            found = make.ite(here, content, found)
            same.append(make.disj((make.negate(here), make.equal(temporary, content))))
        if found is not temporary:
            self._ops.append(Assign(temporary, found))
        if len(same) > 1 and isinstance(type_, IntType):
            self._ops.append(Assume(make.conj(same)))
        self._said(lvalue, region, temporary)
        return temporary

    def _hits(self, lvalue: Lvalue, region: RegionId) -> list[tuple[Cell, Hit]]:
        """The cells that an access may be to."""
        found = []
        for cell in self._cells.cells:
            if cell.region is region:
                hit = self._accesses.hit(lvalue, cell, self._operand)
                if hit.cond is not FALSE or hit.sure is not TRUE:
                    self._note_addresses(lvalue, cell)
                    found.append((cell, hit))
        for cursor in self._variables.cursors.all:
            if cursor.cell.region is region:
                hit = self._at_cursor(lvalue, cursor)
                if hit is not MISS:
                    found.append((cursor.cell, hit))
        return found

    def _at_cursor(self, lvalue: Lvalue, cursor: Cursor) -> Hit:
        """Whether it is the element of the cursor, where that and the index are known."""
        objects = self._accesses.objects(lvalue)
        if self._variables.apart and objects.isdisjoint(cursor.cell.objects):
            return MISS
        found = element_of(self._accesses, lvalue, cursor.array)
        if found is None or not cursor.is_known_in(self._edge.src.function):
            return Hit(TRUE, FALSE)
        same = make.equal(self._operand(found.index), cursor.index)
        return Hit(same, self._operand(found.sure))

    def _note_addresses(self, lvalue: Lvalue, cell: Cell) -> None:
        for object_ in (cell.anchor,) if not isinstance(cell.anchor, Node) else ():
            if not isinstance(object_.object, Allocated):
                self._variables.address(object_.address)
        place = self._accesses.place(lvalue)
        if place is not None and place.is_variable:
            self._variables.address(self._accesses.address_variable(place.base))

    def _not_null(self, lvalue: Lvalue) -> None:
        """An access that does not fault is not at the null pointer, nor out of its array."""
        place = self._accesses.place(lvalue)
        if place is None or place.is_variable:
            return
        if not place.steps and self._accesses.starts(place.base) is not None:
            base = self._operand(place.base)
            self._ops.append(Assume(make.not_equal(base, self._variables.null())))

    def _said(self, lvalue: Lvalue, region: RegionId, temporary: Var) -> None:
        """A ghost address is read only where it was stored."""
        if not isinstance(lvalue.type, PointerType):
            return
        for node in self._cells.nodes:
            flag = self._variables.stored.get((region, node.address))
            if flag is not None:
                other = make.not_equal(temporary, node.address)
                self._ops.append(Assume(make.disj((other, make.equal(flag, ONE)))))
