"""Places: a pointer expression as a root and a distance from it, in bytes.

Soundness duty: the address is that of the root plus the distance, modulo the address space. An
`Anchor` that is a variable's own address is exact; anything that is no sum has itself as its root.
"""

from __future__ import annotations

from ...ir.expr import AddressOf, Cast, Const, Deref, Expr, Field, Index, PointerAdd, Var
from ...ir.types import PointerType, size_of
from ...records import dataclass
from ..points_to.access_paths import AccessPaths


@dataclass(frozen=True, slots=True)
class Anchor:
    """The address of a variable, where the distance begins."""

    var: Var


@dataclass(frozen=True, slots=True)
class Place:
    """`root + constant`, plus the product of each of the `terms`: an index and a size."""

    root: Anchor | Expr
    constant: int
    terms: tuple[tuple[Expr, int], ...]

    @property
    def is_root(self) -> bool:
        """Is it the value of the root itself?"""
        return self.constant == 0 and not self.terms


def place_of(pointer: Expr, access_paths: AccessPaths) -> Place:
    """The place that a pointer expression stands for."""
    constant, terms = 0, list[tuple[Expr, int]]()

    def add(index: Expr, size: int) -> None:
        nonlocal constant
        value = access_paths.constant(index)
        if value is None:
            terms.append((index, size))
        else:
            constant += value * size

    while True:
        match pointer:
            case Cast(arg, PointerType()) if isinstance(arg.type, PointerType):
                pointer = arg
            case PointerAdd(base, index, PointerType(target, _)) if not isinstance(base, Const):
                add(index, size_of(target))
                pointer = base
            case AddressOf(target, _):
                lvalue: Expr = target
                while isinstance(lvalue, Field | Index):
                    if isinstance(lvalue, Field):
                        constant += access_paths.member(lvalue.base.type, lvalue.name).offset
                    else:
                        add(lvalue.index, size_of(lvalue.type))
                    lvalue = lvalue.base
                if not isinstance(lvalue, Deref):
                    assert isinstance(lvalue, Var)
                    return Place(Anchor(lvalue), constant, tuple(terms))
                pointer = lvalue.pointer
            case _:
                return Place(pointer, access_paths.signed(constant), tuple(terms))
