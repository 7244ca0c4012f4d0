"""Constants of sums added up: `x + 1 + 1` is `x + 2`, and `x + 2 == 5` is `x == 3`.

Numbers wrap around, so constants may be added up in any order, and an equation keeps its meaning
when the same is taken from both sides. Whether a sum overflows on the way is lost: this is for
conditions that pass through programs, not for the program itself.

>>> from . import make
>>> from .expr import Var
>>> from .show import show_expr
>>> from .types import INT
>>> x, one = Var("x", INT), make.const(1, INT)
>>> twice = make.binary(Op.ADD, make.binary(Op.ADD, x, one), one)
>>> show_expr(folded(twice)), show_expr(folded(make.equal(twice, make.const(5, INT))))
('x + 2', 'x == 3')
"""

from __future__ import annotations

from . import make
from .expr import Binary, Const, Expr, Op
from .types import IntType
from .walk import fold, rebuild


def folded(e: Expr) -> Expr:
    """An equal expression; the same object if there is nothing to add up."""
    return fold(e, _step)


def _step(term: Expr, parts: tuple[Expr, ...]) -> Expr:
    match term:
        case Binary(Op.ADD | Op.SUB, _, _, IntType() as type_):
            form, number = _added(rebuild(term, parts))
            return _sum(form, number, type_)
        case Binary(Op.EQ, left, _, _) if isinstance(left.type, IntType):
            form, number = _added(parts[0])
            if number and isinstance(parts[1], Const):
                rest = left.type.wrap(parts[1].value - number)
                return make.equal(form, make.const(rest, left.type))
    return rebuild(term, parts)


def _added(e: Expr) -> tuple[Expr, int]:
    """A form and a number of which the expression, whose parts are folded, is the sum."""
    match e:
        case Binary(Op.ADD | Op.SUB as op, left, Const(value, IntType()), IntType()):
            form, number = _one(left)
            return form, number + value if op is Op.ADD else number - value
        case Binary(Op.ADD, Const(value, IntType()), right, IntType()):
            form, number = _one(right)
            return form, number + value
    return e, 0


def _one(e: Expr) -> tuple[Expr, int]:
    """The same for one that is such a sum already."""
    match e:
        case Binary(Op.ADD, left, Const(value, IntType()), IntType()):
            return left, value
        case Binary(Op.SUB, left, Const(value, IntType()), IntType()):
            return left, -value
    return e, 0


def _sum(form: Expr, number: int, type_: IntType) -> Expr:
    """The form plus the number, or minus its opposite if that is smaller."""
    size = type_.high - type_.low + 1
    number %= size
    if 2 * number > size:
        return make.binary(Op.SUB, form, make.const(type_.wrap(size - number), type_))
    return make.binary(Op.ADD, form, make.const(type_.wrap(number), type_))
