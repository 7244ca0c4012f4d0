"""What lowering expressions of Ada is built on: choices between terms, reads, ranges.

Operands are evaluated from left to right. What Ada evaluates only sometimes is reached by a branch
if evaluating it leaves a trace (a check, a call); else it is part of one term.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from ...errors import InputError
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import FALSE, TRUE, Const, Expr, Field, Index, Lvalue, Op
from ...ir.types import BOOL, CBOOL, LLONG, ArrayType
from . import syntax
from .arithmetic import Value, constant, outside
from .entities import Object, Scope, Subprogram
from .frame import Frame
from .resolve import Resolver
from .syntax import Association
from .text import show
from .types import BOOLEAN, AdaType, Array, Scalar

BOUNDED_AT_ONCE = 16  # elements of arrays whose values are bounded when they become any


class Lowering(ABC):
    """Lowers the expressions of one subprogram, in one scope after the other."""

    def __init__(self, frame: Frame, scope: Scope) -> None:
        self.frame = frame
        self.names = Resolver(scope)
        self.bindings: dict[Object, Expr] = {}  # what parameters stand for, in a contract of them
        self.saved: dict[syntax.Expr, Lvalue] = {}  # of X'Old
        self.result: Lvalue | None = None  # of F'Result
        self.kept_at_entry: dict[str, Lvalue] = {}  # of X'Loop_Entry, by the text of X

    def at_loop_entry(self, expr: syntax.Attribute) -> Lvalue:
        """Where the value lies that X had when the loop around X'Loop_Entry began."""
        kept = self.kept_at_entry.get(show(expr.prefix).lower())
        if kept is None:
            raise InputError(f"{expr.coord}: 'Loop_Entry belongs to the pragmas of a loop")
        return kept

    # --- what other modules fill in -------------------------------------------------------------

    @abstractmethod
    def call_function(
        self, one: Subprogram, expr: syntax.Expr, args: Sequence[Association]
    ) -> Lvalue: ...

    @abstractmethod
    def aggregate(self, target: Lvalue, type_: AdaType, expr: syntax.Aggregate) -> None: ...

    @abstractmethod
    def copy(self, target: Lvalue, source: Lvalue, type_: AdaType, coord: Coord) -> None: ...

    @abstractmethod
    def condition(self, expr: syntax.Expr) -> Expr: ...

    @abstractmethod
    def value(self, expr: syntax.Expr, wanted: Scalar) -> Value: ...

    @abstractmethod
    def composite(self, expr: syntax.Expr, type_: AdaType) -> Lvalue: ...

    @abstractmethod
    def place(self, expr: syntax.Expr) -> tuple[Lvalue, AdaType]: ...

    # --- choices, reads, ranges -----------------------------------------------------------------

    def _short(
        self, left: Expr, right: Callable[[], Expr], absorbing: Const, expr: syntax.Expr
    ) -> Expr:
        """`and then` (absorbed by false) and `or else` (by true)."""
        if left is absorbing:
            return left
        if absorbing is FALSE:
            return self._conditional(left, right, lambda: FALSE, expr.coord)
        return self._conditional(left, lambda: TRUE, right, expr.coord)

    def _conditional(
        self, cond: Expr, then: Callable[[], Expr], other: Callable[[], Expr], coord: Coord
    ) -> Expr:
        """One of two terms; a side that leaves a trace is only reached by a branch."""
        if isinstance(cond, Const):
            return then() if cond is TRUE else other()
        graph = self.frame.graph
        here = graph.here
        yes, no = graph.fresh(), graph.fresh()
        graph.here = yes
        one, yes_end = then(), graph.here
        graph.here = no
        two, no_end = other(), graph.here
        if (yes_end, no_end) == (yes, no):
            graph.here = here
            return make.ite(cond, one, two)
        graph.here = here
        self.frame.branch(cond, yes, no, coord)
        truth = one.type is BOOL
        result = self.frame.temporary(CBOOL if truth else one.type)
        after = graph.fresh()
        for end, value in ((yes_end, one), (no_end, two)):
            graph.here = end
            self.frame.assign(result, make.cast(value, result.type), coord)
            graph.jump(after, coord)
        graph.here = after
        return make.as_condition(result) if truth else result

    def _read(self, place: Expr, type_: Scalar, coord: Coord) -> Value:
        """The value of an object. An element of an array that was never written is any value of its
        subtype: that is assumed where it is read."""
        value = Value(place, type_.low, type_.high)
        if isinstance(place, Const):
            return constant(place.value, type_.ir)
        if type_.constrains and _in_array(place):
            whole = Value(place, type_.ir.low, type_.ir.high)
            self.frame.assume(make.negate(outside(whole, type_.low, type_.high)), coord)
        return value

    def bound(self, bound: syntax.Expr | int, type_: Scalar) -> Value:
        """A bound of a range."""
        if isinstance(bound, int):
            return constant(bound, type_.ir)
        return self.value(bound, type_)


def inner_array(type_: Array) -> AdaType:
    """What the elements of the first dimension are."""
    if len(type_.indices) == 1:
        return type_.element
    return Array(type_.name, type_.origin, type_.indices[1:], type_.element, type_.constrained)


def position(value: Value, index: Scalar) -> Expr:
    """Where the element of an index lies, counted from 0."""
    if isinstance(value.expr, Const):
        return make.const(value.expr.value - index.low, LLONG)
    if index.low == 0:
        return value.expr
    if index.ir.low <= index.low <= index.ir.high and (
        index.low > 0 or index.high - index.low <= index.ir.high
    ):
        return make.binary(Op.SUB, value.expr, make.const(index.low, index.ir))
    wide = make.cast(value.expr, LLONG)
    return make.binary(Op.SUB, wide, make.const(index.low, LLONG))


def described(type_: Scalar) -> str:
    """A subtype with its bounds, for messages."""
    literals = type_.base.literals
    if literals and type_.base is not BOOLEAN.base:
        return f"{type_.name} ({literals[type_.low]} .. {literals[type_.high]})"
    return f"{type_.name} ({type_.low} .. {type_.high})"


def _in_array(place: Expr) -> bool:
    """Is it an element that nobody has bounded yet, or not by a constant index?"""
    found = False
    while isinstance(place, Field | Index):
        if isinstance(place, Index):
            assert isinstance(place.base.type, ArrayType)
            small = place.base.type.length <= BOUNDED_AT_ONCE
            found = found or not small or not isinstance(place.index, Const)
        place = place.base
    return found
