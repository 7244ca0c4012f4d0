"""Weakest preconditions of operations, as formulas of the IR.

`wp` is the weakest liberal precondition: what must hold before, so that the formula holds after
every way in which the operation can end. `pre` is its dual: what holds before if the formula may
hold after (the `wp` of [BMR05] and [HJMS02]); the two differ only for `Assume` and `Havoc`. Both
speak of states in which neither the operation nor the formula goes wrong. An unknown value is a
fresh variable: for `wp` the result is meant for all values of it, for `pre` for some value.

Soundness duty: exact, or an `UnsupportedFeature`.

>>> from ..ir.cfa import Program
>>> from ..ir.ops import Assign
>>> from ..ir.show import show_expr
>>> from ..ir.types import INT, DataModel
>>> x, y = Var("x", INT), Var("y", DataModel.LP64.pointer(INT))
>>> empty = Program({}, (), {}, "main", DataModel.LP64, {}, (), ())
>>> anything = Aliasing(empty, lambda one, two: True, lambda one, two: True)
>>> large = make.less(make.const(6, INT), make.deref(y))
>>> show_expr(Preconditions(anything).wp(Assign(x, make.const(7, INT)), large))
'&x == y || &x != y && *y > 6'
"""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.updates import Update, updates_of
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Edge
from ..ir.expr import FALSE, TRUE, Binary, Cast, Const, Expr, Op, Var
from ..ir.ops import Alloc, Assume, Error, Halt, Operation
from ..ir.types import PointerType
from ..ir.walk import fold, rebuild, variables
from ..records import dataclass
from .aliasing import Aliasing
from .morris_axiom import alias_scenarios


@dataclass(slots=True)
class Preconditions:
    """Computes them for one program; the fresh variables are those of `aliasing.names`."""

    aliasing: Aliasing

    def wp(self, op: Operation, formula: Expr) -> Expr:
        """What must hold before, so that the formula holds after."""
        if isinstance(op, Assume):
            return make.disj((make.negate(op.cond), formula))
        return TRUE if isinstance(op, Error | Halt) else self._before(op, formula)

    def pre(self, op: Operation, formula: Expr) -> Expr:
        """What holds before, if the formula may hold after."""
        if isinstance(op, Assume):
            return make.conj((op.cond, formula))
        return FALSE if isinstance(op, Error | Halt) else self._before(op, formula)

    def wp_path(self, edges: Sequence[Edge], formula: Expr) -> Expr:
        """`wp` of edges that follow each other in one function."""
        for edge in reversed(edges):
            try:
                formula = self.wp(edge.op, formula)
            except UnsupportedFeature as problem:
                raise located(edge, problem) from None
        return formula

    def pre_path(self, edges: Sequence[Edge], formula: Expr) -> Expr:
        """`pre` of edges that follow each other in one function."""
        for edge in reversed(edges):
            try:
                formula = self.pre(edge.op, formula)
            except UnsupportedFeature as problem:
                raise located(edge, problem) from None
        return formula

    def _before(self, op: Operation, formula: Expr) -> Expr:
        if isinstance(op, Alloc):
            return self._allocated(op, formula)
        updates = updates_of(op, self.aliasing.program, self.aliasing.names)
        return alias_scenarios(formula, updates, self.aliasing) if updates else formula

    def _allocated(self, op: Alloc, formula: Expr) -> Expr:
        """Of the address of a new object a formula can say that it is not null, and no more."""
        new = self.aliasing.names.fresh("new", op.target)
        found = alias_scenarios(formula, (Update(op.target, new),), self.aliasing)
        found = fold(found, lambda term, args: _not_null(rebuild(term, args), new))
        if new in variables(found):
            raise UnsupportedFeature("the formula speaks of an object that is allocated here")
        return found


def _not_null(term: Expr, new: Var) -> Expr:
    match term:
        case Binary(Op.EQ, left, Const(0, _), _):
            while isinstance(left, Cast) and isinstance(left.type, PointerType):
                left = left.arg
            return FALSE if left is new else term
    return term


def located(edge: Edge, problem: UnsupportedFeature) -> UnsupportedFeature:
    return UnsupportedFeature(f"{edge.coord}: {problem}")
