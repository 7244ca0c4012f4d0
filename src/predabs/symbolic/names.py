"""Symbols and objects of an exploration, each under its own name.

What a run makes at a point of the unrolling, another run that passes the same point can have too:
no run passes it twice, and no two runs meet. So an object lies at the same address in all of them,
and states that are followed apart can still be merged when that no longer matters. Soundness duty:
`order` is passed at most once by a run.
"""

from __future__ import annotations

from collections.abc import Hashable

from ..concrete.memory import ObjectKind
from ..smt.term import Sort, Symbol, Term
from .content import Initial
from .memory import AddressSpace, SymbolicObject


class Names:
    """Makes symbols, and objects of an address space."""

    def __init__(self, space: AddressSpace) -> None:
        self._space = space
        self._count = 0
        self._inputs: dict[Hashable, Symbol] = {}
        self._contents: dict[Hashable, Initial] = {}
        self._objects: dict[Hashable, SymbolicObject] = {}

    def fresh(self, name: str, sort: Sort) -> Symbol:
        """A symbol of its own."""
        return Symbol(self._numbered(name), sort)

    def content(self, name: str, outside: bool = True, unwritten: bool = False) -> Initial:
        """Bytes that may be anything; are pointers in them from `outside`, or any numbers? Are they
        what was never written?"""
        named = self._space.environment.contents if outside else None
        more = self._space.unwritten if unwritten else None
        return Initial(self._numbered(name), self._space.bits, named, more)

    def _numbered(self, name: str) -> str:
        self._count += 1
        return f"{name}!{self._count}"

    def input_at(self, order: tuple[int, ...], what: Hashable, name: str, sort: Sort) -> Symbol:
        """The scalar input that `what` takes at a point."""
        key = (order, what, name, sort)
        if key not in self._inputs:
            self._inputs[key] = self.fresh(name, sort)
        return self._inputs[key]

    def content_at(
        self,
        order: tuple[int, ...],
        what: Hashable,
        name: str,
        outside: bool = True,
        unwritten: bool = False,
    ) -> Initial:
        """The bytes that `what` takes at a point."""
        key = (order, what, name)
        if key not in self._contents:
            self._contents[key] = self.content(name, outside, unwritten)
        return self._contents[key]

    def object_at(
        self,
        order: tuple[int, ...],
        what: Hashable,
        name: str,
        size: int | Term,
        kind: ObjectKind,
    ) -> SymbolicObject:
        """The object that `what` is, or makes, at a point."""
        key = (order, what, size)
        if key not in self._objects:
            self._objects[key] = self._space.allocate(name, size, kind)
        return self._objects[key]
