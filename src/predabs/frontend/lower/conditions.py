"""Lower conditions: to assume edges, and to terms where nothing can be noticed of evaluating all.

An operand that C evaluates only sometimes is reached by a branch, unless it is so simple that
evaluating it anyway makes no difference.
"""

from __future__ import annotations

from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import FALSE, TRUE, Const, Expr, Var
from ...ir.ops import Assign, Assume, Skip
from ...ir.types import INT, is_scalar
from .. import ast
from ..conversions import convert
from .cfa_builder import CfaBuilder
from .lost_faults import lost_parts
from .lvalues import LowerLvalues
from .scopes import FunctionScope


class LowerConditions(LowerLvalues):
    """Lowers the conditions of one function into its graph."""

    def __init__(self, graph: CfaBuilder, scope: FunctionScope) -> None:
        super().__init__(graph, scope)
        self._conditions: dict[ast.Expr, Expr] = {}  # of comparisons

    def condition(self, expr: ast.Expr) -> Expr:
        """The truth of an expression, as a term of type BOOL."""
        if self.simple(expr):
            return self._simple_condition(expr)
        return make.as_condition(self.value(expr))

    def _simple_condition(self, expr: ast.Expr) -> Expr:
        """The same for an expression that may be evaluated at any time. Comparisons come again and
        again, as one node, if the program has many conditions."""
        match expr:
            case ast.Binary("&&" | "||"):
                return self._joined(expr)
            case ast.Unary("!", arg):
                return make.negate(self._simple_condition(arg))
            case ast.Binary():
                found = self._conditions.get(expr)
                if found is None:
                    found = self._conditions[expr] = make.as_condition(self.value(expr))
                return found
        return make.as_condition(self.value(expr))

    def branch(self, expr: ast.Expr, yes: int, no: int) -> None:
        """Go on at `yes` if the expression is true, else at `no`."""
        match expr:
            case ast.Unary("!", arg):
                return self.branch(arg, no, yes)
            case ast.Binary(",", left, right):
                self.discard(left)
                return self.branch(right, yes, no)
            case ast.Binary("&&" | "||") if not self.simple(expr):
                more = self.graph.fresh()
                self.branch(expr.left, *((more, no) if expr.op == "&&" else (yes, more)))
                self.graph.here = more
                return self.branch(expr.right, yes, no)
            case ast.Conditional(cond, then, other) if then is not None and not self.simple(expr):
                first, second = self.graph.fresh(), self.graph.fresh()
                self.branch(cond, first, second)
                self.graph.here = first
                self.branch(then, yes, no)
                self.graph.here = second
                return self.branch(other, yes, no)
        test = self.condition(expr)
        here, self.graph.here = self.graph.here, None
        if here is None:
            return None
        for holds, target in ((test, yes), (make.negate(test), no)):
            if holds is TRUE:
                self.graph.add(here, Skip(), target, expr.coord)
            elif holds is not FALSE:
                self.graph.add(here, Assume(holds), target, expr.coord)
        return None

    def _logical(self, expr: ast.Binary) -> Expr:
        """The value 0 or 1 of `&&` or `||`."""
        if self.simple(expr.right):
            return make.cast(self._joined(expr), INT)
        if not self.effects(expr.left):
            left = self.condition(expr.left)
            if isinstance(left, Const):  # a constant decides which operand counts
                if (left is TRUE) == (expr.op == "||"):
                    return make.const(int(expr.op == "||"), INT)
                return make.cast(self.condition(expr.right), INT)
        result = self.scope.temporary(INT)
        yes, no, after = self.graph.fresh(), self.graph.fresh(), self.graph.fresh()
        self.branch(expr, yes, no)
        for start, value in ((yes, 1), (no, 0)):
            self.graph.here = start
            self.graph.emit(Assign(result, make.const(value, INT)), expr.coord)
            self.graph.jump(after, expr.coord)
        self.graph.here = after
        return result

    def _joined(self, expr: ast.Binary) -> Expr:
        """The truth of a chain of `&&` or of `||`, of which all but the first are simple."""
        parts: list[ast.Expr] = []
        todo: list[ast.Expr] = [expr]
        while todo:
            part = todo.pop()
            if isinstance(part, ast.Binary) and part.op == expr.op and self.simple(part.right):
                todo += (part.right, part.left)
            else:
                parts.append(part)
        if self.simple(expr):
            values = [self._simple_condition(part) for part in parts]
        else:
            values = [make.as_condition(value) for value in self.operands(*parts)]
        joined = make.conj(values) if expr.op == "&&" else make.disj(values)
        self.evaluate(lost_parts(joined, values[0]), expr.coord)
        return joined

    def _conditional(self, expr: ast.Conditional) -> Expr | None:
        scalar = is_scalar(expr.type)
        if not self.effects(expr.cond):
            cond = self.condition(expr.cond)
            if isinstance(cond, Const):
                chosen = (expr.then or expr.cond) if cond is TRUE else expr.other
                value = self.value(chosen)
                return convert(value, expr.type) if scalar else value
            if scalar and self.simple(expr.then or expr.cond) and self.simple(expr.other):
                then = self.value(expr.then) if expr.then else self._shared(expr)
                chosen_value = make.ite(cond, then, self.value(expr.other))
                self.evaluate(lost_parts(chosen_value, cond), expr.coord)
                return chosen_value
        result = self._result(expr.type)
        self._choose(expr.cond, expr.then, expr.other, result, expr.coord)
        return result

    def _shared(self, expr: ast.Conditional) -> Expr:
        return convert(self.value(expr.cond), expr.type)

    def _choose(
        self,
        cond: ast.Expr,
        then: ast.Expr | None,
        other: ast.Expr,
        result: Var | None,
        coord: Coord,
    ) -> None:
        """Branch on `cond`; the side that is taken is evaluated, into `result` if there is one."""
        yes, no, after = self.graph.fresh(), self.graph.fresh(), self.graph.fresh()
        if then is None:  # GNU's `c ?: e`: the value of c, evaluated once, is the first side
            value = self.saved(self.value(cond), coord)
            test = make.as_condition(value)
            if self.graph.here is not None:
                self.graph.add(self.graph.here, Assume(test), yes, coord)
                self.graph.add(self.graph.here, Assume(make.negate(test)), no, coord)
            self.graph.here = yes
            if result is not None:
                self.graph.emit(Assign(result, convert(value, result.type)), coord)
        else:
            self.branch(cond, yes, no)
            self.graph.here = yes
            self._into(result, then)
        self.graph.jump(after, coord)
        self.graph.here = no
        self._into(result, other)
        self.graph.jump(after, coord)
        self.graph.here = after

    def _into(self, result: Var | None, expr: ast.Expr) -> None:
        if result is None:
            self.discard(expr)
        else:
            self.graph.emit(Assign(result, convert(self.value(expr), result.type)), expr.coord)
