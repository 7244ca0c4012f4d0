"""Comparisons of pointers into one object, as comparisons of their indices.

Soundness duty: what is added to a condition follows from it: addresses in one object, or just
behind it, are ordered as their indices are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd

from ...ir import make
from ...ir.expr import And, Binary, Const, Expr, Not, Op, Var
from ...ir.types import PointerType
from ..points_to.objects import Object
from .numbers import GhostNumbers
from .places import Anchor


class Comparisons:
    """Facts about the comparisons of one program; `single` says that there is one live instance of
    an object at most."""

    def __init__(self, numbers: GhostNumbers, single: Callable[[Object], bool]) -> None:
        self._numbers = numbers
        self._single = single

    def follow(self, cond: Expr) -> None:
        """Follow the pointers that a condition compares."""
        for comparison, _ in _atoms(cond):
            if self._common(comparison) is not None:
                self._numbers.shapes.use(comparison.left)
                self._numbers.shapes.use(comparison.right)

    def facts(self, cond: Expr) -> Iterator[Expr]:
        """What a condition says of indices."""
        for comparison, holds in _atoms(cond):
            if self._common(comparison) is None:
                continue
            unit = self._unit(comparison)
            left, right = (self._numbers.index(side, unit) for side in _sides(comparison))
            if left is None or right is None:
                continue
            fact = make.compare(comparison.op, left, right)
            unless: list[Expr] = []
            for side, index in zip(_sides(comparison), (left, right), strict=True):
                unless += self._null(side)
                if holds:  # what differs is different wherever it lies
                    unless += self._outside(side, index, unit)
            yield make.disj((*unless, fact if holds else make.negate(fact)))

    def _common(self, comparison: Binary) -> Object | None:
        """The object that both sides point into."""
        facts = self._numbers.facts
        objects = facts.objects(comparison.left) | facts.objects(comparison.right)
        if len(objects) != 1:
            return None
        for side in _sides(comparison):
            root = facts.place(side).root
            if not isinstance(root, Anchor) and not (isinstance(root, Var) and facts.traced(root)):
                return None
        (object_,) = objects
        return object_ if self._single(object_) else None

    def _unit(self, comparison: Binary) -> int:
        """Elements in which both indices are whole numbers."""
        unit = 0
        for side in _sides(comparison):
            place = self._numbers.facts.place(side)
            unit = gcd(unit, place.constant, *(size for _, size in place.terms))
            if isinstance(place.root, Var):
                shape = self._numbers.shapes.of(place.root)
                own = self._numbers.shapes.unit(place.root)
                unit = gcd(unit, own, shape.offset or 0)
        return unit or 1

    def _null(self, pointer: Expr) -> Iterator[Expr]:
        root = self._numbers.facts.place(pointer).root
        if isinstance(root, Var) and not self._numbers.facts.grounded(root):
            assert isinstance(root.type, PointerType)
            yield make.equal(root, make.const(0, root.type))

    def _outside(self, pointer: Expr, index: Expr, unit: int) -> Iterator[Expr]:
        length = self._numbers.length(pointer, unit)
        assert length is not None
        yield make.less(index, self._numbers.constant(0))
        yield make.less(length, index)


def _atoms(cond: Expr) -> Iterator[tuple[Binary, bool]]:
    """The comparisons of pointers that must, or must not, hold for the condition to hold."""
    for part in cond.args if isinstance(cond, And) else (cond,):
        holds = not isinstance(part, Not)
        atom = part.arg if isinstance(part, Not) else part
        match atom:
            case Binary(Op.EQ | Op.LT | Op.LE as op, left, right, _) if holds or op is Op.EQ:
                if isinstance(left.type, PointerType) and not isinstance(right, Const):
                    yield atom, holds


def _sides(comparison: Binary) -> tuple[Expr, Expr]:
    return comparison.left, comparison.right
