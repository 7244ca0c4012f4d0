"""Intervals of floating-point terms in the interval analysis.

A bound is the rank of a number of Python in the order of all of them, so that an interval of
numbers is one of integers, and states, joins and widening are those of integers. An interval says
that the value is no NaN; without one it may be anything. Functions of the C library are as far from
the true value as glibc's manual admits, and rise and fall where the true ones do.

Soundness duty: as that of `ir.float_intervals`.

>>> low, high = (rank(-2.0), rank(0.5))
>>> low < rank(-1.0) < rank(-0.0) == rank(0.0) < high, number(low)
(True, -2.0)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import inf

from ...ir import float_intervals, float_text, ieee754
from ...ir.expr import DIRECTED, FloatConst, Op, UnaryOp
from ...ir.float_intervals import FloatInterval, arithmetic, next_single
from ...ir.ieee754 import DOUBLE, Rounding, format_of
from ...ir.types import FloatType, IntType
from .interval import Interval


def rank(value: float) -> int:
    """The place of a number in the order of all; both zeros have the same."""
    bits = ieee754.from_float(value)
    return -(bits ^ DOUBLE.sign) if bits & DOUBLE.sign else bits


def number(place: int) -> float:
    return ieee754.to_float(place) if place >= 0 else -ieee754.to_float(-place)


BITS = 64  # of the numbers that bounds are
ALL: Interval = (rank(-inf), rank(inf))
"""Every number; no NaN."""


def ranked(found: FloatInterval) -> Interval | None:
    """The interval, if no NaN is in it."""
    low, high, nan = found
    return None if nan or low > high else (rank(low), rank(high))


def numbers(bounds: Interval | None) -> FloatInterval:
    if bounds is None:
        return float_intervals.ANY
    return number(bounds[0]), number(bounds[1]), False


def constant(const: FloatConst) -> Interval | None:
    form = format_of(const.type)
    return ranked(arithmetic(form).constant(float_text.parse(const.hex, form)))


def unary(op: UnaryOp, type_: FloatType, arg: Interval | None) -> Interval | None:
    value, form = numbers(arg), format_of(type_)
    match op:
        case UnaryOp.NEG:
            return ranked(float_intervals.negate(value))
        case UnaryOp.ABS:
            return ranked(float_intervals.absolute(value))
        case UnaryOp.SQRT:
            return ranked(arithmetic(form).square_root(value))
        case UnaryOp.SQRT_UP | UnaryOp.SQRT_DOWN | UnaryOp.SQRT_ZERO:
            return ranked(arithmetic(form, Rounding.RTP).square_root(value))
    if op in _INTEGRAL:
        return ranked(arithmetic(form).integral(value, _INTEGRAL[op]))
    if arg is None or type_.bits == 80:
        return None
    return _library(op, type_, number(arg[0]), number(arg[1]))


def binary(
    op: Op, type_: FloatType, left: Interval | None, right: Interval | None
) -> Interval | None:
    form = format_of(type_)
    name = _ARITHMETIC.get(op)
    if name is not None:
        mode = Rounding.RTP if op in DIRECTED else Rounding.RNE
        compute = getattr(arithmetic(form, mode), name)
        return ranked(compute(numbers(left), numbers(right)))
    if op is Op.COPYSIGN:
        _, high, nan = float_intervals.absolute(numbers(left))
        return ranked((-high, high, nan))
    if op in (Op.FMOD, Op.REMAINDER) and left is not None and right is not None:
        return _remainder(numbers(left), numbers(right))
    return None


def square(type_: FloatType, arg: Interval | None) -> Interval | None:
    """A number times itself."""
    size = float_intervals.absolute(numbers(arg))
    return ranked(arithmetic(format_of(type_)).multiply(size, size))


def _remainder(one: FloatInterval, two: FloatInterval) -> Interval | None:
    """It is not larger than either operand, unless there is none."""
    if one[0] == -inf or one[1] == inf or two[0] <= 0 <= two[1]:
        return None
    most = max(-one[0], one[1])
    if max(-two[0], two[1]) < inf:
        most = min(most, max(-two[0], two[1]))
    return rank(-most), rank(most)


def from_integers(type_: FloatType, bounds: Interval) -> Interval | None:
    # any rounding mode: the widest
    return ranked(arithmetic(format_of(type_)).of_integers(*bounds))


def converted(type_: FloatType, bounds: Interval | None) -> Interval | None:
    return ranked(arithmetic(format_of(type_)).converted(numbers(bounds)))


def to_integers(type_: IntType, bounds: Interval | None) -> Interval | None:
    """The integers, if all fit the type."""
    if bounds is None:
        return None
    low, high = number(bounds[0]), number(bounds[1])
    if low == -inf or high == inf:
        return None
    least, most = math.trunc(low), math.trunc(high)
    return (least, most) if type_.low <= least and most <= type_.high else None


_ARITHMETIC = {
    op: name
    for name, ops in {
        "add": (Op.ADD, Op.ADD_UP, Op.ADD_DOWN, Op.ADD_ZERO),
        "subtract": (Op.SUB, Op.SUB_UP, Op.SUB_DOWN, Op.SUB_ZERO),
        "multiply": (Op.MUL, Op.MUL_UP, Op.MUL_DOWN, Op.MUL_ZERO),
        "divide": (Op.DIV, Op.DIV_UP, Op.DIV_DOWN, Op.DIV_ZERO),
    }.items()
    for op in ops
}
_INTEGRAL = {
    UnaryOp.FLOOR: Rounding.RTN,
    UnaryOp.CEIL: Rounding.RTP,
    UnaryOp.TRUNC: Rounding.RTZ,
    UnaryOp.ROUND: Rounding.RNA,
    UnaryOp.RINT: Rounding.RNE,
}

# --- the C library --------------------------------------------------------------------------------

_RISING: dict[UnaryOp, Callable[[float], float]] = {
    UnaryOp.EXP: math.exp,
    UnaryOp.EXP2: math.exp2,
    UnaryOp.EXPM1: math.expm1,
    UnaryOp.SINH: math.sinh,
    UnaryOp.TANH: math.tanh,
    UnaryOp.ATAN: math.atan,
    UnaryOp.CBRT: math.cbrt,
    UnaryOp.ASIN: math.asin,
    UnaryOp.LOG: math.log,
    UnaryOp.LOG2: math.log2,
    UnaryOp.LOG10: math.log10,
    UnaryOp.LOG1P: math.log1p,
}
_DOMAIN: dict[UnaryOp, tuple[float, float]] = {
    UnaryOp.ASIN: (-1.0, 1.0),
    UnaryOp.ACOS: (-1.0, 1.0),
    UnaryOp.LOG: (0.0, inf),
    UnaryOp.LOG2: (0.0, inf),
    UnaryOp.LOG10: (0.0, inf),
    UnaryOp.LOG1P: (-1.0, inf),
}
ERROR = 16  # so many numbers a result may be off, here and there: far more than glibc admits


def _library(op: UnaryOp, type_: FloatType, low: float, high: float) -> Interval | None:
    """The range of a function; None if the result may be NaN, or nothing is known."""
    domain = _DOMAIN.get(op, (-inf, inf))
    if low < domain[0] or high > domain[1]:
        return None
    if op in (UnaryOp.SIN, UnaryOp.COS):
        return None if low == -inf or high == inf else (rank(-1.0), rank(1.0))
    if op is UnaryOp.ACOS:
        return _off(type_, _value(math.acos, high), _value(math.acos, low))
    if op is UnaryOp.COSH:
        size = max(abs(low), abs(high))
        least = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        return _off(type_, _value(math.cosh, least), _value(math.cosh, size))
    function = _RISING.get(op)
    return None if function is None else _off(type_, _value(function, low), _value(function, high))


def _value(function: Callable[[float], float], at: float) -> float:
    """Python raises where C gives an infinity."""
    try:
        return function(at)
    except OverflowError:
        return math.copysign(inf, at)
    except ValueError:
        return -inf  # a logarithm at the end of its domain


def _off(type_: FloatType, low: float, high: float) -> Interval:
    """The bounds, with room for the errors of the library."""
    for _ in range(ERROR):
        if type_.bits == 32:
            low = next_single(arithmetic(format_of(type_)).converted((low, low, False))[0], -inf)
            high = next_single(arithmetic(format_of(type_)).converted((high, high, False))[0], inf)
        else:
            low, high = math.nextafter(low, -inf), math.nextafter(high, inf)
    return rank(low), rank(high)
