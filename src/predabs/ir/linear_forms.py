"""Linear forms of C's numbers, modulo a power of two: for indices that are compared and solved.

Numbers wrap around, so a sum may be taken apart and put together in any order.

>>> from .expr import Var
>>> from .show import show_expr
>>> from .types import INT
>>> i, k, ten = Var("i", INT), Var("k", INT), make.const(10, INT)
>>> turned = make.binary(Op.SUB, ten, i)
>>> show_expr(normal(make.binary(Op.SUB, ten, turned))), show_expr(solved(turned, i, k))
('i', '10 - k')
"""

from __future__ import annotations

from . import make
from .expr import Binary, Const, Expr, Op, Unary, UnaryOp
from .types import IntType

_MOST_LEVELS = 50


def normal(e: Expr) -> Expr:
    """An equal expression; equal sums become the same one."""
    if not isinstance(e.type, IntType):
        return e
    parts, number = _form(e, e.type)
    return _sum(parts, number, e.type)


def equation(left: Expr, right: Expr) -> Expr:
    """`left == right`, without what both sides have in common."""
    type_ = left.type
    if not isinstance(type_, IntType) or right.type is not type_:
        return make.equal(left, right)
    parts, number = _form(left, type_)
    others, other = _form(right, type_)
    for part, factor in others.items():
        parts[part] = parts.get(part, 0) - factor
    signed = IntType(type_.bits, True)
    factors = {part: signed.wrap(factor) for part, factor in parts.items()}
    number = signed.wrap(number - other)
    plus = {part: factor for part, factor in factors.items() if factor > 0}
    minus = {part: -factor for part, factor in factors.items() if factor < 0}
    if not plus:
        plus, minus, number = minus, plus, -number
    return make.equal(_sum(plus, 0, type_), _sum(minus, -number, type_))


def solved(e: Expr, unknown: Expr, value: Expr) -> Expr | None:
    """What `unknown` is if `e` has that value; None if `e` does not say that exactly."""
    type_ = e.type
    if not isinstance(type_, IntType) or value.type is not type_ or unknown.type is not type_:
        return None
    parts, number = _form(e, type_)
    factor = type_.wrap(parts.pop(unknown, 0))
    others, constant = _form(value, type_)
    if factor not in (1, -1):
        return None
    for part, times in parts.items():
        others[part] = others.get(part, 0) - times
    return _sum(
        {part: factor * times for part, times in others.items()},
        factor * (constant - number),
        type_,
    )


def _form(e: Expr, type_: IntType, level: int = 0) -> tuple[dict[Expr, int], int]:
    """Factors of parts that are no sums, and a number."""
    match e:
        case Const(value, _):
            return {}, value
        case Binary(Op.ADD | Op.SUB as op, left, right, _) if level < _MOST_LEVELS:
            parts, number = _form(left, type_, level + 1)
            more, other = _form(right, type_, level + 1)
            sign = 1 if op is Op.ADD else -1
            for part, factor in more.items():
                parts[part] = parts.get(part, 0) + sign * factor
            return parts, number + sign * other
        case Binary(Op.MUL, left, right, _) if level < _MOST_LEVELS:
            for one, rest in ((left, right), (right, left)):
                if isinstance(one, Const):
                    parts, number = _form(rest, type_, level + 1)
                    times = one.value
                    return {part: times * n for part, n in parts.items()}, times * number
        case Unary(UnaryOp.NEG, arg, _) if level < _MOST_LEVELS:
            parts, number = _form(arg, type_, level + 1)
            return {part: -n for part, n in parts.items()}, -number
    return {e: 1}, 0


def _sum(parts: dict[Expr, int], number: int, type_: IntType) -> Expr:
    """The sum, what is added first; a constant that is subtracted from comes at the beginning."""
    signed = IntType(type_.bits, True)
    terms = [(part, signed.wrap(n)) for part, n in parts.items() if signed.wrap(n)]
    terms.sort(key=lambda item: item[1] < 0)
    number = signed.wrap(number)
    result: Expr | None = None
    if (not terms or terms[0][1] < 0) and number:
        result, number = make.const(type_.wrap(number), type_), 0
    for part, n in terms:
        times = (
            part
            if abs(n) == 1
            else make.binary(Op.MUL, make.const(type_.wrap(abs(n)), type_), part)
        )
        if result is None:
            result = times if n > 0 else make.unary(UnaryOp.NEG, times)
        else:
            result = make.binary(Op.ADD if n > 0 else Op.SUB, result, times)
    if result is None:
        return make.const(type_.wrap(number), type_)
    if number:
        op, amount = (Op.ADD, number) if number > 0 else (Op.SUB, -number)
        result = make.binary(op, result, make.const(type_.wrap(amount), type_))
    return result
