"""The numbers that can be tracked as numeric variables: each is one storage with a name.

A number of floating point, `float` or `double`, is tracked by its place in the order of all numbers
(`float_bounds.rank`), so that it is an integer, too; a NaN comes after all others. An order between
numbers that are none is one between their places.
A *scalar* cell is a variable or member that only its name reaches. The others are integer variables
whose address is taken: a pointer may write them, which makes a transformer conditional [GC10,
examples 6 to 8]. A function is entered only if it is not active, so a local is one cell.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.intervals import float_bounds
from ...analysis.intervals.interval import Interval
from ...analysis.memory.partition import NOTHING, InRegion, Scalar
from ...c2bp.abstraction_context import AbstractionContext
from ...errors import InternalError, UnsupportedFeature
from ...ir.def_use import op_reads, op_writes
from ...ir.expr import Expr, Field, Lvalue, Var
from ...ir.ops import Assume
from ...ir.types import FloatType, IntType, Type
from ...ir.walk import reads
from ...records import dataclass
from ...wp.aliasing import APART


@dataclass(frozen=True, slots=True)
class NumericVariable:
    """A number of the program, called a cell; `scalar` if nothing but its name reaches it."""

    var: Var
    scalar: bool

    @property
    def name(self) -> str:
        return self.var.name

    @property
    def type(self) -> IntType | FloatType:
        assert isinstance(self.var.type, IntType | FloatType)
        return self.var.type

    @property
    def limits(self) -> Interval:
        """The least and the largest integer that stands for a value."""
        return limits(self.type)


NAN = float_bounds.ALL[1] + 1
"""The place of a NaN."""


def limits(type_: IntType | FloatType) -> Interval:
    if isinstance(type_, IntType):
        return type_.low, type_.high
    return float_bounds.ALL[0], NAN


def is_tracked(type_: Type) -> bool:
    """May a variable of the type be a number? A long double lies between two places."""
    return isinstance(type_, IntType) or (
        isinstance(type_, FloatType) and type_.bits <= float_bounds.BITS
    )


class NumericVariables:
    """All cells of a program, in the order in which its operations use them."""

    def __init__(self, context: AbstractionContext, floats: bool = False) -> None:
        self._context = context
        self._floats = floats  # are numbers of floating point tracked?
        self._named: dict[Lvalue, NumericVariable | None] = {}
        self.lvalues: dict[str, Lvalue] = {}  # how the program writes a cell
        self.all: dict[str, NumericVariable] = {}
        self.tested: dict[str, NumericVariable] = {}  # those that conditions read
        for function in context.program.functions.values():
            for edge in function.edges:
                for lvalue in (*op_reads(edge.op), *op_writes(edge.op)):
                    self._note(self.all, lvalue)
                if isinstance(edge.op, Assume):
                    for lvalue in reads(edge.op.cond):
                        self._note(self.tested, lvalue)
            for var in (*function.params, *function.locals):
                self._note(self.all, var)
        for item in context.program.globals:
            self._note(self.all, item.var)
        self._in_memory = tuple(cell for cell in self.all.values() if not cell.scalar)

    def _note(self, found: dict[str, NumericVariable], lvalue: Lvalue) -> None:
        cell = self.of(lvalue)
        if cell is not None:
            found[cell.name] = cell

    def of(self, lvalue: Lvalue) -> NumericVariable | None:
        """The cell that an lvalue names."""
        if lvalue not in self._named:
            cell = self._named[lvalue] = self._of(lvalue)
            if cell is not None:
                self.lvalues.setdefault(cell.name, lvalue)
        return self._named[lvalue]

    def _of(self, lvalue: Lvalue) -> NumericVariable | None:
        root: Expr = lvalue
        while isinstance(root, Field):
            root = root.base
        is_float = isinstance(lvalue.type, FloatType)
        if not is_tracked(lvalue.type) or (is_float and not self._floats):
            return None
        if root in self._context.names.made:  # it is in formulas only
            return None
        try:
            storage = self._context.partition.storage(lvalue)
        except (InternalError, UnsupportedFeature):  # an initialised member that nobody uses
            return None
        if isinstance(storage, Scalar):
            return NumericVariable(storage.var, True)
        if is_float:  # in memory, they are not tracked
            return None
        used = isinstance(storage, InRegion) and storage.region != NOTHING
        return NumericVariable(lvalue, False) if isinstance(lvalue, Var) and used else None

    def reached(self, lvalue: Lvalue) -> list[NumericVariable]:
        """The cells that an access to an lvalue may concern."""
        cell = self.of(lvalue)
        if cell is not None:
            return [cell]
        found = []
        for other in self._in_memory:
            try:
                apart = self._context.aliasing.relation(lvalue, other.var) is APART
            except (InternalError, UnsupportedFeature):
                apart = True  # it could not be tracked anyway
            if not apart:
                found.append(other)
        return found

    def read_by(self, expressions: Iterable[Expr]) -> dict[str, NumericVariable]:
        """The cells whose values expressions may use."""
        return {
            cell.name: cell
            for expression in expressions
            for lvalue in reads(expression)
            if is_tracked(lvalue.type)
            for cell in self.reached(lvalue)
        }
