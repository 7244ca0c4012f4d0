"""Conditions about objects, replaced by conditions about ghost numbers.

Soundness duty: the condition that an access or free is valid is replaced by one that implies it, or
by that and the old one as alternatives; see `instrument` for where the two are taken as equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...ir import make
from ...ir.expr import (
    And,
    Binary,
    Const,
    Expr,
    Initialised,
    NoLeak,
    Not,
    Op,
    Or,
    ValidAccess,
    ValidFree,
    Var,
)
from ...ir.types import PointerType
from ...ir.walk import subterms
from ...records import dataclass
from ..points_to.sets import PointsTo
from .lifetimes import any_literal, is_on_heap
from .numbers import GhostNumbers
from .places import Anchor
from .written import WrittenFlags

AboutObjects: TypeAlias = ValidAccess | ValidFree | Initialised | NoLeak


def about_objects(cond: Expr) -> list[AboutObjects]:
    """The questions about objects in a condition."""
    return [term for term in subterms(cond) if isinstance(term, AboutObjects)]


@dataclass(frozen=True, slots=True)
class GhostConditions:
    """Replaces the conditions of one program; `exact` says that all that a register is given is
    followed, `live` counts the live objects of the heap."""

    points_to: PointsTo
    numbers: GhostNumbers
    exact: Callable[[Var], bool]
    live: Var
    written: WrittenFlags

    def replaced(self, cond: Expr) -> Expr:
        """The condition with what ghost numbers say; negations stand before atoms only."""
        return self._normal(cond, True)

    def _normal(self, cond: Expr, positive: bool) -> Expr:
        match cond:
            case Not(arg):
                return self._normal(arg, not positive)
            case And(args) | Or(args):
                null = self._excluded(args) if isinstance(cond, Or) else ()
                parts = [self._normal(arg, positive) for arg in args if arg not in null]
                return make.conj(parts) if isinstance(cond, And) is positive else make.disj(parts)
            case ValidAccess() | ValidFree() | Initialised() | NoLeak():
                numbers, exact = self._condition(cond)
                old = cond if positive else Not(cond)
                if numbers is None:
                    return old
                new = self._normal(numbers, positive)
                if exact:
                    return new
                return make.disj((new, old)) if positive else make.conj((new, old))
        return cond if positive else make.negate(cond)

    def _excluded(self, args: tuple[Expr, ...]) -> list[Expr]:
        """Comparisons with null that add nothing to `not valid`: what lies inside an object is not
        null, and neither is what it was computed from, if that is an address."""
        found: list[Expr] = []
        for arg in args:
            match arg:
                case Not(ValidAccess(pointer) as access):
                    numbers, exact = self._condition(access)
                    root = self.numbers.facts.place(pointer).root
                    if numbers is not None and exact and not isinstance(root, Anchor):
                        found += [other for other in args if self._is_null(other, root)]
        return found

    def _is_null(self, cond: Expr, root: Expr) -> bool:
        """Is it the comparison with null of a pointer from this root, which it need not be?"""
        match cond:
            case Binary(Op.EQ, pointer, Const(0, PointerType())):
                place = self.numbers.facts.place(pointer)
                grounded = isinstance(root, Var) and self.numbers.facts.grounded(root)
                return place.root is root and (grounded or not place.is_root)
        return False

    def _condition(self, cond: AboutObjects) -> tuple[Expr | None, bool]:
        """The condition on numbers, if there is one, and whether it is as good as the other."""
        match cond:
            case Initialised():
                return self.written.condition(cond), True
            case NoLeak():
                return make.equal(self.live, self.numbers.constant(0)), False
            case ValidAccess(pointer, size, writes):
                if writes and any_literal(self.points_to.targets(pointer)):
                    return None, False
                return self.numbers.inside(pointer, size), self._is_exact(pointer)
            case ValidFree(pointer):
                targets = self.points_to.targets(pointer)
                start = self.numbers.is_start(pointer)
                if start is None or not all(is_on_heap(target.object) for target in targets):
                    return None, False
                assert isinstance(pointer.type, PointerType)
                null = make.equal(pointer, make.const(0, pointer.type))
                return make.disj((null, start)), self._is_exact(pointer)

    def _is_exact(self, pointer: Expr) -> bool:
        roots = (place.root for place in self.numbers.shapes.leaves(pointer))
        return all(not isinstance(root, Var) or self.exact(root) for root in roots)
