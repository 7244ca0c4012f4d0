"""Smart constructors: Booleans, integers and arrays (bit-vectors: `bitvectors`).

They fold constants and simplify what one look at the arguments shows, so that a formula reaches a
solver small, and equal conditions written differently become one term. Soundness duty: every
result means the same as the plain node, for every value of the symbols. Each looks only a few
levels down and never sorts by address, so building is linear and the same on every run.

>>> x = symbol("x", INT)
>>> print(lt(add(x, integer(1)), add(x, integer(2))))
true
>>> print(and_(lt(x, integer(5)), not_(lt(x, integer(5)))))
false
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from .semantics import fold
from .term import (
    BOOL,
    FALSE,
    INT,
    TRUE,
    App,
    BitVecSort,
    Op,
    Scalar,
    Sort,
    Symbol,
    Term,
    Value,
    apply,
    is_app,
)

# A nested conjunction, disjunction or sum is flattened up to this size: bounded, so that adding
# one by one stays linear.
_FLAT = 32


def symbol(name: str, sort: Sort) -> Symbol:
    return Symbol(name, sort)


def boolean(value: bool) -> Value:
    return TRUE if value else FALSE


def integer(value: int) -> Value:
    return Value(value, INT)


# --- Booleans -----------------------------------------------------------------------------------


def not_(arg: Term) -> Term:
    if isinstance(arg, Value) and arg.sort is BOOL:
        return boolean(not arg.value)
    if isinstance(arg, App):
        match arg.op, arg.args:
            case Op.NOT, (inner,):
                return inner
            case Op.LE, (left, right):
                return apply(Op.LT, (right, left))
            case Op.LT, (left, right):
                return apply(Op.LE, (right, left))
            case _:
                pass
    return apply(Op.NOT, (arg,))


def and_(*args: Term) -> Term:
    return _junction(Op.AND, args, TRUE, FALSE)


def or_(*args: Term) -> Term:
    return _junction(Op.OR, args, FALSE, TRUE)


def _junction(op: Op, args: Iterable[Term], neutral: Value, absorbing: Value) -> Term:
    kept: dict[Term, None] = {}
    denied: set[Term | tuple[Op, Term, Term]] = set()  # the opposites of what is kept
    for arg in args:
        nested = isinstance(arg, App) and arg.op is op and len(arg.args) <= _FLAT
        for part in arg.args if nested and isinstance(arg, App) else (arg,):
            if part is absorbing:
                return absorbing
            if part is neutral or part in kept:
                continue
            if part in denied:
                return absorbing
            if isinstance(part, App):
                if part.op is Op.NOT:
                    if part.args[0] in kept:
                        return absorbing
                    denied.add(part.args[0])
                elif part.op is Op.LE or part.op is Op.LT:
                    left, right = part.args
                    if (part.op, left, right) in denied:
                        return absorbing
                    denied.add((Op.LT if part.op is Op.LE else Op.LE, right, left))
            kept[part] = None
    match list(kept):
        case []:
            return neutral
        case [single]:
            return single
        case parts:
            return apply(op, tuple(parts))


def implies(left: Term, right: Term) -> Term:
    return or_(not_(left), right)


def xor(left: Term, right: Term) -> Term:
    return not_(eq(left, right))


def ite(cond: Term, then: Term, other: Term) -> Term:
    if isinstance(cond, Value):
        return then if cond.value else other
    if is_app(cond, Op.NOT):
        assert isinstance(cond, App)
        return ite(cond.args[0], other, then)
    if isinstance(then, App) and then.op is Op.ITE and then.args[0] is cond:
        then = then.args[1]
    if isinstance(other, App) and other.op is Op.ITE and other.args[0] is cond:
        other = other.args[2]
    if then is other:
        return then
    if then.sort is BOOL:
        if then is TRUE or then is cond:
            return or_(cond, other)
        if then is FALSE:
            return and_(not_(cond), other)
        if other is FALSE or other is cond:
            return and_(cond, then)
        if other is TRUE:
            return or_(not_(cond), then)
    return apply(Op.ITE, (cond, then, other))


def eq(left: Term, right: Term) -> Term:
    if isinstance(left, Value):
        left, right = right, left
    while isinstance(right, Value):
        step = _eq_value(left, right)
        if step is None:
            break
        if not isinstance(step, tuple):
            return step
        left, right = step
    if left is right:
        return TRUE
    if surely_distinct(left, right) or (left.sort is BOOL and left is not_(right)):
        return FALSE
    if left.sort is INT:
        left, right = _move_constant(left, right)
    if isinstance(left, Value):
        left, right = right, left
    return fold(apply(Op.EQ, (left, right)))


def _eq_value(left: Term, right: Value) -> Term | tuple[Term, Value] | None:
    """The answer to `left = right`, or two simpler sides; None if there are none."""
    if isinstance(left, Value):
        return boolean(left is right)
    if right.sort is BOOL:
        return left if right.value else not_(left)
    if not isinstance(left, App):
        return None
    match left.op, left.args:
        case Op.ITE, (cond, Value() as then, Value() as other) if then is not other:
            if then is right:
                return cond
            return not_(cond) if other is right else FALSE
        case (Op.ZERO_EXTEND | Op.SIGN_EXTEND) as op, (inner,):
            assert isinstance(inner.sort, BitVecSort)
            short = Value(right.value & ((1 << inner.sort.width) - 1), inner.sort)
            back = fold(apply(op, (short,), left.params))
            return (inner, short) if back is right else FALSE
        case Op.BV_ADD, (inner, Value(offset, _)):
            assert isinstance(right.sort, BitVecSort)
            mask = (1 << right.sort.width) - 1
            return inner, Value((right.value - offset) & mask, right.sort)
        case (Op.BV_NOT | Op.BV_NEG) as op, (inner,):
            image = fold(apply(op, (right,)))
            assert isinstance(image, Value)
            return inner, image
        case _:
            return None


def distinct(*args: Term) -> Term:
    return and_(*(not_(eq(a, b)) for i, a in enumerate(args) for b in args[:i]))


# --- integers: a sum of products with constant factors, the constant last ---------------------


def add(*args: Term) -> Term:
    """The sum; equal summands are counted together."""
    constant = 0
    factors: dict[Term, int] = {}
    for arg in args:
        parts: tuple[Term, ...] = (arg,)
        if isinstance(arg, App) and arg.op is Op.ADD and len(arg.args) <= _FLAT:
            parts = arg.args
        for part in parts:
            if isinstance(part, Value):
                constant += part.value
            else:
                factor, base = _factor(part)
                factors[base] = factors.get(base, 0) + factor
    summands = [_scale(factor, base) for base, factor in factors.items() if factor]
    if constant or not summands:
        summands.append(integer(constant))
    return summands[0] if len(summands) == 1 else apply(Op.ADD, tuple(summands))


def _factor(term: Term) -> tuple[int, Term]:
    """The term as a constant times the rest."""
    if isinstance(term, App) and term.op is Op.MUL:
        match term.args:
            case (Value(value, _), base):
                return value, base
            case _:
                pass
    return 1, term


def _scale(factor: int, base: Term) -> Term:
    return base if factor == 1 else apply(Op.MUL, (integer(factor), base))


def mul(*args: Term) -> Term:
    """The product; a constant goes to the front, and into a sum."""
    constant = prod(arg.value for arg in args if isinstance(arg, Value))
    rest = [arg for arg in args if not isinstance(arg, Value)]
    if constant == 0 or not rest:
        return integer(constant)
    factor, base = _factor(rest[0] if len(rest) == 1 else apply(Op.MUL, tuple(rest)))
    factor *= constant
    if factor != 1 and isinstance(base, App) and base.op is Op.ADD and len(base.args) <= _FLAT:
        return add(*(mul(integer(factor), part) for part in base.args))
    return _scale(factor, base)


def neg(arg: Term) -> Term:
    return mul(integer(-1), arg)


def sub(left: Term, right: Term) -> Term:
    return add(left, neg(right))


def div(left: Term, right: Term) -> Term:
    """Euclid's quotient; 0 if the divisor is."""
    if isinstance(right, Value) and right.value in (0, 1, -1):
        return mul(left, right)
    return fold(apply(Op.DIV, (left, right)))


