"""Integer operators as generated Python, with C's semantics as `ir.arith` defines it."""

from __future__ import annotations

from ...errors import InternalError
from ...ir import arith
from ...ir.expr import Op
from ...ir.types import IntType, PointerType
from .code import PythonCode, fit, numeral, type_range

_COMPARISONS = {Op.EQ: "==", Op.LT: "<", Op.LE: "<="}


def compare(op: Op, left: PythonCode, right: PythonCode) -> PythonCode:
    """A comparison, of any numbers: Python's is IEEE's for floating point."""
    depth = max(left.depth, right.depth) + 1
    return PythonCode(f"({left.text} {_COMPARISONS[op]} {right.text})", depth=depth)


def integer(
    op: Op, type_: IntType | PointerType, left: PythonCode, right: PythonCode
) -> PythonCode:
    """`left op right`, computed in the type and wrapped where the ranges call for it."""
    if left.constant and right.constant and not (op in (Op.DIV, Op.REM) and right.low == 0):
        return numeral(arith.binary(op, type_, left.low, right.low))
    match op:
        case Op.ADD | Op.SUB | Op.MUL:
            return fit(type_, _ring(op, left, right))
        case Op.DIV:
            return fit(type_, _divide(left, right))
        case Op.REM:
            return _remainder(left, right)
        case Op.SHL | Op.SHR:
            return fit(type_, _shift(op, type_.bits, left, right))
        case Op.AND | Op.OR | Op.XOR:
            return _bitwise(op, type_, left, right)
    raise InternalError(f"{op.value} is no arithmetic operator of integers")


def _joined(op: Op, left: PythonCode, right: PythonCode, low: int, high: int) -> PythonCode:
    depth = max(left.depth, right.depth) + 1
    return PythonCode(f"({left.text} {op.value} {right.text})", low, high, depth=depth)


def _ring(op: Op, left: PythonCode, right: PythonCode) -> PythonCode:
    match op:
        case Op.ADD:
            return _joined(op, left, right, left.low + right.low, left.high + right.high)
        case Op.SUB:
            return _joined(op, left, right, left.low - right.high, left.high - right.low)
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return _joined(op, left, right, min(corners), max(corners))


def _divide(left: PythonCode, right: PythonCode) -> PythonCode:
    """Python's `//` rounds down, C's `/` towards zero; both agree on numbers that are not negative.
    A divisor of zero raises ZeroDivisionError in every form."""
    depth = max(left.depth, right.depth) + 1
    most = max(abs(left.low), abs(left.high))
    if left.low >= 0 and right.low >= 0:
        return PythonCode(f"({left.text} // {right.text})", 0, left.high, depth=depth)
    if right.constant and right.low > 0:
        text = f"(w // {right.text} if (w := {left.text}) >= 0 else -(-w // {right.text}))"
        return PythonCode(text, min(left.low, 0), max(left.high, 0), depth=depth)
    low = min(left.low, 0) if right.low >= 0 else -most
    high = max(left.high, 0) if right.low >= 0 else most
    return PythonCode(f"quotient({left.text}, {right.text})", low, high, depth=depth)


def _remainder(left: PythonCode, right: PythonCode) -> PythonCode:
    """The sign is that of the dividend, and the absolute value not above it."""
    depth = max(left.depth, right.depth) + 1
    if left.low >= 0 and right.low >= 0:
        high = min(left.high, max(right.high - 1, 0))
        return PythonCode(f"({left.text} % {right.text})", 0, high, depth=depth)
    low, high = min(left.low, 0), max(left.high, 0)
    if right.constant and right.low > 0:
        text = f"(w % {right.text} if (w := {left.text}) >= 0 else -(-w % {right.text}))"
        below = right.low - 1
        return PythonCode(text, max(low, -below), min(high, below), depth=depth)
    return PythonCode(f"remainder({left.text}, {right.text})", low, high, depth=depth)


def _shift(op: Op, bits: int, left: PythonCode, right: PythonCode) -> PythonCode:
    """The amount counts modulo the width."""
    if right.constant:
        least = most = right.low % bits
        amount = str(least)
    elif right.low >= 0 and right.high < bits:
        least, most = right.low, right.high
        amount = right.text
    else:
        least, most = 0, bits - 1
        amount = f"({right.text} % {bits})"
    depth = max(left.depth, right.depth) + 2
    amounts = (least, most)
    if op is Op.SHL:
        ends = [end << amount for end in (left.low, left.high) for amount in amounts]
    else:
        ends = [end >> amount for end in (left.low, left.high) for amount in amounts]
    return PythonCode(f"({left.text} {op.value} {amount})", min(ends), max(ends), depth=depth)


def _bitwise(
    op: Op, type_: IntType | PointerType, left: PythonCode, right: PythonCode
) -> PythonCode:
    """Bits of two values of the type give a value of the type."""
    low, high = type_range(type_)
    if op is Op.AND and (left.low >= 0 or right.low >= 0):
        low = 0
        high = min(code.high for code in (left, right) if code.low >= 0)
    elif left.low >= 0 and right.low >= 0:
        low = 0
        high = (1 << max(left.high, right.high).bit_length()) - 1
    return _joined(op, left, right, low, high)
