"""Which functions a call through a pointer may reach: the program's own, and the environment's.

A pointer from outside is taken for a function of the environment, which returns any value and
changes nothing. Soundness duty: where it may be a function of the program, `undecided` holds.
"""

from __future__ import annotations

from collections.abc import Set

from ..analysis.points_to.address_taken import address_taken
from ..concrete.storage_layout import VariableLayout
from ..ir.cfa import Program
from ..ir.expr import Expr
from ..ir.types import PointerType
from ..records import dataclass
from ..smt import bitvectors, build
from ..smt.term import Term, Value
from .memory import AddressSpace
from .pointers import LeafCase, cases, mentions_address

OUTSIDE = "*"
"""The name of the environment's function."""


@dataclass(frozen=True, slots=True)
class Callees:
    """The functions by name, with the condition of each; where `outside` holds the function is one
    of the environment, where `undecided` holds it may be one of the program that is not named."""

    named: list[tuple[Term, str]]
    outside: Term
    undecided: Term


class FunctionPointers:
    """The functions of a program, and where they lie."""

    def __init__(self, program: Program, layout: VariableLayout) -> None:
        self._program = program
        self._layout = layout
        self._names = {address: name for name, address in layout.functions.items()}
        self._taken: Set[str] = address_taken(program).functions & program.functions.keys()

    def callees(self, callee: Expr, value: Term, space: AddressSpace) -> Callees | None:
        """What a call of a value may reach; None if that cannot be told."""
        found = cases(value, space.environment.is_pointer)
        if found is None:
            return None
        named = []
        for case in found.known:
            name = self._names.get(case.base)
            if name is not None and isinstance(case.offset, Value) and case.offset.value == 0:
                named.append((case.cond, name))
        outside = []
        undecided = []
        for leaf in found.leaves:
            if not space.apart or mentions_address(leaf.leaf):
                return None
            there = space.environment.accessible(leaf.leaf, leaf.offset, 1)
            outside.append(build.and_(leaf.cond, there))
            undecided.append(build.and_(leaf.cond, self._fits(callee, leaf)))
        return Callees(named, build.or_(*outside), build.or_(*undecided))

    def address(self, name: str) -> Value:
        return bitvectors.bits(self._layout.functions[name], self._layout.bits)

    def _fits(self, callee: Expr, leaf: LeafCase) -> Term:
        """The condition that it is a function of the program of the type that is called."""
        value = bitvectors.add(leaf.leaf, leaf.offset)
        type_ = callee.type.target if isinstance(callee.type, PointerType) else None
        return build.or_(
            *(
                build.eq(value, self.address(name))
                for name in sorted(self._taken)
                if self._program.functions[name].type is type_
            )
        )