def mod(left: Term, right: Term) -> Term:
    """Euclid's remainder, never negative; the dividend if the divisor is 0."""
    if isinstance(right, Value):
        if right.value == 0:
            return left
        if right.value in (1, -1):
            return integer(0)
        if isinstance(left, App) and left.op is Op.MOD and left.args[1] is right:
            return left
    return fold(apply(Op.MOD, (left, right)))


def le(left: Term, right: Term) -> Term:
    left, right = _move_constant(left, right)
    if left is right:
        return TRUE
    return fold(apply(Op.LE, (left, right)))


def lt(left: Term, right: Term) -> Term:
    left, right = _move_constant(left, right)
    if left is right:
        return FALSE
    return fold(apply(Op.LT, (left, right)))


def ge(left: Term, right: Term) -> Term:
    return le(right, left)


def gt(left: Term, right: Term) -> Term:
    return lt(right, left)


def _move_constant(left: Term, right: Term) -> tuple[Term, Term]:
    """Two sides whose difference is the same, with one constant summand between them at most; two
    constants if the rest of both sides is the same."""
    a, b = _constant_summand(left), _constant_summand(right)
    if (a or isinstance(left, Value)) and (b or isinstance(right, Value)):
        base, other = add(left, integer(-a)), add(right, integer(-b))
        if isinstance(left, Value):
            return integer(a - b), other
        if isinstance(right, Value):
            return base, integer(b - a)
        left, right = base, add(other, integer(b - a))
        a, b = 0, b - a
    if (a or b) and add(left, integer(-a)) is add(right, integer(-b)):
        return integer(a), integer(b)
    return left, right


