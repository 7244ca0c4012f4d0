"""Intervals of expressions in a state that gives intervals to variables, and what conditions add.

Soundness duty: in every state whose variables lie in their intervals, the value of an expression
lies in the interval given for it; and if a condition holds, they lie in the refined intervals too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...ir import make
from ...ir.expr import (
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Index,
    Ite,
    Not,
    Op,
    Or,
    Unary,
    UnaryOp,
    Var,
)
from ...ir.types import BoolType, FloatType, IntType
from ...ir.walk import children
from . import float_bounds, interval
from .interval import Interval
from .state import State

_MOST_CASES = 8  # of a condition that are told apart
_DEEPEST = 8  # how deep conditions are nested in it


class Bounds:
    """Evaluates expressions; `scalar` gives the scalar variable that an lvalue is, if it is one."""

    def __init__(self, scalar: Callable[[Expr], Var | None]) -> None:
        self.scalar = scalar

    def of(
        self,
        e: Expr,
        state: Mapping[Var, Interval],
        known: dict[Expr, Interval | None] | None = None,
    ) -> Interval | None:
        """The interval of an expression's value; None if it is no integer. `known` are those of
        subterms in this state, and of all that were asked for with it."""
        if not _operands(e):
            return self._value(e, [], state)
        if known is None:
            known = {}
        stack = [e]
        while stack:
            term = stack[-1]
            if term in known:
                stack.pop()
                continue
            parts = _operands(term)
            missing = [part for part in parts if part not in known]
            if missing:
                stack.extend(missing)
            else:
                known[term] = self._value(term, [known[part] for part in parts], state)
                stack.pop()
        return known[e]

    def exact(
        self,
        e: Expr,
        state: Mapping[Var, Interval],
        known: dict[Expr, Interval | None] | None = None,
    ) -> Interval | None:
        """The interval of the exact result of the outermost operator, before it is wrapped."""
        match e:
            case Unary() | Binary() | Cast():
                return self._exact(e, [self.of(part, state, known) for part in _operands(e)])
        return self.of(e, state, known)

    def _value(
        self, e: Expr, parts: list[Interval | None], state: Mapping[Var, Interval]
    ) -> Interval | None:
        type_ = e.type
        if isinstance(type_, BoolType):
            false, true = self.truth(e, state)
            return (1, 1) if not false else (0, int(true))
        if isinstance(type_, FloatType):
            return self._float(e, type_, parts, state)
        if not isinstance(type_, IntType):
            return None
        match e:
            case Const(value, _):
                return value, value
            case Var() | Deref() | Field() | Index():
                var = self.scalar(e)
                return interval.of_type(type_) if var is None else _of_var(var, state)
            case Ite():
                then, other = parts
                if then is not None and other is not None:
                    return interval.join(then, other)
        exact = self._exact(e, parts)
        return interval.of_type(type_) if exact is None else interval.wrapped(type_, exact)

    def _float(
        self,
        e: Expr,
        type_: FloatType,
        parts: list[Interval | None],
        state: Mapping[Var, Interval],
    ) -> Interval | None:
        """The interval of a floating-point number (see `float_bounds`); None if it may be NaN."""
        match e:
            case FloatConst():
                return float_bounds.constant(e)
            case Var() | Deref() | Field() | Index():
                var = self.scalar(e)
                return None if var is None or var.type is not type_ else state.get(var)
            case Ite():
                then, other = parts
                return None if then is None or other is None else interval.join(then, other)
            case Unary(op, _, _):
                return float_bounds.unary(op, type_, parts[0])
            case Binary(Op.MUL, left, right, _) if left is right:
                return float_bounds.square(type_, parts[0])
            case Binary(op, _, _, _):
                return float_bounds.binary(op, type_, parts[0], parts[1])
            case Cast(arg, _) if isinstance(arg.type, FloatType):
                return float_bounds.converted(type_, parts[0])
            case Cast(arg, _) if isinstance(arg.type, IntType) and parts[0] is not None:
                return float_bounds.from_integers(type_, parts[0])
        return None

    def _exact(self, e: Expr, parts: list[Interval | None]) -> Interval | None:
        match e:
            case Cast(arg, IntType() as type_) if isinstance(arg.type, FloatType):
                return float_bounds.to_integers(type_, parts[0])
            case Cast():
                return parts[0]
            case Unary(op, _, IntType()) if parts[0] is not None:
                low, high = parts[0]
                return (-high, -low) if op is UnaryOp.NEG else (~high, ~low)
            case Binary(op, left, _, _) if isinstance(left.type, IntType):
                one, two = parts
                if one is not None and two is not None:
                    return interval.binary(op, left.type, one, two)
        return None

    # --- conditions -------------------------------------------------------------------------------

    def truth(
        self, cond: Expr, state: Mapping[Var, Interval], depth: int = _DEEPEST
    ) -> tuple[bool, bool]:
        """May a condition be false, may it be true?"""
        match cond:
            case Const(value, _):
                return not value, bool(value)
            case Not(arg) if depth:
                false, true = self.truth(arg, state, depth - 1)
                return true, false
            case And(args) | Or(args) if depth and len(args) <= _MOST_CASES:
                parts = [self.truth(arg, state, depth - 1) for arg in args]
                if isinstance(cond, And):
                    return any(false for false, _ in parts), all(true for _, true in parts)
                return all(false for false, _ in parts), any(true for _, true in parts)
            case Binary(Op.EQ | Op.LT | Op.LE as op, left, right, _):
                one, two = self.of(left, state), self.of(right, state)
                if one is not None and two is not None:
                    return _compared(op, one, two)
        return True, True

    def assume(self, cond: Expr, state: State) -> State | None:
        """The state if the condition holds; None if it cannot."""
        found = state
        for part in cond.args if isinstance(cond, And) else (cond,):
            refined = self._one(part, found)
            if refined is None:
                return None
            found = refined
        return found

    def _one(self, cond: Expr, state: State) -> State | None:
        match cond:
            case Const(value, _):
                return state if value else None
            case Binary(Op.EQ | Op.LT | Op.LE as op, left, right, _):
                return self._compare(op, left, right, state)
            case Not(Binary(Op.EQ, left, right, _)):
                return self._unequal(left, right, state)
            case Not(Binary(Op.LT | Op.LE as op, left, right, _)):  # of floating point
                if self.of(left, state) is None or self.of(right, state) is None:
                    return state  # there may be a NaN
                return self._compare(Op.LE if op is Op.LT else Op.LT, right, left, state)
            case And(args):
                return self.assume(cond, state)
            case Or(args) if len(args) <= _MOST_CASES:
                return self._any([self._one(arg, state) for arg in args])
            case Not(Or(args)):
                return self.assume(make.conj(map(make.negate, args)), state)
            case Not(And(args)) if len(args) <= _MOST_CASES:
                return self._any([self._one(make.negate(arg), state) for arg in args])
        return state

    def _any(self, cases: list[State | None]) -> State | None:
        possible = [case for case in cases if case is not None]
        if not possible:
            return None
        joined = possible[0]
        for other in possible[1:]:
            joined = joined.join(other)
        return joined

    def _compare(self, op: Op, left: Expr, right: Expr, state: State) -> State | None:
        one, two = self.of(left, state), self.of(right, state)
        if isinstance(left.type, FloatType):  # what compares so is no NaN
            one, two = one or float_bounds.ALL, two or float_bounds.ALL
        if one is None or two is None:
            return state
        if op is Op.EQ:
            common = interval.meet(one, two)
            restricted = (common, common)
        else:
            # between two numbers of Python there are others of long double
            strict = op is Op.LT and not (
                isinstance(left.type, FloatType) and left.type.bits > float_bounds.BITS
            )
            restricted = (
                interval.meet(one, (one[0], two[1] - strict)),
                interval.meet(two, (one[0] + strict, two[1])),
            )
        if restricted[0] is None or restricted[1] is None:
            return None
        refined = self._restrict(left, restricted[0], state)
        return None if refined is None else self._restrict(right, restricted[1], refined)

    def _unequal(self, left: Expr, right: Expr, state: State) -> State | None:
        one, two = self.of(left, state), self.of(right, state)
        if one is None or two is None:
            return state
        if isinstance(left.type, FloatType):
            return None if left is right or one[0] == one[1] == two[0] == two[1] else state
        if one[0] == one[1]:
            left, one, two = right, two, one
        if two[0] != two[1]:
            return state
        low, high = one
        low += low == two[0]
        high -= high == two[0]
        return self._restrict(left, (low, high), state) if low <= high else None

    def _restrict(self, e: Expr, bounds: Interval, state: State) -> State | None:
        """The value of the expression lies in an interval: what follows for its variables."""
        known: dict[Expr, Interval | None] = {}
        while True:
            present = self.of(e, state, known)
            if present is None:
                assert isinstance(e.type, FloatType)
                present = float_bounds.ALL
            common = interval.meet(present, bounds)
            if common is None:
                return None
            match e:
                case Var() | Deref() | Field() | Index():
                    var = self.scalar(e)
                    if var is None or var.type is not e.type or common == state.get(var):
                        return state
                    if isinstance(var.type, IntType) and common == _of_var(var, state):
                        return state
                    return state.updated(var, common)
                case Unary(UnaryOp.NEG, arg, FloatType()):
                    e, bounds = arg, (-common[1], -common[0])
                case Unary(UnaryOp.ABS, arg, FloatType()):
                    e, bounds = arg, (-common[1], common[1])
                case Cast(arg, FloatType(bits, _)) if (
                    isinstance(arg.type, FloatType) and arg.type.bits <= bits
                ):
                    e, bounds = arg, common  # exact
                case Cast(arg, IntType() as type_) if not isinstance(arg.type, FloatType):
                    before = self.of(arg, state, known)
                    if before is None or not interval.inside(before, interval.of_type(type_)):
                        return state
                    e, bounds = arg, common
                case Binary(Op.ADD | Op.SUB as op, left, Const(value, _), IntType() as type_):
                    exact = self.exact(e, state, known)
                    if exact is None or not interval.inside(exact, interval.of_type(type_)):
                        return state
                    by = -value if op is Op.ADD else value
                    e, bounds = left, (common[0] + by, common[1] + by)
                case _:
                    return state


def _of_var(var: Var, state: Mapping[Var, Interval]) -> Interval:
    assert isinstance(var.type, IntType)
    bounds = state.get(var)
    return interval.of_type(var.type) if bounds is None else bounds


def _operands(e: Expr) -> tuple[Expr, ...]:
    """The subterms whose intervals decide that of the term."""
    match e:
        case Unary() | Binary() | Cast():
            return children(e)
        case Ite(_, then, other, _):
            return (then, other)
    return ()


def _compared(op: Op, one: Interval, two: Interval) -> tuple[bool, bool]:
    """May the comparison be false, may it be true?"""
    match op:
        case Op.EQ:
            return not one[0] == one[1] == two[0] == two[1], interval.meet(one, two) is not None
        case Op.LT:
            return one[1] >= two[0], one[0] < two[1]
        case _:
            return one[1] > two[0], one[0] <= two[1]
