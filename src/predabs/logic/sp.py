"""Strongest postconditions of operations, as formulas of the IR with names for old values.

The state before an assignment is the state after it, with the old value put back: so the formula
is what Morris' axiom makes of it when the place gets a fresh variable. Soundness duty: exact (the
states in which the result holds for some values of the fresh variables are those that the
operation leads to), or an `UnsupportedFeature`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Edge
from ..ir.expr import FALSE, Expr, Lvalue, Var
from ..ir.ops import Assume, Error, Halt, Operation
from ..ir.types import FloatType
from .alias import Aliasing
from .assign import assigned, changes
from .updates import Update, updates_of
from .wp import located


@dataclass(slots=True)
class Postconditions:
    """Computes them for one program; the variables of `aliasing.names` are meant for some value."""

    aliasing: Aliasing

    def sp(self, op: Operation, formula: Expr) -> Expr:
        """What holds after, if the formula held before."""
        if isinstance(op, Assume):
            return make.conj((formula, op.cond))
        if isinstance(op, Error | Halt):
            return FALSE
        names = self.aliasing.names
        before = len(names.made)
        updates = updates_of(op, self.aliasing.program, names)
        if not updates:
            return formula
        unknown = set(list(names.made)[before:])
        self._check(updates, unknown)
        old = [Update(u.target, names.fresh(_hint(u.target), u.target)) for u in updates]
        now = [
            make.equal(u.target, assigned(u.value, old, self.aliasing))
            for u in updates
            if u.value not in unknown
        ]
        return make.conj((assigned(formula, old, self.aliasing), *now))

    def sp_path(self, edges: Sequence[Edge], formula: Expr) -> Expr:
        """`sp` of edges that follow each other in one function."""
        for edge in edges:
            try:
                formula = self.sp(edge.op, formula)
            except UnsupportedFeature as problem:
                raise located(edge, problem) from None
        return formula

    def _check(self, updates: Sequence[Update], unknown: set[Var]) -> None:
        for update in updates:
            if isinstance(update.target.type, FloatType) and update.value not in unknown:
                raise UnsupportedFeature("C's == does not say that two numbers are the same")
            if changes(update.target, updates, self.aliasing):
                raise UnsupportedFeature("an assignment changes the address that it goes to")


def _hint(place: Lvalue) -> str:
    return f"{place.name}'" if isinstance(place, Var) else "old"
