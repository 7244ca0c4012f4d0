"""Flag variables: cells to which only constants, inputs and other flag variables are assigned, and
which conditions only compare with constants. They are better tracked by predicates.

A program asks only a few conditions of a flag variable. Once these are predicates, its number adds
no information, but distinguishes values that are the same otherwise: n flags have two to the power
of n values. No soundness duty: a cell that is not tracked is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...ir.configuration import Configuration, Transition
from ...ir.def_use import op_reads
from ...ir.expr import Binary, Cast, Const, Expr, Lvalue, Op
from ...ir.ops import Assign, Assume, Operation
from ...ir.types import BOOL
from ...ir.walk import reads
from ...refine.atoms import atoms
from ..program.numeric_variables import NumericVariables


def flag_variables(
    transitions: Mapping[Configuration, Iterable[Transition]], cells: NumericVariables
) -> dict[str, tuple[Expr, ...]]:
    """The flag variables by name, each with the conditions that test it."""
    return _Search(transitions, cells).run()


class _Search:
    """Goes through all operations once, and then along the copies."""

    def __init__(
        self, transitions: Mapping[Configuration, Iterable[Transition]], cells: NumericVariables
    ) -> None:
        self._cells = cells
        self._tests: dict[str, dict[Expr, None]] = {}
        self._copies: dict[str, set[str]] = {}
        self._others: set[str] = {name for name, cell in cells.all.items() if not cell.scalar}
        operations = {
            op: None
            for some in transitions.values()
            for transition in some
            for op in transition.ops
        }
        for op in operations:
            self._look(op)

    def run(self) -> dict[str, tuple[Expr, ...]]:
        waiting = list(self._others)
        while waiting:
            for name in self._copies.get(waiting.pop(), ()):
                if name not in self._others:
                    self._others.add(name)
                    waiting.append(name)
        return {n: tuple(t) for n, t in self._tests.items() if n not in self._others}

    def _look(self, op: Operation) -> None:
        match op:
            case Assume(cond):
                self._test(cond)
            case Assign(target, value):
                self._assign(target, value)
            case _:
                self._exclude(op_reads(op))

    def _assign(self, target: Lvalue, value: Expr) -> None:
        to = self._name(target)
        source = self._name(value)
        if source is not None:
            if to is None:
                self._others.add(source)
            else:
                self._copies.setdefault(source, set()).add(to)
                self._copies.setdefault(to, set()).add(source)
        elif isinstance(value, Cast) and value.arg.type is BOOL:
            self._test(value.arg)
        elif not isinstance(value, Const):
            self._exclude(reads(value))
            if to is not None:
                self._others.add(to)
        if to is None:
            self._exclude(lvalue for lvalue in reads(target) if lvalue is not target)

    def _test(self, cond: Expr) -> None:
        for atom in atoms(cond):
            name = None
            match atom:
                case Binary(Op.EQ | Op.LT | Op.LE, left, Const(), _):
                    name = self._name(left)
                case Binary(Op.EQ | Op.LT | Op.LE, Const(), right, _):
                    name = self._name(right)
            if name is None:
                self._exclude(reads(atom))
            else:
                self._tests.setdefault(name, {})[atom] = None

    def _exclude(self, lvalues: Iterable[Lvalue]) -> None:
        names = map(self._name, lvalues)
        self._others.update(name for name in names if name is not None)

    def _name(self, e: Expr) -> str | None:
        cell = self._cells.of(e) if isinstance(e, Lvalue) else None
        return None if cell is None else cell.name
