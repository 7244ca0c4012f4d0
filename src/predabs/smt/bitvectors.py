"""Smart constructors for bit-vectors; the same duty as `build`: the meaning stays what it was.

C's integers come here through casts and promotions, so the rules are mostly about extracts,
extensions and comparisons with constants.

>>> from .term import Symbol
>>> x = Symbol("x", BitVecSort(8))
>>> print(extract(zero_extend(x, 24), 7, 0))
x
>>> print(add(add(x, bits(3, 8)), bits(255, 8)))
(bvadd x (_ bv2 8))
"""

from __future__ import annotations

from functools import lru_cache

from .build import boolean, eq
from .semantics import fold
from .term import FALSE, TRUE, App, BitVecSort, Op, Term, Value, apply


@lru_cache(1 << 14)
def bits(value: int, width: int) -> Value:
    """The constant; `value` is taken modulo 2^width."""
    return Value(value & ((1 << width) - 1), BitVecSort(width))


def width_of(term: Term) -> int:
    assert isinstance(term.sort, BitVecSort), term
    return term.sort.width


def _ones(width: int) -> int:
    return (1 << width) - 1


def add(left: Term, right: Term) -> Term:
    """The sum; a constant goes to the right, two constants become one."""
    if isinstance(left, Value):
        left, right = right, left
    if isinstance(right, Value):
        if right.value == 0:
            return left
        if isinstance(left, Value):
            return bits(left.value + right.value, width_of(left))
        match left:
            case App(Op.BV_ADD, (base, Value() as offset), _, _):
                return add(base, add(offset, right))
            case _:
                pass
    match left, right:
        case App(Op.BV_ADD, (base, Value() as offset), _, _), _:
            # constants bubble up, so that addresses p + 4 + i meet as (p + i) + 4
            return add(add(base, right), offset)
        case _, App(Op.BV_ADD, (base, Value() as offset), _, _):
            return add(add(left, base), offset)
        case _, App(Op.BV_NEG, (inner,), _, _) if inner is left:
            return bits(0, width_of(left))
        case _:
            return apply(Op.BV_ADD, (left, right))


def sub(left: Term, right: Term) -> Term:
    if left is right:
        return bits(0, width_of(left))
    if isinstance(right, Value):
        return add(left, neg(right))
    if isinstance(left, Value) and left.value == 0:
        return neg(right)
    (a, b), (c, d) = _split(left), _split(right)
    if a is c:
        return bits(b - d, width_of(left))
    return apply(Op.BV_SUB, (left, right))


def _split(term: Term) -> tuple[Term, int]:
    match term:
        case App(Op.BV_ADD, (base, Value(offset, _)), _, _):
            return base, offset
        case _:
            return term, 0


def neg(arg: Term) -> Term:
    match arg:
        case App(Op.BV_NEG, (inner,), _, _):
            return inner
        case App(Op.BV_SUB, (left, right), _, _):
            return sub(right, left)
        case _:
            return fold(apply(Op.BV_NEG, (arg,)))


def mul(left: Term, right: Term) -> Term:
    if isinstance(left, Value):
        left, right = right, left
    if isinstance(right, Value):
        if right.value == 0:
            return right
        if right.value == 1:
            return left
        match left:
            case App(Op.BV_MUL, (base, Value() as factor), _, _):
                return mul(base, mul(factor, right))
            case _:
                pass
    return fold(apply(Op.BV_MUL, (left, right)))


def udiv(left: Term, right: Term) -> Term:
    if isinstance(right, Value) and right.value == 1:
        return left
    return fold(apply(Op.BV_UDIV, (left, right)))


def sdiv(left: Term, right: Term) -> Term:
    # also where the only bit makes it -1: there -x = x
    if isinstance(right, Value) and right.value == 1:
        return left
    return fold(apply(Op.BV_SDIV, (left, right)))


def urem(left: Term, right: Term) -> Term:
    if isinstance(right, Value) and right.value == 1:
        return bits(0, width_of(left))
    return fold(apply(Op.BV_UREM, (left, right)))


