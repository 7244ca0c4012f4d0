"""Expressions of the program over the variables that are followed.

Soundness duty: what is read of memory, of floating-point numbers and of variables that are not
followed may be anything.
"""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.facts import ProgramFacts
from ...analysis.memory.partition import Scalar
from ...ir import make
from ...ir.expr import And, Binary, Cast, Const, Expr, Ite, Lvalue, Not, Op, Or, Unary, Var
from ...ir.types import BoolType, IntType
from ...ir.walk import children, substitute
from .array_cells import ArrayCells
from .function_codes import CODE, is_function_pointer
from .symbolic_terms import tidied
from .valuation import Prepared

_PURE = (Unary, Binary, Cast, Ite, Not, And, Or)


class Followed:
    """The variables that are followed, and what expressions are in terms of them."""

    def __init__(
        self, facts: ProgramFacts, cells: ArrayCells, followed: Callable[[Var], bool]
    ) -> None:
        self._facts = facts
        self._cells = cells
        self._codes = cells.codes
        self._followed = followed
        self._storage: dict[Expr, Var | None] = {}

    def variable(self, e: Expr) -> Var | None:
        """The variable that is followed which an lvalue is, if it is one."""
        if e in self._storage:
            return self._storage[e]
        found: Var | None = None
        if isinstance(e, Lvalue) and (isinstance(e.type, IntType) or is_function_pointer(e.type)):
            storage = self._facts.partition.storage(e)
            if not isinstance(storage, Scalar):
                found = self._cells.cell(e)
            elif storage.var.type is e.type:
                found = self._codes.of(storage.var)
        if found is not None and not self._followed(found):
            found = None
        self._storage[e] = found
        return found

    def prepared(self, e: Expr) -> Prepared:
        """The expression over variables that are followed; all else may be anything. A pointer to a
        function becomes its number."""
        leaves: dict[Expr, Expr] = {}
        read: dict[Var, None] = {}
        opened: list[Var] = []
        if is_function_pointer(e.type):
            number = self._number(e, read, opened)
            return Prepared(number, tuple(read), tuple(opened))
        seen: set[Expr] = set()
        stack = [e]
        while stack:
            term = stack.pop()
            if term in seen or isinstance(term, Const):
                continue
            seen.add(term)
            var = self.variable(term)
            if var is not None:
                leaves[term] = var
                read[var] = None
                continue
            inner = children(term)
            if isinstance(term, _PURE) and all(
                isinstance(one.type, IntType | BoolType) for one in (term, *inner)
            ):
                stack.extend(inner)
                continue
            match term:
                case Binary(Op.EQ, left, right, _) if is_function_pointer(left.type):
                    one = self._number(left, read, opened)
                    leaves[term] = make.equal(one, self._number(right, read, opened))
                case _:
                    opened.append(Var(f"?{len(opened)}", term.type))
                    leaves[term] = opened[-1]
        return Prepared(tidied(substitute(e, leaves)), tuple(read), tuple(opened))

    def _number(self, pointer: Expr, read: dict[Var, None], opened: list[Var]) -> Expr:
        """The number of a pointer to a function."""
        while isinstance(pointer, Cast) and is_function_pointer(pointer.arg.type):
            pointer = pointer.arg
        number = self._codes.number(pointer)
        if number is not None:
            return number
        var = self.variable(pointer)
        if var is not None:
            read[var] = None
            return var
        opened.append(Var(f"?{len(opened)}", CODE))
        return opened[-1]
