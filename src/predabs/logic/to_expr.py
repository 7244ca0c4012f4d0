"""Terms of the solvers back as expressions of the IR.

Integers are computed in a signed type wide enough for every value that occurs, so nothing wraps;
bit-vectors in unsigned types of their width. Soundness duty: the expression has the value of the
term wherever each symbol has the value of its expression, or it is an `UnsupportedFeature`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.expr import Expr, UnaryOp
from ..ir.expr import Op as IrOp
from ..ir.types import IntType, PointerType
from .encoding import limits
from .term import App, BitVecSort, BoolSort, IntSort, Op, Term, Value

_WIDEST = 64
_PLAIN = {
    Op.BV_ADD: IrOp.ADD,
    Op.BV_SUB: IrOp.SUB,
    Op.BV_MUL: IrOp.MUL,
    Op.BV_AND: IrOp.AND,
    Op.BV_OR: IrOp.OR,
    Op.BV_XOR: IrOp.XOR,
}
_COMPARE = {
    Op.BV_ULT: (IrOp.LT, False),
    Op.BV_ULE: (IrOp.LE, False),
    Op.BV_SLT: (IrOp.LT, True),
    Op.BV_SLE: (IrOp.LE, True),
}


@dataclass(frozen=True, slots=True)
class _Integer:
    """An expression and the mathematical integers that it may be."""

    expr: Expr
    low: int
    high: int


_Made: TypeAlias = Expr | _Integer


def to_expr(root: Term, names: Mapping[Term, Expr]) -> Expr:
    """The condition (or bit-vector) as an expression; `names` has those of the symbols, or of other
    terms that stand for places."""
    made: dict[Term, _Made] = {term: _named(term, expr) for term, expr in names.items()}
    work = _Make(made)
    stack = [root]
    while stack:
        term = stack[-1]
        if term not in made:
            args = term.args if isinstance(term, App) else ()
            missing = [arg for arg in args if arg not in made]
            if missing:
                stack.extend(missing)
                continue
            made[term] = work.make(term)
        stack.pop()
    result = made[root]
    return result.expr if isinstance(result, _Integer) else result


def _named(term: Term, expr: Expr) -> _Made:
    match term.sort:
        case BoolSort():
            return expr
        case IntSort():
            return _Integer(expr, *limits(expr.type))
        case BitVecSort(width):
            return make.cast(expr, IntType(width, False))
    raise UnsupportedFeature(f"{term} is no value of an expression")


@dataclass(frozen=True, slots=True)
class _Make:
    made: Mapping[Term, _Made]

    def make(self, term: Term) -> _Made:
        match term:
            case Value(value, BoolSort()):
                return make.truth(bool(value))
            case Value(value, IntSort()):
                return _Integer(make.const(value, _wide(value, value)), value, value)
            case Value(value, BitVecSort(width)):
                return make.const(value, IntType(width, False))
            case App():
                return self._app(term)
        raise UnsupportedFeature(f"no expression for {term}")

    def _expr(self, term: Term) -> Expr:
        found = self.made[term]
        assert not isinstance(found, _Integer)
        return found

    def _integer(self, term: Term) -> _Integer:
        found = self.made[term]
        assert isinstance(found, _Integer)
        return found

    def _app(self, term: App) -> _Made:
        args = term.args
        match term.op:
            case Op.NOT:
                return make.negate(self._expr(args[0]))
            case Op.AND:
                return make.conj(map(self._expr, args))
            case Op.OR:
                return make.disj(map(self._expr, args))
            case Op.ITE:
                return self._choice(*args)
            case Op.EQ | Op.LE | Op.LT:
                return self._compare(term.op, *args)
        if isinstance(term.sort, IntSort):
            return self._arithmetic(term)
        return self._vector(term)

    def _choice(self, cond: Term, then: Term, other: Term) -> _Made:
        test, a, b = self._expr(cond), self.made[then], self.made[other]
        if isinstance(a, _Integer) and isinstance(b, _Integer):
            low, high = min(a.low, b.low), max(a.high, b.high)
            type_ = _wide(low, high)
            return _Integer(make.ite(test, _as(a, type_), _as(b, type_)), low, high)
        return make.ite(test, self._expr(then), self._expr(other))

    def _compare(self, op: Op, left: Term, right: Term) -> Expr:
        ir = {Op.EQ: IrOp.EQ, Op.LE: IrOp.LE, Op.LT: IrOp.LT}[op]
        a, b = self.made[left], self.made[right]
        if not isinstance(a, _Integer) or not isinstance(b, _Integer):
            return make.compare(ir, self._expr(left), self._expr(right))
        for one, two in ((a, b), (b, a)):  # in the type of one side, if the other is in its range
            type_ = one.expr.type
            low, high = limits(type_)
            if low <= two.low and two.high <= high and isinstance(type_, IntType | PointerType):
                return make.compare(ir, _as(a, type_), _as(b, type_))
        wide = _wide(min(a.low, b.low), max(a.high, b.high))
        return make.compare(ir, _as(a, wide), _as(b, wide))

    def _arithmetic(self, term: App) -> _Integer:
        args = [self._integer(arg) for arg in term.args]
        match term.op:
            case Op.ADD:
                low, high = sum(a.low for a in args), sum(a.high for a in args)
                return _sum(args, low, high)
            case Op.MUL:
                result = args[0]
                for arg in args[1:]:
                    ends = [x * y for x in (result.low, result.high) for y in (arg.low, arg.high)]
                    result = _binary(IrOp.MUL, result, arg, min(ends), max(ends))
                return result
            case Op.DIV | Op.MOD:
                number, divisor = args
                if divisor.low == divisor.high and divisor.low > 0:
                    return _divided(term.op, number, divisor.low)
        raise UnsupportedFeature(f"no expression for {term.op.value}")

    def _vector(self, term: App) -> Expr:
        args = [self._expr(arg) for arg in term.args]
        op, sort = term.op, term.sort
        if op in _COMPARE:
            ir, signed = _COMPARE[op]
            sides = [_signed(arg) for arg in args] if signed else args
            return make.compare(ir, *sides)
        if not isinstance(sort, BitVecSort):
            raise UnsupportedFeature(f"no expression for {op.value}")
        type_ = IntType(sort.width, False)
        if op in _PLAIN:
            return make.binary(_PLAIN[op], *args)
        match op, term.params:
            case Op.BV_NEG, _:
                return make.unary(UnaryOp.NEG, args[0])
            case Op.BV_NOT, _:
                return make.unary(UnaryOp.INVERT, args[0])
            case Op.ZERO_EXTEND, _:
                return make.cast(args[0], type_)
            case Op.SIGN_EXTEND, _:
                return make.cast(_signed(args[0]), type_)
            case Op.EXTRACT, (int(_), int(low)):
                amount = make.const(low, IntType(32, True))
                return make.cast(make.binary(IrOp.SHR, args[0], amount), type_)
            case Op.CONCAT, _:
                low_type = args[1].type
                assert isinstance(low_type, IntType)
                amount = make.const(low_type.bits, IntType(32, True))
                high = make.binary(IrOp.SHL, make.cast(args[0], type_), amount)
                return make.binary(IrOp.OR, high, make.cast(args[1], type_))
        raise UnsupportedFeature(f"no expression for {op.value}")


def _wide(low: int, high: int) -> IntType:
    """The smallest of the usual signed types with these values."""
    for bits in (32, _WIDEST):
        if IntType(bits, True).low <= low and high <= IntType(bits, True).high:
            return IntType(bits, True)
    raise UnsupportedFeature("numbers that are too large for an expression")


def _as(number: _Integer, type_: IntType | PointerType) -> Expr:
    return make.cast(number.expr, type_)


def _binary(op: IrOp, left: _Integer, right: _Integer, low: int, high: int) -> _Integer:
    ends = (low, left.low, right.low), (high, left.high, right.high)
    type_ = _wide(min(ends[0]), max(ends[1]))
    return _Integer(make.binary(op, _as(left, type_), _as(right, type_)), low, high)


def _sum(args: list[_Integer], low: int, high: int) -> _Integer:
    """All partial sums lie between the sums of what is negative and of what is positive."""
    least = sum(min(0, arg.low) for arg in args)
    most = sum(max(0, arg.high) for arg in args)
    type_ = _wide(least, most)
    result = _as(args[0], type_)
    for arg in args[1:]:
        result = make.binary(IrOp.ADD, result, _as(arg, type_))
    return _Integer(result, low, high)


def _divided(op: Op, number: _Integer, divisor: int) -> _Integer:
    """Euclid's quotient or remainder by a positive constant."""
    type_ = _wide(min(number.low - divisor, -divisor), max(number.high + divisor, divisor))
    by = make.const(divisor, type_)
    value = _as(number, type_)
    rest = make.binary(IrOp.REM, value, by)
    if number.low < 0:
        rest = make.binary(IrOp.REM, make.binary(IrOp.ADD, rest, by), by)
    if op is Op.MOD:
        return _Integer(rest, 0, divisor - 1)
    whole = make.binary(IrOp.DIV, make.binary(IrOp.SUB, value, rest), by)
    return _Integer(whole, number.low // divisor, number.high // divisor)


def _signed(expr: Expr) -> Expr:
    assert isinstance(expr.type, IntType)
    return make.cast(expr, IntType(expr.type.bits, True))
