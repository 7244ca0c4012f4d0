"""Predicates of a few points brought to the statements around them, for an abstraction that goes
statement by statement.

What a predicate says behind a statement is, before it, its weakest precondition; what a summary
says at the end of a callee is, in the caller, the same about the arguments and the lvalue of the
result; and the conditions on the way decide what can be concluded. No soundness duty: these are
guesses at what the abstraction will need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.modref import ModRef
from ...errors import UnsupportedFeature
from ...ir.cfa import Location, Program
from ...ir.expr import Const, Expr, Lvalue, Var
from ...ir.ops import Assume, Call, Error, Halt, Operation, Return
from ...ir.walk import substitute, variables
from ...wp.aliasing import Aliasing
from ...wp.weakest_precondition import Preconditions
from ..atoms import atoms
from .newton import NewtonPredicate

_MOST = 200  # predicates that one is brought to


class Spread:
    """Knows the statements of one program."""

    def __init__(self, program: Program, effects: ModRef, aliasing: Aliasing) -> None:
        self._program = program
        self._effects = effects
        self._made = aliasing.names.made
        self._before = Preconditions(aliasing)
        self._globals = frozenset(item.var for item in program.globals)

    def around(self, points: Iterable[tuple[Location, NewtonPredicate]]) -> list[NewtonPredicate]:
        """The predicates at their points, and those that lead to them."""
        found: dict[tuple[str | None, Expr], NewtonPredicate] = {}
        for location, one in points:
            others = [one, *self._backwards(location, one), *self._in_callers(location, one)]
            for each in others:
                found.setdefault((each.function, each.expr), each)
        return list(found.values())

    def _backwards(self, location: Location, point: NewtonPredicate) -> Iterator[NewtonPredicate]:
        """Up to calls, and to what was seen before."""
        assert point.function is not None
        function = self._program.functions[point.function]
        todo, seen = [(location, point.expr)], {(location, point.expr)}
        while todo and len(seen) <= _MOST:
            here, expr = todo.pop()
            for edge in function.incoming[here]:
                for before in self._through(edge.op, expr):
                    if (edge.src, before) not in seen:
                        seen.add((edge.src, before))
                        todo.append((edge.src, before))
                        yield self._found(point, before)
                if isinstance(edge.op, Assume) and set(variables(edge.op.cond)) & set(
                    variables(expr)
                ):
                    for atom in atoms(edge.op.cond):
                        if (edge.src, atom) not in seen:
                            seen.add((edge.src, atom))
                            todo.append((edge.src, atom))
                            yield self._found(point, atom)

    def _through(self, op: Operation, expr: Expr) -> Iterator[Expr]:
        if isinstance(op, Assume):
            yield expr
        elif not isinstance(op, Call | Return | Error | Halt):
            try:
                before = self._before.wp(op, expr)
            except UnsupportedFeature:
                return
            if not isinstance(before, Const) and not self._unknown(before):
                yield before

    def _unknown(self, expr: Expr) -> bool:
        """Does it speak of an input?"""
        return any(var in self._made and "'" not in var.name for var in variables(expr))

    def _found(self, point: NewtonPredicate, expr: Expr) -> NewtonPredicate:
        assert point.function is not None
        used = set(variables(expr))
        constants = {c: lvalue for c, lvalue in point.constants.items() if c in used}
        only = used <= self._globals and not constants
        return NewtonPredicate(None if only else point.function, expr, constants)

    def _in_callers(self, location: Location, point: NewtonPredicate) -> Iterator[NewtonPredicate]:
        """What a predicate at the end of a function says behind its calls."""
        assert point.function is not None
        function = self._program.functions[point.function]
        results = [e.op.value for e in function.outgoing[location] if isinstance(e.op, Return)]
        if not results:
            return
        for caller in self._program.functions.values():
            for edge in caller.edges:
                if isinstance(edge.op, Call) and function.name in self._effects.callees(edge):
                    said = self._said_behind(edge.op, results[0], point)
                    if said is not None:
                        only = set(variables(said)) <= self._globals
                        yield NewtonPredicate(None if only else caller.name, said, {})

    def _said_behind(self, call: Call, result: Expr | None, point: NewtonPredicate) -> Expr | None:
        params = self._program.functions[point.function or ""].params
        actuals = dict(zip(params, call.args, strict=False))
        mapping: dict[Expr, Expr] = {}
        for constant, lvalue in point.constants.items():
            arg: Expr | None = actuals.get(lvalue) if isinstance(lvalue, Var) else None
            if arg is None or arg.type is not lvalue.type:
                return None  # a global may have changed
            mapping[constant] = arg
        used = set(variables(point.expr)) - point.constants.keys() - self._globals
        target: Lvalue | None = call.target
        if used:
            if result is None or used != {result} or target is None:
                return None
            if target.type is not result.type:
                return None
            if any(target in variables(arg) for arg in mapping.values()):
                return None
            mapping[result] = target
        said = substitute(point.expr, mapping)
        return None if isinstance(said, Const) else said
