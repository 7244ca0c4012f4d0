"""What operators make of truth values and of bounds of bits; see `interval_terms` for the duty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ..ir import float_intervals
from ..ir.float_intervals import FloatArithmetic, FloatInterval, arithmetic
from ..ir.ieee754 import DOUBLE, Rounding
from .semantics import signed
from .term import Op

FALSE, TRUE, EITHER = 0, 1, 2
BitsInterval: TypeAlias = tuple[int, int]


# --- conditions -----------------------------------------------------------------------------------


def same(value: Any) -> Any:
    return value


def negation(a: int) -> int:
    return a if a == EITHER else 1 - a


def conjunction(*args: int) -> int:
    return FALSE if FALSE in args else EITHER if EITHER in args else TRUE


def disjunction(*args: int) -> int:
    return TRUE if TRUE in args else EITHER if EITHER in args else FALSE


def same_truth(a: int, b: int) -> int:
    return EITHER if EITHER in (a, b) else int(a == b)


def either_truth(a: int, b: int) -> int:
    return a if a == b else EITHER


def truth(may_be_false: bool, may_be_true: bool) -> int:
    return EITHER if may_be_false and may_be_true else int(may_be_true)


def square(numbers: FloatArithmetic, a: FloatInterval) -> FloatInterval:
    size = float_intervals.absolute(a)
    return numbers.multiply(size, size)


COMPARE: dict[Op, Callable[[FloatInterval, FloatInterval], int]] = {
    Op.FP_LT: lambda a, b: truth(*float_intervals.less(a, b)),
    Op.FP_LE: lambda a, b: truth(*float_intervals.less_equal(a, b)),
    Op.FP_EQ: lambda a, b: truth(*float_intervals.equal(a, b)),
}
ARITHMETIC = {
    Op.FP_ADD: "add",
    Op.FP_SUB: "subtract",
    Op.FP_MUL: "multiply",
    Op.FP_DIV: "divide",
}


# --- bits -----------------------------------------------------------------------------------------


def hull(a: BitsInterval, b: BitsInterval) -> BitsInterval:
    return min(a[0], b[0]), max(a[1], b[1])


def same_bits(a: BitsInterval, b: BitsInterval) -> int:
    if a[1] < b[0] or b[1] < a[0]:
        return FALSE
    return TRUE if a[0] == a[1] == b[0] == b[1] else EITHER


def signed_bounds(a: BitsInterval, width: int) -> tuple[int, int]:
    half = 1 << (width - 1)
    if a[1] < half or a[0] >= half:
        return signed(a[0], width), signed(a[1], width)
    return -half, half - 1


def order(strict: bool, is_signed: bool) -> Callable[[int], Callable[..., int]]:
    def of_width(width: int) -> Callable[..., int]:
        def compute(a: BitsInterval, b: BitsInterval) -> int:
            if is_signed:
                a, b = signed_bounds(a, width), signed_bounds(b, width)
            if strict:
                return TRUE if a[1] < b[0] else FALSE if a[0] >= b[1] else EITHER
            return TRUE if a[1] <= b[0] else FALSE if a[0] > b[1] else EITHER

        return compute

    return of_width


BIT_COMPARE = {
    Op.BV_ULT: order(True, False),
    Op.BV_ULE: order(False, False),
    Op.BV_SLT: order(True, True),
    Op.BV_SLE: order(False, True),
}


def to_signed(mode: Rounding, width: int) -> Callable[[FloatInterval], BitsInterval]:
    """The integer, as bits; out of range the most negative one."""
    half = 1 << (width - 1)

    def compute(a: FloatInterval) -> BitsInterval:
        low, high, nan = a
        if nan or low > high or not (-half <= low and high < half):
            return 0, 2 * half - 1
        low, high, _ = arithmetic(DOUBLE).integral(a, mode)
        least, most = int(low), int(high)
        if least >= 0:
            return (least, most) if most < half else (0, 2 * half - 1)
        if most < 0:
            return least + 2 * half, most + 2 * half
        return 0, 2 * half - 1

    return compute


_Rule: TypeAlias = Callable[[int, int, tuple[int, ...]], Callable[..., BitsInterval | None]]
"""Of the widths of the first and last operand and the params: what the operator does."""


def _shift_right(a: BitsInterval, b: BitsInterval) -> BitsInterval:
    return (a[0] >> b[1], a[1] >> b[0]) if b[1] < 4096 else (0, a[1])


def _arithmetic_shift(width: int) -> Callable[..., BitsInterval | None]:
    def compute(a: BitsInterval, b: BitsInterval) -> BitsInterval | None:
        return _shift_right(a, b) if a[1] < 1 << (width - 1) else None

    return compute


def _extract(params: tuple[int, ...]) -> Callable[..., BitsInterval | None]:
    high, low = params

    def compute(a: BitsInterval) -> BitsInterval | None:
        if a[1] >> (high + 1) != a[0] >> (high + 1):
            return None
        mask = (1 << (high - low + 1)) - 1
        return a[0] >> low & mask, a[1] >> low & mask

    return compute


def _masked(a: BitsInterval, b: BitsInterval) -> BitsInterval:
    return 0, min(a[1], b[1])


def _sign_extended(width: int, more: int) -> Callable[..., BitsInterval | None]:
    def compute(a: BitsInterval) -> BitsInterval | None:
        half, added = 1 << (width - 1), ((1 << more) - 1) << width
        if a[1] < half:
            return a
        return (a[0] | added, a[1] | added) if a[0] >= half else None

    return compute


BITS: dict[Op, _Rule] = {
    Op.BV_ADD: lambda w, v, p: lambda a, b: (a[0] + b[0], a[1] + b[1]),
    Op.BV_SUB: lambda w, v, p: lambda a, b: (a[0] - b[1], a[1] - b[0]),
    Op.BV_MUL: lambda w, v, p: lambda a, b: (a[0] * b[0], a[1] * b[1]),
    Op.BV_AND: lambda w, v, p: _masked,
    Op.BV_LSHR: lambda w, v, p: _shift_right,
    Op.BV_ASHR: lambda w, v, p: _arithmetic_shift(w),
    Op.CONCAT: lambda w, v, p: lambda a, b: (a[0] << v | b[0], a[1] << v | b[1]),
    Op.EXTRACT: lambda w, v, p: _extract(p),
    Op.ZERO_EXTEND: lambda w, v, p: lambda a: a,
    Op.SIGN_EXTEND: lambda w, v, p: _sign_extended(w, p[0]),
}
