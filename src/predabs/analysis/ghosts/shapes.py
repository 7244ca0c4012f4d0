"""Shapes: what of a register's index and length is constant, and what has a ghost variable.

The *index* is the distance from the start of the object that a pointer points into, the *length*
the size of that object, both in elements: numeric domains then see `i < n` where the bytes would
have factors. Registers that get each other's values count in the same elements: their size is the
greatest common divisor of all sizes that occur in sums.

Soundness duty: every distance that is added to an index is a multiple of the element, and the
registers that are followed are closed under definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import gcd
from typing import TypeAlias

from ...ir.expr import Binary, Const, Expr, Ite, Op, Var
from ...ir.types import FunctionType, PointerType, VoidType, size_of
from ...records import dataclass
from ..points_to.objects import Allocated
from .definitions import Value
from .lifetimes import is_on_heap
from .places import Place
from .registers import RegisterFacts

Node: TypeAlias = Var | Allocated


@dataclass(frozen=True, slots=True)
class Shape:
    """The constant offset in bytes, or None for a ghost variable; the size in bytes, the allocation
    whose ghost variable has the length while its object lives, or None for one of the register's
    own."""

    offset: int | None
    size: int | Allocated | None

    @property
    def is_followed(self) -> bool:
        """Does the register have ghost variables of its own?"""
        return self.offset is None or self.size is None


class Shapes:
    """The shapes of the registers that the given pointers need, and their elements."""

    def __init__(self, facts: RegisterFacts) -> None:
        self._facts = facts
        self._shapes: dict[Var, Shape] = {}
        self._parent: dict[Node, Node] = {}
        self._units: dict[Node, int] = {}
        self._todo: list[Var] = []

    @property
    def followed(self) -> tuple[Var, ...]:
        """The registers with ghost variables."""
        return tuple(var for var, shape in self._shapes.items() if shape.is_followed)

    @property
    def sites(self) -> tuple[Allocated, ...]:
        """The allocations whose lengths are followed."""
        sizes = (shape.size for shape in self._shapes.values())
        return tuple(dict.fromkeys(size for size in sizes if isinstance(size, Allocated)))

    def of(self, register: Var) -> Shape:
        found = self._shapes.get(register)
        if found is None:
            found = self._shapes[register] = self._shape(register)
            self._todo.append(register)
        return found

    def _shape(self, register: Var) -> Shape:
        facts = self._facts
        size: int | Allocated | None = None
        if facts.proper(register):
            size = facts.size(register)
            if size is None:
                size = facts.site(register)
        elif facts.traced(register):
            site = facts.site(register)
            size = site if site is not None and is_on_heap(site) else None
        return Shape(facts.offset(register), size)

    def unit(self, node: Node) -> int:
        """The size of the element in which index and length are counted."""
        return self._units.get(self._find(node), 0) or 1

    # --- demand -----------------------------------------------------------------------------------

    def use(self, pointer: Expr, sizes: Iterable[int] = ()) -> None:
        """The place of the pointer is asked for, with further distances of these sizes."""
        for place in self.leaves(pointer):
            if self._facts.definitions.is_register(place.root):
                self.of(place.root)
                self._divide(place.root, *(size for _, size in place.terms), *sizes)
        while self._todo:
            self._follow(self._todo.pop())

    def leaves(self, pointer: Expr) -> Iterator[Place]:
        """The places that an expression chooses from."""
        todo = [pointer]
        while todo:
            expr = todo.pop()
            if isinstance(expr, Ite):
                todo += [expr.other, expr.then]
            else:
                yield self._facts.place(expr)

    def _follow(self, register: Var) -> None:
        shape = self._shapes[register]
        assert isinstance(register.type, PointerType)
        target = register.type.target
        if not isinstance(target, VoidType | FunctionType):
            self._divide(register, size_of(target))
        self._divide(register, shape.offset or 0)
        if isinstance(shape.size, Allocated):
            self._join(register, shape.size)
        if not shape.is_followed:
            return
        for definition in self._facts.definitions.of(register):
            if isinstance(definition, Value):
                for place in self.leaves(definition.expr):
                    self._defined(register, place)

    def _defined(self, register: Var, place: Place) -> None:
        self._divide(register, place.constant, *(size for _, size in place.terms))
        if not self._facts.definitions.is_register(place.root):
            return
        shape = self.of(place.root)
        self._divide(register, shape.offset or 0)
        if shape.is_followed:
            self._join(register, place.root)
        elif isinstance(shape.size, Allocated):
            self._join(register, shape.size)

    # --- elements ---------------------------------------------------------------------------------

    def _divide(self, node: Node, *sizes: int) -> None:
        root = self._find(node)
        self._units[root] = gcd(self._units.get(root, 0), *sizes)

    def _find(self, node: Node) -> Node:
        while (above := self._parent.get(node, node)) != node:
            node = above
        return node

    def _join(self, one: Node, two: Node) -> None:
        a, b = self._find(one), self._find(two)
        if a != b:
            self._parent[b] = a
            self._divide(a, self._units.pop(b, 0))


def factor(size: Expr) -> int:
    """What a number is a multiple of, as its text says; 1 if that is not known.

    >>> from ...ir import make
    >>> from ...ir.types import ULLONG
    >>> factor(make.binary(Op.MUL, Var("n", ULLONG), make.const(4, ULLONG)))
    4
    """
    match size:
        case Const(value):
            return value
        case Binary(Op.MUL, _, Const(value), _) | Binary(Op.MUL, Const(value), _, _):
            return value
    return 1