def _constant_summand(term: Term) -> int:
    if isinstance(term, App) and term.op is Op.ADD:
        last = term.args[-1]
        return last.value if isinstance(last, Value) else 0
    return term.value if isinstance(term, Value) else 0


# --- arrays -------------------------------------------------------------------------------------


def const_array(index: Scalar, element: Term) -> Term:
    """The array that holds the constant `element` everywhere."""
    return apply(Op.CONST_ARRAY, (element,), (index,))


def select(array: Term, at: Term) -> Term:
    """What the array holds; stores that surely go elsewhere are looked through."""
    while isinstance(array, App):
        match array.op, array.args:
            case Op.CONST_ARRAY, (element,):
                return element
            case Op.STORE, (_, index, new) if index is at:
                return new
            case Op.STORE, (below, index, _) if surely_distinct(index, at):
                array = below
            case _:
                break
    return apply(Op.SELECT, (array, at))


def store(array: Term, at: Term, new: Term) -> Term:
    while isinstance(array, App) and array.op is Op.STORE and array.args[1] is at:
        array = array.args[0]
    if is_app(array, Op.CONST_ARRAY) and isinstance(array, App) and array.args[0] is new:
        return array
    if isinstance(new, App) and new.op is Op.SELECT and new.args == (array, at):
        return array
    return apply(Op.STORE, (array, at, new))


def surely_distinct(left: Term, right: Term) -> bool:
    """True only if the two differ whatever the symbols are: the same base, different offsets."""
    base, offset = _offset(left)
    other_base, other_offset = _offset(right)
    return base is other_base and offset != other_offset


def _offset(term: Term) -> tuple[Term | None, int]:
    """A scalar as a base (None: no base) plus a constant in 0 .. 2^width - 1, or any for Int."""
    match term:
        case Value(value, _):
            return None, value
        case App(Op.BV_ADD, (base, Value(value, _)), _, _):
            return base, value
        case App(Op.ADD, (base, Value(value, _)), _, _):
            return base, value
        case _:
            return term, 0