def srem(left: Term, right: Term) -> Term:
    if isinstance(right, Value) and right.value == 1:
        return bits(0, width_of(left))
    return fold(apply(Op.BV_SREM, (left, right)))


def shl(left: Term, right: Term) -> Term:
    return _shift(Op.BV_SHL, left, right)


def lshr(left: Term, right: Term) -> Term:
    return _shift(Op.BV_LSHR, left, right)


def ashr(left: Term, right: Term) -> Term:
    return _shift(Op.BV_ASHR, left, right)


def _shift(op: Op, left: Term, right: Term) -> Term:
    if isinstance(right, Value):
        if right.value == 0:
            return left
        if right.value >= width_of(left):
            if op is not Op.BV_ASHR:
                return bits(0, width_of(left))
            top = width_of(left) - 1
            return sign_extend(extract(left, top, top), top)
    if isinstance(left, Value) and left.value == 0:
        return left
    return fold(apply(op, (left, right)))


def and_(left: Term, right: Term) -> Term:
    if isinstance(left, Value):
        left, right = right, left
    if left is right:
        return left
    if isinstance(right, Value):
        if right.value == 0:
            return right
        if right.value == _ones(width_of(right)):
            return left
    return fold(apply(Op.BV_AND, (left, right)))


def or_(left: Term, right: Term) -> Term:
    if isinstance(left, Value):
        left, right = right, left
    if left is right:
        return left
    if isinstance(right, Value):
        if right.value == 0:
            return left
        if right.value == _ones(width_of(right)):
            return right
    return fold(apply(Op.BV_OR, (left, right)))


def xor(left: Term, right: Term) -> Term:
    if isinstance(left, Value):
        left, right = right, left
    if left is right:
        return bits(0, width_of(left))
    if isinstance(right, Value):
        if right.value == 0:
            return left
        if right.value == _ones(width_of(right)):
            return not_(left)
    return fold(apply(Op.BV_XOR, (left, right)))


def not_(arg: Term) -> Term:
    match arg:
        case App(Op.BV_NOT, (inner,), _, _):
            return inner
        case _:
            return fold(apply(Op.BV_NOT, (arg,)))


def ult(left: Term, right: Term) -> Term:
    """left < right, both without a sign."""
    return _compare(Op.BV_ULT, left, right, 0, _ones(width_of(left)))


def ule(left: Term, right: Term) -> Term:
    return _compare(Op.BV_ULE, left, right, 0, _ones(width_of(left)))


def slt(left: Term, right: Term) -> Term:
    """left < right, both in two's complement."""
    high = _ones(width_of(left) - 1)
    return _compare(Op.BV_SLT, left, right, high + 1, high)


def sle(left: Term, right: Term) -> Term:
    high = _ones(width_of(left) - 1)
    return _compare(Op.BV_SLE, left, right, high + 1, high)


def _compare(op: Op, left: Term, right: Term, low: int, high: int) -> Term:
    """A comparison whose order has `low` as its least and `high` as its greatest element."""
    strict = op in (Op.BV_ULT, Op.BV_SLT)
    if left is right:
        return boolean(not strict)
    if isinstance(left, Value) and isinstance(right, Value):
        return fold(apply(op, (left, right)))
    if isinstance(right, Value):
        if strict and right.value == low:
            return FALSE
        if not strict and right.value == high:
            return TRUE
        if not strict and right.value == low:
            return eq(left, right)
    if isinstance(left, Value):
        if strict and left.value == high:
            return FALSE
        if not strict and left.value == low:
            return TRUE
        if not strict and left.value == high:
            return eq(right, left)
    narrower = _compare_narrow(op, left, right)
    return apply(op, (left, right)) if narrower is None else narrower


