"""The automaton of one subprogram while it grows: its variables, and its checks."""

from __future__ import annotations

from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import FALSE, TRUE, Const, Expr, Lvalue, Var
from ...ir.ops import Assign, Assume, Error, ErrorKind, Skip
from ...ir.types import Type
from ..lower.cfa_builder import CfaBuilder

RANGE, INDEX, OVERFLOW, DIVISION = "range", "bounds", "signed-overflow", "div-by-zero"


class Frame:
    """A function of the IR under construction."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.graph = CfaBuilder(function)
        self.locals: list[Var] = []
        self._taken: dict[str, int] = {}

    def local(self, name: str, type_: Type) -> Var:
        """A new local; the second one of a name is `x#2`."""
        count = self._taken[name] = self._taken.get(name, 0) + 1
        suffix = f"#{count}" if count > 1 else ""
        return self._declare(f"{name}{suffix}", type_)

    def temporary(self, type_: Type, name: str = "tmp") -> Var:
        """A new local that no name of the source can clash with."""
        count = self._taken[f"{name}."] = self._taken.get(f"{name}.", 0) + 1
        return self._declare(f"{name}.{count}", type_)

    def _declare(self, name: str, type_: Type) -> Var:
        var = Var(f"{self.function}::{name}", type_)
        self.locals.append(var)
        return var

    def saved(self, value: Expr, coord: Coord) -> Expr:
        """The value as it is now, whatever happens to the variables in it."""
        if isinstance(value, Const):
            return value
        kept = self.temporary(value.type)
        self.graph.emit(Assign(kept, value), coord)
        return kept

    def assign(self, target: Lvalue, value: Expr, coord: Coord) -> None:
        self.graph.emit(Assign(target, value), coord)

    def assume(self, cond: Expr, coord: Coord) -> None:
        if cond is not TRUE:
            self.graph.emit(Assume(cond), coord)

    def check(self, bad: Expr, what: str, check: str, coord: Coord) -> None:
        """A run-time check of the language: a run where `bad` holds comes to an error."""
        self._unless(bad, Error(ErrorKind.CHECK, what, check), coord)

    def claim(self, cond: Expr, what: str, coord: Coord) -> None:
        """An assertion: a run where `cond` does not hold comes to an error."""
        self._unless(make.negate(cond), Error(ErrorKind.ASSERTION, what), coord)

    def _unless(self, bad: Expr, error: Error, coord: Coord) -> None:
        graph = self.graph
        if bad is FALSE or graph.here is None:
            return
        if bad is TRUE:
            graph.emit(error, coord)
            return
        wrong, fine = graph.fresh(), graph.fresh()
        graph.add(graph.here, Assume(bad), wrong, coord)
        graph.add(wrong, error, graph.fresh(), coord)
        graph.add(graph.here, Assume(make.negate(bad)), fine, coord)
        graph.here = fine

    def branch(self, cond: Expr, yes: int, no: int, coord: Coord) -> None:
        """Go on at `yes` if the condition holds, else at `no`."""
        here, self.graph.here = self.graph.here, None
        if here is None:
            return
        for holds, target in ((cond, yes), (make.negate(cond), no)):
            if holds is TRUE:
                self.graph.add(here, Skip(), target, coord)
            elif holds is not FALSE:
                self.graph.add(here, Assume(holds), target, coord)
