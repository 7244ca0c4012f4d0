"""Variables that play the same role, by how the program uses them [ABF+13].

The threads of a scheduler have a state each, and an event for each of them: such variables are
given the same constants and compared with the same constants. What a proof needs of one of them, it
mostly needs of all.

Soundness duty: none; it is a guess which variables to follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from ...ir.cfa import Program
from ...ir.expr import Binary, Cast, Const, Expr, Not, Op, Var
from ...ir.ops import Assign, Assume

# is it a global, the constants that it is given, and those that it is compared with
Role: TypeAlias = tuple[bool, frozenset[int], frozenset[int]]


class Roles:
    """The variables of a program by their roles; `variable` says which one an lvalue is."""

    def __init__(self, program: Program, variable: Callable[[Expr], Var | None]) -> None:
        given: dict[Var, set[int]] = {}
        compared: dict[Var, set[int]] = {}
        for function in program.functions.values():
            for edge in function.edges:
                match edge.op:
                    case Assign(target, Const(value, _)):
                        if (var := variable(target)) is not None:
                            given.setdefault(var, set()).add(value)
                    case Assume(Binary(Op.EQ, place, Const(value, _), _)) | Assume(
                        Not(Binary(Op.EQ, place, Const(value, _), _))
                    ):
                        while isinstance(place, Cast):
                            place = place.arg
                        if (var := variable(place)) is not None:
                            compared.setdefault(var, set()).add(value)
        self._role: dict[Var, Role] = {}
        self._with: dict[Role, list[Var]] = {}
        for var in given.keys() & compared.keys():
            role = not var.function, frozenset(given[var]), frozenset(compared[var])
            self._role[var] = role
            self._with.setdefault(role, []).append(var)

    def alike(self, variables: Iterable[Var]) -> Iterator[Var]:
        """All variables that have the role of one of these."""
        for role in {self._role[var] for var in variables if var in self._role}:
            yield from sorted(self._with[role], key=lambda var: var.name)