def _compare_narrow(op: Op, left: Term, right: Term) -> Term | None:
    """Two extensions of the same kind compare as what was extended, if that order is kept."""
    match left, right:
        case App(extension, (a,), _, _), App(other, (b,), _, _) if extension is other:
            pass
        case App(extension, (a,), _, _), Value(value, _) if _extends(extension):
            b = bits(value, width_of(a))
            if fold(apply(extension, (b,), left.params)) is not right:
                return None
        case Value(value, _), App(extension, (b,), _, _) if _extends(extension):
            a = bits(value, width_of(b))
            if fold(apply(extension, (a,), right.params)) is not left:
                return None
        case _:
            return None
    if a.sort is not b.sort or width_of(a) == width_of(left):
        return None
    if extension is Op.ZERO_EXTEND:
        # both are below half of the range: the signed order is the unsigned one
        return ult(a, b) if op in (Op.BV_ULT, Op.BV_SLT) else ule(a, b)
    if extension is Op.SIGN_EXTEND:
        # sign extension keeps the signed order, and the unsigned one too
        return {Op.BV_ULT: ult, Op.BV_ULE: ule, Op.BV_SLT: slt, Op.BV_SLE: sle}[op](a, b)
    return None


def _extends(op: Op) -> bool:
    return op is Op.ZERO_EXTEND or op is Op.SIGN_EXTEND


def concat(high: Term, low: Term) -> Term:
    """The bits of `high` above those of `low`."""
    match high, low:
        case Value(0, _), _:
            return zero_extend(low, width_of(high))
        case App(Op.EXTRACT, (a,), (int(top), int(mid)), _), App(
            Op.EXTRACT, (b,), (int(below), int(bottom)), _
        ) if a is b and mid == below + 1:
            return extract(a, top, bottom)
        case _:
            return fold(apply(Op.CONCAT, (high, low)))


def extract(arg: Term, high: int, low: int) -> Term:
    """The bits `high` down to `low`, both included; looked for where they come from."""
    while isinstance(arg, App) and (low > 0 or high < width_of(arg) - 1):
        match arg.op, arg.args, arg.params:
            case Op.EXTRACT, (inner,), (_, int(below)):
                arg, high, low = inner, high + below, low + below
            case Op.CONCAT, (_, bottom), _ if high < width_of(bottom):
                arg = bottom
            case Op.CONCAT, (top, bottom), _ if low >= width_of(bottom):
                arg, high, low = top, high - width_of(bottom), low - width_of(bottom)
            case ((Op.ZERO_EXTEND | Op.SIGN_EXTEND), (inner,), _) if high < width_of(inner):
                arg = inner
            case Op.ZERO_EXTEND, (inner,), _ if low >= width_of(inner):
                return bits(0, high - low + 1)
            case Op.ZERO_EXTEND, (inner,), _:
                inside = extract(inner, width_of(inner) - 1, low)
                return zero_extend(inside, high - width_of(inner) + 1)
            case Op.SIGN_EXTEND, (inner,), _ if low < width_of(inner):
                inside = extract(inner, width_of(inner) - 1, low)
                return sign_extend(inside, high - width_of(inner) + 1)
            case _:
                break
    if low == 0 and high == width_of(arg) - 1:
        return arg
    return fold(apply(Op.EXTRACT, (arg,), (high, low)))


def zero_extend(arg: Term, more: int) -> Term:
    """`more` zero bits on top."""
    if more == 0:
        return arg
    match arg:
        case App(Op.ZERO_EXTEND, (inner,), (int(below),), _) if below > 0:
            return zero_extend(inner, more + below)
        case _:
            return fold(apply(Op.ZERO_EXTEND, (arg,), (more,)))


def sign_extend(arg: Term, more: int) -> Term:
    """`more` copies of the top bit on top."""
    if more == 0:
        return arg
    match arg:
        case App(Op.SIGN_EXTEND, (inner,), (int(below),), _):
            return sign_extend(inner, more + below)
        case App(Op.ZERO_EXTEND, (inner,), (int(below),), _) if below > 0:
            return zero_extend(inner, more + below)
        case _:
            return fold(apply(Op.SIGN_EXTEND, (arg,), (more,)))
